//! An engine at the board: a process that is started, set up, and asked for moves, and is never trusted.

use std::io::{self, Write};
use std::path::Path;
use std::process::{ChildStdin, Stdio};
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, TryRecvError};
use plumb_protocol::{Dialect, Move, OptionDeclaration, Reply, parse_reply};

use super::fault::Fault;
use super::match_log::{Direction, EngineLog, LogSender};
use super::options::{SeedOption, checked};
use super::participant::Participant;
use super::pipes::{Errors, Output, plain};
use super::process::Process;
use super::time_control::Limit;
use crate::interrupt::Interrupt;
use crate::launch;

/// How long an engine may take to say that it is ready.
const READY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take to heed `stop`.
const STOP_PATIENCE: Duration = Duration::from_secs(1);
/// How long a process that was told to quit may take to end.
const FAREWELL: Duration = Duration::from_millis(500);
/// How much of a line is repeated to people, in characters.
const ECHO: usize = 80;

/// What all engines of a match have in common.
#[derive(Clone)]
pub(super) struct EngineContext {
    /// The log of what is said.
    pub log: Option<LogSender>,
    /// Ends all waiting.
    pub interrupt: &'static Interrupt,
}

/// A running engine. Dropping it ends the process.
pub(super) struct Seat {
    process: Process,
    input: ChildStdin,
    output: Output,
    errors: Errors,
    log: Option<EngineLog>,
    dialect: Dialect,
    /// The option for the seed of each game.
    seed: Option<SeedOption>,
}

/// What an engine answers to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thought {
    pub best: Move,
    /// The reply that it would ponder on.
    pub ponder: Option<Move>,
    /// From the order to the answer.
    pub elapsed: Duration,
    /// The last `info` line with a score, as it came.
    pub info: Option<String>,
}

impl Seat {
    /// Starts the engine, and sets its options, all of which it must have declared.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(super) fn start(participant: &Participant, context: &EngineContext) -> Result<Self, Fault> {
        let gone = |error: String| Fault::Gone(format!("cannot be started: {error}"));
        let mut command = launch::command(&participant.command, participant.directory.as_deref())
            .map_err(|error| gone(error.to_string()))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = Path::new(command.get_program()).display().to_string();
        let (process, pipes) = Process::spawn(&mut command, |process| {
            (process.stdin.take(), process.stdout.take(), process.stderr.take())
        })
        .map_err(|error| gone(format!("`{program}`: {error}")))?;
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(Fault::Gone("has no pipes".to_owned()));
        };
        let log = context.log.as_ref().map(|log| log.engine(&participant.name));
        let output = Output::read(output, log.clone(), context.interrupt);
        let errors = Errors::read(errors, log.clone());
        let dialect = participant.dialect;
        let mut seat = Self { process, input, output, errors, log, dialect, seed: None };
        seat.set_up(participant)?;
        Ok(seat)
    }

    fn set_up(&mut self, participant: &Participant) -> Result<(), Fault> {
        let declared = self.greet(participant.start_timeout)?;
        let settings = participant.options.iter().map(|(name, value)| checked(&declared, name, value));
        let settings: Vec<_> = settings.collect::<Result<_, _>>().map_err(Fault::Unusable)?;
        for setting in &settings {
            self.send(&setting.to_string())?;
        }
        // After the others: one of them may name the file that has the variant.
        let is_variant = |name: &str| name.eq_ignore_ascii_case("UCI_Variant");
        let is_set = settings.iter().any(|setting| is_variant(setting.name));
        if !is_set && declared.iter().any(|option| is_variant(&option.name)) {
            self.send("setoption name UCI_Variant value cfour")?;
        }
        self.seed = SeedOption::of(&declared, &settings);
        self.ready()
    }

    /// What the process is called in the log, if there is one.
    pub(super) fn label(&self) -> Option<&str> {
        self.log.as_ref().map(EngineLog::label)
    }

    /// Says hello; returns the options that the engine declares.
    fn greet(&mut self, timeout: Duration) -> Result<Vec<OptionDeclaration>, Fault> {
        let (hello, welcome, done, other) = match self.dialect {
            Dialect::Uci => ("uci", "uciok", Reply::UciOk, "UGI? `proto=ugi`"),
            Dialect::Ugi => ("ugi", "ugiok", Reply::UgiOk, "UCI? `proto=uci`"),
        };
        self.send(hello)?;
        let mut declared = Vec::new();
        let answered = self.wait_for(timeout, |reply| {
            if let Reply::Option(option) = reply {
                declared.push(option.clone());
            }
            *reply == done
        });
        match answered {
            Ok(()) => Ok(declared),
            Err(Fault::Hang(_)) => {
                let seconds = timeout.as_secs();
                let how = format!("no `{welcome}` within {seconds} s after `{hello}`; does it speak {other}");
                Err(Fault::Unusable(how))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Tells of a new game, the randomness of which is to come from `seed` if the engine can do that, and waits until the
    /// engine is ready for it.
    ///
    /// # Errors
    /// If it is gone or does not answer.
    pub(super) fn new_game(&mut self, seed: u64) -> Result<(), Fault> {
        if let Some(option) = &self.seed {
            let setting = option.with(seed).to_string();
            self.send(&setting)?;
        }
        self.send(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        })?;
        self.ready()
    }

    fn ready(&mut self) -> Result<(), Fault> {
        self.send("isready")?;
        self.wait_for(READY_TIMEOUT, |reply| *reply == Reply::ReadyOk)
    }

    /// Sends the `order`, lines that end with a `go` or a `ponderhit`, and waits for the move. Where there is a `limit`,
    /// counted from now, a later move is a fault; `patience` is for engines that have none.
    ///
    /// # Errors
    /// What the engine has done wrong.
    pub(super) fn think(
        &mut self,
        order: &str,
        limit: Option<Limit>,
        patience: Duration,
    ) -> Result<Thought, Fault> {
        self.check_silence()?;
        let before = Instant::now();
        self.send(order)?;
        let mut info = None;
        let end = before + limit.map_or(patience, Limit::total);
        match self.best_move(end, &mut info) {
            Ok((arrival, line)) => {
                let elapsed = arrival - before;
                if let Some(limit) = limit.filter(|limit| elapsed > limit.total()) {
                    return Err(Fault::Late(elapsed, limit));
                }
                let (best, ponder) = read_move(&line)?;
                Ok(Thought { best, ponder, elapsed, info })
            }
            Err(Some(fault)) => Err(fault),
            Err(None) => {
                // Too late already; what matters now is whether it can be talked to.
                let late = self.stop()?;
                let limit = limit.unwrap_or(Limit { time: patience, margin: Duration::ZERO });
                Err(Fault::Late(late - before, limit))
            }
        }
    }

    /// Sends an `order` that is not answered now: `go ponder`.
    ///
    /// # Errors
    /// If the engine is gone, or has said something that it was not asked for.
    pub(super) fn ponder(&mut self, order: &str) -> Result<(), Fault> {
        self.check_silence()?;
        self.send(order)
    }

    /// Ends a search whose move nobody wants; returns when the engine gave it.
    ///
    /// # Errors
    /// [`Fault::Hang`] if it does not.
    pub(super) fn stop(&mut self) -> Result<Instant, Fault> {
        let before = Instant::now();
        self.send("stop")?;
        match self.best_move(before + STOP_PATIENCE, &mut None) {
            Ok((arrival, _)) => Ok(arrival),
            Err(fault) => Err(fault.unwrap_or(Fault::Hang(STOP_PATIENCE))),
        }
    }

    /// Checks that no move has come since the last one that was asked for.
    ///
    /// # Errors
    /// [`Fault::SeveralMoves`] if one has; if the engine is gone.
    pub(super) fn check_silence(&mut self) -> Result<(), Fault> {
        loop {
            match self.output.try_recv() {
                Ok((_, line)) if is_best_move(&line) => return Err(Fault::SeveralMoves(shortened(&line))),
                Ok(_) => {}
                Err(TryRecvError::Empty) => return Ok(()),
                Err(TryRecvError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    /// The next `bestmove` line, with the last `info` line that has a score; `None` as an error if it has not come by
    /// `end`.
    fn best_move(
        &mut self,
        end: Instant,
        info: &mut Option<String>,
    ) -> Result<(Instant, String), Option<Fault>> {
        loop {
            match self.output.recv_deadline(end) {
                Ok((arrival, line)) if is_best_move(&line) => return Ok((arrival, line)),
                Ok((_, line)) => {
                    if line.starts_with("info") && line.contains(" score ") {
                        *info = Some(line);
                    }
                    // One that never stops talking must not go on for ever.
                    if Instant::now() > end {
                        return Err(None);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(None),
                Err(RecvTimeoutError::Disconnected) => return Err(Some(self.gone())),
            }
        }
    }

    /// Reads up to the reply that `wanted` accepts.
    fn wait_for(&mut self, patience: Duration, mut wanted: impl FnMut(&Reply) -> bool) -> Result<(), Fault> {
        let end = Instant::now() + patience;
        loop {
            match self.output.recv_deadline(end) {
                // What is left over from a game that has ended is nobody's business any more.
                Ok((_, line)) => {
                    if parse_reply(&line).is_ok_and(|reply| wanted(&reply)) {
                        return Ok(());
                    }
                    if Instant::now() > end {
                        return Err(Fault::Hang(patience));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hang(patience)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
            }
        }
    }

    fn send(&mut self, lines: &str) -> Result<(), Fault> {
        self.write(lines).map_err(|_| self.gone())
    }

    fn write(&mut self, lines: &str) -> io::Result<()> {
        if let Some(log) = &self.log {
            // Before they are written, so that no answer stands before them.
            lines.lines().for_each(|line| log.line(Direction::To, line));
        }
        self.input.write_all(format!("{lines}\n").as_bytes()).and_then(|()| self.input.flush())
    }

    /// Why nothing more is to be had from an engine that has closed a pipe.
    fn gone(&self) -> Fault {
        if self.output.is_interrupted() {
            return Fault::Gone("was interrupted".to_owned());
        }
        let how = match self.process.wait(FAREWELL) {
            Some(status) => format!("has ended ({status})"),
            None => "has closed its pipes".to_owned(),
        };
        Fault::Gone(match self.errors.last_lines() {
            Some(words) => format!("{how}; standard error: {words}"),
            None => how,
        })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // A polite word first; what does not heed it is ended. A pipe that is full of what nobody reads would keep the
        // engine from ever coming to that word, so the reading goes on.
        let _ = self.write("quit");
        let end = Instant::now() + FAREWELL;
        while self.output.recv_deadline(end).is_ok() {}
        if self.process.wait(FAREWELL).is_none() {
            self.process.kill();
        }
    }
}

fn is_best_move(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

/// The moves in a `bestmove` line.
fn read_move(line: &str) -> Result<(Move, Option<Move>), Fault> {
    match parse_reply(line) {
        Ok(Reply::BestMove { best: Some(best), ponder }) => Ok((best, ponder)),
        _ => Err(Fault::Nonsense(shortened(line))),
    }
}

/// A line for people, not too long.
fn shortened(line: &str) -> String {
    plain(line, ECHO)
}
