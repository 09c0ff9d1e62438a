//! Engines that a command starts: flags, start and error messages.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Error, Result, anyhow};
use plumb::board::BoardSize;
use plumb_arena::engine::config::{EngineConfig, EngineDescription, READY_TIMEOUT, START_TIMEOUT};
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::start::{EngineError, StartDisplay};
pub(crate) use plumb_arena::engine::start::{EngineStarter, SizeRefused, check_memory};
use plumb_arena::time_control::TimeControl;
use plumb_protocol::Reply;

use crate::exit;
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

    /// The engine that `--engine` describes, with a table of `hash` MB unless the description sets `Hash`. Refuses
    /// search limits other than `depth`.
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

/// Opens the log, and makes Ctrl-C end the engines.
pub(crate) fn open_starter(log: Option<&Path>) -> Result<EngineStarter> {
    let display = StartDisplay { wait: waiting, say: |line| say(format_args!("{line}")) };
    EngineStarter::open(log, Some(exit::interrupt()?), display)
}

pub(crate) fn error(name: &str, fault: &EngineFault) -> Error {
    EngineError::new(name, fault.clone()).into()
}

pub(crate) fn is_ready(reply: &Reply) -> bool {
    *reply == Reply::ReadyOk
}

/// Whether a reply is `bestmove`, even with the text of a move of another game.
pub(crate) fn is_best_move(reply: &Reply) -> bool {
    match reply {
        Reply::BestMove { .. } => true,
        Reply::Text(line) => line.split_whitespace().next() == Some("bestmove"),
        _ => false,
    }
}
