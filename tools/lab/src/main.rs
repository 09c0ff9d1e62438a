//! plumb-lab: matches, measurements, studies and opening books for Connect Four engines.

mod arguments;
mod book;
mod depth_study;
mod documentation;
mod engine;
mod exit;
mod label;
mod latency;
mod match_command;
mod measurement;
mod output;
mod positions;
mod progress;
mod response_time;
mod result_files;
mod serve;
mod solve;
mod suite;
mod table_study;
mod tune_hash;
mod variant_ini;

use std::env;
use std::fmt::Arguments;
use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use exit::End;

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
    DepthStudy(depth_study::Arguments),
    Label(label::Arguments),
    Latency(latency::Arguments),
    Man(documentation::ManArguments),
    Match(Box<match_command::Arguments>),
    Page(serve::PageArguments),
    Positions(positions::Arguments),
    ResponseTime(response_time::Arguments),
    Serve(serve::Arguments),
    Solve(solve::Arguments),
    Suite(suite::Arguments),
    TableStudy(table_study::Arguments),
    TuneHash(tune_hash::Arguments),
    VariantIni(variant_ini::Arguments),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let result = match cli.command {
        Command::Book(arguments) => book::run(&arguments),
        Command::Completions(arguments) => documentation::completions(Cli::command(), &arguments),
        Command::DepthStudy(arguments) => depth_study::run(&arguments),
        Command::Label(arguments) => label::run(&arguments),
        Command::Latency(arguments) => latency::run(&arguments),
        Command::Man(arguments) => documentation::man(Cli::command(), &arguments),
        Command::Match(arguments) => match_command::run(&arguments),
        Command::Page(arguments) => serve::page(&arguments),
        Command::Positions(arguments) => positions::run(&arguments),
        Command::ResponseTime(arguments) => response_time::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::TableStudy(arguments) => table_study::run(&arguments),
        Command::TuneHash(arguments) => tune_hash::run(&arguments),
        Command::VariantIni(arguments) => variant_ini::run(&arguments),
    };
    let Err(error) = result.and_then(|()| output::check_printed()) else { return ExitCode::SUCCESS };
    let code = exit::code(&error);
    match error.downcast_ref() {
        Some(End::Closed | End::Differing) => ExitCode::from(code),
        _ => complain(format_args!("{error:#}"), code),
    }
}

/// Answers a command line that asks for help or cannot be understood. Of an error only the sentence is said: the usage
/// that clap adds is what `--help` is for.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit();
    }
    let given: Vec<_> =
        env::args_os().skip(1).take(100).map(|word| word.to_string_lossy().into_owned()).collect();
    if given.first().is_some_and(|command| command == "match")
        && let Some(hint) = match_command::cutechess_hint(&given, unknown_word(error))
    {
        return complain(format_args!("{hint}; see `--help`"), 2);
    }
    let text = error.render().to_string();
    let words: Vec<_> = text.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
    complain(format_args!("{}; see `--help`", words.join(" ").trim_start_matches("error: ")), 2)
}

/// The word that clap does not know, if that is the error.
fn unknown_word(error: &clap::Error) -> Option<&str> {
    let word = match error.kind() {
        ErrorKind::UnknownArgument => error.get(ContextKind::InvalidArg),
        // Without a dash it could be a subcommand.
        ErrorKind::ArgumentConflict => error.get(ContextKind::InvalidSubcommand),
        _ => None,
    };
    if let Some(ContextValue::String(word)) = word { Some(word) } else { None }
}

/// Says one sentence on standard error; returns the exit code it is given.
fn complain(sentence: Arguments<'_>, code: u8) -> ExitCode {
    // There is nowhere to complain about a standard error that is closed.
    let _ = writeln!(stderr(), "plumb-lab: {sentence}");
    ExitCode::from(code)
}
