//! Plumb: a Connect Four engine for engine-versus-engine play.
//!
//! # The map
//!
//! A line from stdin becomes a typed command (crate `plumb_protocol`), the [`session`] acts on it or hands a job to
//! the search thread, the thread sends events back, and the session turns each into a reply on stdout:
//!
//! ```text
//! stdin ─ io ─ Command ─ session ─ Job ─ search::worker ─ SearchEvent ─ session::report ─ Reply ─ io ─ stdout
//!                           │                 │
//!                        options        driver: estimates (heuristic), proofs (negamax), principal variations (pv)
//!                                             │
//!                                      board, score, table
//! ```
//!
//! - [`board`]: sizes as types, positions as bit sets, winning cells, strings.
//! - [`score`]: what a score says about the end of the game.
//! - [`table`]: the transposition table, one atomic word an entry.
//! - [`book`]: exact scores of openings, many in little space.
//! - [`search`]: everything that decides a move; `search/driver.rs` is where to begin reading, and
//!   `search/EXPERIMENTS.md` tells what was tried to make it faster.
//! - [`session`]: the one owner of the daemon's state, with options, dialects and reports.
//! - [`io`]: the only place that reads stdin or writes stdout; [`logging`]: what happens, for people.
//! - [`mod@bench`]: the node count that is the search's signature.
//!
//! # What always holds
//!
//! - The search never prints, reads no options and knows no protocol. It emits events, and obeys signals that are made
//!   new for every `go`.
//! - The session never waits for a search, so `isready` is always answered; each `go` gets exactly one `bestmove`.
//! - The search thread owns the table, so it is never resized or cleared under a search.
//! - A proven score is never wrong: every pruning rule states its argument, and is tested against plain minimax on
//!   every position of small boards.

pub mod bench;
pub mod board;
pub mod book;
pub mod io;
pub mod logging;
pub mod score;
pub mod search;
pub mod session;
pub mod table;
