//! Log of all lines to and from the engines.
//!
//! A line reads `2026-01-31T23:59:59.123456Z >new(1): go movetime 20`: time in UTC, direction, engine, number of the
//! process in this run. `>` marks a line to the engine, `<` a line from it, `!` its standard error. A thread writes the
//! file. Lines without room in its queue are dropped and counted.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use jiff::Timestamp;
use plumb_protocol::shortened;

/// Maximum number of waiting lines: enough for pauses of a slow disk.
const BACKLOG: usize = 1 << 16;
const MAX_LINE: usize = 4096;
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// Time and line. `None` ends the writer thread.
type Message = Option<(Timestamp, String)>;

/// Open log. Dropping it writes the waiting lines.
pub struct ProtocolLog {
    path: PathBuf,
    /// Sends lines to this log.
    pub sender: LogSender,
    writer: Option<JoinHandle<io::Result<()>>>,
}

/// Sends lines to the log, and never blocks. The default drops all lines.
#[derive(Clone, Default)]
pub struct LogSender {
    messages: Option<Sender<Message>>,
    left_out: Arc<AtomicU64>,
    processes: Arc<AtomicU32>,
    /// Engine and number of its process. Empty for lines about the match.
    pub label: Arc<str>,
}

impl ProtocolLog {
    /// Opens the log at `path` for appending.
    pub fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| format!("--log: cannot open `{}`", path.display()))?;
        let (messages, receiver) = bounded(BACKLOG);
        let sender = LogSender { messages: Some(messages), ..LogSender::default() };
        let left_out = Arc::clone(&sender.left_out);
        let writer = thread::Builder::new().spawn(move || write(BufWriter::new(file), &receiver, &left_out));
        let writer = writer.context("--log: cannot start a thread to write it")?;
        Ok(Self { path: path.to_owned(), sender, writer: Some(writer) })
    }

    /// Writes the waiting lines, and closes the file.
    pub fn close(&mut self) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let _ = self.sender.messages.as_ref().map(|messages| messages.send(None));
        let written = writer.join().map_err(|_| anyhow!("the writer of the log has failed"))?;
        written.with_context(|| format!("--log: cannot write to `{}`", self.path.display()))
    }
}

impl Drop for ProtocolLog {
    fn drop(&mut self) {
        // Dropped without `close` only after another error, which is reported instead.
        let _ = self.close();
    }
}

impl LogSender {
    #[must_use]
    pub(crate) fn engine(&self, name: &str) -> Self {
        let number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        Self { label: format!("{name}({number})").into(), ..self.clone() }
    }

    pub(crate) fn note(&self, text: impl FnOnce() -> String) {
        let Some(messages) = &self.messages else { return };
        if messages.try_send(Some((Timestamp::now(), text()))).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Logs a line with the sign of its pipe: `>`, `<` or `!`.
    pub(crate) fn line(&self, sign: char, line: &str) {
        self.note(|| format!("{sign}{}: {}", self.label, shortened(line, MAX_LINE)));
    }
}

fn write(mut file: BufWriter<File>, messages: &Receiver<Message>, left_out: &AtomicU64) -> io::Result<()> {
    let mut next_flush = Instant::now();
    loop {
        if Instant::now() >= next_flush {
            file.flush()?;
            next_flush = Instant::now() + FLUSH_INTERVAL;
        }
        match messages.recv_deadline(next_flush) {
            Ok(Some((time, line))) => writeln!(file, "{time:.6} {line}")?,
            Err(RecvTimeoutError::Timeout) => {}
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return file.flush(),
        }
        let lines = left_out.swap(0, Ordering::Relaxed);
        if lines > 0 {
            writeln!(file, "{:.6} lines left out because the disk is too slow: {lines}", Timestamp::now())?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_signed_and_cut() {
        let path = std::env::temp_dir().join(format!("plumb-match-log-{}", std::process::id()));
        let mut log = ProtocolLog::open(&path).expect("it can be opened");
        let engine = log.sender.engine("new");
        log.sender.engine("old").line('<', "uciok");
        engine.line('!', &"é".repeat(MAX_LINE + 1));
        log.close().expect("it was written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        std::fs::remove_file(&path).expect("it was there");
        let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time").1).collect();
        assert_eq!(lines, ["<old(2): uciok", &format!("!new(1): {}…", "é".repeat(MAX_LINE - 1))]);
    }
}
