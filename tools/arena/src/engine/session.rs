//! The dialogue with an engine: handshake, options, new games, and moves.

use std::time::{Duration, Instant};

use plumb::board::BoardSize;
use plumb_protocol::{Dialect, Id, Move, OptionDeclaration, Reply, parse_reply};

use super::config::EngineConfig;
use super::fault::EngineFault;
use super::options::{SeedOption, checked};
use super::pipes::printable;
use super::process::{EngineContext, EngineProcess};
use crate::time_control::MoveLimit;

/// Time for the answer to `isready`.
const READY_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for the answer to `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Characters of an engine's line that a message repeats, at most.
const MAX_QUOTE: usize = 80;

/// An engine that has answered the handshake and accepted its options. Dropping it ends the process.
pub struct EngineSession {
    process: EngineProcess,
    dialect: Dialect,
    board: BoardSize,
    /// The name from `id name`.
    name: Option<String>,
    /// The options that it declared in the handshake.
    declared: Vec<OptionDeclaration>,
    /// The option for the seed of each game.
    seed: Option<SeedOption>,
}

/// An engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move.
    pub best: Move,
    /// The reply to ponder on.
    pub ponder: Option<Move>,
    /// Time from `go` to `bestmove`.
    pub elapsed: Duration,
    /// The last `info` line with a score, as it came.
    pub info: Option<String>,
}

impl EngineSession {
    /// Starts the engine, and sets its options and the variant.
    ///
    /// # Errors
    /// Those of [`connect`](Self::connect) and [`set_options`](Self::set_options).
    pub fn start(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut session = Self::connect(config, context)?;
        session.set_options(&config.options)?;
        Ok(session)
    }

    /// Starts the engine, and waits for its answer to the handshake.
    ///
    /// # Errors
    /// [`EngineFault::NotStarted`], [`EngineFault::NoHandshake`], [`EngineFault::Gone`].
    pub fn connect(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let process =
            EngineProcess::spawn(&config.command, config.directory.as_deref(), &config.name, context)?;
        let dialect = config.dialect;
        let board = config.board;
        let mut session = Self { process, dialect, board, name: None, declared: Vec::new(), seed: None };
        session.shake_hands(config.start_timeout)?;
        Ok(session)
    }

    /// Sets options, all of which the engine must have declared, then board or variant, and waits until the engine is ready.
    ///
    /// # Errors
    /// [`EngineFault::InvalidOption`], [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        let settings = options.iter().map(|(name, value)| checked(&self.declared, name, value));
        let settings: Vec<_> = settings.collect::<Result<_, _>>().map_err(EngineFault::InvalidOption)?;
        for setting in &settings {
            self.process.send(&setting.to_string())?;
        }
        // After the others: one of them may name the file that defines the variant.
        let has = |name: &str| self.declared.iter().any(|option| option.name.eq_ignore_ascii_case(name));
        let is_set = |name: &str| settings.iter().any(|setting| setting.name.eq_ignore_ascii_case(name));
        let (is_standard, board) = (self.board == BoardSize::STANDARD, self.board);
        if !is_standard && has("Board") {
            self.process.send(&format!("setoption name Board value {board}"))?;
        } else if has("UCI_Variant") {
            if !is_set("UCI_Variant") {
                let size = if is_standard { String::new() } else { board.to_string() };
                self.process.send(&format!("setoption name UCI_Variant value cfour{size}"))?;
            }
        } else if !is_standard {
            return Err(EngineFault::InvalidOption(format!(
                "it has neither of the options `Board` and `UCI_Variant`, by which a board is set, so it cannot play on {board}"
            )));
        }
        self.seed = SeedOption::of(&self.declared, &settings);
        self.wait_until_ready(READY_TIMEOUT)
    }

    /// The process, for lines that the session does not know.
    pub fn process(&mut self) -> &mut EngineProcess {
        &mut self.process
    }

    /// The name of the process in the log, if there is one.
    #[must_use]
    pub fn label(&self) -> Option<&str> {
        self.process.label()
    }

    /// The name that the engine gave itself in the handshake.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The protocol that it speaks.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Sends `uci` or `ugi`, and keeps the name and the options that the engine declares.
    fn shake_hands(&mut self, timeout: Duration) -> Result<(), EngineFault> {
        let (hello, done, other) = match self.dialect {
            Dialect::Uci => ("uci", Reply::UciOk, "UGI? `proto=ugi`"),
            Dialect::Ugi => ("ugi", Reply::UgiOk, "UCI? `proto=uci`"),
        };
        self.process.send(hello)?;
        let (name, declared) = (&mut self.name, &mut self.declared);
        let answered = self.process.wait_for(timeout, |reply| {
            match reply {
                Reply::Id(Id::Name(found)) => *name = Some(found.clone()),
                Reply::Option(option) => declared.push(option.clone()),
                _ => {}
            }
            *reply == done
        });
        match answered {
            Ok(_) => Ok(()),
            Err(EngineFault::Hang(_)) => Err(EngineFault::NoHandshake(format!(
                "no `{hello}ok` within {} s after `{hello}`; does it speak {other}",
                timeout.as_secs()
            ))),
            Err(fault) => Err(fault),
        }
    }

    /// Starts a new game, with `seed` for the engine's random choices if it declares such an option, and waits until the
    /// engine is ready.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn new_game(&mut self, seed: u64) -> Result<(), EngineFault> {
        if let Some(option) = &self.seed {
            self.process.send(&option.with(seed).to_string())?;
        }
        self.clear()?;
        self.wait_until_ready(READY_TIMEOUT)
    }

    /// Sends `ucinewgame` or `uginewgame`.
    ///
    /// # Errors
    /// [`EngineFault::Gone`].
    pub fn clear(&mut self) -> Result<(), EngineFault> {
        self.process.send(match self.dialect {
            Dialect::Uci => "ucinewgame",
            Dialect::Ugi => "uginewgame",
        })?;
        Ok(())
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn wait_until_ready(&mut self, timeout: Duration) -> Result<(), EngineFault> {
        self.process.send("isready")?;
        // Lines of an earlier game may precede it.
        match self.process.wait_for(timeout, |reply| *reply == Reply::ReadyOk) {
            Err(EngineFault::Hang(timeout)) => Err(EngineFault::NotReady(timeout)),
            answered => answered.map(drop),
        }
    }

    /// Sends `lines`, which end with `go` or `ponderhit`, and waits for the move. Under a `limit`, counted from now, a later
    /// move is a fault; without one the engine has `hang_timeout`.
    ///
    /// # Errors
    /// Any fault of a move.
    pub fn go(
        &mut self,
        lines: &str,
        limit: Option<MoveLimit>,
        hang_timeout: Duration,
    ) -> Result<EngineMove, EngineFault> {
        self.check_silence()?;
        let before = self.process.send(lines)?;
        let end = before + limit.map_or(hang_timeout, MoveLimit::total);
        let mut info = None;
        let (arrival, line) = match self.best_move(end, &mut info)? {
            Some(answer) => answer,
            // An engine that obeys `stop` can play the next game. On a busy machine the answer may have arrived in time and
            // only this thread been woken late: what counts is the time of arrival.
            None => self.stopped_answer(&mut info)?,
        };
        let elapsed = arrival - before;
        let limit = limit.unwrap_or(MoveLimit { time: hang_timeout, margin: Duration::ZERO });
        if elapsed > limit.total() {
            return Err(EngineFault::Late(elapsed, limit));
        }
        match parse_reply(&line) {
            Ok(Reply::BestMove { best: Some(best), ponder }) => {
                Ok(EngineMove { best, ponder, elapsed, info })
            }
            _ => Err(EngineFault::Nonsense(quoted(&line))),
        }
    }

    /// Sends `lines`, which end with `go ponder`.
    ///
    /// # Errors
    /// [`EngineFault::Gone`]; [`EngineFault::SeveralMoves`] if a move has come since the last one.
    pub fn ponder(&mut self, lines: &str) -> Result<(), EngineFault> {
        self.check_silence()?;
        self.process.send(lines)?;
        Ok(())
    }

    /// Sends `stop` and drops the move that follows; returns the time of its arrival.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::Hang`].
    pub fn stop(&mut self) -> Result<Instant, EngineFault> {
        self.stopped_answer(&mut None).map(|(arrival, _)| arrival)
    }

    /// Sends `stop` and waits for the `bestmove` line, which may have arrived before.
    fn stopped_answer(&mut self, info: &mut Option<String>) -> Result<(Instant, String), EngineFault> {
        let before = self.process.send("stop")?;
        self.best_move(before + STOP_TIMEOUT, info)?.ok_or(EngineFault::Hang(STOP_TIMEOUT))
    }

    /// Checks that no move has come since the last one that was asked for.
    ///
    /// # Errors
    /// [`EngineFault::SeveralMoves`], [`EngineFault::Gone`].
    pub fn check_silence(&mut self) -> Result<(), EngineFault> {
        while let Some(line) = self.process.try_line()? {
            if is_best_move(&line) {
                return Err(EngineFault::SeveralMoves(quoted(&line)));
            }
        }
        Ok(())
    }

    /// The next `bestmove` line, or `None` after `end`; `info` becomes the last `info` line with a score before it.
    fn best_move(
        &mut self,
        end: Instant,
        info: &mut Option<String>,
    ) -> Result<Option<(Instant, String)>, EngineFault> {
        self.process.wait_for_line(end, |line| {
            if line.starts_with("info") && line.contains(" score ") {
                *info = Some(line.to_owned());
            }
            is_best_move(line)
        })
    }
}

fn is_best_move(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

/// An engine's line for a message.
fn quoted(line: &str) -> String {
    printable(line, MAX_QUOTE)
}
