//! Studies of Connect Four search, done again from their sources, and the plots of both.

pub mod cpu_time;
pub mod depth_study;
pub mod lru;
pub mod plot;
pub mod scored_positions;
pub mod table_size;
pub mod table_study;
