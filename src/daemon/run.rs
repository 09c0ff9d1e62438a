//! A session over a pair of streams, with a reader thread and a search thread.
//!
//! The session's own thread waits for the next line, the next event and the time by which the running search must have
//! answered.
//!
//! If the system does not schedule the search thread in time, no game is lost: the session's thread, which sleeps most of
//! the time and so is scheduled soon, answers at the deadline with the best move reported so far.

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, Write};
use std::sync::{Arc, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};

use super::executor::{Executor, SharedBook};
use super::job::{Event, Job};
use super::session::Session;
use super::stream::{Arrival, Input, LINES_AHEAD, read_lines};
use crate::book::Book;
use crate::clock::Instant;

/// Puts the failed action before the message of a system error, as in `cannot start a thread: out of memory`.
fn during(what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Runs an engine that reads commands from `input` and prints replies on `output`, until `quit` or the end of the input
/// and until every search has been answered. Reading and searching have a thread each.
///
/// ```
/// let mut output = Vec::new();
/// plumb::daemon::run(&b"position 112233\ngo depth 3\nwait\n"[..], &mut output)?;
/// assert!(output.ends_with(b"\nbestmove P@d1\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the output cannot be written ([`is_closed`](super::is_closed) tells whether only its reader is gone), if the system
/// starts no thread, or if the search thread ends early, as it does where there is no memory for even the smallest table.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    run_session(Session::new(output), &Threads::spawn(input).map_err(during("cannot start a thread"))?)
}

/// What the loop of a session waits for, and where it sends jobs: [`Threads`], or the models of them that `loom` runs.
pub(super) trait Link {
    /// Waits for a line, if `is_reading`, for an event of a job, or for the deadline of the running search's answer.
    ///
    /// # Errors
    /// If the search thread has ended.
    fn wait(&self, is_reading: bool, answer_deadline: Option<Instant>) -> io::Result<Next>;

    /// Takes the next event, if one waits.
    fn next_event(&self) -> Option<Event>;

    /// Sends a job to the executor.
    fn send(&self, job: Job);

    /// The opening book for the board, whatever `OwnBook` says, if it has been opened. Does not wait for a search.
    fn book(&self) -> Option<Arc<Book>>;

    /// The time that deadlines are compared with.
    fn now(&self) -> Instant;
}

/// What the loop of a session acts on next.
#[derive(Debug)]
pub(super) enum Next {
    Line(Arrival),
    Event(Event),
    Deadline,
}

/// Runs `session` to its end.
pub(super) fn run_session(mut session: Session<impl Write>, link: &impl Link) -> io::Result<()> {
    let result = event_loop(&mut session, link);
    session.unanswered.stop_all();
    result
}

fn event_loop(session: &mut Session<impl Write>, link: &impl Link) -> io::Result<()> {
    while !session.is_finished() {
        let idle_since = Instant::now();
        match link.wait(session.is_reading(), session.answer_deadline())? {
            Next::Line((input, at)) => session.on_input(input, clock_start(at, idle_since)),
            Next::Event(event) => session.on_event(event),
            // `answer_overdue` below acts.
            Next::Deadline => Ok(()),
        }
        .map_err(during("cannot write to the output"))?;
        session.unsent.drain(..).for_each(|job| link.send(job));
        answer_overdue(session, link).map_err(during("cannot write to the output"))?;
    }
    Ok(())
}

/// The start of the clock of a search whose `go` has `arrived`: its arrival if the session was idle then; else now,
/// since the line had to wait for the session, for instance for the end of a search after `wait`.
fn clock_start(arrived: Instant, idle_since: Instant) -> Instant {
    if arrived < idle_since { Instant::now() } else { arrived }
}

/// Answers in place of a search that has not done so by the deadline of its answer.
fn answer_overdue(session: &mut Session<impl Write>, link: &impl Link) -> io::Result<()> {
    if session.answer_deadline().is_none_or(|deadline| link.now() < deadline) {
        return Ok(());
    }
    // The search's own answer may be waiting to be read.
    while let Some(event) = link.next_event() {
        session.on_event(event)?;
    }
    session.answer_overdue(link.now(), link.book().as_deref())
}

/// The channels of the reading thread and the search thread. Dropping them ends the search thread, at the latest after
/// the jobs that it has been sent.
#[derive(Debug)]
struct Threads {
    lines: Receiver<Arrival>,
    /// Jobs to do, in order.
    jobs: Sender<Job>,
    /// Their results.
    events: Receiver<Event>,
    /// The book that the search thread has open.
    open_book: SharedBook,
}

impl Threads {
    /// Starts both threads, one to read `input`.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    fn spawn(input: impl BufRead + Send + 'static) -> io::Result<Self> {
        let (line_sender, lines) = bounded(LINES_AHEAD);
        let (job_sender, jobs) = unbounded();
        let (event_sender, events) = unbounded();
        let executor = Executor::new();
        let open_book = Arc::clone(&executor.shared_book);
        thread::Builder::new().name("reader".into()).spawn(move || read_lines(input, &line_sender))?;
        thread::Builder::new()
            .name("search".into())
            .spawn(move || run_jobs(executor, &jobs, &event_sender))?;
        Ok(Self { lines, jobs: job_sender, events, open_book })
    }
}

impl Link for Threads {
    fn wait(&self, is_reading: bool, deadline: Option<Instant>) -> io::Result<Next> {
        let nothing = never();
        let lines = if is_reading { &self.lines } else { &nothing };
        let time_left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let timer = deadline.map(time_left).map_or_else(never, after);
        select! {
            recv(lines) -> arrival => Ok(Next::Line(arrival.unwrap_or_else(|_| (Input::End, Instant::now())))),
            recv(self.events) -> event => event.map(Next::Event).map_err(|_| io::Error::other("the search thread has ended before the session")),
            recv(timer) -> _ => Ok(Next::Deadline),
        }
    }

    fn next_event(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    fn send(&self, job: Job) {
        // Sending fails if the search thread has ended. Its last events are read first; then the closed channel ends the
        // session.
        let _ = self.jobs.send(job);
    }

    fn book(&self) -> Option<Arc<Book>> {
        self.open_book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Executes jobs until the session is gone, or until there is no memory for a table.
fn run_jobs(mut executor: Executor, jobs: &Receiver<Job>, events: &Sender<Event>) {
    for job in jobs {
        let mut is_session_gone = false;
        let mut emit = |event| is_session_gone |= events.send(event).is_err();
        let result = executor.execute(job, &mut emit);
        // An error has been reported as a note.
        if is_session_gone || result.is_err() {
            break;
        }
    }
    log::debug!("search thread ends");
}
