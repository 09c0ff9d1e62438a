//! The session: executes commands, and owns position, options and the list of unanswered searches.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, Write};

use plumb_protocol::{
    Command, Dialect, Expected, Go, LineError, Parsed, Reason, Reply, Token, command_words, escaped,
    most_similar, parse_command, shortened,
};

use super::bench::Bench;
use super::executor::{Event, Job, JobId};
use super::lateness::Lateness;
use super::options::{Effect, Options, Variant};
use super::report::{Reporter, Style};
use super::unanswered::Unanswered;
use super::{display, logging, meaning};
use crate::board::{Board, Move, Position};
use crate::book::Book;
use crate::clock::Instant;
use crate::search::{SwindleInfo, TimeBudget};

const ECHO_LENGTH: usize = 200;

/// Longest line in bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line without its end (LF or CRLF).
    Line(String),
    Skipped(String),
    End,
}

pub(super) struct Session<W> {
    pub(super) output: W,
    pub(super) unsent: Vec<Job>,
    dialect: Dialect,
    options: Options,
    /// The current position. Its board is the current board, which an option or a FEN of another size
    /// changes.
    position: Position<Board>,
    pub(super) unanswered: Unanswered,
    lateness: Lateness,
    ready_owed: usize,
    /// Set by `wait`: no line is read until all jobs are answered.
    waiting: bool,
    closing: bool,
    debug: bool,
}

impl<W: Write> Session<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            output,
            unsent: Vec::new(),
            dialect: Dialect::default(),
            options: Options::default(),
            position: Position::empty(Board::default()),
            unanswered: Unanswered::default(),
            lateness: Lateness::default(),
            ready_owed: 0,
            waiting: false,
            closing: false,
            debug: false,
        }
    }

    pub(super) fn is_reading(&self) -> bool {
        !self.closing && (!self.waiting || self.unanswered.is_empty())
    }

    pub(super) fn is_finished(&self) -> bool {
        self.closing && self.unanswered.is_empty() && self.ready_owed == 0
    }

    pub(super) fn on_input(&mut self, input: Input, clock_start: Instant) -> io::Result<()> {
        match input {
            Input::Line(line) => self.on_line(&line, clock_start),
            Input::Skipped(reason) => self.say(reason),
            Input::End => {
                self.close();
                Ok(())
            }
        }
    }

    pub(super) fn on_line(&mut self, line: &str, clock_start: Instant) -> io::Result<()> {
        log::debug!(target: logging::DIALOGUE, ">> {line}");
        self.waiting = false;
        match parse_command(line) {
            Ok(None) => Ok(()),
            Ok(Some(Parsed { command, warnings })) => {
                if self.debug {
                    self.echo(line, &command)?;
                }
                for warning in warnings {
                    let consequence = meaning::consequence(&warning, &command, &self.position);
                    let warning = meaning::reword_column_zero(warning, self.position.geometry());
                    self.say(format!("{warning}{consequence}"))?;
                }
                self.on_command(command, clock_start)
            }
            Err(error) => self.on_syntax_error(error),
        }
    }

    fn on_syntax_error(&mut self, error: LineError) -> io::Result<()> {
        let concerns_position = match error.reason {
            Reason::Expected(Expected::Command) => {
                let similar = most_similar(&error.token, command_words());
                let hint = similar.map(|word| format!(" Did you mean `{word}`?")).unwrap_or_default();
                let token = error.token;
                return self.say(format!("Unknown command: `{token}`.{hint} Type help for the commands."));
            }
            Reason::Expected(expected) | Reason::Missing(expected) => matches!(
                expected,
                Expected::Position
                    | Expected::Fen
                    | Expected::Move
                    | Expected::ColumnDigit
                    | Expected::Word { word: "moves", .. }
            ),
            _ => false,
        };
        let consequence = if concerns_position { "; the position stays as it was" } else { "" };
        let error = meaning::reword_column_zero(error, self.position.geometry());
        self.say(format!("{error}{consequence}"))
    }

    fn on_command(&mut self, command: Command<'_>, clock_start: Instant) -> io::Result<()> {
        match command {
            Command::Uci => return self.on_handshake(Dialect::Uci, &Reply::UciOk),
            Command::Ugi => return self.on_handshake(Dialect::Ugi, &Reply::UgiOk),
            Command::IsReady => return self.on_is_ready(),
            Command::SetOption { name, value } => return self.on_set_option(&name, value.as_ref()),
            Command::Position(command) => {
                return self.set_position(meaning::set_up(&command, self.position.geometry()));
            }
            Command::Moves(moves) => return self.set_position(meaning::play(self.position, &moves)),
            Command::Go(go) => return self.on_go(&go, clock_start),
            Command::Query(query) => {
                return self.send(&Reply::Response(display::answer(&self.position, query)));
            }
            Command::Display => return self.print(display::board(&self.position, self.style())),
            Command::Eval => return self.print(display::evaluation(&self.position)),
            Command::Wait => return self.on_wait(),
            Command::Help => return self.print(display::help()),
            Command::Debug(on) => self.debug = on,
            Command::NewGame(_) => {
                self.position = Position::empty(self.position.geometry());
                self.unsent.push(Job::ForgetSearches);
            }
            Command::Perft(depth) => {
                let (id, stop_flag) = self.unanswered.add_plain();
                self.unsent.push(Job::Perft { id, position: self.position, depth, stop_flag });
            }
            Command::Bench(words) => match Bench::new(&self.options, &words) {
                Ok(bench) => {
                    let (id, stop_flag) = self.unanswered.add_plain();
                    self.unsent.push(Job::Bench { id, bench, stop_flag });
                }
                Err(error) => return self.say(error),
            },
            Command::Stop => self.unanswered.stop(),
            Command::PonderHit => self.unanswered.ponder_hit(),
            Command::Quit => self.close(),
        }
        Ok(())
    }

    fn on_handshake(&mut self, dialect: Dialect, done: &Reply) -> io::Result<()> {
        self.dialect = dialect;
        self.send(&Reply::Name(format!("Plumb {}", crate::VERSION)))?;
        self.send(&Reply::Author("the Plumb developers".to_owned()))?;
        for declaration in Options::declarations() {
            self.send(&Reply::Option(declaration))?;
        }
        self.send(done)
    }

    /// Answers immediately during a search, `perft` or `bench`. Otherwise answers after the table is
    /// allocated, so that an arena does not time the allocation.
    fn on_is_ready(&mut self) -> io::Result<()> {
        if !self.unanswered.is_empty() {
            return self.send(&Reply::ReadyOk);
        }
        self.ready_owed += 1;
        self.unsent.push(Job::Ready);
        Ok(())
    }

    /// The log file and the board change immediately, the table by a job of the search thread. A running
    /// search keeps its settings.
    fn on_set_option(
        &mut self,
        name: &Token<'_, String>,
        value: Option<&Token<'_, String>>,
    ) -> io::Result<()> {
        let mut changed = self.options.clone();
        let effect = match changed.set(name, value) {
            Ok(effect) => effect,
            Err(error) => return self.say(error),
        };
        match effect {
            Effect::None => {}
            Effect::CountProcessors => {
                let (threads, processors) = (changed.threads(), std::thread::available_parallelism());
                if let Some(processors) = processors.ok().filter(|processors| threads > *processors) {
                    self.say(format!(
                        "{threads} threads on {processors} processors: more threads than processors search no faster"
                    ))?;
                }
            }
            Effect::Resize => self.unsent.push(Job::Resize(changed.hash_megabytes())),
            Effect::ForgetSearches => self.unsent.push(Job::ForgetSearches),
            Effect::OpenBook => {
                if !changed.own_book && !changed.book_file.is_empty() {
                    self.say("no book is played from while `OwnBook` is false")?;
                }
                self.unsent.push(Job::OpenBook(changed.book_file.clone().into()));
            }
            Effect::SetBoard => self.set_board(changed.board),
            Effect::SetVariant => {
                let Variant(board) = changed.variant;
                self.set_board(board);
                self.say(display::variant(board))?;
            }
            Effect::LogFile => {
                let path = &changed.log_file;
                if let Err(error) = logging::set_file(path) {
                    return self.say(format!("cannot write the log file `{path}`: {error}"));
                }
            }
        }
        self.options = changed;
        Ok(())
    }

    fn set_board(&mut self, board: Board) {
        if board != self.position.geometry() {
            self.position = Position::empty(board);
            self.unsent.push(Job::SetBoard(board));
        }
    }

    fn set_position(&mut self, position: Result<Position<Board>, LineError>) -> io::Result<()> {
        let position = match position {
            Ok(position) => position,
            Err(error) => return self.say(format!("{error}; the position stays as it was")),
        };
        let board = position.geometry();
        if board != self.position.geometry() {
            self.set_board(board);
            self.say(format!("the board is {board} from here on, as in the FEN"))?;
        }
        self.position = position;
        Ok(())
    }

    fn on_wait(&mut self) -> io::Result<()> {
        if self.unanswered.any_needs_stop() {
            return self
                .say("wait is ignored: the search ends only after `stop`, or `ponderhit` if it ponders");
        }
        self.waiting = true;
        Ok(())
    }

    fn close(&mut self) {
        self.unanswered.stop_all();
        self.closing = true;
    }

    fn style(&self) -> Style {
        Style { dialect: self.dialect, notation: self.options.notation }
    }

    fn echo(&mut self, line: &str, command: &Command<'_>) -> io::Result<()> {
        let canonical = command.to_string();
        if canonical == line {
            return Ok(());
        }
        self.say(format!("understood as `{}`", shortened(&canonical, ECHO_LENGTH)))
    }

    fn print(&mut self, lines: impl IntoIterator<Item = String>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.send(&Reply::Text(line)))
    }

    fn say(&mut self, text: impl fmt::Display) -> io::Result<()> {
        self.send(&Reply::message(escaped(&text.to_string())))
    }

    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        log::debug!(target: logging::DIALOGUE, "<< {reply}");
        // One write per line: a killed program must not leave a partial line.
        self.output.write_all(format!("{reply}\n").as_bytes())?;
        self.output.flush()
    }

    pub(super) fn on_go(&mut self, go: &Go<'_>, clock_start: Instant) -> io::Result<()> {
        let style = self.style();
        let position = self.position;
        let (limits, errors) = meaning::limits(go, &position, style);
        let consequence = if limits.search_moves.is_empty() {
            "all moves are searched"
        } else {
            "this move is not searched"
        };
        for error in errors {
            self.say(format!("{error}; {consequence}"))?;
        }
        for (name, limit) in [("depth", go.depth), ("mate", go.mate)] {
            if limit == Some(0) {
                self.say(format!("{name} 0 counts as {name} 1"))?;
            }
        }
        let reporter = Reporter { root: position, style, show_wdl: self.options.show_wdl };
        let overhead = self.lateness.overhead(self.options.move_overhead());
        let budget = TimeBudget::new(&limits, overhead, position.empty_cells());
        let settings = self.options.settings();
        let job = self.unanswered.add_search(reporter, limits, budget, settings, clock_start);
        self.unsent.push(Job::Search(job));
        Ok(())
    }

    pub(super) fn on_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Info(id, info) => {
                let Some(reporter) = self.reporter(id) else { return Ok(()) };
                self.send(&reporter.info(&info))?;
                self.unanswered.record_report(id, info);
                Ok(())
            }
            Event::Swindle(id, choice) => match self.reporter(id) {
                Some(_) if self.debug => self.say(swindle_sentence(choice)),
                _ => Ok(()),
            },
            Event::BestMove { id, best, ponder } => {
                let Some(reporter) = self.reporter(id) else { return Ok(()) };
                self.finish_search(id);
                self.send(&reporter.best_move(best, ponder))
            }
            Event::Ready => {
                self.ready_owed = self.ready_owed.saturating_sub(1);
                // A search that was ordered after the `isready` starts now.
                self.unanswered.grant_grace_to_first();
                self.send(&Reply::ReadyOk)
            }
            Event::Line(text) => self.send(&Reply::Text(text)),
            Event::Finished(id) => {
                self.unanswered.finish(id);
                Ok(())
            }
            Event::Note(text) => self.say(text),
        }
    }

    fn reporter(&self, id: JobId) -> Option<Reporter> {
        let reporter = self.unanswered.reporter(id);
        if reporter.is_none() {
            log::debug!("search {id} is over: its report is dropped");
        }
        reporter
    }

    pub(super) fn answer_deadline(&self) -> Option<Instant> {
        if self.ready_owed > 0 {
            return None;
        }
        self.unanswered.answer_deadline()
    }

    pub(super) fn answer_overdue(&mut self, now: Instant, book: Option<&Book>) -> io::Result<()> {
        let overdue = self.unanswered.stop_overdue(now, book);
        let Some((id, reporter, info)) = overdue else { return Ok(()) };
        log::debug!("the search is late: its best move so far is played");
        self.finish_search(id);
        let pv = &info.pv;
        self.send(&reporter.info(&info))?;
        self.send(&reporter.best_move(pv.first().copied(), pv.get(1).copied()))
    }

    fn finish_search(&mut self, id: JobId) {
        if let Some(timing) = self.unanswered.answer_timing(id, Instant::now()) {
            self.lateness.record(timing);
        }
        self.unanswered.finish(id);
    }
}

pub(super) fn input_of(mut line: Vec<u8>, mut length: usize) -> Input {
    if line.len() == length {
        line.pop_if(|byte| *byte == b'\r');
        length = line.len();
    }
    if length > MAX_LINE {
        return Input::Skipped(format!("A line of {length} bytes was skipped: at most {MAX_LINE} are read."));
    }
    match String::from_utf8(line) {
        Ok(text) => Input::Line(text),
        Err(_) => Input::Skipped("A line was skipped: it is not UTF-8.".to_owned()),
    }
}

fn swindle_sentence(choice: SwindleInfo) -> String {
    let SwindleInfo { column, expected, preferred, expected_of_preferred, depth } = choice;
    let [expected, other_expected] =
        [expected, expected_of_preferred].map(|points| f64::from(points) / 1000.0);
    let [column, other] = [column, preferred].map(Move::from);
    let other =
        if column == other { String::new() } else { format!(", {other_expected:.3} after column {other}") };
    format!("swindle: {expected:.3} points expected after column {column}{other}; {depth} replies deep")
}
