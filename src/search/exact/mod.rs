//! The exact search: proves scores, one null window after the other.
//!
//! A [`WindowSchedule`] picks the next `beta`, and [`ExactSearch::probe`] answers whether the score is at least that.
//! Below it, from the top down: `score` (probes until the score is exact), `probe` (book, threads), `negamax` (the
//! recursion), `state` (what it shares), `bounds` and `follow_up` (static bounds), `resolve` (forced moves), `deferred`
//! (threads apart), `ordering`, `node_key` (the transposition table by position), `node`.

pub(super) mod bounds;
mod columns;
mod deferred;
pub(super) mod follow_up;
#[cfg(all(test, loom))]
mod models;
mod negamax;
pub(super) mod node;
mod node_key;
mod ordering;
mod probe;
mod pv;
pub(super) mod resolve;
mod score;
mod state;
mod statistics;
mod window;

pub(super) use node_key::{store_lower_bound, table_bounds, table_move};
pub(super) use pv::extend_line;
pub(super) use state::{CodePath, ExactSearch};
pub use statistics::TableStatistics;
pub(super) use window::{HORIZON_BUDGETS, WindowSchedule};
