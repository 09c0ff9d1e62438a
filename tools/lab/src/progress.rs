//! Progress on standard error: a bar on a terminal, plain lines elsewhere.

use std::fmt::Display;
use std::io::{self, Write, stderr};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use crossbeam_channel::{RecvTimeoutError, bounded};
use indicatif::{FormattedDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Time before the first plain line of [`waiting`].
const FIRST_WAIT: Duration = Duration::from_secs(2);

const FRAME_INTERVAL: Duration = Duration::from_millis(100);

/// Progress of work in countable units.
pub struct Counter {
    /// Hidden without a terminal.
    bar: ProgressBar,
    /// Whether plain lines replace a hidden bar.
    has_lines: bool,
    unit: &'static str,
    before: u64,
    printed: Instant,
}

impl Counter {
    /// A counter that starts at `done`. `unit` is the name of a unit, such as `position`.
    pub fn new(
        name: &(impl ToString + ?Sized),
        unit: &'static str,
        done: usize,
        total: impl Into<Option<usize>>,
    ) -> Self {
        let total = total.into();
        let bar = total.map_or_else(ProgressBar::no_length, |total| ProgressBar::new(total as u64));
        let bar = bar.with_style(style(unit, total.is_some())).with_message(name.to_string());
        let bar = bar.with_position(done as u64);
        // Without this tick, the estimate would include the work before the start.
        bar.tick();
        bar.reset_eta();
        Self { bar, has_lines: true, unit, before: done as u64, printed: Instant::now() }
    }

    /// For commands that print their own lines: without plain lines, and without the bar if `hides_bar`.
    pub(crate) fn for_own_lines(mut self, hides_bar: bool) -> Self {
        self.has_lines = false;
        if hides_bar {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        self
    }

    /// Adds 1 to the count.
    pub fn advance(&mut self) {
        self.advance_by(1, String::new);
    }

    /// Adds to the count. `more` makes additional lines.
    pub fn advance_by(&mut self, count: usize, more: impl FnOnce() -> String) {
        self.bar.inc(count as u64);
        let is_hidden = self.bar.is_hidden();
        let interval = if is_hidden { PLAIN_INTERVAL } else { FRAME_INTERVAL };
        if self.printed.elapsed() < interval || is_hidden && !self.has_lines {
            return;
        }
        self.printed = Instant::now();
        let more = more();
        if !is_hidden {
            self.bar.set_prefix(if more.is_empty() { more } else { more + "\n" });
            return;
        }
        let (name, unit, done) = (self.bar.message(), self.unit, self.bar.position());
        match self.bar.length() {
            Some(total) => {
                // indicatif's own estimate considers only the last seconds, but a unit may take minutes.
                let each = self.bar.elapsed().as_secs_f64() / (done - self.before).max(1) as f64;
                let left = Duration::from_secs_f64(each * total.saturating_sub(done) as f64);
                let left = FormattedDuration(left);
                say(format_args!("{name}: {unit} {done} of {total}, {left} left"));
            }
            None => say(format_args!("{name}: {unit} {done}")),
        }
        more.lines().for_each(|line| say(format_args!("{line}")));
    }

    pub(crate) fn with_bar_hidden<T>(&self, print: impl FnOnce() -> Result<T>) -> Result<T> {
        self.bar.suspend(print)
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Runs `work` while another thread prints its `state` and the elapsed time.
pub(crate) fn live<T, S: Display>(state: impl Fn() -> S + Send, work: impl FnOnce() -> T) -> T {
    reported(PLAIN_INTERVAL, move |seconds| format!("{seconds:.0} s, {}", state()), work)
}

/// Runs `work`, which waits for `answer`, while another thread prints the elapsed time.
pub(crate) fn waiting(answer: &str, work: &mut dyn FnMut()) {
    reported(FIRST_WAIT, |seconds| format!("waiting for {answer}, {seconds:.0} s"), work);
}

fn reported<T>(first: Duration, line: impl Fn(f64) -> String + Send, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let spinner = ProgressBar::new_spinner();
    let (is_hidden, shown) = (spinner.is_hidden(), spinner.clone());
    let result = beside(
        if is_hidden { first } else { FRAME_INTERVAL },
        move || {
            let line = line(start.elapsed().as_secs_f64());
            if is_hidden {
                say(format_args!("{line}"));
                return PLAIN_INTERVAL;
            }
            shown.set_message(line);
            shown.tick();
            FRAME_INTERVAL
        },
        |_| work(),
    );
    spinner.finish_and_clear();
    result
}

/// Runs `work` while another thread calls `act` after `first`, and then after each interval that `act` returns. `work`
/// gets the error of starting that thread.
pub(crate) fn beside<T>(
    first: Duration,
    mut act: impl FnMut() -> Duration + Send,
    work: impl FnOnce(io::Result<()>) -> T,
) -> T {
    thread::scope(|scope| {
        let (_until_done, done) = bounded::<()>(0);
        let started = thread::Builder::new().spawn_scoped(scope, move || {
            let mut interval = first;
            // The channel closes when the work ends, even by a panic.
            while done.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = act();
            }
        });
        work(started.map(drop))
    })
}

fn style(unit: &str, has_total: bool) -> ProgressStyle {
    let rest = if has_total { " of {len} {wide_bar} {elapsed}, {eta} left" } else { ", {elapsed}" };
    let template = format!("{{prefix}}{{msg}}: {unit} {{pos}}{rest}");
    ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

pub(crate) fn say(line: std::fmt::Arguments<'_>) {
    // Standard error may be closed.
    let _ = writeln!(stderr(), "{line}");
}
