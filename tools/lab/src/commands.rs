//! The commands of plumb-lab.

use std::fmt::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use crate::{
    book, command_line, documentation, label, latency, match_command, positions, serve, solve, suite,
    tune_hash, variant_ini,
};

const EXAMPLES: &str = "\
Examples:
  plumb-lab match --engine plumb --engine skill-10 --each st=0.1 --out match
  plumb-lab solve 4455 \"d1 d2\"
  plumb-lab match --help";

/// Matches, exact scores, measurements and opening books for Connect Four engines.
#[derive(Parser)]
#[command(name = "plumb-lab", version = plumb::VERSION, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(subcommand)]
    Book(book::Command),
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

const GROUPS: [(&str, &[&str]); 4] = [
    ("Play", &["match", "page"]),
    ("Solve", &["solve", "suite", "label", "serve"]),
    ("Measure", &["tune-hash", "latency"]),
    ("Make", &["book", "positions", "variant-ini", "man", "completions"]),
];

fn command() -> clap::Command {
    let command = Cli::command();
    let mut template = "{about}\n\n{usage-heading} {usage}\n".to_owned();
    for (title, names) in GROUPS {
        let _ = writeln!(template, "\n{title}:");
        for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(template, "  {:<12} {about}", command.get_name());
        }
    }
    template += "\nOptions:\n{options}{after-help}";
    command.help_template(template)
}

fn hint(given: &[String], unknown: Option<&str>) -> Option<String> {
    match given.first()?.as_str() {
        "match" => match_command::cutechess_hint(given, unknown),
        "man" => Some(format!("`man` prints one page; for a command: `plumb-lab {} --help`", unknown?)),
        "tune-hash" if unknown == Some("--hash") => {
            Some("no option `--hash`; the sizes to compare are in `--sizes MB,MB…`".to_owned())
        }
        "solve" => {
            let moves: Vec<_> = given[1..].iter().filter(|word| !word.starts_with('-')).cloned().collect();
            let are_moves =
                unknown.is_some_and(|word| word.len() <= 2) && moves.iter().all(|word| word.len() <= 2);
            let [quoted, joined] = [moves.join(" "), moves.concat()];
            let advice = format!("quote the moves: `plumb-lab solve \"{quoted}\"`, or join them: {joined}");
            if are_moves { Some(advice) } else { None }
        }
        _ => None,
    }
}

/// Runs the command that the command line names.
pub fn run() -> ExitCode {
    command_line::run(&command(), hint, |cli: Cli| match cli.command {
        Command::Book(command) => book::run(&command),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_has_every_command_once() {
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).collect();
        let command = command();
        let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names.len(), grouped.len());
        assert!(names.iter().all(|name| grouped.contains(&name)), "{names:?}");
    }
}
