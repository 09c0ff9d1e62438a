//! Engine output with arrival times, read on threads of their own, and times without suspensions of this program.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};
use std::{iter, thread};

use crossbeam_channel::{Receiver, bounded};
use plumb_protocol::{escaped, shortened};

use crate::engine::log::LogSender;

/// Maximum number of unread lines. An engine that prints more is blocked.
const BACKLOG: usize = 1024;
const KEPT_LINES: usize = 5;
/// Maximum length of a line of standard error, before control characters are escaped.
const KEPT_CHARACTERS: usize = 200;
/// Maximum wait for the rest of an ended engine's standard error.
const END_TIMEOUT: Duration = Duration::from_millis(100);

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
                // `send` cannot fail: the channel has room and a receiver.
                let _ = sender.send(escaped(&shortened(text, KEPT_CHARACTERS)));
            }
        }
    })?;
    Ok(kept)
}

pub(super) fn last_words(kept: &Receiver<String>) -> Option<String> {
    let end = Instant::now() + END_TIMEOUT;
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

/// Lines of `output`. Bytes that are not UTF-8 become U+FFFD. `keeps_unfinished` keeps a last line without a line
/// break, for the last message of a crashing process.
fn lines(output: impl Read, keeps_unfinished: bool) -> impl Iterator<Item = String> {
    let mut output = BufReader::new(output);
    iter::from_fn(move || {
        let (line, is_whole) = next_line(&mut output)?;
        if is_whole || keeps_unfinished { Some(line) } else { None }
    })
}

/// Reads a line. Also returns whether it had a line break.
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

fn skip_line(output: &mut impl BufRead) -> Option<()> {
    let mut last = None;
    while last != Some(b'\n') {
        let mut part = Vec::new();
        output.take(MAX_LINE).read_until(b'\n', &mut part).ok()?;
        last = Some(*part.last()?);
    }
    Some(())
}

/// Time between two instants, except while this program was suspended.
pub(super) fn running_time(from: Instant, to: Instant) -> Duration {
    let elapsed = to.saturating_duration_since(from);
    #[cfg(unix)]
    if elapsed >= stops::TICK {
        return elapsed.saturating_sub(stops::stopped_time(from, to));
    }
    elapsed
}

pub(super) fn watch_stops() {
    #[cfg(unix)]
    stops::watch();
}

/// Time in which this program was suspended, as by Ctrl-Z.
///
/// A thread notes the time every 10 ms. SIGCONT sets a flag, which distinguishes a suspension from a pause of that
/// thread on a busy machine.
#[cfg(unix)]
mod stops {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, LazyLock, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::SIGCONT;
    use signal_hook::flag::register;

    use crate::locked;

    pub(super) const TICK: Duration = Duration::from_millis(10);

    /// If the last noted time is older, the program was suspended, or the thread had to wait.
    const OLD: Duration = Duration::from_millis(30);

    struct Notes {
        last: Instant,
        stops: Vec<(Instant, Instant)>,
    }

    static NOTES: LazyLock<Mutex<Notes>> =
        LazyLock::new(|| Mutex::new(Notes { last: Instant::now(), stops: Vec::new() }));

    /// Set by SIGCONT. `None` if the system refuses the handler or the thread.
    static CONTINUED: LazyLock<Option<Arc<AtomicBool>>> = LazyLock::new(|| {
        let flag = Arc::new(AtomicBool::new(false));
        register(SIGCONT, Arc::clone(&flag)).ok()?;
        let seen = Arc::clone(&flag);
        thread::Builder::new().spawn(move || note(&seen)).ok()?;
        Some(flag)
    });

    pub(super) fn watch() {
        LazyLock::force(&CONTINUED);
    }

    fn note(continued: &AtomicBool) {
        loop {
            thread::sleep(TICK);
            let mut now = Instant::now();
            // After a suspension, this thread may run before the handler of SIGCONT.
            if now - locked(&NOTES).last > OLD {
                thread::sleep(TICK);
            }
            let mut notes = locked(&NOTES);
            if continued.swap(false, Ordering::SeqCst) {
                // The suspension may have begun after `now` was read.
                now = Instant::now();
                let last = notes.last;
                notes.stops.push((last, now));
            }
            notes.last = now;
        }
    }

    pub(super) fn stopped_time(from: Instant, to: Instant) -> Duration {
        let Some(continued) = &*CONTINUED else { return Duration::ZERO };
        loop {
            let notes = locked(&NOTES);
            if !continued.load(Ordering::SeqCst) && notes.last + OLD >= to {
                return notes
                    .stops
                    .iter()
                    .map(|stop| stop.1.min(to).saturating_duration_since(stop.0.max(from)))
                    .sum();
            }
            drop(notes);
            thread::sleep(TICK);
        }
    }
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
