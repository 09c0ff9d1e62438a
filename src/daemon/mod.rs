//! The engine program: a session of the line protocol (UCI, UGI) that runs searches.
//!
//! A line becomes a typed command (crate `plumb_protocol`). The session executes it, or sends a job to the
//! search thread and prints the job's events as replies:
//!
//! ```text
//! reading thread    run: input lines
//! main thread       protocol parser ─ Command ─ session ─ Job ──┐        ┌─ Event ─ session, report ─ Reply ─ output
//! search thread                                              executor: `search::Search`
//! ```
//!
//! # Invariants
//!
//! - The session never waits for a search, so it answers `isready` during a search.
//! - Each `go` except `go perft` gets exactly one `bestmove`. If the search is late, [`run()`] prints the
//!   best move so far. Events of an answered search are dropped by its number.
//! - One thread runs all jobs in order, so no job resizes or clears the table during a search.
//! - The module does not open stdin or stdout.

mod bench;
mod display;
mod executor;
mod lateness;
mod line_session;
pub mod logging;
mod meaning;
#[cfg(all(test, loom))]
mod models;
mod options;
mod report;
mod run;
mod session;
#[cfg(test)]
mod testing;
mod unanswered;

pub use bench::{HASH_SIZES, bench_line};
pub use line_session::LineSession;
pub use options::{DEFAULT_HASH, options_markdown, options_text};
pub use run::{is_closed, run};
