//! A session over a pair of streams, with a reader thread and a search thread.
//!
//! The session's own thread waits for the next line, the next event and the deadline of the running search.
//!
//! If the system does not schedule the search thread in time, no game is lost: the session's thread, which sleeps most of
//! the time and so is scheduled soon, answers at the deadline with the best move reported so far.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, after, never, select, unbounded};

use super::executor::{Executor, SharedBook};
use super::job::{Event, Job};
use super::options::DEFAULT_HASH;
use super::session::Session;
use super::stream::{Arrival, Input, is_closed, spawn_reader};
use crate::book::AnyBook;
use crate::clock::Instant;

/// The reason for which [`run`] ended before the end of its input.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The output cannot be written.
    Output(io::Error),
    /// The system cannot start a thread.
    Thread(io::Error),
    /// The search thread has died.
    WorkerLost,
}

impl RunError {
    /// Whether the reader of the output is gone, which ends a session but is no fault of the engine.
    #[must_use]
    pub fn is_closed_output(&self) -> bool {
        matches!(self, Self::Output(error) if is_closed(error))
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write to the output: {error}"),
            Self::Thread(error) => write!(f, "cannot start a thread: {error}"),
            Self::WorkerLost => f.write_str("the search thread has died"),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Output(error) | Self::Thread(error) => Some(error),
            Self::WorkerLost => None,
        }
    }
}

/// Runs an engine that reads commands from `input` and prints replies on `output`, until `quit` or the end of the input
/// and until every search has been answered. Reading and searching have a thread each.
///
/// ```
/// let mut output = Vec::new();
/// plumb::daemon::run(&b"position 112233\ngo depth 3\nwait\n"[..], &mut output)?;
/// assert!(output.ends_with(b"\nbestmove P@d1\n"));
/// # Ok::<(), plumb::daemon::RunError>(())
/// ```
///
/// # Errors
/// If the output cannot be written, if the system starts no thread, or if the search thread dies, which it does where
/// there is no memory for even the smallest table.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), RunError> {
    let input = spawn_reader(input).map_err(RunError::Thread)?;
    let worker = Worker::spawn(DEFAULT_HASH).map_err(RunError::Thread)?;
    converse(Session::new(output), &worker, &input)
}

/// Runs `session` on the lines of `input`, with `worker` to search.
pub(super) fn converse(
    mut session: Session<impl Write>,
    worker: &Worker,
    input: &Receiver<Arrival>,
) -> Result<(), RunError> {
    let nothing = never();
    let result = loop {
        if session.is_finished() {
            break Ok(());
        }
        let input = if session.is_reading() { input } else { &nothing };
        let idle_since = Instant::now();
        let time_left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let timer = session.deadline().map(time_left).map_or_else(never, after);
        let step = select! {
            recv(input) -> arrival => {
                let Arrival { input, at } = arrival.unwrap_or_else(|_| Input::End.into());
                session.on_input(input, start_of_work(at, idle_since)).map_err(RunError::Output)
            },
            recv(worker.events) -> event => match event {
                Ok(event) => session.on_event(event).map_err(RunError::Output),
                Err(_) => Err(RunError::WorkerLost),
            },
            recv(timer) -> _ => Ok(()),
        };
        for job in session.take_jobs() {
            // Sending fails if the worker has died. Its last events are read first; then the closed channel ends the
            // session.
            let _ = worker.jobs.send(job);
        }
        let step = step.and_then(|()| {
            let events = || worker.events.try_recv().ok();
            answer_overdue(&mut session, Instant::now, events, || worker.book()).map_err(RunError::Output)
        });
        if step.is_err() {
            break step;
        }
    };
    session.stop_all();
    result
}

/// The time from which a search counts whose `go` arrived `at` this time: its arrival if the session was idle then; else
/// now, since the line had to wait for the session, for instance for the end of a search after `wait`.
fn start_of_work(at: Instant, idle_since: Instant) -> Instant {
    if at < idle_since { Instant::now() } else { at }
}

/// Answers in place of a search that has not done so by its deadline. `events` takes the events that wait to be read.
pub(super) fn answer_overdue(
    session: &mut Session<impl Write>,
    now: impl Fn() -> Instant,
    events: impl FnMut() -> Option<Event>,
    book: impl FnOnce() -> Option<Arc<AnyBook>>,
) -> io::Result<()> {
    if session.deadline().is_none_or(|deadline| now() < deadline) {
        return Ok(());
    }
    // The search's own answer may be waiting to be read.
    for event in std::iter::from_fn(events) {
        session.on_event(event)?;
    }
    session.answer_overdue(now(), book().as_deref())
}

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
        let run = move || run_jobs(executor, &waiting, &report);
        std::thread::Builder::new().name("search".into()).spawn(run)?;
        Ok(Self { jobs, events, open_book })
    }

    /// The opening book that a search would play from, if it has been opened. Does not wait for a search.
    pub(crate) fn book(&self) -> Option<Arc<AnyBook>> {
        self.open_book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Executes jobs until the session is gone, or until there is no memory for a table.
fn run_jobs(mut executor: Executor, jobs: &Receiver<Job>, report: &Sender<Event>) {
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
