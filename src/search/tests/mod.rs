//! The exact search against plain minimax. Small boards are tested whole, larger ones on random endings.
//!
//! The default versions take seconds; the `#[ignore]`d ones look at many more positions and are for slow runs:
//! `cargo test --release -- --ignored`.

mod bounds;
mod kernels;
mod minimax;
mod moves;
mod opening;
mod perfect_games;
mod reports;
mod samples;
mod scores;
mod threads;
