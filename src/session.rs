//! The session: the one owner of all state between the input and the search.
//!
//! It waits for three things at once, the next line of input, the next event of the worker and the time at which the
//! running search must have answered, and deals with each as it comes. It never waits for a search, so `isready` is
//! always answered, and a search that gets no processor costs no game: the session, which sleeps most of the time and so
//! gets one soon, then answers with the best move reported so far. Whatever touches the transposition table
//! goes to the worker as a job, in order.

mod deadline;
mod describe;
mod dialect;
mod fault;
mod going;
mod lateness;
pub mod options;
mod queue;
mod report;
mod setup;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use crossbeam_channel::{Receiver, at, never, select};
use plumb_protocol::{
    Command, Dialect, Expected, Go, Id, Located, Parsed, Reply, SyntaxError, parse_command,
};

use self::dialect::Style;
use self::fault::{printable, shortened};
use self::lateness::Lateness;
use self::options::{Effect, Options};
use self::queue::Queue;
use self::report::Reporter;
use crate::board::Position;
use crate::io::{Arrival, Input, Output};
use crate::logging;
use crate::search::worker::{Job, SearchJob, Worker, WorkerEvent};
use crate::search::{Allowance, Overhead, SearchEvent, SearchId};

/// How much of a line `debug on` repeats, in characters.
const ECHO_LENGTH: usize = 200;

/// Why a session ended before it was told to.
#[derive(Debug)]
pub enum SessionError {
    /// Nothing can be printed any more.
    Output(io::Error),
    /// The search thread has died.
    WorkerLost,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write to the output: {error}"),
            Self::WorkerLost => f.write_str("the search thread has died"),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<io::Error> for SessionError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

type Result = std::result::Result<(), SessionError>;

/// A conversation with one arena or user.
#[derive(Debug)]
pub struct Session<W> {
    output: Output<W>,
    worker: Worker,
    dialect: Dialect,
    options: Options,
    position: Position,
    queue: Queue,
    lateness: Lateness,
    /// How many `isready` the worker has still to answer.
    ready_owed: usize,
    /// Whether input waits for the jobs under way to end.
    waiting: bool,
    /// Whether the session ends with the jobs under way.
    closing: bool,
    debug: bool,
}

impl<W: Write> Session<W> {
    /// A session that has the worker search and prints on `output`. The worker's table has the size that
    /// [`Options::default`] names.
    pub fn new(worker: Worker, output: W) -> Self {
        Self {
            output: Output::new(output),
            worker,
            dialect: Dialect::default(),
            options: Options::default(),
            position: Position::new(),
            queue: Queue::default(),
            lateness: Lateness::default(),
            ready_owed: 0,
            waiting: false,
            closing: false,
            debug: false,
        }
    }

    /// Talks until `quit` or the end of the input, and until every search has been answered.
    ///
    /// # Errors
    /// If nobody takes the output any more, or if the search thread dies.
    pub fn run(mut self, input: &Receiver<Arrival>) -> Result {
        let events = self.worker.events.clone();
        let nothing = never();
        let result = loop {
            if self.queue.is_empty() {
                self.waiting = false;
                if self.closing && self.ready_owed == 0 {
                    break Ok(());
                }
            }
            let input = if self.waiting || self.closing { &nothing } else { input };
            let idle_since = Instant::now();
            let timer = self.deadline().map_or_else(never, at);
            let step = select! {
                recv(input) -> arrival => {
                    let Arrival { input, at } = arrival.unwrap_or_else(|_| Input::End.into());
                    let received = deadline::start_of_work(at, idle_since);
                    self.on_input(input, received)
                },
                recv(events) -> event => match event {
                    Ok(event) => self.on_event(event),
                    Err(_) => Err(SessionError::WorkerLost),
                },
                recv(timer) -> _ => Ok(()),
            };
            let step = step.and_then(|()| self.answer_overdue());
            if step.is_err() {
                break step;
            }
        };
        self.queue.stop_all();
        result
    }

    fn on_input(&mut self, input: Input, received: Instant) -> Result {
        match input {
            Input::Line(line) => self.on_line(&line, received),
            Input::TooLong { bytes } => self.say(format!(
                "A line of {bytes} bytes was skipped: at most {} are read.",
                crate::io::MAX_LINE
            )),
            Input::NotUtf8 { offset } => {
                self.say(format!("A line was skipped: it is not UTF-8 at byte {offset}."))
            }
            Input::End => {
                self.close();
                Ok(())
            }
        }
    }

    fn on_line(&mut self, line: &str, received: Instant) -> Result {
        log::debug!(target: logging::DIALOGUE, ">> {line}");
        match parse_command(line) {
            Ok(None) => Ok(()),
            Ok(Some(Parsed { command, warnings })) => {
                if self.debug {
                    self.echo(line, &command)?;
                }
                for warning in warnings {
                    self.say(format!("{warning}{}", going::consequence(&warning, &command, &self.position)))?;
                }
                self.on_command(line, command, received)
            }
            Err(SyntaxError { token, expected: Expected::Command, .. }) => {
                self.say(format!("Unknown command: `{token}`. Type help for the commands."))
            }
            Err(error) => {
                let is_of_position = match error.expected {
                    Expected::Position | Expected::Fen | Expected::Move | Expected::ColumnDigit => true,
                    Expected::OneOf(words) => words == ["moves"],
                    _ => false,
                };
                let consequence = if is_of_position { "; the position stays as it was" } else { "" };
                self.say(format!("{error}{consequence}"))
            }
        }
    }

    fn on_command(&mut self, line: &str, command: Command, received: Instant) -> Result {
        match command {
            Command::Uci => self.on_handshake(Dialect::Uci, &Reply::UciOk),
            Command::Ugi => self.on_handshake(Dialect::Ugi, &Reply::UgiOk),
            Command::Debug(on) => {
                self.debug = on;
                Ok(())
            }
            Command::IsReady => self.on_is_ready(),
            Command::SetOption { name, value } => self.on_set_option(line, &name, value.as_ref()),
            Command::NewGame(_) => {
                self.position = Position::new();
                self.order(Job::Clear);
                Ok(())
            }
            Command::Position(position) => self.set_position(setup::position(line, &position)),
            Command::Moves(moves) => self.set_position(setup::play(line, self.position, &moves)),
            Command::Go(go) => self.on_go(line, &go, received),
            Command::Perft(depth) => {
                let (id, signals) = self.queue.add_plain();
                self.order(Job::Perft { id, position: self.position, depth, signals });
                Ok(())
            }
            Command::Bench => {
                let (id, signals) = self.queue.add_plain();
                self.order(Job::Bench { id, signals });
                Ok(())
            }
            Command::Stop => {
                self.queue.stop();
                Ok(())
            }
            Command::PonderHit => {
                self.queue.ponder_hit();
                Ok(())
            }
            Command::Query(query) => self.send(&Reply::Response(describe::answer(&self.position, query))),
            Command::Display => self.print(describe::board(&self.position, self.style())),
            Command::Eval => self.print(describe::evaluation(&self.position)),
            Command::Wait => self.on_wait(),
            Command::Help => self.print(describe::help()),
            Command::Quit => {
                self.close();
                Ok(())
            }
        }
    }

    fn on_handshake(&mut self, dialect: Dialect, done: &Reply) -> Result {
        self.dialect = dialect;
        self.send(&Reply::Id(Id::Name(concat!("Plumb ", env!("CARGO_PKG_VERSION")).to_owned())))?;
        self.send(&Reply::Id(Id::Author("the Plumb developers".to_owned())))?;
        for declaration in Options::declarations() {
            self.send(&Reply::Option(declaration))?;
        }
        self.send(done)
    }

    /// Where a job is under way the engine is ready to listen, and says so at once; else the worker answers, once
    /// the table is there.
    fn on_is_ready(&mut self) -> Result {
        if !self.queue.is_empty() {
            return self.send(&Reply::ReadyOk);
        }
        self.ready_owed += 1;
        self.order(Job::Ready);
        Ok(())
    }

    /// Stores an option at once, for what is started later; what is under way has its own copy.
    fn on_set_option(
        &mut self,
        line: &str,
        name: &Located<String>,
        value: Option<&Located<String>>,
    ) -> Result {
        let mut options = self.options.clone();
        let effect = match options.set(name, value, line.trim_end().len()) {
            Ok(effect) => effect,
            Err(fault) => return self.say(fault),
        };
        match effect {
            Effect::None => {}
            Effect::Resize => self.order(Job::Resize(options.hash_megabytes())),
            Effect::ClearTable => self.order(Job::Clear),
            Effect::OpenBook => {
                if !options.own_book && !options.book_file.is_empty() {
                    self.say("no book is played from while `OwnBook` is false")?;
                }
                self.order(Job::OpenBook(options.book_file.clone().into()));
            }
            Effect::DescribeVariant => self.say(describe::variant())?,
            Effect::LogFile if options.log_file.is_empty() => logging::close_file(),
            Effect::LogFile => {
                let path = &options.log_file;
                if let Err(error) = logging::open_file(Path::new(path)) {
                    return self.say(format!("cannot open the log file `{path}`: {error}"));
                }
            }
        }
        log::info!("{line}");
        self.options = options;
        Ok(())
    }

    fn set_position(&mut self, position: std::result::Result<Position, fault::Fault>) -> Result {
        match position {
            Ok(position) => {
                self.position = position;
                Ok(())
            }
            Err(fault) => self.say(format!("{fault}; the position stays as it was")),
        }
    }

    /// Starts a search, or queues it behind what is under way.
    fn on_go(&mut self, line: &str, go: &Go, received: Instant) -> Result {
        let style = self.style();
        let (limits, faults) = going::limits(line, go, &self.position, style);
        for fault in faults {
            self.say(format!("{fault}; this move is not searched"))?;
        }
        let reporter = Reporter { root: self.position, style, show_wdl: self.options.show_wdl };
        let overhead = Overhead { set: self.options.move_overhead(), lateness: self.lateness.reserve() };
        let position = self.position;
        let allowance = Allowance::new(&limits, overhead, position.empty_cells());
        let (id, signals) = self.queue.add_search(reporter, &limits, allowance, received);
        let settings = self.options.settings();
        self.order(Job::Search(Box::new(SearchJob {
            id,
            position,
            limits,
            allowance,
            settings,
            signals,
            received,
        })));
        Ok(())
    }

    fn on_wait(&mut self) -> Result {
        if self.queue.has_unlimited() {
            return self.say("wait is ignored: the search ends only when it is told to stop");
        }
        self.waiting = true;
        Ok(())
    }

    /// Ends the session as soon as everything under way has been answered.
    fn close(&mut self) {
        self.queue.stop_all();
        self.closing = true;
    }

    fn on_event(&mut self, event: WorkerEvent) -> Result {
        match event {
            WorkerEvent::Search(id, event) => self.on_search_event(id, event),
            WorkerEvent::Ready => {
                self.ready_owed = self.ready_owed.saturating_sub(1);
                self.queue.begin_next();
                self.send(&Reply::ReadyOk)
            }
            WorkerEvent::Line(_, text) => self.send(&Reply::Text(text)),
            WorkerEvent::Finished(id) => {
                self.queue.finish(id);
                Ok(())
            }
            WorkerEvent::Note(text) => self.say(text),
        }
    }

    fn on_search_event(&mut self, id: SearchId, event: SearchEvent) -> Result {
        let Some(reporter) = self.queue.reporter(id) else {
            // The session has answered in its place.
            log::debug!("search {id} is over and reports {event:?}");
            return Ok(());
        };
        match event {
            SearchEvent::Info(info) => {
                self.send(&reporter.info(&info))?;
                self.queue.reported(id, info);
                Ok(())
            }
            SearchEvent::Done { best, ponder } => {
                self.finish_search(id);
                self.send(&reporter.best_move(best, ponder))
            }
        }
    }

    fn style(&self) -> Style {
        Style { dialect: self.dialect, notation: self.options.notation }
    }

    /// Hands the worker a job.
    fn order(&self, job: Job) {
        log::debug!("{job:?}");
        // A worker that has died may have said why: that is read first, then its silence ends the session.
        let _ = self.worker.jobs.send(job);
    }

    /// Tells how a line was understood, where that is not how it was written.
    fn echo(&mut self, line: &str, command: &Command) -> Result {
        let understood = command.to_string();
        if understood == line {
            return Ok(());
        }
        self.say(format!("understood as `{}`", shortened(&understood, ECHO_LENGTH)))
    }

    /// Prints lines for people.
    fn print(&mut self, lines: impl IntoIterator<Item = String>) -> Result {
        lines.into_iter().try_for_each(|line| self.send(&Reply::Text(line)))
    }

    /// Prints an `info string`.
    fn say(&mut self, text: impl fmt::Display) -> Result {
        self.send(&Reply::message(printable(&text.to_string())))
    }

    fn send(&mut self, reply: &Reply) -> Result {
        log::debug!(target: logging::DIALOGUE, "<< {reply}");
        Ok(self.output.line(reply)?)
    }
}

#[cfg(test)]
mod tests;
