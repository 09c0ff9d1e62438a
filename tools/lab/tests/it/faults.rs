//! Fault injection: pipes, files, disks, clocks and processes fail during matches and other long runs.
//!
//! Random choices are seeded. `PLUMB_FAULT_CASES` is the number of cases of each test: `tests/README.md`.

#![allow(clippy::print_stderr, reason = "long runs say what came out, and short ones what is left out")]

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod disk;
mod engine_start;
#[cfg(unix)]
mod kills;
#[cfg(target_os = "linux")]
mod limits;
mod pipe;
mod record;
#[cfg(target_os = "linux")]
mod signals;
mod support;
