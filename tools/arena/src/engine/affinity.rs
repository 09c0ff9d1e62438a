//! CPU affinity of engines.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
#[cfg(any(target_os = "linux", target_os = "android"))]
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::str::FromStr;

use crate::counted;

/// Greatest CPU number in a `cpu_set_t` on Linux.
const GREATEST: usize = 1023;

/// CPU numbers, parsed from text such as `0-3,6`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processors(Vec<usize>);

impl FromStr for Processors {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.parse::<usize>(), last.parse::<usize>()) {
                (Ok(first), Ok(last)) if first <= last && last <= GREATEST => all.extend(first..=last),
                _ => {
                    return Err(format!(
                        "`{part}`: expected a number up to {GREATEST} or a range as in `0-3`"
                    ));
                }
            }
        }
        Ok(Self(all.into_iter().collect()))
    }
}

impl fmt::Display for Processors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
    }
}

impl Processors {
    /// An error if this program is not allowed to use all of the CPUs. Checked on Linux only.
    pub(crate) fn check(&self) -> Result<(), String> {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        if let Some(allowed) = allowed.map(str::trim)
            && let Ok(Self(known)) = allowed.parse()
            && let Some(missing) = self.0.iter().find(|processor| !known.contains(processor))
        {
            return Err(format!("there is no processor {missing}; expected some of {allowed}"));
        }
        Ok(())
    }

    pub(crate) fn dealt(&self, games: NonZeroUsize) -> Result<Vec<Self>, String> {
        let all = self.0.len();
        if !all.is_multiple_of(games.get()) {
            let all = counted(all, "processor");
            return Err(format!("{all} cannot be dealt out evenly among {games} games at a time"));
        }
        Ok(self.0.chunks(all / games).map(|some| Self(some.to_vec())).collect())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            let processors = self.0.clone();
            // SAFETY: the closure makes system calls only, and neither allocates nor locks.
            unsafe { command.pre_exec(move || bind_this_process(&processors)) };
            command.spawn()
        }
        #[cfg(windows)]
        {
            let mut child = command.spawn()?;
            if let Err(error) = windows::bind(&child, &self.0) {
                let _ = child.kill().and_then(|()| child.wait());
                return Err(io::Error::new(error.kind(), format!("processors {self}: {error}")));
            }
            Ok(child)
        }
        #[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
        {
            let _ = command;
            Err(io::Error::new(
                io::ErrorKind::Unsupported,
                format!("processors {self}: this system binds no process to processors"),
            ))
        }
    }
}

/// Binds the calling process. Fails if a CPU is missing, which the system alone would ignore.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn bind_this_process(processors: &[usize]) -> io::Result<()> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let mut wanted = CpuSet::new();
    for &processor in processors {
        wanted.set(processor);
    }
    sched_setaffinity(None, &wanted)?;
    if sched_getaffinity(None)? == wanted { Ok(()) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

#[cfg(windows)]
mod windows {
    use std::io;
    use std::os::windows::io::AsRawHandle;
    use std::process::Child;

    use windows_sys::Win32::System::Threading::SetProcessAffinityMask;

    /// Binds a child to `processors`, which are numbers from 0 to 63 in its processor group.
    pub(super) fn bind(child: &Child, processors: &[usize]) -> io::Result<()> {
        let mut mask = 0_usize;
        for &processor in processors {
            let bit = 1_usize.checked_shl(processor as u32);
            mask |= bit.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        }
        // SAFETY: the handle of a child stays valid until the child is dropped.
        let result = unsafe { SetProcessAffinityMask(child.as_raw_handle(), mask) };
        if result != 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dealt(text: &str, games: usize) -> Result<Vec<String>, String> {
        let games = NonZeroUsize::new(games).expect("not 0");
        Ok(text.parse::<Processors>()?.dealt(games)?.iter().map(Processors::to_string).collect())
    }

    #[test]
    fn processors_are_dealt_out() {
        assert_eq!(dealt("6,0-2", 2), Ok(vec!["0,1".to_owned(), "2,6".to_owned()]));
        let refusal = "4 processors cannot be dealt out evenly among 3 games at a time";
        assert_eq!(dealt("6,0-2", 3), Err(refusal.to_owned()));
        let refusal = "1 processor cannot be dealt out evenly among 2 games at a time";
        assert_eq!(dealt("0", 2), Err(refusal.to_owned()));
        for part in ["", "2-1", "1024", "x"] {
            let refusal = format!("`{part}`: expected a number up to 1023 or a range as in `0-3`");
            assert_eq!(dealt(part, 1), Err(refusal));
        }
    }
}
