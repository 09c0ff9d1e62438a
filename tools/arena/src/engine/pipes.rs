//! Threads that read an engine's standard output and standard error, and note when each line arrives.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{ChildStderr, ChildStdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{iter, thread};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, bounded, never, select};

use crate::engine::log::{Direction, EngineLog};
use crate::interrupt::Interrupt;

/// Lines that wait to be processed, at most; an engine that prints more is blocked until some are.
const BACKLOG: usize = 1024;
/// Last lines of standard error that are kept.
const KEPT_LINES: usize = 5;
/// Characters of each that are kept.
const KEPT_CHARACTERS: usize = 200;
/// Time for the rest of standard error to arrive after the process has ended.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// The lines of an engine's standard output.
pub(crate) struct Output {
    lines: Receiver<(Instant, String)>,
    interrupt: Option<&'static Interrupt>,
    /// In the place of the interrupt's channel if there is none.
    never: Receiver<()>,
}

impl Output {
    /// Reads the pipe until it is closed.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn read(
        pipe: ChildStdout,
        log: Option<EngineLog>,
        interrupt: Option<&'static Interrupt>,
    ) -> io::Result<Self> {
        let (sender, received) = bounded(BACKLOG);
        thread::Builder::new().spawn(move || {
            for line in lines(pipe) {
                let arrival = Instant::now();
                if let Some(log) = &log {
                    log.line(Direction::From, &line);
                }
                if sender.send((arrival, line)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { lines: received, interrupt, never: never() })
    }

    /// The next line with its time of arrival.
    ///
    /// # Errors
    /// `Timeout` at `end`; `Disconnected` if the pipe is closed, or after an interrupt.
    pub(crate) fn recv_deadline(&self, end: Instant) -> Result<(Instant, String), RecvTimeoutError> {
        let interrupted = self.interrupt.map_or(&self.never, Interrupt::channel);
        select! {
            recv(self.lines) -> line => line.map_err(|_| RecvTimeoutError::Disconnected),
            recv(interrupted) -> _ => Err(RecvTimeoutError::Disconnected),
            default(end.saturating_duration_since(Instant::now())) => Err(RecvTimeoutError::Timeout),
        }
    }

    /// The next line, if it has arrived.
    ///
    /// # Errors
    /// `Empty` if there is none; `Disconnected` if the pipe is closed.
    pub(crate) fn try_recv(&self) -> Result<(Instant, String), TryRecvError> {
        self.lines.try_recv()
    }

    /// Whether the end of the run is requested within `time`. Without an interrupt to wait for there is no wait.
    pub(crate) fn is_interrupted_within(&self, time: Duration) -> bool {
        let closed = |interrupt: &Interrupt| interrupt.channel().recv_timeout(time);
        self.interrupt.is_some_and(|interrupt| closed(interrupt) == Err(RecvTimeoutError::Disconnected))
    }
}

/// The last lines of an engine's standard error.
pub(crate) struct StandardError {
    last: Arc<Mutex<VecDeque<String>>>,
    /// Closed at the end of the pipe.
    end: Receiver<()>,
}

impl StandardError {
    /// Reads the pipe until it is closed.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub(crate) fn read(pipe: ChildStderr, log: Option<EngineLog>) -> io::Result<Self> {
        let last = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, end) = bounded(0);
        let kept = Arc::clone(&last);
        thread::Builder::new().spawn(move || keep(pipe, log.as_ref(), &kept, &sender))?;
        Ok(Self { last, end })
    }

    /// The last lines, joined by ` / `; for a process that has ended.
    pub(crate) fn last_lines(&self) -> Option<String> {
        let _ = self.end.recv_timeout(END_TIMEOUT);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<_> = last.make_contiguous().to_vec();
        (!lines.is_empty()).then(|| lines.join(" / "))
    }
}

/// Logs all lines and keeps the last ones. `_end` is dropped at the end of the pipe, which closes its channel.
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
            kept.push_back(printable(text, KEPT_CHARACTERS));
        }
    }
}

/// The first `most` characters of a line, with `?` for control characters, which a terminal would obey.
pub(crate) fn printable(line: &str, most: usize) -> String {
    line.chars().take(most).map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The longest line that is read, in bytes; the rest of a longer one is dropped.
const MAX_LINE: u64 = 1 << 20;

/// The lines of `output` without their ends, until it is closed.
///
/// An engine is untrusted: bytes that are no UTF-8 become U+FFFD, a line longer than 1 MiB is cut there, and reading
/// continues after both. A last line without an end is left out, as it may be broken off.
pub(super) fn lines(output: impl Read) -> impl Iterator<Item = String> {
    read(output).map_while(|line| line.is_whole.then_some(line.text))
}

/// The lines of `output`, and a last line without an end, as in the last words of a process that crashes.
pub(super) fn lines_and_rest(output: impl Read) -> impl Iterator<Item = String> {
    read(output).map(|line| line.text)
}

struct Line {
    text: String,
    /// Whether its end was there.
    is_whole: bool,
}

fn read(output: impl Read) -> impl Iterator<Item = Line> {
    let mut output = BufReader::new(output);
    iter::from_fn(move || next_line(&mut output))
}

/// The next line; `None` at the end of the output, or if it cannot be read.
fn next_line(output: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    let is_whole = match line.last()? {
        b'\n' => line.pop().is_some(),
        _ => line.len() as u64 == MAX_LINE && skip_line(output).is_some(),
    };
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(Line { text: String::from_utf8_lossy(&line).into_owned(), is_whole })
}

/// Reads up to the end of the line and drops what it reads, in constant memory; `None` if the output ends before.
fn skip_line(output: &mut impl BufRead) -> Option<()> {
    let mut last = None;
    while last != Some(b'\n') {
        let mut part = Vec::new();
        output.take(MAX_LINE).read_until(b'\n', &mut part).ok()?;
        last = Some(*part.last()?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_do_not_end_the_reading() {
        let text = &b"id name Caf\xe9\r\n\n\xff\xfe\nuciok\nbroken off"[..];
        let whole = ["id name Caf\u{fffd}", "", "\u{fffd}\u{fffd}", "uciok"];
        assert_eq!(lines(text).collect::<Vec<_>>(), whole);
        assert_eq!(lines_and_rest(text).collect::<Vec<_>>(), [&whole[..], &["broken off"]].concat());
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let most = MAX_LINE as usize;
        for extra in [0, 1, most - 1, most, 2 * most + 7] {
            let text = format!("{}\nreadyok\n", "x".repeat(most + extra));
            let found: Vec<_> = lines(text.as_bytes()).collect();
            assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [most, 7], "{extra}");
        }
        let endless = "x".repeat(3 * most);
        assert_eq!(lines(endless.as_bytes()).count(), 0);
        assert_eq!(lines_and_rest(endless.as_bytes()).map(|line| line.len()).collect::<Vec<_>>(), [most]);
    }
}
