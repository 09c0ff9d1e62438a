//! `plumb-lab book`: makes opening books, checks them and looks into them.

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
pub(crate) use layer::all_positions;

/// Build, merge, verify and query opening books.
///
/// A book contains the exact score of every position with a given number of stones that is not won at once. `build` solves
/// these positions, all in one run or in independent shards; `merge` makes a book of the results.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Arguments),
    Merge(merge::Arguments),
    Verify(verify::Arguments),
    Info(file::InfoArguments),
    Query(file::QueryArguments),
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        Command::Build(arguments) => build::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Info(arguments) => file::info(arguments),
        Command::Query(arguments) => file::query(arguments),
    }
}
