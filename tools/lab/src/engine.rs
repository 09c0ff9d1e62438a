//! Engines that a command starts: flags, start and errors.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Error, Result, anyhow};
use plumb::board::BoardSize;
use plumb::table::{Table, TableError};
use plumb_arena::engine::config::{EngineConfig, EngineDescription, READY_TIMEOUT, START_TIMEOUT};
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::log::ProtocolLog;
use plumb_arena::engine::options::checked;
use plumb_arena::engine::process::EngineContext;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::lock;
use plumb_arena::time_control::TimeControl;
use plumb_protocol::Reply;

use crate::exit::{self, Failure, Interrupted};
use crate::progress::{say, waiting};

#[derive(clap::Args)]
#[command(next_help_heading = "Engine")]
pub(crate) struct EngineFlags {
    /// Seconds to wait for each answer of the engine.
    ///
    /// The default is 10 s for the start and 30 s for `readyok`.
    #[arg(long, value_name = "S", requires = "engine", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub timeout: Option<u64>,
    /// Append the protocol and standard error to a file.
    ///
    /// `>` marks lines to the engine, `<` lines from it, and `!` its standard error. Times are in UTC. If the disk is too
    /// slow, lines are dropped and counted.
    #[arg(long, value_name = "FILE", requires = "engine")]
    pub log: Option<PathBuf>,
}

impl EngineFlags {
    pub(crate) fn start_timeout(&self) -> u64 {
        self.timeout.unwrap_or(START_TIMEOUT)
    }

    pub(crate) fn ready_timeout(&self) -> u64 {
        self.timeout.unwrap_or(READY_TIMEOUT)
    }

    /// The engine that `--engine` describes, with a table of `hash` MB unless the description sets `Hash`. The only limit
    /// that it accepts is `depth`.
    pub(crate) fn config(&self, command: &str, size: BoardSize, hash: Option<usize>) -> Result<EngineConfig> {
        let config = self.described(command, size, hash)?;
        let TimeControl { depth, .. } = config.control;
        if config.control != (TimeControl { depth, ..TimeControl::default() }) || config.ponder {
            return Err(anyhow!("--engine: `{command}`: the only limit allowed here is `depth`"));
        }
        Ok(config)
    }

    /// Like [`config`](Self::config), but also accepts the limits `st` and `nodes`.
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
        let described = EngineDescription::of_command(command)
            .and_then(|description| description.complete_without_limit());
        let mut config = described.map_err(|error| anyhow!("--engine: {error}"))?;
        if let Some(hash) = hash
            && !config.sets("Hash")
        {
            config.options.push(("Hash".to_owned(), hash.to_string()));
        }
        config.board = Some(size);
        config.start_timeout = Duration::from_secs(self.start_timeout());
        config.ready_timeout = Duration::from_secs(self.ready_timeout());
        Ok(config)
    }
}

/// Starts the engines of a command. The engines share a log, and each remark of an engine is printed once.
pub(crate) struct EngineStarter {
    log: Option<ProtocolLog>,
    pub context: EngineContext,
    shown: Mutex<HashSet<String>>,
}

impl EngineStarter {
    /// Opens the log, and installs the handler for Ctrl-C, which ends the engines.
    pub(crate) fn open(log: Option<&Path>) -> Result<Self> {
        let interrupt = Some(exit::interrupt()?);
        let log = log.map(ProtocolLog::open).transpose()?;
        let sender = log.as_ref().map(|log| log.sender.clone()).unwrap_or_default();
        let context = EngineContext { log: sender, interrupt, ..EngineContext::default() };
        Ok(Self { log, context, shown: Mutex::default() })
    }

    /// Starts an engine, sets its options and prints its remarks. Messages use `name`. `defaults` are options to set if the
    /// engine declares them and the user has not set them.
    pub(crate) fn start(
        &self,
        name: &str,
        config: &EngineConfig,
        defaults: &[(&str, &str)],
        required_hash: Option<usize>,
    ) -> Result<EngineSession> {
        let answer = format!("`{}ok` of `{name}`", config.dialect);
        let mut session = waiting(&answer, || EngineSession::connect(config, &self.context))
            .map_err(|fault| error(name, &fault))?;
        let mut options = config.options.clone();
        for &(option, value) in defaults {
            if !config.sets(option) && session.declares(option) {
                options.push((option.to_owned(), value.to_owned()));
            }
        }
        if let Some(megabytes) = required_hash {
            let size = megabytes.to_string();
            if session.declares("Hash") {
                checked(&session.declared, "Hash", &size).map_err(|reason| SizeRefused(megabytes, reason))?;
            }
            options.push(("Hash".to_owned(), size));
        }
        waiting(&format!("`readyok` of `{name}`"), || session.set_up(&options))
            .map_err(|fault| error(name, &fault))?;
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

    pub(crate) fn close_log(self) -> Result<()> {
        match self.log {
            Some(mut log) => log.close(),
            None => Ok(()),
        }
    }
}

/// A table size in MB that is not available, and the reason.
#[derive(Debug)]
pub(crate) struct SizeRefused(pub usize, pub String);

impl fmt::Display for SizeRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MB: size not granted: {}", self.0, self.1)
    }
}

impl std::error::Error for SizeRefused {}

/// Checks that memory is available for tables of this total size.
pub(crate) fn check_memory(megabytes: usize) -> Result<(), String> {
    let error = Table::new(megabytes).err();
    match error.and_then(|TableError { available, .. }| available) {
        // The table refuses even 0 MB where the process has no addresses left.
        Some((available, limit)) if megabytes > 0 => Err(format!(
            "tables of {megabytes} MB in all are needed, and {available} MB are available {limit}"
        )),
        _ => Ok(()),
    }
}

/// The error for a fault of the engine `name`: [`Interrupted`] after Ctrl-C, [`Failure`] for an engine that misbehaves.
pub(crate) fn error(name: &str, fault: &EngineFault) -> Error {
    let sentence = match fault {
        EngineFault::Interrupted => return Interrupted("interrupted".to_owned()).into(),
        EngineFault::NotStarted(_) | EngineFault::InvalidOption(_) => return anyhow!("`{name}`: {fault}"),
        EngineFault::Hang(timeout, line) => format!("no answer within {} s{line}", timeout.as_secs()),
        EngineFault::NoHandshake(_) | EngineFault::NotReady(..) => format!("{fault}; try a longer timeout"),
        _ => fault.to_string(),
    };
    Failure(format!("`{name}`: {sentence}")).into()
}

pub(crate) fn is_ready(reply: &Reply) -> bool {
    *reply == Reply::ReadyOk
}

/// Whether this is `bestmove`, with a move of any game. Moves of other games arrive as text.
pub(crate) fn is_best_move(reply: &Reply) -> bool {
    match reply {
        Reply::BestMove { .. } => true,
        Reply::Text(line) => line.split_whitespace().next() == Some("bestmove"),
        _ => false,
    }
}
