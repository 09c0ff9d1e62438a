//! The dialogue with an engine: handshake, options, new games, and moves.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::mem::take;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::lock;
use crate::stops::running_time;
use plumb::board::BoardSize;
use plumb_protocol::{Command, Dialect, Info, Move, OptionDeclaration, OptionKind, Reply, parse_reply};

use super::config::EngineConfig;
use super::fault::EngineFault;
use super::info::{Remark, Reports, SearchReport};
use super::options::{SeedOption, Setting, checked};
use super::pipes::TimedLine;
use super::process::{EngineContext, EngineProcess, quoted};
use crate::position_command::variant;
use crate::time_control::MoveLimit;

/// Time for the answer to `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Remarks that are kept, at most, and the first refusal of a size beside them.
const MAX_REMARKS: usize = 20;

/// An engine that has answered the handshake. Dropping it ends the process.
///
/// A session is not `Send`: on Linux an engine is killed when the thread that started it ends.
pub struct EngineSession {
    process: EngineProcess,
    /// Its command, options and limits.
    pub config: EngineConfig,
    /// The name that it gave itself in the handshake.
    pub name: Option<String>,
    /// The options that it declared in the handshake.
    pub declared: Vec<OptionDeclaration>,
    /// Its remarks on the options that were set last.
    pub remarks: Vec<Remark>,
    /// The size of its table in MB, if it was set and the engine did not refuse it.
    pub table_size: Option<usize>,
    /// The option for the seed of each game.
    seed: Option<SeedOption>,
    /// The reports of the search that was asked for last, which may come while it ponders.
    reports: Reports,
    is_pondering: bool,
    /// The names of the engines that have pondered.
    pondered: Arc<Mutex<BTreeSet<String>>>,
    /// Keeps the session on its thread.
    thread: PhantomData<*const ()>,
}

/// An engine's answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move.
    pub best: Move,
    /// The reply to ponder on.
    pub ponder: Option<Move>,
    /// Time from `go` or `ponderhit` to `bestmove`.
    pub elapsed: Duration,
    /// The engine's reports of the first principal variation (`multipv 1`).
    pub report: SearchReport,
}

impl EngineSession {
    /// Starts the engine, and sets its options and the board.
    ///
    /// # Errors
    /// The errors of [`connect`](Self::connect) and [`set_up`](Self::set_up).
    pub fn start(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut session = Self::connect(config, context)?;
        session.set_up(&config.options)?;
        Ok(session)
    }

    /// Starts the engine, sends the handshake word, and keeps the name and the options that the engine declares in its answer.
    ///
    /// # Errors
    /// [`EngineFault::NotStarted`], [`EngineFault::NoHandshake`], [`EngineFault::Gone`].
    pub fn connect(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut process = EngineProcess::spawn(config, context)?;
        let (hello, done, other) = match config.dialect {
            Dialect::Uci => (Command::Uci, Reply::UciOk, "`proto=ugi` if it speaks UGI"),
            Dialect::Ugi => (Command::Ugi, Reply::UgiOk, "`proto=uci` if it speaks UCI"),
        };
        process.send(&[hello])?;
        let (mut name, mut declared) = (None, Vec::new());
        let answered = process.wait_for(process.start, config.start_timeout, |line| {
            let reply = reply(line);
            let is_done = reply == done;
            match reply {
                Reply::Name(found) => name = Some(found),
                Reply::Option(option) => declared.push(option),
                _ => {}
            }
            is_done
        })?;
        if answered.is_none() {
            let seconds = config.start_timeout.as_secs();
            return Err(process.unanswered(|line| {
                EngineFault::NoHandshake(format!(
                    "no `{done}` within {seconds} s of its start{line}; it may buffer its output: flush after each line; {other}"
                ))
            }));
        }
        let (config, remarks) = (config.clone(), Vec::new());
        Ok(Self {
            process,
            config,
            name,
            declared,
            remarks,
            table_size: None,
            seed: None,
            reports: Reports::default(),
            is_pondering: false,
            pondered: Arc::clone(&context.pondered),
            thread: PhantomData,
        })
    }

    /// Sets options, all of which the engine must have declared, then `Ponder` and the board, and waits until the engine is
    /// ready: many an engine allocates its table only then. Its remarks up to `readyok` are kept.
    ///
    /// # Errors
    /// [`EngineFault::InvalidOption`], [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn set_up(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        let settings = options.iter().map(|(name, value)| checked(&self.declared, name, value));
        let mut settings: Vec<_> = settings.collect::<Result<_, _>>().map_err(EngineFault::InvalidOption)?;
        self.seed = SeedOption::of(&self.declared, &settings);
        if !sets(&settings, "Ponder")
            && let Ok(ponder) = checked(&self.declared, "Ponder", &self.config.ponder.to_string())
        {
            settings.push(ponder);
        }
        // After the others: one of them may name the file that defines the variant.
        let board = self.board_setting(&settings)?;
        settings.extend(board);
        let hash = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case("Hash"));
        let hash = hash.and_then(|setting| setting.value.as_ref()?.parse().ok());
        self.process.send(&settings.iter().map(Command::from).collect::<Vec<_>>())?;
        let mut remarks = Vec::new();
        self.await_ready(|reply| {
            let Reply::Info(Info { string: Some(text), .. }) = reply else { return };
            let Some(remark) = Remark::of(text, hash) else { return };
            // A refusal of the size counts, however much was said before.
            let is_refusal =
                remark.refuses_size && !remarks.iter().any(|remark: &Remark| remark.refuses_size);
            if is_refusal || remarks.len() < MAX_REMARKS {
                remarks.push(remark);
            }
        })?;
        for Remark { text, .. } in &remarks {
            self.process.log.note(|| format!("{}: remark on its options: {text}", self.label()));
        }
        self.remarks = remarks;
        self.table_size = hash.or(self.table_size).filter(|_| self.size_refusal().is_none());
        Ok(())
    }

    /// The setting of the board, sent after `settings`: on any board but 7x6 `Board`, if the engine declares it; else
    /// `UCI_Variant`, if it declares that and `settings` do not have it. For 7x6 an engine need not declare either.
    fn board_setting(&self, settings: &[Setting]) -> Result<Option<Setting>, EngineFault> {
        let Some(board) = self.config.board else { return Ok(None) };
        let is_standard = board == BoardSize::STANDARD;
        if !is_standard && self.declares("Board") {
            return Ok(Some(Setting::new("Board", &board)));
        }
        if let Some(option) = self.option("UCI_Variant") {
            let variant = variant(board);
            let is_unknown =
                matches!(&option.kind, OptionKind::Combo { vars, .. } if !vars.contains(&variant));
            // A file of variants may define it; if that does not, the first game shows it.
            if is_unknown && !sets(settings, "UCI_Variant") && !sets(settings, "VariantPath") {
                return Err(self.unknown_variant(board));
            }
            return Ok((!sets(settings, "UCI_Variant")).then(|| Setting::new("UCI_Variant", &variant)));
        }
        if is_standard {
            return Ok(None);
        }
        Err(EngineFault::InvalidOption(format!(
            "it has neither of the options `Board` and `UCI_Variant`, by which a board is set, so it cannot play on {board}"
        )))
    }

    /// The fault of an engine that does not know the game.
    fn unknown_variant(&self, board: BoardSize) -> EngineFault {
        let remedy = |option: &OptionDeclaration| {
            let option = &option.name;
            format!(
                "; `option.{option}=FILE` names a file that defines it, as `plumb-lab variant-ini {board}` prints it"
            )
        };
        let remedy = self.option("VariantPath").map(remedy).unwrap_or_default();
        EngineFault::InvalidOption(format!(
            "does not know the game: its option UCI_Variant has no value `{}`{remedy}",
            variant(board)
        ))
    }

    /// The size of the table in MB that the engine has unless another one is set.
    pub fn default_table_size(&self) -> Option<usize> {
        match self.option("Hash")?.kind {
            OptionKind::Spin { default, .. } => usize::try_from(default).ok(),
            _ => None,
        }
    }

    /// The words with which the engine refused the size of the table that was set last, if it did.
    pub fn size_refusal(&self) -> Option<&str> {
        self.remarks.iter().find(|remark| remark.refuses_size).map(|remark| remark.text.as_str())
    }

    /// The number of the process in the system.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The name of the process in the log.
    pub fn label(&self) -> &str {
        &self.process.log.label
    }

    /// The declaration of an option.
    fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether the engine declared this option.
    pub fn declares(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// Starts a new game, with `seed` for the engine's random choices if it declares such an option, and waits until the
    /// engine is ready.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn new_game(&mut self, seed: u64) -> Result<(), EngineFault> {
        let seed = self.seed.as_ref().map(|option| option.with(seed));
        let mut commands: Vec<_> = seed.iter().map(Command::from).collect();
        commands.push(Command::NewGame(self.config.dialect));
        self.process.send(&commands)?;
        self.wait_until_ready()
    }

    /// Sends `isready` and waits for `readyok`.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::NotReady`].
    pub fn wait_until_ready(&mut self) -> Result<(), EngineFault> {
        self.await_ready(|_| {})
    }

    /// Sends `isready` and waits for `readyok`; `take` gets each reply before `readyok`, which may be lines of an earlier game.
    fn await_ready(&mut self, mut take: impl FnMut(&Reply)) -> Result<(), EngineFault> {
        let timeout = self.config.ready_timeout;
        let before = self.process.send(&[Command::IsReady])?;
        let answered = self.process.wait_for(before, timeout, |line| {
            let reply = reply(line);
            take(&reply);
            reply == Reply::ReadyOk
        })?;
        answered.map(drop).ok_or_else(|| self.process.unanswered(|line| EngineFault::NotReady(timeout, line)))
    }

    /// Sends commands that need no answer.
    ///
    /// # Errors
    /// [`EngineFault::Gone`].
    pub fn send(&mut self, commands: &[Command<'_>]) -> Result<(), EngineFault> {
        self.process.send(commands).map(drop)
    }

    /// Sends a line as it is, such as a position of another game. It needs no answer.
    ///
    /// # Errors
    /// [`EngineFault::Gone`].
    pub fn send_line(&mut self, line: String) -> Result<(), EngineFault> {
        self.process.send_lines([line]).map(drop)
    }

    /// Sends commands, and reads up to the reply that `wanted` accepts; returns the time that it took.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::Hang`].
    pub fn ask(
        &mut self,
        commands: &[Command<'_>],
        timeout: Duration,
        mut wanted: impl FnMut(&Reply) -> bool,
    ) -> Result<Duration, EngineFault> {
        let before = self.process.send(commands)?;
        let answered = self.process.wait_for(before, timeout, |line| wanted(&reply(line)))?;
        let Some((arrival, _)) = answered else {
            return Err(self.process.unanswered(|line| EngineFault::Hang(timeout, line)));
        };
        Ok(running_time(before, arrival))
    }

    /// Sends commands, the last of which is `go` or `ponderhit`, and waits for the move. One that is later than the `limit`,
    /// counted from now, is an [`EngineFault::Late`]. An engine with no move by then is sent `stop`; if it does not answer that
    /// either, it is an [`EngineFault::Hang`]. Both lose the game.
    ///
    /// # Errors
    /// Any fault of a move.
    pub fn go(&mut self, commands: &[Command<'_>], limit: MoveLimit) -> Result<EngineMove, EngineFault> {
        self.check_silence()?;
        self.is_pondering = false;
        if commands.first() != Some(&Command::PonderHit) {
            self.reports = Reports::default();
        }
        let before = self.process.send(commands)?;
        let (arrival, line) = match self.best_move(before, limit.total())? {
            Some(answer) => answer,
            // An engine that obeys `stop` can play the next game. On a busy machine the answer may have arrived in time and
            // only this thread been woken late: what counts is the arrival at the thread that reads the engine's output.
            None => self.stopped_answer()?,
        };
        let elapsed = running_time(before, arrival);
        if elapsed > limit.total() {
            return Err(EngineFault::Late(elapsed, limit));
        }
        match parse_reply(&line) {
            Ok(Reply::BestMove { best: Some(best), ponder }) => {
                Ok(EngineMove { best, ponder, elapsed, report: take(&mut self.reports).finish() })
            }
            _ => Err(EngineFault::Nonsense(quoted(&line))),
        }
    }

    /// Sends commands, the last of which is `go ponder`: the search goes on until [`go`](Self::go) sends `ponderhit`, or
    /// [`stop`](Self::stop).
    ///
    /// # Errors
    /// As [`check_silence`](Self::check_silence).
    pub fn go_ponder(&mut self, commands: &[Command<'_>]) -> Result<(), EngineFault> {
        self.check_silence()?;
        self.reports = Reports::default();
        self.is_pondering = true;
        lock(&self.pondered).insert(self.config.name.clone());
        self.send(commands)
    }

    /// Sends `stop` and drops the move that follows.
    ///
    /// # Errors
    /// [`EngineFault::Gone`], [`EngineFault::Hang`].
    pub fn stop(&mut self) -> Result<(), EngineFault> {
        self.is_pondering = false;
        self.stopped_answer().map(drop)
    }

    /// Sends `stop` and waits for the `bestmove` line, which may have arrived before.
    fn stopped_answer(&mut self) -> Result<TimedLine, EngineFault> {
        let before = self.process.send(&[Command::Stop])?;
        let answer = self.best_move(before, STOP_TIMEOUT)?;
        answer.ok_or_else(|| self.process.unanswered(|line| EngineFault::Hang(STOP_TIMEOUT, line)))
    }

    /// Takes the lines that have come since the last move that was asked for: a move among them is a fault.
    ///
    /// # Errors
    /// [`EngineFault::UnrequestedMove`], [`EngineFault::Gone`], [`EngineFault::Interrupted`].
    pub fn check_silence(&mut self) -> Result<(), EngineFault> {
        let ponders = "while it pondered, before `ponderhit` or `stop`";
        let when = if self.is_pondering { ponders } else { "without being asked" };
        match self.best_move(Instant::now(), Duration::ZERO)? {
            Some((_, line)) => Err(EngineFault::UnrequestedMove(quoted(&line), when)),
            None => Ok(()),
        }
    }

    /// The next `bestmove` line, or `None` once `timeout` has passed since `since`; the reports before it are kept.
    fn best_move(&mut self, since: Instant, timeout: Duration) -> Result<Option<TimedLine>, EngineFault> {
        self.process.wait_for(since, timeout, |line| {
            self.reports.keep(line);
            is_best_move(line)
        })
    }
}

/// Whether `name` is among the settings.
fn sets(settings: &[Setting], name: &str) -> bool {
    settings.iter().any(|setting| setting.name.eq_ignore_ascii_case(name))
}

/// The reply in a line; a line that is none is [`Reply::Text`].
fn reply(line: &str) -> Reply {
    parse_reply(line).unwrap_or_else(|_| Reply::Text(line.to_owned()))
}

fn is_best_move(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}
