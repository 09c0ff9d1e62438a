//! Random numbers, random positions, moves as text, shards of work, files that are replaced as a whole, and SVG pictures, for
//! the arena and the studies alike.

#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

pub mod file;
pub mod random;
pub mod shard;
pub mod svg;
