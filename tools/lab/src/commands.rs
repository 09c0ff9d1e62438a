//! The commands of plumb-lab.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    book, command_line, documentation, label, latency, match_command, positions, serve, solve, suite,
    tune_hash, variant_ini,
};

/// Matches, measurements, studies and opening books for Connect Four engines.
#[derive(Parser)]
#[command(name = "plumb-lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Book(book::Arguments),
    Completions(documentation::CompletionArguments),
    Label(label::Arguments),
    Latency(latency::Arguments),
    Man(documentation::ManArguments),
    Match(Box<match_command::Arguments>),
    Page(serve::PageArguments),
    Positions(positions::Arguments),
    Serve(serve::Arguments),
    Solve(solve::Arguments),
    Suite(suite::Arguments),
    TuneHash(tune_hash::Arguments),
    VariantIni(variant_ini::Arguments),
}

/// Runs the command that the command line names.
pub fn run() -> ExitCode {
    command_line::run(|cli: Cli| match cli.command {
        Command::Book(arguments) => book::run(&arguments),
        Command::Completions(arguments) => documentation::completions(Cli::command(), &arguments),
        Command::Label(arguments) => label::run(&arguments),
        Command::Latency(arguments) => latency::run(&arguments),
        Command::Man(arguments) => documentation::man(Cli::command(), &arguments),
        Command::Match(arguments) => match_command::run(&arguments),
        Command::Page(arguments) => serve::page(&arguments),
        Command::Positions(arguments) => positions::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::TuneHash(arguments) => tune_hash::run(&arguments),
        Command::VariantIni(arguments) => variant_ini::run(&arguments),
    })
}
