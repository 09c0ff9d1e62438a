//! Tuning by play: each size against a reference size.

use std::path::Path;

use anyhow::{Error, Result, bail};
use plumb::board::Geometry;
use plumb_arena::settings::MatchSettings;
use plumb_arena::statistics::elo::Estimate;
use serde::{Deserialize, Serialize};

use super::arguments::TuneArguments;
use super::{RESULTS, refused};
use crate::engine::{EngineFlags, Engines};
use crate::interrupt::Interrupted;
use crate::match_command::{merge_matches, play_match};
use crate::output::print;
use crate::results::{Header, Lock};

/// The result of a size.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Outcome {
    megabytes: u64,
    /// Elo against the reference; `None` for the reference itself.
    elo: Option<Estimate>,
}

/// Plays the matches, and recommends a size.
///
/// # Errors
/// Those of a match; if there is nothing to compare.
pub(super) fn run(arguments: &TuneArguments, flags: &EngineFlags) -> Result<()> {
    let mut sizes = arguments.sizes.clone();
    sizes.sort_unstable();
    let reference = arguments.reference.or_else(|| sizes.last().copied()).unwrap_or(1);
    sizes.push(reference);
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 2 {
        bail!("`--sizes` names nothing but the reference, {reference} MB");
    }
    let path = arguments.out.join(RESULTS);
    let _lock = Lock::take(&path, "--out")?;
    let engines = Engines::open(None)?;
    let name = arguments.engine.as_deref().unwrap_or("plumb");
    let config = flags.config(name, arguments.board.size(), None)?;
    let start = |size| engines.start(name, &config, &[], Some(size)).map(drop);
    let refused = refused(&sizes.iter().map(|&size| size as usize).collect(), arguments.shard, start)?;
    sizes.retain(|&size| !refused.contains(&(size as usize)));
    if sizes.len() < 2 || !sizes.contains(&reference) {
        bail!("nothing is left to play against {reference} MB");
    }
    if let Some(shard) = arguments.shard {
        let header = Header::new("tune-hash").on_board(arguments.board).of_shard(shard, 0);
        header.with_settings(&Matches { sizes: sizes.clone(), reference })?.begin(&path, "--out")?;
    }
    let mut outcomes = Vec::new();
    for megabytes in sizes {
        let elo = if megabytes == reference {
            None
        } else {
            print(format_args!("{megabytes} MB against {reference} MB"))?;
            let out = arguments.out.join(directory(megabytes));
            let settings = settings(arguments, flags, megabytes, reference);
            let played = play_match(settings, arguments.shard, flags.log.as_deref(), &out);
            played.map_err(|error| if error.is::<Interrupted>() { interrupted(megabytes) } else { error })?
        };
        outcomes.push(Outcome { megabytes, elo });
    }
    if let Some(shard) = arguments.shard {
        return print(format_args!("shard {shard}: `tune-hash merge` recommends a size"));
    }
    print(format_args!("{}", advice(&outcomes, reference)))
}

/// The sizes of a run by play, as the header of a shard has them; all other settings are in the records of the matches.
#[derive(Serialize, Deserialize)]
pub(super) struct Matches {
    sizes: Vec<u64>,
    reference: u64,
}

/// Merges the matches in the directories of shards into those in `out`, and recommends a size.
///
/// # Errors
/// Those of merging matches; if games are missing.
pub(super) fn merge(matches: &Matches, parts: &[&Path], out: &Path) -> Result<()> {
    let Matches { sizes, reference } = matches;
    let mut outcomes = Vec::new();
    for &megabytes in sizes {
        let elo = if megabytes == *reference {
            None
        } else {
            print(format_args!("{megabytes} MB against {reference} MB"))?;
            let name = directory(megabytes);
            let shards: Vec<_> = parts.iter().map(|part| part.join(&name)).collect();
            merge_matches(&shards, &out.join(&name))?
        };
        outcomes.push(Outcome { megabytes, elo });
    }
    print(format_args!("{}", advice(&outcomes, *reference)))
}

/// The name of the directory of the match of a size.
fn directory(megabytes: u64) -> String {
    format!("match-{megabytes}")
}

/// The end by Ctrl-C: that one match could be resumed by itself is not what helps here.
fn interrupted(megabytes: u64) -> Error {
    Interrupted(format!("interrupted in the match of {megabytes} MB: the same command plays the rest")).into()
}

/// The match of a size.
fn settings(arguments: &TuneArguments, flags: &EngineFlags, megabytes: u64, reference: u64) -> MatchSettings {
    let protocol = flags.protocol.to_string();
    let engine = |size: u64| {
        let who = arguments.engine.as_deref().map_or(("engine", "plumb"), |command| ("cmd", command));
        let (name, size) = (format!("{size} MB"), size.to_string());
        let pairs = [who, ("name", &name), ("proto", &protocol), ("option.Hash", &size)];
        let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
        arguments.time_control.after(&pairs.collect())
    };
    MatchSettings {
        engines: vec![engine(megabytes), engine(reference)],
        rounds: arguments.games() / 2,
        concurrency: arguments.concurrency,
        seed: arguments.seed,
        // There may be more games than built-in openings.
        repeat_openings: true,
        sprt: arguments.sprt,
        start_timeout: flags.start_timeout,
        ready_timeout: flags.ready_timeout,
        ..MatchSettings::on(arguments.board.size())
    }
}

/// The smallest size that nothing says is weaker than the reference.
fn advice(outcomes: &[Outcome], reference: u64) -> String {
    let is_good = |outcome: &&Outcome| outcome.elo.is_none_or(|elo| elo.high >= 0.0);
    let Some(Outcome { megabytes, elo }) = outcomes.iter().find(is_good) else {
        return format!("{reference} MB: every other size is weaker");
    };
    match elo {
        None if *megabytes == reference => format!("{megabytes} MB: every smaller size is weaker"),
        None => format!("{megabytes} MB: nothing says that it is weaker than {reference} MB"),
        Some(elo) => {
            format!("{megabytes} MB: not weaker than {reference} MB as far as these games tell, Elo {elo}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_size_that_is_not_weaker_is_recommended() {
        let outcome = |megabytes, value, margin| {
            let elo = Some(Estimate { value, low: value - margin, high: value + margin });
            Outcome { megabytes, elo }
        };
        let played = [
            outcome(1, -30.0, 15.0),
            outcome(4, -4.0, 8.0),
            outcome(16, 1.0, 8.0),
            Outcome { megabytes: 64, elo: None },
        ];
        let said = advice(&played, 64);
        assert_eq!(said, "4 MB: not weaker than 64 MB as far as these games tell, Elo -4.0 ± 8.0");
        assert_eq!(advice(&[played[0], played[3]], 64), "64 MB: every smaller size is weaker");
        assert_eq!(advice(&played[..1], 64), "64 MB: every other size is weaker");
    }
}
