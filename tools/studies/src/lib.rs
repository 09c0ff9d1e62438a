//! Studies of Connect Four search, done again from their sources, and the plots of both.

#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

pub mod depth_study;
pub mod lru;
pub mod table_study;
