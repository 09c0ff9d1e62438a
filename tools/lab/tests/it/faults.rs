//! Matches and other long work while everything around them breaks: pipes, files, disks, clocks, processes.
//!
//! Random choices are seeded. `PLUMB_FAULT_CASES` is the number of cases of each test, else a few: `tests/README.md`.

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
