//! How the program ends: exit codes and signals. The first signal requests an orderly end, and the second signal ends
//! the program.

use std::fmt;
use std::process::exit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::{Context, Error, Result};
use plumb_arena::engine::process::kill_all;
use plumb_arena::interrupt::Interrupt;
use plumb_arena::lock::LockTaken;

/// An end of the work that is neither success nor an error.
#[derive(Debug)]
pub enum End {
    /// A wrong or missing score, or a fault of an engine or solver, in one sentence.
    Failure(String),
    /// A signal ended the work: the progress, and how to resume.
    Interrupted(String),
    /// Printed results differ from the expected results. The program ends without a message.
    Differing,
    /// Standard output is closed, as by `head`. The program ends without a message.
    Closed,
}
pub use End::Failure;
pub(crate) use End::Interrupted;

/// The exit code after an error.
pub(crate) fn code(error: &Error) -> u8 {
    match error.downcast_ref::<End>() {
        Some(end) => end.code(),
        None if error.is::<LockTaken>() => 1,
        None => 2,
    }
}

impl End {
    fn code(&self) -> u8 {
        match self {
            Failure(_) | Self::Differing => 1,
            Interrupted(_) => EXIT_CODE.load(Ordering::SeqCst),
            Self::Closed => CLOSED,
        }
    }
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

/// Whether a signal ended the work.
pub(crate) fn is_interrupt(error: &Error) -> bool {
    matches!(error.downcast_ref(), Some(Interrupted(_)))
}

/// The sentence of a [`Failure`]; any other error is returned as an error.
pub(crate) fn engine_failure(error: Error) -> Result<String> {
    match error.downcast_ref() {
        Some(Failure(sentence)) => Ok(sentence.clone()),
        _ => Err(error),
    }
}

/// Exit code of programs that SIGPIPE ends.
const CLOSED: u8 = 141;

/// Exit code after Ctrl-C: 128 and the number of the signal.
const CTRL_C: u8 = 130;

/// Exit code after SIGHUP.
const HANGUP: u8 = 129;

/// Exit code of the first signal.
static EXIT_CODE: AtomicU8 = AtomicU8::new(CTRL_C);

/// The interrupt of Ctrl-C, SIGTERM and SIGHUP. The first call installs the signal handler. A second signal, except
/// SIGHUP, kills all engines and ends the program.
pub(crate) fn interrupt() -> Result<&'static Interrupt> {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    if let Some(interrupt) = INTERRUPT.get() {
        return Ok(interrupt);
    }
    let interrupt = INTERRUPT.get_or_init(Interrupt::default);
    let handler = move |code| {
        if interrupt.is_requested() {
            // A closed terminal causes two: one from the shell and one from the system.
            if code == HANGUP {
                return;
            }
            kill_all();
            exit(EXIT_CODE.load(Ordering::SeqCst).into());
        }
        EXIT_CODE.store(code, Ordering::SeqCst);
        interrupt.request();
    };
    on_signal(handler).context("cannot watch for signals")?;
    Ok(interrupt)
}

/// Waits for a signal.
pub(crate) fn wait() -> Result<()> {
    // The channel closes on Ctrl-C.
    let _ = interrupt()?.channel().recv();
    Ok(())
}

/// Calls `handler` with the exit code of each signal, in a new thread.
#[cfg(unix)]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    // A run under `nohup` continues when its terminal closes.
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    let wait = move || signals.forever().for_each(|signal| handler(128 + signal as u8));
    std::thread::Builder::new().spawn(wait).map(drop)
}

/// Whether the process ignores a signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    // SAFETY: `sigaction` consists of numbers and pointers, for which zeros are valid values.
    let mut found: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action the call only writes the current one to `found`.
    let result = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut found) };
    result == 0 && found.sa_sigaction == libc::SIG_IGN
}

/// Calls `handler` with the exit code of each Ctrl-C, in a new thread.
#[cfg(not(unix))]
fn on_signal(handler: impl Fn(u8) + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || handler(CTRL_C))
}
