//! Studies of Connect Four search, done again from their sources, and the plots of both.

#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

/// Displays enumerations by the names of their values on the command line.
#[macro_export]
macro_rules! display_by_value_name {
    ($($name:ty),+) => {$(
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let value = clap::ValueEnum::to_possible_value(self);
                f.pad(value.as_ref().map_or("", clap::builder::PossibleValue::get_name))
            }
        }
    )+};
}

pub mod cpu_time;
pub mod depth_study {
    //! A student's study of fixed-depth alpha-beta with and without a transposition table, done again, with the methods that
    //! it left for later.

    pub mod record;
    pub mod report;
    pub mod search;
    pub mod summary;
}
pub mod lru;
pub mod plot;
pub mod scored_positions;
pub mod table_size;
pub mod table_study {
    //! The same search with one transposition table after another.

    pub mod design;
    pub mod record;
    pub mod report;
    pub mod solver;
}
