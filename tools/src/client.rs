//! An engine as a child process: lines to it, typed replies from it, each with the moment of its arrival.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use plumb_protocol::{Reply, parse_reply};

/// A running engine. Dropping it ends the process.
pub(crate) struct Client {
    command: String,
    process: Child,
    input: ChildStdin,
    output: Receiver<(Instant, Reply)>,
}

impl Client {
    /// Starts `command`, a program and its arguments separated by blanks.
    ///
    /// # Errors
    /// If there is no such program.
    pub(crate) fn start(command: &str) -> Result<Self> {
        let mut words = command.split_whitespace();
        let program = words.next().context("the engine's command is empty")?;
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start the engine `{command}`"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("the engine `{command}` has no pipes");
        };
        let (sender, receiver) = unbounded();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
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
    /// If the engine no longer listens.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant> {
        let before = Instant::now();
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .and_then(|()| self.input.flush())
            .with_context(|| format!("`{}` does not take `{line}`", self.command))?;
        Ok(before)
    }

    /// Reads up to the reply that `wanted` accepts; returns the moment of its arrival.
    ///
    /// # Errors
    /// If it does not come within `patience`, or the engine's output ends.
    pub(crate) fn until(&self, wanted: impl Fn(&Reply) -> bool, patience: Duration) -> Result<Instant> {
        let end = Instant::now() + patience;
        loop {
            match self.output.recv_deadline(end) {
                Ok((arrival, reply)) if wanted(&reply) => return Ok(arrival),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    bail!("no answer from `{}` within {patience:?}", self.command)
                }
                Err(RecvTimeoutError::Disconnected) => bail!("the output of `{}` has ended", self.command),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A polite word first; what does not heed it is ended.
        let _ = self.send("quit");
        for _ in 0..100 {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
