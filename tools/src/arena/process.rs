//! The processes of the engines: kept apart from the terminal, and known in one place so that all can be killed.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The processes that may be running.
static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// A process that [`kill_all`] knows.
pub(super) struct Process(Arc<Mutex<Child>>);

impl Process {
    /// Starts a process in a process group of its own: Ctrl-C on the terminal is meant for the match, which then ends its
    /// engines itself. An engine killed by it would seem to have crashed.
    ///
    /// # Errors
    /// Those of [`Command::spawn`].
    pub(super) fn spawn<T>(
        command: &mut Command,
        pipes: impl FnOnce(&mut Child) -> T,
    ) -> io::Result<(Self, T)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        {
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
            std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
        }
        let mut child = command.spawn()?;
        let pipes = pipes(&mut child);
        let child = Arc::new(Mutex::new(child));
        let mut running = lock(&RUNNING);
        running.retain(|process| process.strong_count() > 0);
        running.push(Arc::downgrade(&child));
        Ok((Self(child), pipes))
    }

    /// Waits up to `patience` for the process to end of itself; returns its status if it has.
    pub(super) fn wait(&self, patience: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + patience;
        loop {
            match lock(&self.0).try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < end => {}
                _ => return None,
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the process, if it is still there.
    pub(super) fn kill(&self) {
        let mut child = lock(&self.0);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Kills all engines, without waiting for anything.
pub(super) fn kill_all() {
    for process in lock(&RUNNING).iter().filter_map(Weak::upgrade) {
        // Whoever holds the lock is ending it already.
        if let Ok(mut child) = process.try_lock() {
            let _ = child.kill();
        }
    }
}

/// The value, also after another thread has panicked with it: processes stay what they are.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
