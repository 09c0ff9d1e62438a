//! An engine as a child process: lines to it, typed replies from it, each with the moment of its arrival.

use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use plumb_protocol::{Reply, parse_reply};

use crate::engine_output::lines;
use crate::failure::Failure;
use crate::launch;

/// How long a process whose pipe has closed may take to end, and one that was told to quit.
const FAREWELL: Duration = Duration::from_secs(1);

/// A running engine. Dropping it ends the process.
pub(crate) struct Client {
    command: String,
    process: Child,
    input: ChildStdin,
    output: Receiver<(Instant, Reply)>,
}

impl Client {
    /// Starts `command`, a program and its arguments, quoted as [`launch::split`] says.
    ///
    /// # Errors
    /// If there is no such program.
    pub(crate) fn start(command: &str) -> Result<Self> {
        let words = launch::split(command).map_err(|error| anyhow!("the engine's command: {error}"))?;
        Self::start_in(&words, None, command)
    }

    /// Starts the program of these `words` in `directory`; messages name it `command`.
    ///
    /// # Errors
    /// If there is no such program.
    pub(crate) fn start_in(words: &[String], directory: Option<&Path>, command: &str) -> Result<Self> {
        let mut process = launch::command(words, directory)
            .and_then(|mut command| Ok(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
            .with_context(|| format!("cannot start the engine `{command}`"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("the engine `{command}` has no pipes");
        };
        let (sender, receiver) = unbounded();
        std::thread::spawn(move || {
            for line in lines(output) {
                let arrival = Instant::now();
                let reply = parse_reply(&line).unwrap_or(Reply::Text(line));
                if sender.send((arrival, reply)).is_err() {
                    break;
                }
            }
        });
        Ok(Self { command: command.to_owned(), process, input, output: receiver })
    }

    /// The process's number.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a line; returns the moment before it was sent.
    ///
    /// # Errors
    /// [`Failure`] if the engine no longer listens.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant> {
        let before = Instant::now();
        match self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush()) {
            Ok(()) => Ok(before),
            Err(_) => bail!(self.gone()),
        }
    }

    /// Reads up to the reply that `wanted` accepts; returns the moment of its arrival.
    ///
    /// # Errors
    /// [`Failure`] if it does not come within `patience`, or the engine's output ends.
    pub(crate) fn until(
        &mut self,
        mut wanted: impl FnMut(&Reply) -> bool,
        patience: Duration,
    ) -> Result<Instant> {
        let end = Instant::now() + patience;
        loop {
            match self.output.recv_deadline(end) {
                Ok((arrival, reply)) if wanted(&reply) => return Ok(arrival),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    bail!(Failure(format!("no answer from `{}` within {patience:?}", self.command)))
                }
                Err(RecvTimeoutError::Disconnected) => bail!(self.gone()),
            }
        }
    }

    /// Why nothing more is to be had from an engine that has closed a pipe.
    fn gone(&mut self) -> Failure {
        Failure(match self.wait() {
            Some(status) => format!("`{}` has ended ({status})", self.command),
            None => format!("`{}` has closed its pipes", self.command),
        })
    }

    /// Waits a little for the process to end of itself.
    fn wait(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + FAREWELL;
        loop {
            match self.process.try_wait() {
                Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(10)),
                ended => return ended.ok().flatten(),
            }
        }
    }
}

/// The engine's command: as given, or else the engine that was built together with this program.
///
/// # Errors
/// If this program's own path is unknown.
pub(crate) fn command(given: Option<&str>) -> Result<String> {
    if let Some(command) = given {
        return Ok(command.to_owned());
    }
    let path = std::env::current_exe().context("this program's own path is unknown")?;
    let path = path.with_file_name(format!("plumb{}", std::env::consts::EXE_SUFFIX));
    Ok(launch::join(&[path.to_string_lossy().into_owned()]))
}

/// Whether this is `readyok`.
pub(crate) fn is_ready(reply: &Reply) -> bool {
    *reply == Reply::ReadyOk
}

/// Whether this is `bestmove`.
pub(crate) fn is_best_move(reply: &Reply) -> bool {
    matches!(reply, Reply::BestMove { .. })
}

impl Drop for Client {
    fn drop(&mut self) {
        // A polite word first; what does not heed it is ended.
        let _ = self.input.write_all(b"quit\n");
        if self.wait().is_none() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
