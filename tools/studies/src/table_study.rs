//! The same search with one transposition table after another.

pub mod design;
mod plain;
pub mod plot;
mod published;
pub mod record;
pub mod report;
pub mod setup;
pub mod solver;
