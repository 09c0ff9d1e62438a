//! The log of a match: the lines to and from each engine, with the time; all but those that a slow disk leaves no room for,
//! which are counted.
//!
//! A line reads `2026-01-31T23:59:59.123456Z >new(1): go movetime 20`: the time in UTC; `>` for a line to the engine, `<`
//! for one from it, `!` for its standard error; its name, and the number of its process, as several of one name may run.
//! A separate thread writes the file, so that no game waits for the disk.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use jiff::Timestamp;
use plumb_protocol::shortened;

/// Lines that wait to be written, at most: enough for the pauses of a slow disk.
const BACKLOG: usize = 1 << 16;
/// Longest line that is kept whole, in characters.
const MAX_LINE: usize = 4096;
/// Time after which lines are in the file, even if no more come.
const FLUSH_INTERVAL: Duration = Duration::from_millis(200);

/// The pipe of a line, by its sign in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// To the engine's standard input.
    To = b'>',
    /// From its standard output.
    From = b'<',
    /// From its standard error.
    Error = b'!',
}

/// A line for the writer with its time; `None` at the end.
type Message = Option<(SystemTime, String)>;

/// The open log. Dropping it writes the rest, so that the lines before an error are in the file.
pub struct ProtocolLog {
    path: PathBuf,
    sender: LogSender,
    /// `None` after the end.
    writer: Option<JoinHandle<io::Result<()>>>,
}

/// The sender of lines to the log; it never blocks.
#[derive(Clone)]
pub struct LogSender {
    messages: Sender<Message>,
    /// Lines for which there was no room.
    left_out: Arc<AtomicU64>,
    /// Processes so far.
    processes: Arc<AtomicU32>,
}

/// The lines of one process.
#[derive(Clone)]
pub struct EngineLog {
    sender: LogSender,
    engine: Arc<str>,
}

impl ProtocolLog {
    /// Opens the log at `path`; lines are added to what is there.
    ///
    /// # Errors
    /// If the file cannot be opened, or the system cannot start a thread.
    pub fn open(path: &Path) -> Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.with_context(|| format!("--log: cannot open `{}`", path.display()))?;
        let (messages, receiver) = bounded(BACKLOG);
        let sender = LogSender { messages, left_out: Arc::default(), processes: Arc::default() };
        let left_out = Arc::clone(&sender.left_out);
        let writer = thread::Builder::new().spawn(move || write(BufWriter::new(file), &receiver, &left_out));
        let writer = writer.context("--log: cannot start a thread to write it")?;
        Ok(Self { path: path.to_owned(), sender, writer: Some(writer) })
    }

    /// The sender of lines.
    pub fn sender(&self) -> &LogSender {
        &self.sender
    }

    /// Writes what is left, and closes the file. What engines say later is not logged.
    ///
    /// # Errors
    /// The first error of writing, the first time.
    pub fn close(&mut self) -> Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        // Blocks while the channel is full.
        let _ = self.sender.messages.send(None);
        let written = writer.join().map_err(|_| anyhow!("the writer of the log has failed"))?;
        written.with_context(|| format!("--log: cannot write to `{}`", self.path.display()))
    }
}

impl Drop for ProtocolLog {
    fn drop(&mut self) {
        // There is an error to report already.
        let _ = self.close();
    }
}

impl LogSender {
    /// The log of a new process of the engine called `name`.
    pub fn engine(&self, name: &str) -> EngineLog {
        let number = self.processes.fetch_add(1, Ordering::Relaxed) + 1;
        EngineLog { sender: self.clone(), engine: format!("{name}({number})").into() }
    }

    /// Logs a line about the match itself.
    pub fn note(&self, text: String) {
        self.send(SystemTime::now(), text);
    }

    fn send(&self, time: SystemTime, line: String) {
        if self.messages.try_send(Some((time, line))).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl EngineLog {
    /// The engine's name and the number of its process.
    pub fn label(&self) -> &str {
        &self.engine
    }

    /// Logs a remark of this program about the engine.
    pub fn note(&self, text: &str) {
        self.sender.note(format!("{}: {text}", self.engine));
    }

    /// Logs a line.
    pub fn line(&self, direction: Direction, line: &str) {
        let time = SystemTime::now();
        let sign = char::from(direction as u8);
        self.sender.send(time, format!("{sign}{}: {}", self.engine, shortened(line, MAX_LINE)));
    }
}

/// A time in UTC to the microsecond: `2026-01-31T23:59:59.123456Z`. A time outside the years -9999 to 9999 becomes 1970.
fn utc(time: SystemTime) -> String {
    format!("{:.6}", Timestamp::try_from(time).unwrap_or_default())
}

/// Writes messages until the end.
fn write(mut file: BufWriter<File>, messages: &Receiver<Message>, left_out: &AtomicU64) -> io::Result<()> {
    loop {
        match messages.recv_timeout(FLUSH_INTERVAL) {
            Ok(Some((time, line))) => writeln!(file, "{} {line}", utc(time))?,
            Err(RecvTimeoutError::Timeout) => file.flush()?,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return file.flush(),
        }
        let lines = left_out.swap(0, Ordering::Relaxed);
        if lines > 0 {
            writeln!(file, "{} {lines} lines left out: the disk is too slow", utc(SystemTime::now()))?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_time_direction_and_engine() {
        let path = std::env::temp_dir().join(format!("plumb-match-log-{}", std::process::id()));
        let mut log = ProtocolLog::open(&path).expect("it can be opened");
        let engine = log.sender().engine("new");
        log.sender().note("game 1: new against old".to_owned());
        engine.line(Direction::To, "uci");
        log.sender().engine("old").line(Direction::From, "uciok");
        engine.line(Direction::Error, &"é".repeat(MAX_LINE + 1));
        log.close().expect("it was written");
        let text = std::fs::read_to_string(&path).expect("it is there");
        std::fs::remove_file(&path).expect("it was there");
        let lines: Vec<_> = text.lines().map(|line| line.split_once(' ').expect("a time")).collect();
        assert!(lines.iter().all(|(time, _)| time.len() == "2026-01-31T23:59:59.123456Z".len()), "{text}");
        assert_eq!(lines[0].1, "game 1: new against old");
        assert_eq!(lines[1].1, ">new(1): uci");
        assert_eq!(lines[2].1, "<old(2): uciok");
        assert_eq!(lines[3].1, format!("!new(1): {}…", "é".repeat(MAX_LINE - 1)));
    }

    #[test]
    fn times_are_in_microseconds() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_micros(951_782_399_000_042);
        assert_eq!(utc(time), "2000-02-28T23:59:59.000042Z");
        assert_eq!(utc(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00.000000Z");
    }
}
