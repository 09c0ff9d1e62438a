//! Ctrl-C: the first one requests an orderly end, the second one ends the program at once.

use std::fmt;
use std::process::exit;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use plumb_arena::interrupt::Interrupt;

/// The exit code after Ctrl-C, by the convention of shells.
pub(crate) const EXIT_CODE: u8 = 130;

/// The work ended after an interrupt: its progress, and the command that resumes it.
#[derive(Debug)]
pub(crate) struct Interrupted(pub(crate) String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Interrupted {}

/// Watches for Ctrl-C from the first call on; `abort` runs right before the second one ends the program.
///
/// # Errors
/// If the system refuses the signal handler.
pub(crate) fn watch(abort: fn()) -> Result<&'static Interrupt> {
    static INTERRUPT: OnceLock<Interrupt> = OnceLock::new();
    if let Some(interrupt) = INTERRUPT.get() {
        return Ok(interrupt);
    }
    let interrupt = INTERRUPT.get_or_init(Interrupt::default);
    let handler = move || {
        if interrupt.request() {
            abort();
            exit(EXIT_CODE.into());
        }
    };
    ctrlc::set_handler(handler).context("cannot watch for Ctrl-C")?;
    Ok(interrupt)
}
