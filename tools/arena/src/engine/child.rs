//! Child processes of engines, listed in one place so that all can be killed.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::affinity::Processors;
#[cfg(unix)]
use super::process_group;

/// All processes that may be running.
static RUNNING: Mutex<Vec<Weak<Mutex<Leader>>>> = Mutex::new(Vec::new());

/// A process that [`kill_all`] can kill.
///
/// It leads a process group of its own, so that Ctrl-C on the terminal does not reach it. On Unix the whole group ends
/// with it; on Windows the processes that it has started are left to end by themselves.
pub struct ChildProcess(Arc<Mutex<Leader>>);

/// The leader of a process group.
struct Leader {
    child: Child,
    /// `None` until it was reaped.
    status: Option<ExitStatus>,
}

impl ChildProcess {
    /// Starts a process, on `processors` alone if any are given; `pipes` takes its pipes.
    ///
    /// # Errors
    /// The errors of [`Command::spawn`]; a processor that the system does not have.
    pub fn spawn<T>(
        command: &mut Command,
        processors: Option<&Processors>,
        pipes: impl FnOnce(&mut Child) -> T,
    ) -> io::Result<(Self, T)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(windows)]
        {
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
            std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
        }
        let mut child = match processors {
            Some(processors) => processors.spawn(command)?,
            None => command.spawn()?,
        };
        let pipes = pipes(&mut child);
        let leader = Arc::new(Mutex::new(Leader { child, status: None }));
        let mut running = lock(&RUNNING);
        running.retain(|process| process.strong_count() > 0);
        running.push(Arc::downgrade(&leader));
        Ok((Self(leader), pipes))
    }

    /// The number of the process in the system.
    pub fn id(&self) -> u32 {
        lock(&self.0).child.id()
    }

    /// Waits up to `timeout` for the process to end; returns its status if it has ended.
    pub fn wait(&self, timeout: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + timeout;
        loop {
            match lock(&self.0).try_wait() {
                Ok(None) if Instant::now() < end => {}
                status => return status.ok().flatten(),
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills the process and its group, if it is still there.
    pub fn kill(&self) {
        lock(&self.0).kill();
    }
}

impl Leader {
    /// Reaps the process if it has ended, after the rest of its group is killed.
    fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        #[cfg(unix)]
        if self.status.is_none() {
            if !process_group::has_ended(self.child.id()) {
                return Ok(None);
            }
            process_group::kill(self.child.id());
        }
        self.status = self.child.try_wait()?;
        Ok(self.status)
    }

    fn kill(&mut self) {
        if self.status.is_some() {
            return;
        }
        #[cfg(unix)]
        process_group::kill(self.child.id());
        let _ = self.child.kill();
        self.status = self.child.wait().ok();
    }
}

/// Kills all engines at once.
pub fn kill_all() {
    for process in lock(&RUNNING).iter().filter_map(Weak::upgrade) {
        lock(&process).kill();
    }
}

/// The value, also after a panic of a thread that held the lock: a process handle has no broken state.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
