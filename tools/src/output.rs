//! Standard output, the one place that writes to it.

use std::fmt::Arguments;
use std::io::{Write, stdout};

use anyhow::{Context, Result};

/// Prints a line at once.
///
/// # Errors
/// If nobody takes it.
pub(crate) fn print(line: Arguments<'_>) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("cannot write to standard output")
}
