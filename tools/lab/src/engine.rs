//! Engines whose answers are measured, with faults as errors of the program.

use std::time::{Duration, Instant};

use anyhow::{Error, Result, anyhow};
use plumb_arena::engine::command_line;
use plumb_arena::engine::fault::EngineFault;
use plumb_arena::engine::process::{EngineContext, EngineProcess};
use plumb_arena::engine::reference::plumb_program;
use plumb_protocol::Reply;

use crate::failure::Failure;

/// A running engine. Dropping it ends the process.
pub(crate) struct MeasuredEngine {
    process: EngineProcess,
    command: String,
}

impl MeasuredEngine {
    /// Starts `command`, a program and its arguments, quoted as in a shell; the `plumb` beside this program if not given.
    ///
    /// # Errors
    /// If there is no such program.
    pub(crate) fn start(command: Option<&str>) -> Result<Self> {
        let (words, command) = match command {
            Some(command) => {
                let words = command_line::split(command);
                (words.map_err(|error| anyhow!("the engine's command: {error}"))?, command.to_owned())
            }
            None => (vec![plumb_program()], "plumb".to_owned()),
        };
        let process = EngineProcess::spawn(&words, None, &command, &EngineContext::default());
        Ok(Self { process: process.map_err(|fault| error(&command, &fault))?, command })
    }

    /// The number of the process in the system.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a line; returns the time right before.
    ///
    /// # Errors
    /// [`Failure`] if the engine has ended.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant> {
        self.process.send(line).map_err(|fault| error(&self.command, &fault))
    }

    /// Reads up to the reply that `wanted` accepts; returns the time of its arrival.
    ///
    /// # Errors
    /// [`Failure`] if it does not come within `timeout`, or the engine has ended.
    pub(crate) fn wait_for(
        &mut self,
        wanted: impl FnMut(&Reply) -> bool,
        timeout: Duration,
    ) -> Result<Instant> {
        self.process.wait_for(timeout, wanted).map_err(|fault| error(&self.command, &fault))
    }
}

/// The error for a fault of the engine called `name`: a [`Failure`] unless it cannot be started or set up as asked for.
pub(crate) fn error(name: &str, fault: &EngineFault) -> Error {
    match fault {
        EngineFault::NotStarted(how) => anyhow!("cannot start the engine `{name}`: {how}"),
        EngineFault::InvalidOption(how) => anyhow!("`{name}`: {how}"),
        EngineFault::Hang(timeout) => Failure(format!("no answer from `{name}` within {timeout:?}")).into(),
        EngineFault::NotReady(_) => Failure(format!("`{name}`: {fault}")).into(),
        fault => Failure(format!("`{name}` {fault}")).into(),
    }
}

/// Whether this is `readyok`.
pub(crate) fn is_ready(reply: &Reply) -> bool {
    *reply == Reply::ReadyOk
}

/// Whether this is `bestmove`.
pub(crate) fn is_best_move(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove { .. })
}
