//! Random numbers, random positions and SVG pictures, for the arena and the studies alike.

pub mod fingerprint;
pub mod playout;
pub mod random;
pub mod svg;
