//! Starts engines, and shows progress and engine messages to the user.

use std::collections::HashSet;
use std::fmt;
use std::path::Path;
use std::sync::Mutex;

use anyhow::Result;
use plumb::table::{Table, TableError};

use super::config::EngineConfig;
use super::fault::EngineFault;
use super::log::ProtocolLog;
use super::options::checked;
use super::process::{EngineContext, Interrupt};
use super::session::EngineSession;
use crate::locked;

/// Starts engines that share a log. Each remark of an engine is shown only once.
pub struct EngineStarter {
    /// Protocol log and interrupt for the engines.
    pub context: EngineContext,
    log: Option<ProtocolLog>,
    display: StartDisplay,
    shown: Mutex<HashSet<String>>,
}

/// Callbacks that show the start of an engine.
#[derive(Clone, Copy)]
pub struct StartDisplay {
    /// Calls the function, and shows meanwhile that it waits for this answer.
    pub wait: fn(&str, &mut dyn FnMut()),
    /// Shows a line.
    pub say: fn(&str),
}

impl EngineStarter {
    /// Opens the log, if any.
    pub fn open(
        log: Option<&Path>,
        interrupt: Option<&'static Interrupt>,
        display: StartDisplay,
    ) -> Result<Self> {
        let log = log.map(ProtocolLog::open).transpose()?;
        let sender = log.as_ref().map(|log| log.sender.clone()).unwrap_or_default();
        let context = EngineContext { log: sender, interrupt, ..EngineContext::default() };
        Ok(Self { context, log, display, shown: Mutex::default() })
    }

    /// Starts an engine, sets its options and shows its remarks. Messages use `name`. `defaults` are options to set if
    /// the engine declares them and the user has not set them. Without a table of `required_hash` MB, fails with
    /// [`SizeRefused`].
    pub fn start(
        &self,
        name: &str,
        config: &EngineConfig,
        defaults: &[(&str, &str)],
        required_hash: Option<usize>,
    ) -> Result<EngineSession> {
        let mut connected = Err(EngineFault::Interrupted);
        (self.display.wait)(&format!("`{}ok` of `{name}`", config.dialect), &mut || {
            connected = EngineSession::connect(config, &self.context);
        });
        let mut session = connected.map_err(|fault| EngineError::new(name, fault))?;
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
        let mut ready = Ok(());
        (self.display.wait)(&format!("`readyok` of `{name}`"), &mut || ready = session.set_up(&options));
        ready.map_err(|fault| EngineError::new(name, fault))?;
        if let Some((megabytes, words)) = required_hash.zip(session.size_refusal()) {
            return Err(SizeRefused(megabytes, format!("the engine says `{words}`")).into());
        }
        for remark in &session.remarks {
            let line = format!("`{name}` on its options: {}", remark.text);
            if locked(&self.shown).insert(line.clone()) {
                self.say(&line);
            }
        }
        Ok(session)
    }

    pub(crate) fn say(&self, line: &str) {
        (self.display.say)(line);
    }

    /// Writes the rest of the log, and closes it.
    pub fn close_log(self) -> Result<()> {
        match self.log {
            Some(mut log) => log.close(),
            None => Ok(()),
        }
    }
}

/// Fault of an engine outside of a game, with the engine's name.
#[derive(Debug)]
pub struct EngineError {
    name: String,
    fault: EngineFault,
}

impl EngineError {
    /// Error for a fault of the engine `name`.
    pub fn new(name: &str, fault: EngineFault) -> Self {
        Self { name: name.to_owned(), fault }
    }

    /// Whether an interrupt ended the wait for an engine.
    pub fn is_interrupt(error: &anyhow::Error) -> bool {
        matches!(error.downcast_ref(), Some(Self { fault: EngineFault::Interrupted, .. }))
    }

    /// Whether the engine is to blame, not an interrupt or a wrong description by the user.
    pub fn is_failure(&self) -> bool {
        !matches!(
            self.fault,
            EngineFault::Interrupted | EngineFault::NotStarted(_) | EngineFault::InvalidOption(_)
        )
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, fault } = self;
        match fault {
            EngineFault::Interrupted => f.write_str("interrupted"),
            EngineFault::Hang(timeout, line) => {
                write!(f, "`{name}`: no answer within {} s{line}", timeout.as_secs())
            }
            EngineFault::NoHandshake(_) | EngineFault::NotReady(..) => {
                write!(f, "`{name}`: {fault}; try a longer timeout")
            }
            _ => write!(f, "`{name}`: {fault}"),
        }
    }
}

impl std::error::Error for EngineError {}

/// A table size in MB that is not available, and the reason.
#[derive(Debug)]
pub struct SizeRefused(pub usize, pub String);

impl fmt::Display for SizeRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MB: size not granted: {}", self.0, self.1)
    }
}

impl std::error::Error for SizeRefused {}

/// Checks that memory is available for tables of this total size in MB.
pub fn check_memory(megabytes: usize) -> Result<(), String> {
    let error = Table::new(megabytes).err();
    match error.and_then(|TableError { available, .. }| available) {
        // A process without free addresses cannot allocate even 0 MB.
        Some((available, limit)) if megabytes > 0 => Err(format!(
            "tables of {megabytes} MB in all are needed, and {available} MB are available {limit}"
        )),
        _ => Ok(()),
    }
}
