//! Dialogue with an engine: handshake, options, new games, and moves.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::mem::take;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::locked;
use plumb::board::BoardSize;
use plumb_protocol::{Command, Dialect, Info, Move, OptionDeclaration, OptionKind, Reply, parse_reply};

use super::config::EngineConfig;
use super::fault::EngineFault;
use super::info::{Remark, Reports, SearchReport};
use super::options::{SeedOption, Setting, checked};
use super::pipes::{TimedLine, running_time};
use super::process::{EngineContext, EngineProcess, quoted};
use crate::position_command::variant;
use crate::time_control::MoveLimit;

const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of remarks, in addition to the first refusal of a table size.
const MAX_REMARKS: usize = 20;

/// An engine that has answered the handshake. Dropping it ends the process.
///
/// It is not `Send`: on Linux an engine is killed when the thread that started it ends.
pub struct EngineSession {
    process: EngineProcess,
    /// Command, options and limits.
    pub config: EngineConfig,
    /// Name from the handshake.
    pub name: Option<String>,
    /// Options from the handshake.
    pub declared: Vec<OptionDeclaration>,
    /// Objections of the engine to the options set last.
    pub remarks: Vec<Remark>,
    /// Size of the table in MB, if set and not refused.
    pub table_size: Option<usize>,
    seed: Option<SeedOption>,
    /// `info` lines of the current search, which may be pondering.
    reports: Reports,
    is_pondering: bool,
    pondered: Arc<Mutex<BTreeSet<String>>>,
    thread: PhantomData<*const ()>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineMove {
    pub best: Move,
    pub ponder: Option<Move>,
    /// Time from `go` or `ponderhit` to `bestmove`.
    pub elapsed: Duration,
    pub report: SearchReport,
}

impl EngineSession {
    pub(crate) fn start(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut session = Self::connect(config, context)?;
        session.set_up(&config.options)?;
        Ok(session)
    }

    /// Starts the engine, and reads its name and declared options.
    pub fn connect(config: &EngineConfig, context: &EngineContext) -> Result<Self, EngineFault> {
        let mut process = EngineProcess::spawn(config, context)?;
        let (hello, done, other) = match config.dialect {
            Dialect::Uci => (Command::Uci, Reply::UciOk, "`proto=ugi` if it speaks UGI"),
            Dialect::Ugi => (Command::Ugi, Reply::UgiOk, "`proto=uci` if it speaks UCI"),
        };
        let (mut name, mut declared) = (None, Vec::new());
        let asked = process.send(std::slice::from_ref(&hello));
        let answered = asked.and_then(|_| {
            process.wait_for(process.start, config.start_timeout, |line| {
                let reply = reply(line);
                let is_done = reply == done;
                match reply {
                    Reply::Name(found) => name = Some(found),
                    Reply::Option(option) => declared.push(option),
                    _ => {}
                }
                is_done
            })
        });
        let answered = answered.map_err(|fault| match fault {
            EngineFault::Gone(how) => {
                EngineFault::Gone(format!("no answer to `{hello}`: it {how}; is it an engine?"))
            }
            fault => fault,
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

    /// Sets options and board, and waits for `readyok`, because many engines allocate their table only then.
    pub fn set_up(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        let settings = options.iter().map(|(name, value)| checked(&self.declared, name, value));
        let mut settings: Vec<_> = settings.collect::<Result<_, _>>().map_err(EngineFault::InvalidOption)?;
        self.seed = SeedOption::of(&self.declared, &settings);
        if !sets(&settings, "Ponder")
            && let Ok(ponder) = checked(&self.declared, "Ponder", &self.config.ponder.to_string())
        {
            settings.push(ponder);
        }
        // Options are set first, because `VariantPath` names the file that defines the variant.
        let board = self.board_setting(&settings)?;
        settings.extend(board);
        let hash = settings.iter().find(|setting| setting.name.eq_ignore_ascii_case("Hash"));
        let hash = hash.and_then(|setting| setting.value.as_ref()?.parse().ok());
        self.process.send(&settings.iter().map(Command::from).collect::<Vec<_>>())?;
        let mut remarks = Vec::new();
        self.await_ready(|reply| {
            let Reply::Info(Info { string: Some(text), .. }) = reply else { return };
            let Some(remark) = Remark::of(text, hash) else { return };
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
        self.table_size = if self.size_refusal().is_some() { None } else { hash.or(self.table_size) };
        Ok(())
    }

    /// The option that sets the board: `Board` on boards other than 7x6, or else `UCI_Variant`. For 7x6 an engine
    /// needs neither.
    fn board_setting(&self, settings: &[Setting]) -> Result<Option<Setting>, EngineFault> {
        let Some(board) = self.config.board else { return Ok(None) };
        let is_standard = board == BoardSize::STANDARD;
        if !is_standard && self.declares("Board") {
            return Ok(Some(Setting::new("Board", &board)));
        }
        if let Some(option) = self.option("UCI_Variant") {
            let variant = variant(board);
            if sets(settings, "UCI_Variant") {
                return Ok(None);
            }
            let is_unknown =
                matches!(&option.kind, OptionKind::Combo { vars, .. } if !vars.contains(&variant));
            // A file named by `VariantPath` may define the variant. The first game shows whether it does.
            if is_unknown && !sets(settings, "VariantPath") {
                return Err(self.unknown_variant(board));
            }
            return Ok(Some(Setting::new("UCI_Variant", &variant)));
        }
        if is_standard {
            return Ok(None);
        }
        Err(EngineFault::InvalidOption(format!(
            "it has neither of the options `Board` and `UCI_Variant`, by which a board is set, so it cannot play on {board}"
        )))
    }

    fn unknown_variant(&self, board: BoardSize) -> EngineFault {
        let remedy = match self.option("VariantPath") {
            Some(OptionDeclaration { name, .. }) => format!(
                "; `option.{name}=FILE` names a file that defines it, as `plumb-lab variant-ini {board}` prints it"
            ),
            None => String::new(),
        };
        EngineFault::InvalidOption(format!(
            "does not know the game: its option UCI_Variant has no value `{}`{remedy}",
            variant(board)
        ))
    }

    /// Table size in MB that the option `Hash` declares as default.
    pub fn default_table_size(&self) -> Option<usize> {
        match self.option("Hash")?.kind {
            OptionKind::Spin { default, .. } => usize::try_from(default).ok(),
            _ => None,
        }
    }

    /// Message by which the engine refuses its table size, if any.
    pub fn size_refusal(&self) -> Option<&str> {
        self.remarks.iter().find(|remark| remark.refuses_size).map(|remark| remark.text.as_str())
    }

    /// Process ID.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn label(&self) -> &str {
        &self.process.log.label
    }

    fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether the engine declares the option.
    pub fn declares(&self, name: &str) -> bool {
        self.option(name).is_some()
    }

    /// Starts a new game, with `seed` for the option `Seed`, and waits until the engine is ready.
    pub fn new_game(&mut self, seed: u64) -> Result<(), EngineFault> {
        let seed = self.seed.as_ref().map(|option| option.with(seed));
        let mut commands: Vec<_> = seed.iter().map(Command::from).collect();
        commands.push(Command::NewGame(self.config.dialect));
        self.process.send(&commands)?;
        self.wait_until_ready()
    }

    /// Sends `isready` and waits for `readyok`.
    pub fn wait_until_ready(&mut self) -> Result<(), EngineFault> {
        self.await_ready(|_| {})
    }

    /// Waits for `readyok`. `take` gets each reply before it, which may belong to an earlier game.
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

    /// Sends commands that have no reply.
    pub fn send(&mut self, commands: &[Command<'_>]) -> Result<(), EngineFault> {
        self.process.send(commands).map(drop)
    }

    /// Sends a line.
    pub fn send_line(&mut self, line: String) -> Result<(), EngineFault> {
        self.process.send_lines([line]).map(drop)
    }

    /// Sends commands, and reads up to the reply that `wanted` accepts; returns the time. No reply is an
    /// [`EngineFault::Hang`].
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

    /// Sends commands that end with `go` or `ponderhit`, and waits for the move. After the `limit` the engine gets
    /// `stop`. A late move is an [`EngineFault::Late`], no answer to `stop` an [`EngineFault::Hang`].
    pub(crate) fn go(
        &mut self,
        commands: &[Command<'_>],
        limit: MoveLimit,
    ) -> Result<EngineMove, EngineFault> {
        self.check_silence()?;
        self.is_pondering = false;
        if commands.first() != Some(&Command::PonderHit) {
            self.reports = Reports::default();
        }
        let before = self.process.send(commands)?;
        let (arrival, line) = match self.best_move(before, limit.total())? {
            Some(answer) => answer,
            // The arrival at the reading thread counts, because this thread may wake late on a busy machine.
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

    /// Sends commands that end with `go ponder`. [`go`](Self::go) with `ponderhit`, or [`stop`](Self::stop), ends the
    /// search.
    pub(crate) fn go_ponder(&mut self, commands: &[Command<'_>]) -> Result<(), EngineFault> {
        self.check_silence()?;
        self.reports = Reports::default();
        self.is_pondering = true;
        locked(&self.pondered).insert(self.config.name.clone());
        self.send(commands)
    }

    /// Sends `stop` and drops the move that follows.
    pub(crate) fn stop(&mut self) -> Result<(), EngineFault> {
        self.is_pondering = false;
        self.stopped_answer().map(drop)
    }

    /// Sends `stop` and waits for the move, which may have arrived before.
    fn stopped_answer(&mut self) -> Result<TimedLine, EngineFault> {
        let before = self.process.send(&[Command::Stop])?;
        let answer = self.best_move(before, STOP_TIMEOUT)?;
        answer.ok_or_else(|| self.process.unanswered(|line| EngineFault::Hang(STOP_TIMEOUT, line)))
    }

    /// Fails if the engine has sent an unrequested `bestmove`.
    pub(crate) fn check_silence(&mut self) -> Result<(), EngineFault> {
        let ponders = "while it pondered, before `ponderhit` or `stop`";
        let when = if self.is_pondering { ponders } else { "without being asked" };
        match self.best_move(Instant::now(), Duration::ZERO)? {
            Some((_, line)) => Err(EngineFault::UnrequestedMove(quoted(&line), when)),
            None => Ok(()),
        }
    }

    /// Waits for `bestmove`, and keeps the reports before it. `None` after `timeout` from `since`.
    fn best_move(&mut self, since: Instant, timeout: Duration) -> Result<Option<TimedLine>, EngineFault> {
        self.process.wait_for(since, timeout, |line| {
            self.reports.keep(line);
            is_best_move(line)
        })
    }
}

fn sets(settings: &[Setting], name: &str) -> bool {
    settings.iter().any(|setting| setting.name.eq_ignore_ascii_case(name))
}

fn reply(line: &str) -> Reply {
    parse_reply(line).unwrap_or_else(|_| Reply::Text(line.to_owned()))
}

fn is_best_move(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match::script;

    fn connect(on_line: &str) -> Result<EngineSession, EngineFault> {
        EngineSession::start(&script("an engine", on_line), &EngineContext::default())
    }

    fn go(session: &mut EngineSession, time: Duration) -> Result<String, EngineFault> {
        let limit = MoveLimit { time, margin: Duration::ZERO };
        let go = Command::Go(plumb_protocol::Go::default());
        session.go(&[go], limit).map(|found| found.best.to_string())
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn a_handshake_has_name_options_and_remarks() {
        let session = connect(
            "uci) echo 'id name A'; echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok;;
             'setoption name UCI_Variant'*) echo 'info string unknown option';;
             isready) echo 'info string no tablebases found'; echo readyok;;",
        );
        let session = session.expect("it answers");
        assert_eq!((session.name.as_deref(), session.default_table_size()), (Some("A"), Some(1)));
        assert!(session.declares("hash") && !session.declares("Threads"));
        let remarks: Vec<_> = session.remarks.iter().map(|remark| remark.text.as_str()).collect();
        assert_eq!(remarks, ["no tablebases found"]);
    }

    #[test]
    fn a_program_that_is_no_engine_is_named_with_its_last_words() {
        let fault = connect("uci) echo 'what is uci?' >&2; exit 3;;").err();
        let said = "no answer to `uci`: it has ended (exit status: 3); standard error: what is uci?; is it an engine?";
        assert_eq!(fault, Some(EngineFault::Gone(said.to_owned())));
    }

    #[test]
    fn a_move_is_late_if_it_comes_after_stop() {
        let mut session = connect("stop) echo 'bestmove P@d1';;").expect("it answers");
        let fault = go(&mut session, Duration::from_millis(1));
        assert!(matches!(fault, Err(EngineFault::Late(..))), "{fault:?}");
        session.wait_until_ready().expect("it is ready");
    }

    #[test]
    fn answers_that_are_no_moves_are_told_apart() {
        let mut session = connect(
            "go*) echo 'info depth 1 score cp 5'; echo \"bestmove $answer\"; answer=nonsense;; 'position'*) answer=P@d1;;",
        )
        .expect("it answers");
        session.send_line("position startpos".to_owned()).expect("it reads");
        assert_eq!(go(&mut session, LONG), Ok("P@d1".to_owned()));
        assert_eq!(go(&mut session, LONG), Err(EngineFault::Nonsense("bestmove nonsense".to_owned())));
    }

    #[test]
    fn a_move_that_nobody_asked_for_is_a_fault() {
        let mut session = connect("go*) echo 'bestmove P@d1'; echo 'bestmove P@d2';;").expect("it answers");
        assert!(go(&mut session, LONG).is_ok());
        let fault = loop {
            match session.check_silence() {
                Ok(()) => std::thread::yield_now(),
                Err(fault) => break fault,
            }
        };
        let EngineFault::UnrequestedMove(line, _) = fault else { panic!("{fault:?}") };
        assert_eq!(line, "bestmove P@d2");
    }
}
