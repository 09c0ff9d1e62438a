//! The engine.
pub mod bench;
pub mod board;
pub mod score;
pub mod search;
pub mod table;
