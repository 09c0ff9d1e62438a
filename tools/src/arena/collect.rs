//! Matches that have been played: shards made one match, and reports made anew.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::play::conclude;
use super::record::MatchHeader;
use super::settings::{header_of_all, test_of};
use super::store::{Found, Store, record_of};
use super::tally::Tally;
use crate::output::print;

/// Make one match of the shards of one.
///
/// Shards are made with `--shard I/N` and otherwise the same arguments, wherever you like; they have no game in common.
/// A shard may be incomplete, and what is missing can be played with `--resume` in the directory of the whole.
#[derive(clap::Args)]
pub(super) struct MergeArguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// The directory of the whole match; it is made if it is not there.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Tell the results of a match, and write its PGN and report, complete or not.
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
        let found = Found::read(directory)?;
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
    let mut tally = Tally::new(header.names());
    if Found::find(&arguments.out)?.is_some() {
        bail!("`{}` is there already", record_of(&arguments.out).display());
    }
    let mut store = Store::begin(&arguments.out, header)?;
    for game in games {
        tally.add(&game);
        store.append(game)?;
    }
    conclude(&tally, sprt.as_ref(), Some(store))?;
    print(format_args!("{count} of {expected} games"))
}

/// Makes the report of a match anew.
///
/// # Errors
/// If there is no match, or the files cannot be written.
pub(super) fn report(arguments: &ReportArguments) -> Result<()> {
    let found = Found::read(&arguments.directory)?;
    let header = found.header.clone();
    let sprt = test_of(&header)?;
    let (expected, mut tally) = (header.schedule.games, Tally::new(header.names()));
    let count = found.games.len();
    found.games.iter().for_each(|game| tally.add(game));
    let store = Store::resume(&arguments.directory, header, found)?;
    conclude(&tally, sprt.as_ref(), Some(store))?;
    print(format_args!("{count} of {expected} games"))
}
