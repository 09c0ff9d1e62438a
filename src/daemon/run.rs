//! A session over a pair of streams, with a reader thread and a search thread.

#[cfg(test)]
mod tests;

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::{Arc, PoisonError};
use std::thread;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};

use super::executor::{Event, Executor, Job, SharedBook};
use super::session::{Input, MAX_LINE, Session, input_of};
use crate::book::Book;
use crate::clock::Instant;

const PIECE: u64 = MAX_LINE as u64 + 2;

const LINES_AHEAD: usize = 16;

pub(super) type Arrival = (Input, Instant);

/// Adds the failed action to an error, as in `cannot start a thread: out of memory`.
fn during(what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Runs an engine on `input` and `output` until `quit` or the end of the input, and answers every search.
///
/// ```
/// let mut output = Vec::new();
/// plumb::daemon::run(&b"position 112233\ngo depth 3\nwait\n"[..], &mut output)?;
/// assert!(output.ends_with(b"\nbestmove P@d1\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the output cannot be written (see [`is_closed`](super::is_closed)), if no thread starts, or if memory
/// runs out.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> io::Result<()> {
    run_session(Session::new(output), &Threads::spawn(input).map_err(during("cannot start a thread"))?)
}

pub(super) trait Link {
    /// Waits for a line, an event or the deadline. Fails if the search thread has ended.
    fn wait(&self, is_reading: bool, answer_deadline: Option<Instant>) -> io::Result<Next>;

    fn next_event(&self) -> Option<Event>;

    fn send(&self, job: Job);

    /// The open book. Does not wait for a running search.
    fn book(&self) -> Option<Arc<Book>>;

    fn now(&self) -> Instant;
}

#[derive(Debug)]
pub(super) enum Next {
    Line(Arrival),
    Event(Event),
    Deadline,
}

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
            // The call of `answer_overdue` below handles the deadline.
            Next::Deadline => Ok(()),
        }
        .map_err(during("cannot write to the output"))?;
        session.unsent.drain(..).for_each(|job| link.send(job));
        answer_overdue(session, link).map_err(during("cannot write to the output"))?;
    }
    Ok(())
}

/// When the clock of a `go` starts: at its arrival if the session was idle then, otherwise now.
fn clock_start(arrived: Instant, idle_since: Instant) -> Instant {
    if arrived < idle_since { Instant::now() } else { arrived }
}

fn answer_overdue(session: &mut Session<impl Write>, link: &impl Link) -> io::Result<()> {
    if session.answer_deadline().is_none_or(|deadline| link.now() < deadline) {
        return Ok(());
    }
    // The answer of the search may already be in the queue.
    while let Some(event) = link.next_event() {
        session.on_event(event)?;
    }
    session.answer_overdue(link.now(), link.book().as_deref())
}

#[derive(Debug)]
struct Threads {
    lines: Receiver<Arrival>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    open_book: SharedBook,
}

impl Threads {
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
        let timer = match deadline {
            Some(deadline) => after(deadline.saturating_duration_since(Instant::now())),
            None => never(),
        };
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
        // Sending fails if the search thread has ended. The closed channel then ends the session.
        let _ = self.jobs.send(job);
    }

    fn book(&self) -> Option<Arc<Book>> {
        self.open_book.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Sends each line of the stream, and [`Input::End`] at its end.
fn read_lines(mut stream: impl BufRead, sender: &Sender<Arrival>) {
    let mut has_more = true;
    while has_more {
        let (mut line, mut length, mut is_whole) = (Vec::new(), 0, false);
        while has_more && !is_whole {
            let mut piece = Vec::new();
            let read = stream.by_ref().take(PIECE).read_until(b'\n', &mut piece);
            if let Err(error) = &read {
                log::warn!("reading the input failed: {error}");
            }
            has_more = read.is_ok_and(|bytes| bytes > 0);
            is_whole = piece.pop_if(|byte| *byte == b'\n').is_some();
            length += piece.len();
            // The rest of a line that is too long is only counted.
            if line.is_empty() {
                line = piece;
            }
        }
        let is_line = is_whole || length > 0;
        if is_line && sender.send((input_of(line, length), Instant::now())).is_err() {
            return;
        }
    }
    // Sending fails if the session has ended.
    let _ = sender.send((Input::End, Instant::now()));
}

fn run_jobs(mut executor: Executor, jobs: &Receiver<Job>, events: &Sender<Event>) {
    for job in jobs {
        let mut is_session_gone = false;
        let result = executor.execute(job, &mut |event| is_session_gone |= events.send(event).is_err());
        if is_session_gone || result.is_err() {
            break;
        }
    }
    log::debug!("search thread ends");
}

/// Whether a write failed because the reader of the stream is gone.
#[must_use]
pub fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::NotConnected
            | ErrorKind::WriteZero
    )
}
