//! Studies of Connect Four search, done again from their sources, with plots.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "the library is for the program plumb-studies alone"
)]

pub mod depth_study;
pub mod lru;
pub mod table_study;
