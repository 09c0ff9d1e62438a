//! Random numbers, random positions, moves as text, shards of work, files that are replaced as a whole, and SVG pictures, for
//! the arena and the studies alike.

pub mod file;
pub mod playout;
pub mod random;
pub mod sha256;
pub mod shard;
pub mod svg;
