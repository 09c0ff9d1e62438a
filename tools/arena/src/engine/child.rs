//! Child processes of engines, listed in one place so that all can be killed.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// All processes that may be running.
static RUNNING: Mutex<Vec<Weak<Mutex<Child>>>> = Mutex::new(Vec::new());

/// A process that [`kill_all`] can kill.
pub struct ChildProcess(Arc<Mutex<Child>>);

impl ChildProcess {
    /// Starts a process; with `is_detached`, in a process group of its own, so that Ctrl-C on the terminal does not
    /// reach it.
    ///
    /// # Errors
    /// Those of [`Command::spawn`].
    pub fn spawn<T>(
        command: &mut Command,
        is_detached: bool,
        pipes: impl FnOnce(&mut Child) -> T,
    ) -> io::Result<(Self, T)> {
        if is_detached {
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(command, 0);
            #[cfg(windows)]
            {
                const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
                std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
            }
        }
        let mut child = command.spawn()?;
        let pipes = pipes(&mut child);
        let child = Arc::new(Mutex::new(child));
        let mut running = lock(&RUNNING);
        running.retain(|process| process.strong_count() > 0);
        running.push(Arc::downgrade(&child));
        Ok((Self(child), pipes))
    }

    /// The number of the process in the system.
    #[must_use]
    pub fn id(&self) -> u32 {
        lock(&self.0).id()
    }

    /// Waits up to `timeout` for the process to end; returns its status if it has ended.
    #[must_use]
    pub fn wait(&self, timeout: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + timeout;
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
    pub fn kill(&self) {
        let mut child = lock(&self.0);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Kills all engines at once.
pub fn kill_all() {
    for process in lock(&RUNNING).iter().filter_map(Weak::upgrade) {
        // A thread that holds the lock is ending the process already.
        if let Ok(mut child) = process.try_lock() {
            let _ = child.kill();
        }
    }
}

/// The value, also after a panic of a thread that held the lock: a process handle has no broken state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
