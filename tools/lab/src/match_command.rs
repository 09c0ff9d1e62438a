//! `plumb-lab match`: engines play matches against each other.

mod build_suite;
mod directory;
mod game_lines;
mod merge;
mod play;
mod print_suite;
mod settings;
mod spectators;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use plumb_arena::statistics::elo::Estimate;

use crate::site::PAGE;
use directory::match_page;

pub(crate) use directory::SavedMatch;

/// Play matches between engines.
///
/// Any engine that speaks UCI with the variant `cfour`, or UGI, can take part. Each opening is played twice, with
/// colours swapped. This program referees: an engine that breaks a rule, exceeds its time or crashes loses the game,
/// and the match continues.
///
/// Two engines that play perfectly draw every pair of games, as each wins with the same colour. Engines differ in
/// openings in which the right move is hard to find, and at time controls at which it is not always found.
///
/// With `--out` each game is written when it ends. `--resume` continues an interrupted match, and `match report`
/// shows its results so far.
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
    Merge(merge::MergeArguments),
    Openings(print_suite::Arguments),
    Report(merge::ReportArguments),
}

/// Plays a match from words of the command line; returns the Elo difference of the first engine.
///
/// # Errors
/// Those of the match; if the words are not valid settings.
pub(crate) fn play_by_words(words: &[String]) -> Result<Option<Estimate>> {
    let settings = settings::Settings::from_words(words.iter().cloned())?;
    Ok(play::run(&settings)?.standing(0, None).elo)
}

/// Merges the shards of a match in these directories, all of whose games are there, into `out`; returns the Elo difference
/// of the first engine.
///
/// # Errors
/// Those of a merge; if games are missing.
pub(crate) fn merge_matches(shards: &[PathBuf], out: &Path) -> Result<Option<Estimate>> {
    let merge::Merged { tally, games, planned, .. } = merge::merge_into(shards, out)?;
    ensure!(games == planned, "`{}` has {games} of {planned} games: a shard is not complete", out.display());
    Ok(tally.standing(0, None).elo)
}

/// The page with a recorded match in it.
///
/// # Errors
/// If the header of the match holds no settings of one.
pub(crate) fn page_of_match(found: &SavedMatch) -> Result<String> {
    let sprt = settings::test_of(&found.header)?;
    match_page(PAGE, &found.header, &found.games, sprt.as_ref(), found.header.schedule.games as usize)
}

/// Runs the command.
///
/// # Errors
/// Those of the match or the subcommand.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => play::run(&arguments.settings).map(|_| ()),
        Some(Command::Merge(arguments)) => merge::merge(arguments),
        Some(Command::Openings(arguments)) => print_suite::run(arguments),
        Some(Command::Report(arguments)) => merge::report(arguments),
    }
}
