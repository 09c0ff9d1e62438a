//! plumb-lab: measuring tools around the engine.

mod answers;
mod arena;
mod board_size;
mod boards;
mod book;
mod client;
mod cpu_time;
mod depth_study;
mod engine_output;
mod escape;
mod failure;
mod interrupt;
mod latency;
mod launch;
mod line_file;
mod lru;
mod output;
mod playout;
mod plot;
mod positions;
mod progress;
mod quantile;
mod random;
mod shard;
mod solve;
mod suite;
mod svg;
mod table_size;
mod table_study;
mod tune_hash;

use std::fmt::Arguments;
use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// Measuring tools for Connect Four engines.
#[derive(Parser)]
#[command(name = "plumb-lab", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Answers(answers::Arguments),
    Boards(boards::Arguments),
    Book(book::Arguments),
    DepthStudy(depth_study::Arguments),
    Latency(latency::Arguments),
    Match(Box<arena::Arguments>),
    Positions(positions::Arguments),
    Solve(solve::Arguments),
    Suite(suite::Arguments),
    TableStudy(table_study::Arguments),
    TuneHash(tune_hash::Arguments),
}

/// The exit code where standard output was closed before all was said: that of programs which SIGPIPE ends.
const CLOSED: u8 = 141;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let result = match cli.command {
        Command::Answers(arguments) => answers::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Boards(arguments) => boards::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::DepthStudy(arguments) => depth_study::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Latency(arguments) => latency::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Match(arguments) => arena::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Positions(arguments) => positions::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Solve(arguments) => solve::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::TableStudy(arguments) => table_study::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::TuneHash(arguments) => tune_hash::run(&arguments).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        if error.is::<output::Closed>() {
            return ExitCode::from(CLOSED);
        }
        let code = match () {
            () if error.is::<failure::Failure>() => 1,
            () if error.is::<interrupt::Interrupted>() => interrupt::EXIT_CODE,
            () => 2,
        };
        complain(format_args!("{error:#}"), code)
    })
}

/// Answers a command line that asks for help or cannot be understood. Of an error only the sentence is said: the usage
/// that clap adds is what `--help` is for.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit();
    }
    let text = error.render().to_string();
    let words: Vec<_> = text.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
    complain(format_args!("{}; see `--help`", words.join(" ").trim_start_matches("error: ")), 2)
}

/// Says one sentence on standard error; returns the exit code it is given.
fn complain(sentence: Arguments<'_>, code: u8) -> ExitCode {
    // There is nowhere to complain about a standard error that is closed.
    let _ = writeln!(stderr(), "plumb-lab: {sentence}");
    ExitCode::from(code)
}
