//! The search: the best move of a position, and exact scores.
//!
//! - [`Solver`] computes exact scores, the scores of all moves and lines of perfect play.
//! - [`Search`] finds a move within limits and reports its progress.
//! - [`BatchSolver`] computes the exact scores of many positions.
//! - [`evaluate`] is the static evaluation.
//!
//! # How a search works
//!
//! The depth-limited search (`heuristic`) gives estimates from the first millisecond on. The exact search
//! (`exact`) proves bounds: each null window answers whether the [score](crate::score) is at least `beta`.
//! The driver runs both in turn and collects their results in the root moves.
//!
//! # States of a root move
//!
//! | state | meaning |
//! |---|---|
//! | exact | its proven bounds are equal: the score is known |
//! | solved | it is exact, and its line to the end of the game is known |
//! | decided | its bounds prove a win, a loss or a draw |
//! | only | every other move is proven to lose |
//!
//! `tools/research/notes/search-experiments.md` lists what was tried to make the exact search faster.

mod batch;
mod control;
mod driver;
#[doc(hidden)]
pub mod evaluation;
mod event;
mod exact;
mod heuristic;
mod limits;
mod memory;
#[cfg(all(test, loom))]
mod models;
pub mod opponent;
mod root;
mod simd;
mod solver;
#[cfg(feature = "daemon")]
mod static_answer;
mod stop;
pub mod strength;
mod swindle;
mod team;
#[cfg(test)]
mod tests;

pub use batch::BatchSolver;
pub use driver::{Search, SearchError};
pub use evaluation::evaluate;
pub use event::{Bound, SearchInfo, SearchResult, SwindleInfo};
#[cfg(feature = "daemon")]
pub(crate) use limits::DEFAULT_OVERHEAD;
pub use limits::{Clock, Limits, Overhead, Settings, Strength, TimeBudget};
pub use memory::SearchMemory;
pub use solver::Solver;
#[cfg(feature = "daemon")]
pub(crate) use static_answer::static_answer;
pub use stop::{StopFlag, StopSignal, Stopped};

pub use crate::score::Value;
