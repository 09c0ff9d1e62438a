//! The search thread: an [`Executor`] between two channels.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, unbounded};

use super::books::SharedBook;
use super::executor::Executor;
use super::job::{Event, Job};
use crate::book::AnyBook;

/// The channels of the search thread. Dropping them ends the thread after its current job.
#[derive(Debug)]
pub(crate) struct Worker {
    /// Jobs to do, in order.
    pub jobs: Sender<Job>,
    /// Their results.
    pub events: Receiver<Event>,
    /// The book that the thread has open.
    pub open_book: SharedBook,
}

impl Worker {
    /// Starts the thread. Its table will have `megabytes`, unless a [`Job::Resize`] comes before the first job that
    /// needs a table.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn spawn(megabytes: usize) -> std::io::Result<Self> {
        let (jobs, waiting) = unbounded();
        let (report, events) = unbounded();
        let executor = Executor::new(megabytes);
        let open_book = executor.shared_book();
        let run = move || run(executor, &waiting, &report);
        std::thread::Builder::new().name("search".into()).spawn(run)?;
        Ok(Self { jobs, events, open_book })
    }

    /// The opening book that a search would play from, if it has been opened. Does not wait for a search.
    pub(crate) fn book(&self) -> Option<Arc<AnyBook>> {
        self.open_book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Executes jobs until the session is gone, or until there is no memory for a table.
fn run(mut executor: Executor, jobs: &Receiver<Job>, report: &Sender<Event>) {
    while let Some(job) = next_job(&mut executor, jobs) {
        let mut is_session_gone = false;
        let mut emit = |event| is_session_gone |= report.send(event).is_err();
        let result = executor.execute(job, &|| !jobs.is_empty(), &mut emit);
        if is_session_gone || result.is_err() {
            break;
        }
    }
    log::debug!("search thread ends");
}

/// Time without a job after which the thread counts as idle. Arenas mostly send the next command as soon as they have the
/// answer to the last one, and pages that the system provides meanwhile would delay it by some milliseconds.
const IDLE_AFTER: Duration = Duration::from_millis(20);

/// The next job; `None` after the last. In idle time, pages of a new table are written.
fn next_job(executor: &mut Executor, jobs: &Receiver<Job>) -> Option<Job> {
    match jobs.recv_timeout(IDLE_AFTER) {
        Ok(job) => return Some(job),
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => return None,
    }
    loop {
        match jobs.try_recv() {
            Ok(job) => return Some(job),
            Err(TryRecvError::Empty) if executor.prepare_some() => {}
            Err(TryRecvError::Empty) => return jobs.recv().ok(),
            Err(TryRecvError::Disconnected) => return None,
        }
    }
}
