//! plumb-lab, and modules that plumb-studies shares: result files, progress, plots and suites of positions.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    reason = "the library is for plumb-studies alone"
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

pub mod arguments;
mod book;
pub mod command_line;
mod commands;
mod documentation;
mod engine;
pub mod exit;
mod label;
mod latency;
mod match_command;
pub mod measurement;
pub mod output;
pub mod plot;
mod positions;
pub mod progress;
pub mod result_files;
mod rows;
pub mod scored_positions;
mod serve;
mod solve;
mod suite;
mod tune_hash;
mod variant_ini;

pub use commands::run;
