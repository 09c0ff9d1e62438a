//! Compares the search with minimax without pruning, on small boards and random endings.
//!
//! Tests marked `#[ignore]` take minutes: `cargo test --release -- --ignored`.

mod backends;
mod book;
mod bounds;
#[cfg(feature = "daemon")]
mod daemon;
pub(super) mod minimax;
mod moves;
mod reports;
pub(super) mod samples;
mod scores;
mod swindle;
mod threads;
