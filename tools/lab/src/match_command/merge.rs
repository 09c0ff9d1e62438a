//! `plumb-lab match merge` and `match report`: recorded matches.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use plumb_arena::match_directory::{MatchDirectory, SavedMatch, record_of};
use plumb_arena::record::MatchHeader;
use plumb_arena::tally::Tally;

use super::play::conclude;
use super::settings::{header_of_all, test_of};
use crate::output::print;

/// Merge the shards of a match.
///
/// Shards are played with `--shard I/N` and otherwise equal arguments, on any machine; they share no game. A shard
/// may be incomplete: `--resume` in the merged directory plays the missing games.
#[derive(clap::Args)]
pub(super) struct MergeArguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of the merged match, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Print the results of a match, complete or not, and write its PGN and report.
#[derive(clap::Args)]
pub(super) struct ReportArguments {
    /// The directory of the match.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Merges shards.
///
/// # Errors
/// If one is no match or one of another, two have a game in common, or there is a match already where the whole is to
/// go.
pub(super) fn merge(arguments: &MergeArguments) -> Result<()> {
    let mut whole: Option<MatchHeader> = None;
    let mut games = Vec::new();
    let mut seen = HashMap::new();
    for directory in &arguments.shards {
        let found = SavedMatch::read(directory)?;
        let (header, name) = (header_of_all(&found.header), directory.display().to_string());
        let whole = whole.get_or_insert_with(|| header.clone());
        if !whole.is_of_same_match(&header) {
            bail!("`{name}` and `{}` are no shards of one match", arguments.shards[0].display());
        }
        // The match began when the first of its shards did; times are written so that they sort as text.
        whole.started = header.started.min(std::mem::take(&mut whole.started));
        for game in found.games {
            if let Some(other) = seen.insert(game.game, name.clone()) {
                bail!("game {} is in `{other}` and in `{name}`", game.game + 1);
            }
            games.push(game);
        }
    }
    let Some(header) = whole else { bail!("there is nothing to merge") };
    games.sort_by_key(|game| game.game);
    let (expected, count) = (header.schedule.games, games.len());
    let sprt = test_of(&header)?;
    let mut tally = Tally::of_match(&header);
    if SavedMatch::find(&arguments.out)?.is_some() {
        bail!("`{}` is there already", record_of(&arguments.out).display());
    }
    let mut store = MatchDirectory::begin(&arguments.out, header)?;
    for game in games {
        tally.add(&game);
        store.append(game)?;
    }
    conclude(&tally, sprt.as_ref(), Some(store), expected as usize)?;
    print(format_args!("{count} of {expected} games"))
}

/// Writes the report of a match again.
///
/// # Errors
/// If there is no match, or the files cannot be written.
pub(super) fn report(arguments: &ReportArguments) -> Result<()> {
    let found = SavedMatch::read(&arguments.directory)?;
    let header = found.header.clone();
    let sprt = test_of(&header)?;
    let (expected, mut tally) = (header.schedule.games, Tally::of_match(&header));
    let count = found.games.len();
    found.games.iter().for_each(|game| tally.add(game));
    let store = MatchDirectory::resume(&arguments.directory, header, found)?;
    conclude(&tally, sprt.as_ref(), Some(store), expected as usize)?;
    print(format_args!("{count} of {expected} games"))
}
