//! `plumb-studies`: published studies of Connect Four search, repeated with Plumb, with plots.

mod depth_study;
mod lru;
mod table_study;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use plumb_lab::command_line;

const EXAMPLES: &str = "\
Examples:
  plumb-studies table middle-medium.txt --limit 200 --out sizes
  plumb-studies table middle-medium.txt --designs crt-bounds,bucketed --sizes 1MB,64MB --out designs
  plumb-studies depth --max-depth 6 --out depths";

/// Studies of Connect Four search, done again from their sources.
#[derive(Parser)]
#[command(name = "plumb-studies", version = plumb::VERSION, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Depth(depth_study::Arguments),
    Table(table_study::Arguments),
}

fn main() -> ExitCode {
    command_line::run(
        &Cli::command(),
        |_, _| None,
        |cli: Cli| match cli.command {
            Command::Depth(arguments) => depth_study::run(&arguments),
            Command::Table(arguments) => table_study::run(&arguments),
        },
    )
}
