//! Random numbers, random positions, moves as text, files that are replaced as a whole, and SVG pictures, for the arena and the studies
//! alike.

pub mod file;
pub mod notation;
pub mod playout;
pub mod random;
pub mod sha256;
pub mod svg;
