//! The frame of a program: reads the command line, runs the command and prints its error.

use std::env;
use std::fmt::Arguments;
use std::io::{Write, stderr};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::exit::{self, End};
use crate::{match_command, output};

/// Parses the command line and runs the command.
pub fn run<C: Parser>(run: impl FnOnce(C) -> Result<()>) -> ExitCode {
    let name = C::command().get_name().to_owned();
    let cli = match C::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&name, &error),
    };
    let Err(error) = run(cli).and_then(|()| output::check_printed()) else { return ExitCode::SUCCESS };
    let code = exit::code(&error);
    match error.downcast_ref() {
        Some(End::Closed | End::Differing) => ExitCode::from(code),
        _ => complain(&name, format_args!("{error:#}"), code),
    }
}

/// Answers a command line that asks for help or cannot be understood. Of an error only the sentence is said: the usage
/// that clap adds is what `--help` is for.
fn refuse(name: &str, error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.exit();
    }
    let given: Vec<_> =
        env::args_os().skip(1).take(100).map(|word| word.to_string_lossy().into_owned()).collect();
    if given.first().is_some_and(|command| command == "match")
        && let Some(hint) = match_command::cutechess_hint(&given, unknown_word(error))
    {
        return complain(name, format_args!("{hint}; see `--help`"), 2);
    }
    let text = error.render().to_string();
    let words: Vec<_> = text.split("\n\n").next().unwrap_or_default().split_whitespace().collect();
    complain(name, format_args!("{}; see `--help`", words.join(" ").trim_start_matches("error: ")), 2)
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
fn complain(name: &str, sentence: Arguments<'_>, code: u8) -> ExitCode {
    // There is nowhere to complain about a standard error that is closed.
    let _ = writeln!(stderr(), "{name}: {sentence}");
    ExitCode::from(code)
}
