//! A student's study of fixed-depth alpha-beta with and without a transposition table, done again, with the methods that
//! it left for later.

pub mod game;
pub mod method;
pub mod plot;
pub mod record;
pub mod report;
mod search;
pub mod summary;
