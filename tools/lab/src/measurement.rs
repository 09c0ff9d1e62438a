//! Quantiles of times. CPU time and memory of processes, which only Linux reports.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// Process group of an engine, such as a script and the program that it runs.
pub(crate) struct ProcessGroup(Vec<u32>);

impl ProcessGroup {
    pub(crate) fn of(leader: u32) -> Self {
        let mut members: Vec<u32> = std::fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|&process| group_of(process) == Some(leader))
            .collect();
        if members.is_empty() {
            members.push(leader);
        }
        Self(members)
    }

    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.0.iter().filter_map(|&process| process_cpu_time(process)).reduce(|sum, time| sum + time)
    }

    pub(crate) fn resident_megabytes(&self) -> Option<f64> {
        let sizes = self.0.iter().filter_map(|process| kibibytes(&process.to_string(), "VmRSS:"));
        sizes.reduce(|sum, size| sum + size).map(|size| size as f64 / 1024.0)
    }
}

/// Process group of a process. The name in `/proc/PID/stat` may contain `)`, so the fields start after the last `)`.
fn group_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(2)?.parse().ok()
}

pub(crate) fn load_average() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

fn kibibytes(process: &str, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Warns if the load average exceeds the number of processors.
pub(crate) fn busy_note() -> Option<String> {
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let load = load_average().filter(|load| *load > processors as f64)?;
    Some(format!("load average {load} on {processors} processors: other programs slow the measurements"))
}

const FULL_SHARE: f64 = 0.8;

/// Warns if an engine got less than 80 % of the CPU time.
pub(crate) fn share_note(share: f64) -> Option<String> {
    if share >= FULL_SHARE {
        return None;
    }
    Some(format!(
        "The engine used {:.0}% of the processor time: other programs take the rest, or the engine waits",
        100.0 * share
    ))
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Quantile of sorted times, or zero without times.
pub(crate) fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Processor time of this thread from an arbitrary start. On a busy machine it is more reliable than wall time.
#[cfg(target_os = "linux")]
pub fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `time`, which is valid for that, and keeps no pointer to it.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    debug_assert_eq!(result, 0, "every Linux has this clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Wall time from an arbitrary start. No portable clock measures the work of a thread.
#[cfg(not(target_os = "linux"))]
pub fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Processor time of all threads of process `id`, if the system reports it.
#[cfg(target_os = "linux")]
pub fn process_cpu_time(id: u32) -> Option<Duration> {
    let mut clock = 0;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: each call writes to the one place it is given, which is valid for that, and keeps no pointer to it.
    let found = unsafe {
        libc::clock_getcpuclockid(libc::pid_t::try_from(id).ok()?, &raw mut clock) == 0
            && libc::clock_gettime(clock, &raw mut time) == 0
    };
    if !found {
        return None;
    }
    Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// `None`, because no portable clock measures another process.
#[cfg(not(target_os = "linux"))]
pub fn process_cpu_time(_id: u32) -> Option<Duration> {
    None
}

/// Processor time of a solver on `threads` threads, from an arbitrary start. With several threads it is the time of
/// the whole process, if the system reports it.
fn solver_cpu_time(threads: NonZeroUsize) -> Duration {
    if threads.get() == 1 {
        cpu_time()
    } else {
        process_cpu_time(std::process::id()).unwrap_or_else(cpu_time)
    }
}

/// The cost of a computation.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Processor time of all threads.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
}

/// Runs `work`; returns its result and cost. `threads` is the number of threads that `work` uses, for the processor time.
pub fn measured<T>(threads: NonZeroUsize, work: impl FnOnce() -> T) -> (T, Taken) {
    let (start, cpu) = (Instant::now(), solver_cpu_time(threads));
    let result = work();
    let cpu = solver_cpu_time(threads).saturating_sub(cpu);
    (result, Taken { cpu, wall: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_group_of_a_script_has_the_program_that_it_runs() {
        use std::io::{BufRead, BufReader};
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};

        // The child allocates memory, prints a line and waits for the end of standard input.
        let script = "sh -c 'x=$(head -c 16000000 /dev/zero | tr \\\\0 x); echo ready; read end'; true";
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        let mut shell = command.spawn().expect("a shell");
        let mut line = String::new();
        BufReader::new(shell.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let (group, alone) = (ProcessGroup::of(shell.id()), ProcessGroup(vec![shell.id()]));
        let has_memory = group.resident_megabytes() > alone.resident_megabytes().map(|size| size + 10.0);
        let has_time = group.cpu() > alone.cpu();
        drop(shell.stdin.take());
        shell.wait().expect("the shell ends");
        assert!(line == "ready\n" && has_memory && has_time, "{line}");
        assert_eq!(ProcessGroup::of(u32::MAX).cpu(), None);
        assert!(load_average().is_some());
    }

    #[test]
    fn quantiles_are_times_that_were_taken() {
        let times: Vec<_> = (1..=200).map(Duration::from_micros).collect();
        let at = |share| quantile(&times, share).as_micros();
        assert_eq!((at(0.0), at(0.5), at(0.99), at(1.0)), (1, 100, 198, 200));
        assert_eq!(quantile(&[], 0.5), Duration::ZERO);
    }

    #[test]
    fn work_takes_time() {
        let start = cpu_time();
        let mut sum = 0_u64;
        while cpu_time() == start {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(cpu_time() > start);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_worked_at_least_as_long_as_one_of_its_threads() {
        let thread = cpu_time();
        assert!(process_cpu_time(std::process::id()).is_some_and(|process| process >= thread));
        assert_eq!(process_cpu_time(u32::MAX), None);
    }
}
