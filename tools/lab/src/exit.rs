//! Exit codes and signals. The first signal requests an orderly end, the second ends the program.

use std::fmt;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::{Context, Error, Result};
use plumb_arena::engine::process::{Interrupt, kill_all};
use plumb_arena::engine::start::EngineError;
use plumb_arena::lock::LockTaken;

/// Reason for a nonzero exit code, other than wrong input or a system error.
#[derive(Debug)]
pub enum End {
    /// Message about a wrong score or an engine that misbehaves.
    Failure(String),
    /// Message after a signal: progress, and how to resume.
    Interrupted(String),
    /// Printed results differ from the expected results. No message follows.
    Differing,
    /// The reader of standard output is gone, as under `head`. No message follows.
    Closed,
}
pub use End::Failure;
pub(crate) use End::Interrupted;

pub(crate) fn code(error: &Error) -> u8 {
    match error.downcast_ref() {
        Some(Failure(_) | End::Differing) => return 1,
        Some(Interrupted(_)) => return EXIT_CODE.load(Ordering::SeqCst),
        Some(End::Closed) => return CLOSED,
        None => {}
    }
    if EngineError::is_interrupt(error) {
        return EXIT_CODE.load(Ordering::SeqCst);
    }
    let is_failure = error.is::<LockTaken>() || error.downcast_ref().is_some_and(EngineError::is_failure);
    if is_failure { 1 } else { 2 }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure(sentence) | Interrupted(sentence) => sentence,
            Self::Differing => "results differ",
            Self::Closed => "standard output is closed",
        })
    }
}

impl std::error::Error for End {}

pub(crate) fn is_interrupt(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(Interrupted(_))) || EngineError::is_interrupt(error)
}

/// The message of a [`Failure`] or of an engine that misbehaves. Other errors are returned unchanged.
pub(crate) fn engine_failure(error: Error) -> Result<String> {
    let is_failure = matches!(error.downcast_ref(), Some(Failure(_)))
        || error.downcast_ref().is_some_and(EngineError::is_failure);
    if is_failure { Ok(error.to_string()) } else { Err(error) }
}

/// Exit code of a program that SIGPIPE ends.
const CLOSED: u8 = 141;

/// Exit code after Ctrl-C, by the convention of shells: 128 plus the number of the signal.
const CTRL_C: u8 = 130;

const HANGUP: u8 = 129;

/// Exit code for the signal that arrived first.
static EXIT_CODE: AtomicU8 = AtomicU8::new(CTRL_C);

/// Interrupt that Ctrl-C, SIGTERM and SIGHUP request. The first call installs the signal handler. A second signal kills all
/// engines and ends the program.
pub(crate) fn interrupt() -> Result<&'static Interrupt> {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    if let Some(interrupt) = INTERRUPT.get() {
        return Ok(interrupt);
    }
    let interrupt = INTERRUPT.get_or_init(Interrupt::default);
    on_signal(move |code| handle(interrupt, code)).context("cannot watch for signals")?;
    Ok(interrupt)
}

fn handle(interrupt: &Interrupt, code: u8) {
    if interrupt.is_requested() {
        // A closing terminal causes two SIGHUP, so the second one must not kill.
        if code != HANGUP {
            kill_all();
            exit(EXIT_CODE.load(Ordering::SeqCst).into());
        }
        return;
    }
    EXIT_CODE.store(code, Ordering::SeqCst);
    interrupt.request();
}

pub(crate) fn wait() -> Result<()> {
    // The channel closes on Ctrl-C.
    let _ = interrupt()?.channel().recv();
    Ok(())
}

/// Calls `handler` with the exit code of each signal, on another thread.
#[cfg(unix)]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    // Under `nohup`, SIGHUP stays ignored.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            handler(128 + signal as u8);
        }
    })?;
    Ok(())
}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` consists of numbers and pointers, for which zeros are valid values.
    let mut found: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action the call only writes the current one to `found`.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut found) };
    result == 0 && found.sa_sigaction == libc::SIG_IGN
}

#[cfg(not(unix))]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || handler(CTRL_C))
}
