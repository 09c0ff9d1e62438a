//! The pipes from an engine: threads that read them, so that it never waits and each line has its time of arrival.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{ChildStderr, ChildStdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, select};

use super::match_log::{Direction, EngineLog};
use crate::interrupt::Interrupt;

/// Lines that wait to be looked at, at most; beyond that an engine that talks too much has to wait.
const BACKLOG: usize = 1024;
/// Longest line that is read, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// Lines of standard error that are kept.
const KEPT_LINES: usize = 5;
/// How much of each is kept, in characters.
const KEPT_CHARACTERS: usize = 200;
/// How long the rest of standard error may take to come after the process has ended.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// The lines of an engine's standard output.
pub(super) struct Output {
    lines: Receiver<(Instant, String)>,
    interrupt: &'static Interrupt,
}

impl Output {
    /// Reads the pipe until it is closed.
    pub(super) fn read(pipe: ChildStdout, log: Option<EngineLog>, interrupt: &'static Interrupt) -> Self {
        let (sender, lines) = bounded(BACKLOG);
        std::thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            while let Ok(Some(line)) = read_line(&mut pipe) {
                let arrival = Instant::now();
                if let Some(log) = &log {
                    log.line(Direction::From, &line);
                }
                if sender.send((arrival, line)).is_err() {
                    break;
                }
            }
        });
        Self { lines, interrupt }
    }

    /// The next line with its time of arrival.
    ///
    /// # Errors
    /// If none comes by `end`; if none will ever come, which is also so after an interrupt.
    pub(super) fn recv_deadline(&self, end: Instant) -> Result<(Instant, String), RecvTimeoutError> {
        select! {
            recv(self.lines) -> line => line.map_err(|_| RecvTimeoutError::Disconnected),
            recv(self.interrupt.channel()) -> _ => Err(RecvTimeoutError::Disconnected),
            default(end.saturating_duration_since(Instant::now())) => Err(RecvTimeoutError::Timeout),
        }
    }

    /// The next line, if it is there already.
    ///
    /// # Errors
    /// If it is not; if none will ever come.
    pub(super) fn try_recv(&self) -> Result<(Instant, String), TryRecvError> {
        self.lines.try_recv()
    }

    /// Whether the match is to end.
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_requested()
    }
}

/// The last lines of an engine's standard error.
pub(super) struct Errors {
    last: Arc<Mutex<VecDeque<String>>>,
    /// Closed at the end of the pipe.
    end: Receiver<()>,
}

impl Errors {
    /// Reads the pipe until it is closed.
    pub(super) fn read(pipe: ChildStderr, log: Option<EngineLog>) -> Self {
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, end) = bounded(0);
        let kept = Arc::clone(&last);
        std::thread::spawn(move || keep(BufReader::new(pipe), log.as_ref(), &kept, &sender));
        Self { last, end }
    }

    /// The last lines in one; nothing if there are none. It is for processes that have ended.
    pub(super) fn last_lines(&self) -> Option<String> {
        let _ = self.end.recv_timeout(END_TIMEOUT);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<_> = last.make_contiguous().to_vec();
        (!lines.is_empty()).then(|| lines.join(" / "))
    }
}

/// Reads to the end, keeps the last lines, and logs all of them. `_end` is closed by that.
fn keep(mut pipe: impl BufRead, log: Option<&EngineLog>, kept: &Mutex<VecDeque<String>>, _end: &Sender<()>) {
    let mut line = Vec::new();
    // A line that is too long comes in pieces: what is not read would keep the engine waiting.
    while pipe.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).is_ok_and(|size| size > 0) {
        let text = String::from_utf8_lossy(line.trim_ascii_end());
        if let Some(log) = log {
            log.line(Direction::Error, &text);
        }
        let text = text.trim();
        if !text.is_empty() {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT_LINES {
                kept.pop_front();
            }
            kept.push_back(plain(text, KEPT_CHARACTERS));
        }
        line.clear();
    }
}

/// The next line without its end, as text; `None` if there is none any more, or it is longer than any line should be.
fn read_line(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Ok(None);
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// A line for people: at most so many characters, and nothing in it that a terminal would obey.
pub(super) fn plain(line: &str, most: usize) -> String {
    line.chars().take(most).map(|c| if c.is_control() { '?' } else { c }).collect()
}
