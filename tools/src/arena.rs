//! `plumb-lab match`: engines play matches against each other.

mod collect;
mod exact;
mod fault;
mod game;
mod game_lines;
mod match_log;
mod openings;
pub(crate) mod options;
pub(crate) mod participant;
mod pgn;
mod pipes;
mod play;
mod process;
mod record;
mod reference;
mod report;
mod runner;
mod schedule;
mod seat;
mod settings;
mod standings;
mod statistics;
mod store;
mod suites;
#[cfg(test)]
mod synthetic;
mod table;
mod tally;
pub(crate) mod time_control;
mod utc;

use anyhow::Result;

pub(crate) use statistics::elo::Estimate;

/// Let engines play matches against each other.
///
/// Any engine that speaks UCI with the variant `cfour`, or UGI, can take part. Each opening is played twice, with the
/// colours swapped. This program's own board says what is legal and who has won; an engine that breaks a rule, comes too
/// late or dies loses the game, and the match goes on.
///
/// Two engines that never give anything away draw every pair of games, whatever the opening: one wins with the one
/// colour, the other with the other. What tells engines apart are openings in which the right move is hard to find, and
/// time controls at which it is not always found.
///
/// With `--out` each game is written down when it ends. A match that was broken off goes on with `--resume`, and what
/// there is of it is told by `match report`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: settings::Settings,
}

#[derive(clap::Subcommand)]
enum Command {
    Merge(collect::MergeArguments),
    Openings(suites::Arguments),
    Report(collect::ReportArguments),
}

/// A match as another command asks for it, in the words of the command line; returns what the first engine is better by.
///
/// # Errors
/// Those of the match, or if the words make none.
pub(crate) fn play_by_words(words: &[String]) -> Result<Option<Estimate>> {
    let settings = settings::Settings::from_words(words.iter().cloned())?;
    Ok(play::run(&settings)?.standing(0, None).elo)
}

/// Does what is asked.
///
/// # Errors
/// Those of the match or the subcommand.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => play::run(&arguments.settings).map(|_| ()),
        Some(Command::Merge(arguments)) => collect::merge(arguments),
        Some(Command::Openings(arguments)) => suites::run(arguments),
        Some(Command::Report(arguments)) => collect::report(arguments),
    }
}
