//! `plumb-lab book`: opening books.

mod build;
mod file;
mod layer;
mod lines;
mod merge;
mod part;
mod verify;

use anyhow::Result;
use clap::Subcommand;

pub(crate) use build::on_threads;
pub(crate) use layer::{all_positions, canonical, images, result};

/// Build, merge, verify and query opening books.
///
/// A book has the exact score of every position with a certain number of stones. `build` solves the positions, in one run or in
/// independent shards. `merge` makes a book of the results.
#[derive(Subcommand)]
#[command(after_help = "\
Examples:
  plumb-lab book query 4455
  plumb-lab book build --plies 8 --out part
  plumb-lab book merge part --out my.book")]
pub(crate) enum Command {
    Build(build::Arguments),
    Merge(merge::Arguments),
    Verify(verify::Arguments),
    Info(file::InfoArguments),
    Query(file::QueryArguments),
}

pub(crate) fn run(command: &Command) -> Result<()> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Info(arguments) => file::info(arguments),
        Command::Query(arguments) => file::query(arguments),
    }
}
