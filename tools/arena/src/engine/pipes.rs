//! Threads that read an engine's output, and note when each line arrives.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};
use std::{iter, thread};

use crossbeam_channel::{Receiver, bounded};
use plumb_protocol::{escaped, shortened};

use crate::engine::log::LogSender;

/// Lines waiting for the reader. An engine that prints more is blocked.
const BACKLOG: usize = 1024;
const KEPT_LINES: usize = 5;
/// Maximum characters of a line, before control characters are escaped.
const KEPT_CHARACTERS: usize = 200;
/// Maximum wait for the rest of standard error.
const END_TIMEOUT: Duration = Duration::from_millis(100);

/// A line, and when the reading thread received it.
pub(super) type TimedLine = (Instant, String);

pub(super) fn standard_output(pipe: ChildStdout, log: LogSender) -> io::Result<Receiver<TimedLine>> {
    let (sender, received) = bounded(BACKLOG);
    thread::Builder::new().spawn(move || {
        for line in lines(pipe, false) {
            let arrival = Instant::now();
            log.line('<', &line);
            if sender.send((arrival, line)).is_err() {
                break;
            }
        }
    })?;
    Ok(received)
}

pub(super) fn standard_error(pipe: ChildStderr, log: LogSender) -> io::Result<Receiver<String>> {
    let (sender, kept) = bounded(KEPT_LINES);
    let oldest = kept.clone();
    thread::Builder::new().spawn(move || {
        for line in lines(pipe, true) {
            log.line('!', &line);
            let text = line.trim();
            if !text.is_empty() {
                if sender.is_full() {
                    let _ = oldest.try_recv();
                }
                // The channel has room and a receiver.
                let _ = sender.send(escaped(&shortened(text, KEPT_CHARACTERS)));
            }
        }
    })?;
    Ok(kept)
}

pub(super) fn last_words(kept: &Receiver<String>) -> Option<String> {
    let end = Instant::now() + END_TIMEOUT;
    // Lines may come without a pause, so the loop checks the time after each.
    let mut all = Vec::new();
    while Instant::now() < end
        && let Ok(line) = kept.recv_deadline(end)
    {
        all.push(line);
    }
    let last = &all[all.len().saturating_sub(KEPT_LINES)..];
    if last.is_empty() { None } else { Some(last.join(" / ")) }
}

/// Maximum length of a line in bytes. The rest of a longer line is dropped.
const MAX_LINE: u64 = 1 << 20;

/// Bytes that are not UTF-8 become U+FFFD. A last line without an end may be incomplete, and is kept only with
/// `keeps_unfinished`: for the last words of a crashing process.
fn lines(output: impl Read, keeps_unfinished: bool) -> impl Iterator<Item = String> {
    let mut output = BufReader::new(output);
    iter::from_fn(move || {
        let (line, is_whole) = next_line(&mut output)?;
        if is_whole || keeps_unfinished { Some(line) } else { None }
    })
}

/// Also returns whether the line had an end.
fn next_line(output: &mut impl BufRead) -> Option<(String, bool)> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    let is_whole = match line.last()? {
        b'\n' => line.pop().is_some(),
        _ => line.len() as u64 == MAX_LINE && skip_line(output).is_some(),
    };
    line.pop_if(|byte| *byte == b'\r');
    Some((String::from_utf8_lossy(&line).into_owned(), is_whole))
}

/// Skips the rest of a line in constant memory.
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
        assert_eq!(lines(text, false).collect::<Vec<_>>(), whole);
        assert_eq!(lines(text, true).collect::<Vec<_>>(), [&whole[..], &["broken off"]].concat());
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let most = MAX_LINE as usize;
        for extra in [0, 1, most - 1, most, 2 * most + 7] {
            let text = format!("{}\nreadyok\n", "x".repeat(most + extra));
            let found: Vec<_> = lines(text.as_bytes(), false).collect();
            assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [most, 7], "{extra}");
        }
        let endless = "x".repeat(3 * most);
        assert_eq!(lines(endless.as_bytes(), false).count(), 0);
        assert_eq!(lines(endless.as_bytes(), true).map(|line| line.len()).collect::<Vec<_>>(), [most]);
    }
}
