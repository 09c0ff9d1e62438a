//! How the program ends other than by success: a negative result, and signals, of which the first requests an orderly end
//! and the second ends it at once.

use std::fmt;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::{Context, Result};
use plumb_arena::interrupt::Interrupt;

/// A wrong score, or a fault of an engine or solver, in one sentence. The exit code is 1, where that of errors is 2.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

/// The exit code after Ctrl-C by the convention of shells: 128 and the number of the signal.
const CTRL_C: u8 = 130;

/// The exit code after the signal that came first.
static EXIT_CODE: AtomicU8 = AtomicU8::new(CTRL_C);

/// The exit code of a program that ends after a signal: 130 for Ctrl-C, 143 for SIGTERM.
pub(crate) fn exit_code() -> u8 {
    EXIT_CODE.load(Ordering::SeqCst)
}

/// The work ended after a signal: its progress, and the command that resumes it.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// Watches for Ctrl-C and, on Unix, SIGTERM from the first call on; `abort` runs right before the second signal ends the
/// program.
///
/// # Errors
/// If the system refuses the signal handler.
pub(crate) fn watch(abort: fn()) -> Result<&'static Interrupt> {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    if let Some(interrupt) = INTERRUPT.get() {
        return Ok(interrupt);
    }
    let interrupt = INTERRUPT.get_or_init(Interrupt::default);
    let handler = move |code| {
        if interrupt.is_requested() {
            abort();
            exit(exit_code().into());
        }
        EXIT_CODE.store(code, Ordering::SeqCst);
        interrupt.request();
    };
    on_signal(handler).context("cannot watch for signals")?;
    Ok(interrupt)
}

/// Calls `handler` with the exit code of each signal, on a thread of its own.
#[cfg(unix)]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let wait = move || signals.forever().for_each(|signal| handler(128 + signal as u8));
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Calls `handler` with the exit code of each Ctrl-C, on a thread of its own.
#[cfg(not(unix))]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || handler(CTRL_C))
}
