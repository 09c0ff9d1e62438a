//! The same search with one transposition table after another.

pub mod design;
pub mod plot;
pub mod record;
pub mod report;
pub mod solver;
