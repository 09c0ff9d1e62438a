//! Tuning by play: each size against a reference size.

mod report;
mod verdict;

use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use plumb::board::Geometry;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::record::GameRecord;
use plumb_arena::settings::{MatchSettings, OpeningSource};
use plumb_arena::summary::Progress;

use super::arguments::{RESULTS, TuneArguments};
use crate::engine::{EngineFlags, Engines};
use crate::exit::{Failure, Interrupted, is_interrupt};
use crate::match_command::{SavedMatch, merge_matches, play_match};
use crate::output::print;
use crate::progress::say;
use crate::results::{Header, Lock};
pub(super) use report::Matches;
use report::{REMEDY, SizeResult, conclude, too_even};
use verdict::Rule;

/// Plays the matches, and recommends a range of sizes.
///
/// # Errors
/// Those of a match; if there is nothing to compare, or a game is lost by a fault.
pub(super) fn run(arguments: &TuneArguments, flags: &EngineFlags) -> Result<()> {
    let mut sizes = arguments.sizes();
    let given = arguments.reference.map(|size| size as usize);
    let reference = given.or_else(|| sizes.last().copied()).unwrap_or(1);
    sizes.insert(reference);
    if sizes.len() < 2 {
        bail!("`--sizes` names nothing but the reference, {reference} MB");
    }
    let openings = &arguments.openings;
    ensure!(
        !matches!(openings, OpeningSource::Theory(_)),
        "`--openings {openings}`: one game from each opening makes no pairs: take `random`, `balanced`, `decided` or a file"
    );
    let path = arguments.out.join(RESULTS);
    let lock = Lock::take(&path, "--out")?;
    let (engines, name) = (Engines::open(None)?, arguments.command());
    let own = flags.config(name, arguments.board.size(), None)?;
    let limited = own.description().complete(&arguments.time_control);
    let limited = limited.map_err(|error| anyhow!("--time-control: {error}"))?;
    let EngineConfig { board, start_timeout, ready_timeout, .. } = own;
    let mut config = EngineConfig { board, start_timeout, ready_timeout, ..limited };
    drop(arguments.start(&engines, &mut config, "--engine, --time-control")?);
    let start = |size| engines.start(name, &config, &[], Some(size)).map(drop);
    let mut sizes = arguments.granted(sizes, start)?;
    if sizes.len() < 2 || !sizes.contains(&reference) {
        bail!("nothing is left to play against {reference} MB");
    }
    sizes.remove(&reference);
    let of = |size| settings(arguments, flags, &config, [size, reference]);
    let setup =
        format!("{name}, {}, openings: {}", config.description().limits(), of(reference).openings_text());
    let mut matches = Matches { reference, setup, sizes: Vec::new(), elo: None };
    if arguments.shard.is_some() {
        matches = Matches { sizes: sizes.iter().copied().collect(), elo: Some(arguments.elo), ..matches };
    }
    let header = arguments.header(&matches, 0)?;
    header.begin(&path, "--out")?;
    let rule = Rule::new(arguments.elo, sizes.len())?;
    let mut results = Vec::new();
    for megabytes in sizes {
        print(format_args!("{megabytes} MB against {reference} MB"))?;
        let mut has_warned = false;
        let mut watch = |games: &[GameRecord], played: &Progress| {
            check_faults(games)?;
            if let Some(share) = too_even(&played.tally().of(0)).filter(|_| !has_warned) {
                has_warned = true;
                say(format_args!("{megabytes} MB: {share} of the pairs are even, {REMEDY}"));
            }
            // A shard has all its games.
            Ok(arguments.shard.is_some() || !rule.is_decided(&played.tally().sample(0)))
        };
        let out = arguments.out.join(directory(megabytes));
        let log = flags.log.as_deref();
        let played = play_match(of(megabytes), arguments.shard, log, &out, &mut watch);
        let played = played.map_err(|error| {
            // That one match could be resumed by itself is not what helps here.
            let sentence =
                format!("interrupted in the match of {megabytes} MB: the same command plays the rest");
            if is_interrupt(&error) { Interrupted(sentence).into() } else { error }
        })?;
        results.push(SizeResult::new(megabytes, reference, &played, &rule));
    }
    if let Some(shard) = arguments.shard {
        return print(format_args!("shard {shard}: `tune-hash merge` recommends sizes"));
    }
    drop(lock);
    conclude(&header, &matches, arguments.elo, &results, &arguments.out)
}

/// Merges the matches in the directories of shards, which have this header but for their numbers, into those in `out`, and
/// recommends a range of sizes.
///
/// # Errors
/// Those of merging matches; if games are missing, or one was lost by a fault.
pub(super) fn merge(header: Header, shards: Matches, parts: &[&Path], out: &Path) -> Result<()> {
    let (&Matches { ref sizes, reference, .. }, Some(elo)) = (&shards, shards.elo) else {
        bail!("these are no shards of matches")
    };
    let rule = Rule::new(elo, sizes.len())?;
    let mut results = Vec::new();
    for &megabytes in sizes {
        print(format_args!("{megabytes} MB against {reference} MB"))?;
        let name = directory(megabytes);
        let shards: Vec<_> = parts.iter().map(|part| part.join(&name)).collect();
        let merged = out.join(&name);
        let (played, planned, _) = merge_matches(&shards, &merged)?;
        let games = played.played();
        let shown = merged.display();
        ensure!(games == planned, "`{shown}` has {games} of {planned} games: a shard is not complete");
        check_faults(&SavedMatch::read(&merged)?.games)?;
        results.push(SizeResult::new(megabytes, reference, &played, &rule));
    }
    let matches = Matches { sizes: Vec::new(), elo: None, ..shards };
    conclude(&header.with_settings(&matches)?, &matches, elo, &results, out)
}

/// The name of the directory of the match of a size.
fn directory(megabytes: usize) -> String {
    format!("match-{megabytes}")
}

/// Refuses a game that an engine lost by a fault: it says nothing about a size. An engine that is late is slower.
fn check_faults(games: &[GameRecord]) -> Result<()> {
    let Some(game) = games.iter().find(|game| game.reason.is_failure()) else { return Ok(()) };
    let loser = game.loser().unwrap_or_default();
    Err(Failure(format!(
        "{game}; a fault of the engine with {loser} tells nothing about its size: mend the engine and give another `--out`"
    ))
    .into())
}

/// The match of the first size against the second one.
fn settings(
    arguments: &TuneArguments,
    flags: &EngineFlags,
    config: &EngineConfig,
    sizes: [usize; 2],
) -> MatchSettings {
    let engine = |size: usize| {
        let mut config = EngineConfig { name: format!("{size} MB"), ..config.clone() };
        config.options.push(("Hash".to_owned(), size.to_string()));
        config.description()
    };
    // There may be more games than openings.
    let settings = arguments.match_settings(flags, sizes.map(engine).into(), arguments.games() / 2);
    MatchSettings { repeat_openings: true, ..settings }
}
