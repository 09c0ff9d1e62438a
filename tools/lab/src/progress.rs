//! Progress on standard error: a bar on a terminal, else a plain line now and then.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use crossbeam_channel::{RecvTimeoutError, bounded};
use indicatif::{ProgressBar, ProgressStyle};

/// Time between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Time before the first plain line about an answer that is waited for.
const FIRST_WAIT: Duration = Duration::from_secs(2);

/// Time between two frames on a terminal.
const FRAME_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of a count.
pub(crate) struct Counter {
    bar: Option<ProgressBar>,
    /// Whether plain lines stand in for the bar where there is none.
    has_lines: bool,
    name: String,
    /// The name of one thing that is counted.
    unit: &'static str,
    done: usize,
    /// `None` if it is not known, as of an input that can be read only once.
    total: Option<usize>,
    /// The count at the start.
    before: usize,
    start: Instant,
    printed: Instant,
}

impl Counter {
    /// A count of things called `unit`, `done` of them done already; the total need not be known.
    pub(crate) fn new(
        name: impl ToString,
        unit: &'static str,
        done: usize,
        total: impl Into<Option<usize>>,
    ) -> Self {
        let (name, total) = (name.to_string(), total.into());
        let bar = stderr().is_terminal().then(|| {
            let bar = total.map_or_else(ProgressBar::no_length, |total| ProgressBar::new(total as u64));
            let bar = bar.with_position(done as u64);
            let bar = bar.with_style(style(unit, total.is_some())).with_message(name.clone());
            bar.reset_eta();
            bar
        });
        let now = Instant::now();
        Self { bar, has_lines: true, name, unit, done, total, before: done, start: now, printed: now }
    }

    /// The same for work that prints lines of its own: without plain lines, and without a bar that would be among them.
    pub(crate) fn beside_lines(mut self, has_bar: bool) -> Self {
        self.has_lines = false;
        self.bar = self.bar.take().filter(|_| has_bar);
        self
    }

    /// Counts one more.
    pub(crate) fn advance(&mut self) {
        self.advance_by(1, String::new);
    }

    /// Counts so many more; `more` makes additional lines.
    pub(crate) fn advance_by(&mut self, count: usize, more: impl FnOnce() -> String) {
        self.done += count;
        let interval = if self.bar.is_some() { FRAME_INTERVAL } else { PLAIN_INTERVAL };
        let is_due = self.printed.elapsed() >= interval;
        if is_due {
            self.printed = Instant::now();
        }
        if let Some(bar) = &self.bar {
            bar.inc(count as u64);
            if is_due {
                let more = more();
                // The bar follows right after it.
                bar.set_prefix(if more.is_empty() { more } else { more + "\n" });
            }
        } else if is_due && self.has_lines {
            let Self { name, unit, done, .. } = &self;
            match self.total {
                Some(total) => {
                    let left = hours(self.left(total));
                    say(format_args!("{name}: {unit} {done} of {total}, {left} left"));
                }
                None => say(format_args!("{name}: {unit} {done}")),
            }
            more().lines().for_each(|line| say(format_args!("{line}")));
        }
    }

    /// The estimated time of the rest up to `total`.
    fn left(&self, total: usize) -> Duration {
        let each = self.start.elapsed().as_secs_f64() / (self.done - self.before).max(1) as f64;
        Duration::from_secs_f64(each * total.saturating_sub(self.done) as f64)
    }

    /// Prints with the bar hidden.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> Result<T>) -> Result<T> {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Runs `work` on this thread while another one prints its `state` and the elapsed time.
pub(crate) fn live<T, S: Display>(state: impl Fn() -> S + Send, work: impl FnOnce() -> T) -> T {
    reported(PLAIN_INTERVAL, move |seconds| format!("{seconds:.0} s, {}", state()), work)
}

/// Runs `work`, which waits for `answer`, on this thread while another one prints the elapsed time.
pub(crate) fn waiting<T>(answer: &str, work: impl FnOnce() -> T) -> T {
    reported(FIRST_WAIT, |seconds| format!("waiting for {answer}, {seconds:.0} s"), work)
}

/// Runs `work` on this thread while another one prints the line for the elapsed seconds.
fn reported<T>(first: Duration, line: impl Fn(f64) -> String + Send, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (_until_done, done) = bounded::<()>(0);
        let report = move || {
            let start = Instant::now();
            let spinner = stderr().is_terminal().then(ProgressBar::new_spinner);
            let (mut interval, next) =
                if spinner.is_some() { (FRAME_INTERVAL, FRAME_INTERVAL) } else { (first, PLAIN_INTERVAL) };
            // Nothing is ever sent: the channel closes when the work is done, even by a panic.
            while done.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = next;
                let line = line(start.elapsed().as_secs_f64());
                match &spinner {
                    Some(spinner) => {
                        spinner.set_message(line);
                        spinner.tick();
                    }
                    None => say(format_args!("{line}")),
                }
            }
            if let Some(spinner) = spinner {
                spinner.finish_and_clear();
            }
        };
        // Where the system starts no more threads, the work is done without a report.
        let _reported = thread::Builder::new().spawn_scoped(scope, report);
        work()
    })
}

/// The style of the bar of a [`Counter`]; additional lines are above it.
fn style(unit: &str, has_total: bool) -> ProgressStyle {
    let rest = if has_total { " of {len} {wide_bar} {elapsed}, {eta} left" } else { ", {elapsed}" };
    let template = format!("{{prefix}}{{msg}}: {unit} {{pos}}{rest}");
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A time in the form 12:34:56.
fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Prints a line on standard error.
pub(crate) fn say(line: std::fmt::Arguments<'_>) {
    // The work continues without a reader.
    let _ = writeln!(stderr(), "{line}");
}
