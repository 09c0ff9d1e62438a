//! The daemon: a session of the line protocol, in front of the search.
//!
//! A line becomes a typed command (crate `plumb_protocol`), the session acts on it or orders a job, the job's events come
//! back, and the session prints each as a reply:
//!
//! ```text
//! reading thread    stream: input lines
//! main thread       protocol parser ─ Command ─ session ─ Job ──┐        ┌─ Event ─ session, report ─ Reply ─ output
//! search thread                                              executor: `search::Search`
//! ```
//!
//! `meaning` turns the commands `position` and `go` into positions and limits. `unanswered` records each search, count and
//! benchmark that is not answered yet, and the time at which the session answers a late search itself.
//!
//! There are two ways in. [`run`] reads and writes a pair of streams, and searches on a thread of its own, so that it
//! answers `isready` and `stop` during a search. [`LineSession`] is handed one line after the other and needs no thread.
//!
//! # Invariants
//!
//! - The session never waits for a search, so `isready` is answered at once while one runs; after `wait` it is read when the
//!   search has ended.
//! - Each `go` but `go perft` gets exactly one `bestmove`, under [`run`] from the session itself if the search is late; an event
//!   of a search that has been answered is dropped by its number. Only where there is no memory for even the smallest table
//!   does the program end without one.
//! - One thread does all jobs, one after the other. The transposition table is resized and cleared before a search or between
//!   two, never under one.
//! - Input and output are the caller's streams; nothing here reads stdin or writes stdout.

mod bench;
mod display;
mod executor;
mod job;
mod lateness;
mod line_session;
pub mod logging;
mod meaning;
#[cfg(all(test, loom))]
mod models;
mod option_value;
mod options;
mod report;
mod run;
mod session;
mod stream;
#[cfg(test)]
mod testing;
mod unanswered;

pub use bench::{HASH_SIZES, bench_line};
pub use line_session::LineSession;
pub use options::{DEFAULT_HASH, options_markdown, options_text};
pub use run::run;
pub use stream::is_closed;
