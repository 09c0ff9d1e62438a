//! Lock files: only one run at a time writes a result file.
//!
//! A run locks `FILE.lock`. The system releases the lock when the process ends, so a lock file left by a killed run
//! blocks nobody. The result file itself is not locked: a run may replace it, and on Windows nobody could read it.

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::file::with_suffix;
use anyhow::{Context, Result};

use crate::engine::command_line;
use crate::record::now;

/// Time to wait for a lock. If a run is killed while it starts an engine, the forked child holds the lock until `exec`.
const PATIENCE: Duration = Duration::from_millis(500);

/// Error: another run, which the message names, holds the lock.
#[derive(Debug)]
pub struct LockTaken(String);

impl fmt::Display for LockTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LockTaken {}

/// Held lock of a result file. Dropping it releases the lock.
#[derive(Debug)]
pub struct Lock {
    result: PathBuf,
    flag: &'static str,
    /// Lock file. It is removed before it is closed, so no process locks a file that is about to vanish.
    file: File,
    /// Directories that this run created, innermost first.
    new_directories: Vec<PathBuf>,
}

impl Lock {
    /// Locks the result file at `path`, and creates its directory. Messages use `flag`, the option for `path`.
    /// [`LockTaken`] is the error if another run holds the lock.
    pub fn take(path: &Path, flag: &'static str) -> Result<Self> {
        let new_directories = make_directories(path)?;
        Ok(Self { result: path.to_owned(), file: acquire(path, flag)?, flag, new_directories })
    }

    /// Locks again if somebody removed the lock file.
    pub(crate) fn renew(&mut self) -> Result<()> {
        if !is_at(&self.file, &lock_of(&self.result)) {
            make_directories(&self.result)?;
            self.file = acquire(&self.result, self.flag)?;
        }
        Ok(())
    }
}

fn lock_of(path: &Path) -> PathBuf {
    with_suffix(path, ".lock")
}

/// Creates missing directories above `path`. Returns the new directories, innermost first.
fn make_directories(path: &Path) -> Result<Vec<PathBuf>> {
    let mut new = Vec::new();
    for directory in path.ancestors().skip(1) {
        if directory.as_os_str().is_empty() || directory.exists() {
            break;
        }
        new.push(directory.to_owned());
    }
    if let Some(directory) = new.first() {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make the directory `{}`", directory.display()))?;
    }
    Ok(new)
}

fn acquire(path: &Path, flag: &str) -> Result<File> {
    let (lock_path, end) = (lock_of(path), Instant::now() + PATIENCE);
    loop {
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&lock_path);
        let file = file.with_context(|| format!("cannot write `{}`", path.display()))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < end => {
                thread::sleep(Duration::from_millis(10));
                continue;
            }
            Err(TryLockError::WouldBlock) => return Err(LockTaken(taken(path, flag)).into()),
            // Some network file systems have no locks (`Unsupported`). The run then continues without a lock.
            Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Unsupported => {
                return Err(error).with_context(|| format!("cannot lock `{}`", lock_path.display()));
            }
            _ => {}
        }
        // The previous holder may have removed the lock file in the meantime.
        if is_at(&file, &lock_path) {
            describe(&file);
            return Ok(file);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let path = lock_of(&self.result);
        if is_at(&self.file, &path) {
            let _left_behind = fs::remove_file(&path);
        }
        // `remove_dir` fails for directories with contents, which stay.
        self.new_directories.iter().for_each(|directory| drop(fs::remove_dir(directory)));
    }
}

/// Writes the holder into the lock file. Errors are ignored, because the lock is held anyway.
fn describe(mut file: &File) {
    let command = command_line::join(&std::env::args().collect::<Vec<_>>());
    let text = format!("process {}, since {}, `{command}`\n", std::process::id(), now());
    let _without = file.set_len(0).and_then(|()| file.write_all(text.as_bytes()));
}

fn taken(path: &Path, flag: &str) -> String {
    let holder = fs::read_to_string(lock_of(path)).unwrap_or_default();
    let who = holder.strip_suffix('\n').map(|holder| format!(": {holder}")).unwrap_or_default();
    let name = path.display();
    format!("`{name}` is being written by another run{who}; wait until that ends, or give another `{flag}`")
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// Without inode numbers, only checks whether a file exists at `path`.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_one_writer_at_a_time() {
        let directory = crate::test_match::Directory::new("lock");
        let result = directory.path("new").join("er/out.csv");
        let lock_file = result.with_file_name("out.csv.lock");
        let lock = Lock::take(&result, "--csv").expect("it is free");
        let error = Lock::take(&result, "--csv").expect_err("it is taken");
        assert!(error.is::<LockTaken>());
        let said = error.to_string();
        let start = format!("`{}` is being written by another run", result.display());
        let end = "; wait until that ends, or give another `--csv`";
        assert!(said.starts_with(&start) && said.ends_with(end), "{said}");
        #[cfg(unix)]
        assert!(said.contains(&format!(": process {}, since 20", std::process::id())), "{said}");
        drop(lock);
        assert!(!directory.path("new").exists(), "nothing is left of it");

        fs::create_dir_all(directory.path("new/er")).expect("made");
        drop(Lock::take(&result, "--csv").expect("it is free"));
        assert!(directory.path("new/er").exists(), "the directory was there before");
        fs::write(&lock_file, "process 1,").expect("written");
        let mut lock = Lock::take(&result, "--csv").expect("it is free");
        fs::remove_file(&lock_file).expect("it was there");
        lock.renew().expect("nobody has it");
        assert!(lock_file.exists());
        fs::write(&result, "a result").expect("written");
        let freed = thread::spawn(|| {
            thread::sleep(Duration::from_millis(20));
            drop(lock);
        });
        drop(Lock::take(&result, "--csv").expect("it is free soon"));
        freed.join().expect("it was freed");
        assert!(!lock_file.exists() && result.exists());
    }

    #[test]
    fn many_that_want_it_have_it_in_turn() {
        let directory = crate::test_match::Directory::new("lock-many");
        let result = directory.path("out.csv");
        let (holders, taken) = (std::sync::atomic::AtomicU32::new(0), std::sync::atomic::AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(std::sync::atomic::Ordering::SeqCst) < 200 {
                        let Ok(lock) = Lock::take(&result, "--csv") else { continue };
                        assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        taken.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                        holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
