//! The exact search: proves scores by null-window searches. `window` chooses the windows. `null_window` looks into
//! the book, divides the work among threads and plays forced moves. `negamax` is the recursion.

pub(super) mod bounds;
pub(super) mod follow_up;
#[cfg(all(test, loom))]
mod models;
mod negamax;
pub(super) mod node;
mod null_window;
mod ordering;
mod window;

pub(super) use negamax::{CodePath, ExactSearch};
pub(super) use node::{store_lower_bound, table_bounds, table_move};
pub(super) use window::{HORIZON_BUDGETS, WindowSchedule};
