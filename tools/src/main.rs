//! plumb-lab: measuring tools around the engine.

mod client;
mod cpu_time;
mod latency;
mod output;
mod suite;

use std::io::{Write, stderr};
use std::process::ExitCode;

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
    Latency(latency::Arguments),
    Suite(suite::Arguments),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Latency(arguments) => latency::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Suite(arguments) => suite::run(&arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            // There is nowhere to complain about a standard error that is closed.
            let _ = writeln!(stderr(), "plumb-lab: {error:#}");
            ExitCode::from(2)
        }
    }
}
