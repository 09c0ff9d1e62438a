//! The search: the best move of a position, and exact scores.
//!
//! - [`Solver`] computes exact scores, the scores of all moves and lines of perfect play.
//! - [`Search`] finds a move within limits, as an engine in a game does, and reports its progress.
//! - [`BatchSolver`] computes the exact scores of many positions.
//! - [`evaluate`] is the static evaluation.
//!
//! # How a search works
//!
//! The depth-limited search (`heuristic`) gives estimates from the first millisecond on. The exact search
//! (`exact`) proves bounds: each null window answers whether the [score](crate::score) is at least `beta`.
//! The driver runs both in turn and collects their results in the root moves. A *probe* is a lookup in the
//! table or the book.
//!
//! # States of a root move
//!
//! | state | meaning |
//! |---|---|
//! | exact | its proven bounds meet: the score is known |
//! | solved | it is exact, and its line to the end of the game is known |
//! | decided | its bounds show who wins, or it is solved: estimates have nothing to add |
//! | only | every other move is proven to lose |
//!
//! # Modules
//!
//! Imports lead downwards only: `batch`; `driver`, [`Solver`] and `static_answer`; `root` and `memory`;
//! `swindle` and [`opponent`]; `exact`, `heuristic` and `evaluation`; `control` and `team`; `simd`, `event`, `limits`,
//! `stop` and `strength`. `tools/research/notes/search-experiments.md` lists what was tried to make the exact
//! search faster.

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
