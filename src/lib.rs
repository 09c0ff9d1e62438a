//! Connect Four, solved: an exact solver, and a search for engines that play against a clock.
//!
//! ```
//! use plumb::board::Position;
//! use plumb::search::{Limits, Search, Solver};
//! use plumb::table::Table;
//!
//! let table = Table::new(16)?; // The transposition table, of 16 MB.
//! let mut position: Position = "2252576253462244111563365".parse()?; // The columns played, from 1.
//!
//! // Solve: 0 is a draw, a positive score wins, and a higher score wins sooner.
//! let mut solver = Solver::new(&table);
//! println!("score {}, best line {:?}", solver.score(&position)?, solver.best_line(&position)?);
//!
//! // Analyse: the score of each legal move, columns from 0.
//! for (column, score) in solver.move_scores(&position)? {
//!     println!("column {column}: {score}");
//! }
//!
//! // Play, here both sides, with a limit on each move.
//! while position.outcome().is_none() {
//!     let search = Search::new(&position).limits(Limits::default().with_nodes(10_000));
//!     let column = search.run(&table)?.best.expect("the game is not over");
//!     position = position.try_play(column)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! | module | contents |
//! |---|---|
//! | [`clock`] | the monotonic clock, in browsers too |
//! | [`board`] | board sizes as types and as values, positions as bit sets, moves, FEN and column digits |
//! | [`score`] | scores: the distance to the end of the game |
//! | [`table`] | the transposition table, shared by threads without locks |
//! | [`book`] | the opening book: exact scores and best moves of the first stones |
//! | [`search`] | [`Solver`](search::Solver) and [`Search`](search::Search) |
//! | `daemon` | the engine program: UCI and UGI on a pair of streams; feature `daemon` |
//!
//! Each module imports only modules above it in this table, and `mix` and `sync`, which import none.
//!
//! # Features
//!
//! Both are on by default. If you need only the library, set `default-features = false`.
//!
//! - `daemon`: the program `plumb`, the module `daemon` and their dependencies. The library without it starts no
//!   thread that outlives a call.
//! - `book`: the opening book of 4 MB compiled into the library.
//!
//! # Speed of debug builds
//!
//! Without optimisation the search is about 40 times slower. Two lines in the `Cargo.toml` at the root of your
//! workspace fix that.
//!
//! ```toml
//! [profile.dev]
//! opt-level = 3
//! ```
//!
//! # Invariants
//!
//! - A proven score is never wrong. Each pruning rule states its argument, and is tested against plain minimax on
//!   every position of small boards. The table must be [exact](table::Table::is_exact) for the board, as every table
//!   is on boards with keys of up to 55 bits: see [`table`].
//! - Nothing outside `daemon` prints, reads options or knows the protocol. A search reports through a callback, and
//!   obeys a [`StopFlag`](search::StopFlag).
//! - `unsafe` code is confined to the memory of the table, the memory figures of Windows, prefetching and SIMD.

/// The version of this build. A release build in a Git checkout adds the commit: `0.3.0-dev+1a2b3c4d`.
pub const VERSION: &str = env!("PLUMB_VERSION");

pub mod board;
pub mod book;
#[cfg(feature = "daemon")]
pub mod daemon;
#[doc(hidden)]
pub mod mix;
pub mod score;
pub mod search;
pub mod table;
#[cfg(test)]
mod testing;

pub mod clock {
    //! The monotonic clock: the standard library's, or `web-time` in a browser.

    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub use std::time::Instant;
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub use web_time::Instant;
}

mod sync {
    //! Synchronisation primitives of the standard library, or of `loom` for the models (`--cfg loom`, modules `models`).
    //!
    //! `loom` runs the code of the program in every order of thread steps. Other tests cannot run with the types of
    //! `loom`.

    #[cfg(all(test, loom))]
    pub(crate) use loom::sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64},
    };
    #[cfg(not(all(test, loom)))]
    pub(crate) use std::sync::{
        Condvar, Mutex,
        atomic::{AtomicBool, AtomicU64},
    };
}

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
