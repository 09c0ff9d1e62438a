//! The exact search: proves scores, null window by null window.
//!
//! The files below `window`, from the top down: `null_window` (scores and lines, book, threads), `negamax`
//! (the recursion), `state` (what the recursion shares), `bounds` and `follow_up` (static bounds),
//! `ordering`, `node` (with forced moves and the table by position).

pub(super) mod bounds;
pub(super) mod follow_up;
#[cfg(all(test, loom))]
mod models;
mod negamax;
pub(super) mod node;
mod null_window;
mod ordering;
mod state;
mod window;

pub(super) use node::{store_lower_bound, table_bounds, table_move};
pub(super) use state::{CodePath, ExactSearch};
pub(super) use window::{HORIZON_BUDGETS, WindowSchedule};
