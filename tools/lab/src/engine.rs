//! Engines that a command starts: their flags, the start with its progress, and faults as errors of the program.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Error, Result, anyhow};
use plumb::board::{BoardSize, Standard};
use plumb::table::{Table, TableError};
use plumb_arena::engine::config::{EngineConfig, EngineDescription};
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::log::ProtocolLog;
use plumb_arena::engine::options::checked;
use plumb_arena::engine::process::EngineContext;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::time_control::TimeControl;
use plumb_protocol::Reply;
use plumb_tools_common::lock;

use crate::exit::{self, Failure, Interrupted};
use crate::progress::{say, waiting};

/// Flags of commands that start an engine.
#[derive(clap::Args)]
pub(crate) struct EngineFlags {
    /// Seconds for each answer of the engine.
    ///
    /// By default 10 seconds for `uciok`, 30 for `readyok`, and 600 for the answer to `go` of `suite`.
    #[arg(long, value_name = "SECONDS", requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub timeout: Option<u64>,
    /// Append all lines of the engine to FILE.
    ///
    /// `>` marks a line to the engine, `<` a line from it, `!` its standard error. Times are UTC. If the disk is slow, lines are
    /// left out and counted.
    #[arg(long, value_name = "FILE", requires = "engine")]
    pub log: Option<PathBuf>,
}

impl EngineFlags {
    /// The engine of the value of `--engine`: a program and its arguments, quoted as in a shell, or an engine as
    /// `plumb-lab match --engine` takes it; with a table of `hash` MB, unless it names another size. Of its limits, only
    /// `depth` is accepted.
    ///
    /// # Errors
    /// The fault in its description.
    pub(crate) fn config(&self, command: &str, size: BoardSize, hash: Option<usize>) -> Result<EngineConfig> {
        let config = self.described(command, size, hash)?;
        let TimeControl { depth, .. } = config.control;
        if config.control != (TimeControl { depth, ..TimeControl::default() }) || config.ponder {
            return Err(anyhow!("--engine: `{command}`: there is no limit here but `depth`"));
        }
        Ok(config)
    }

    /// Like [`config`](Self::config), but also accepts the limits `st` and `nodes`.
    ///
    /// # Errors
    /// The fault in its description.
    pub(crate) fn config_with_move_limit(
        &self,
        command: &str,
        size: BoardSize,
        hash: Option<usize>,
    ) -> Result<EngineConfig> {
        let config = self.described(command, size, hash)?;
        if config.control.clock.is_some() || config.ponder {
            return Err(anyhow!("--engine: `{command}`: expected one of the limits `st`, `nodes`, `depth`"));
        }
        Ok(config)
    }

    fn described(&self, command: &str, size: BoardSize, hash: Option<usize>) -> Result<EngineConfig> {
        let described = EngineDescription::of_command(command);
        let config = described.and_then(|description| description.complete_without_limit());
        let mut config = config.map_err(|error| anyhow!("--engine: {error}"))?;
        if let Some(hash) = hash
            && !config.sets("Hash")
        {
            config.options.push(("Hash".to_owned(), hash.to_string()));
        }
        config.board = Some(size);
        if let Some(seconds) = self.timeout {
            config.start_timeout = Duration::from_secs(seconds);
            config.ready_timeout = Duration::from_secs(seconds);
        }
        Ok(config)
    }
}

/// The starter of the engines of a command: all engines share one log, and each remark of an engine is shown once.
pub(crate) struct EngineStarter {
    log: Option<ProtocolLog>,
    /// Log, interrupt and processors of the engines of this starter. The games of a match set the processors anew.
    pub context: EngineContext,
    /// Remarks that were shown.
    shown: Mutex<HashSet<String>>,
}

impl EngineStarter {
    /// Opens the log, and watches for Ctrl-C, which ends the engines.
    pub(crate) fn open(log: Option<&Path>) -> Result<Self> {
        let interrupt = Some(exit::interrupt()?);
        let log = log.map(ProtocolLog::open).transpose()?;
        let sender = log.as_ref().map(|log| log.sender.clone()).unwrap_or_default();
        let context = EngineContext { log: sender, interrupt, ..EngineContext::default() };
        Ok(Self { log, context, shown: Mutex::default() })
    }

    /// Starts the engine that messages call `name`, sets its options and `defaults`, which hold where the engine declares
    /// them and the user has not set them, and shows its remarks, each once. Its table must have `required_hash` MB, if that
    /// is given.
    ///
    /// # Errors
    /// That of [`error`]; [`SizeRefused`] if the engine has a table, but not of this size.
    pub(crate) fn start(
        &self,
        name: &str,
        config: &EngineConfig,
        defaults: &[(&str, &str)],
        required_hash: Option<usize>,
    ) -> Result<EngineSession> {
        let failed = |fault| error(name, &fault);
        let answer = format!("`{}ok` of `{name}`", config.dialect);
        let mut session =
            waiting(&answer, || EngineSession::connect(config, &self.context)).map_err(failed)?;
        let defaults = defaults.iter().filter(|(option, _)| !config.sets(option) && session.declares(option));
        let defaults = defaults.map(|&(option, value)| (option.to_owned(), value.to_owned()));
        let mut options: Vec<_> = config.options.iter().cloned().chain(defaults).collect();
        if let Some(megabytes) = required_hash {
            let size = megabytes.to_string();
            if session.declares("Hash") {
                checked(&session.declared, "Hash", &size).map_err(|reason| SizeRefused(megabytes, reason))?;
            }
            options.push(("Hash".to_owned(), size));
        }
        waiting(&format!("`readyok` of `{name}`"), || session.set_up(&options)).map_err(failed)?;
        if let Some((megabytes, words)) = required_hash.zip(session.size_refusal()) {
            return Err(SizeRefused(megabytes, format!("the engine says `{words}`")).into());
        }
        for remark in &session.remarks {
            let line = format!("`{name}` on its options: {}", remark.text);
            if lock(&self.shown).insert(line.clone()) {
                say(format_args!("{line}"));
            }
        }
        Ok(session)
    }

    /// Writes the rest of the log.
    ///
    /// # Errors
    /// The first error of writing it.
    pub(crate) fn close_log(self) -> Result<()> {
        self.log.map_or(Ok(()), |mut log| log.close())
    }
}

/// A size of the table, in MB, that is not to be had, and the reason.
#[derive(Debug)]
pub(crate) struct SizeRefused(pub usize, pub String);

impl fmt::Display for SizeRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MB: size not granted: {}", self.0, self.1)
    }
}

impl std::error::Error for SizeRefused {}

/// Checks that tables of so many MB together fit into the memory that there is.
///
/// # Errors
/// A sentence with the memory of the tables and the memory that is available, both in MB, and its limit.
pub(crate) fn check_memory(megabytes: usize) -> Result<(), String> {
    let error = Table::<Standard>::new(megabytes).err();
    match error.and_then(|TableError { available, .. }| available) {
        // The table refuses even 0 MB where the process has no addresses left.
        Some((available, limit)) if megabytes > 0 => Err(format!(
            "tables of {megabytes} MB in all are needed, and {available} MB are available {limit}"
        )),
        _ => Ok(()),
    }
}

/// The error for a fault of the engine called `name`: [`Interrupted`] after Ctrl-C, a [`Failure`] unless the engine
/// cannot be started or set up as asked for.
pub(crate) fn error(name: &str, fault: &EngineFault) -> Error {
    let sentence = match fault {
        EngineFault::Interrupted => return Interrupted("interrupted".to_owned()).into(),
        EngineFault::NotStarted(_) | EngineFault::InvalidOption(_) => return anyhow!("`{name}`: {fault}"),
        EngineFault::Hang(timeout, line) => format!("no answer within {} s{line}", timeout.as_secs()),
        EngineFault::NoHandshake(_) | EngineFault::NotReady(..) => {
            format!("{fault}; `--timeout` gives it more time")
        }
        _ => fault.to_string(),
    };
    Failure(format!("`{name}`: {sentence}")).into()
}

/// Whether this is `readyok`.
pub(crate) fn is_ready(reply: &Reply) -> bool {
    *reply == Reply::ReadyOk
}

/// Whether this is `bestmove`, with a move of any game: a move of another game is not parsed.
pub(crate) fn is_best_move(reply: &Reply) -> bool {
    match reply {
        Reply::BestMove { .. } => true,
        Reply::Text(line) => line.split_whitespace().next() == Some("bestmove"),
        _ => false,
    }
}
