//! plumb-studies: studies of transposition tables, done again from their sources.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use plumb_lab::command_line;
use plumb_studies::{depth_study, table_study};

/// Studies of transposition tables, done again from their sources.
#[derive(Parser)]
#[command(name = "plumb-studies", version)]
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
    command_line::run(|cli: Cli| match cli.command {
        Command::Depth(arguments) => depth_study::run(&arguments),
        Command::Table(arguments) => table_study::run(&arguments),
    })
}
