//! The pipes from an engine: threads that read them, so that it never waits and each line has its time of arrival.

use std::collections::VecDeque;
use std::io::Read;
use std::process::{ChildStderr, ChildStdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, select};

use super::match_log::{Direction, EngineLog};
use crate::engine_output::{lines, lines_and_rest};
use crate::interrupt::Interrupt;

/// Lines that wait to be looked at, at most; beyond that an engine that talks too much has to wait.
const BACKLOG: usize = 1024;
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
        let (sender, received) = bounded(BACKLOG);
        std::thread::spawn(move || {
            for line in lines(pipe) {
                let arrival = Instant::now();
                if let Some(log) = &log {
                    log.line(Direction::From, &line);
                }
                if sender.send((arrival, line)).is_err() {
                    break;
                }
            }
        });
        Self { lines: received, interrupt }
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
        std::thread::spawn(move || keep(pipe, log.as_ref(), &kept, &sender));
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
fn keep(pipe: impl Read, log: Option<&EngineLog>, kept: &Mutex<VecDeque<String>>, _end: &Sender<()>) {
    for line in lines_and_rest(pipe) {
        if let Some(log) = log {
            log.line(Direction::Error, &line);
        }
        let text = line.trim();
        if !text.is_empty() {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() == KEPT_LINES {
                kept.pop_front();
            }
            kept.push_back(plain(text, KEPT_CHARACTERS));
        }
    }
}

/// A line for people: at most so many characters, and nothing in it that a terminal would obey.
pub(super) fn plain(line: &str, most: usize) -> String {
    line.chars().take(most).map(|c| if c.is_control() { '?' } else { c }).collect()
}
