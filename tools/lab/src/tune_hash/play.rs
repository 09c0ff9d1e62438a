//! Tuning by play: each size against a reference size.

use std::path::Path;

use anyhow::{Error, Result, bail};
use plumb_arena::statistics::elo::Estimate;
use serde::{Deserialize, Serialize};

use super::RESULTS;
use super::arguments::TuneArguments;
use crate::interrupt::Interrupted;
use crate::match_command::{merge_matches, play_by_words};
use crate::output::print;
use crate::results::{Header, Lock};
use crate::suite::engine::Protocol;

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
pub(super) fn run(arguments: &TuneArguments) -> Result<()> {
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
            let played = play_by_words(&words(arguments, megabytes, reference));
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

/// The match of a size as a command line of `plumb-lab match`.
fn words(arguments: &TuneArguments, megabytes: u64, reference: u64) -> Vec<String> {
    let play = arguments;
    let who = arguments.engine.as_ref().map_or("plumb".to_owned(), |command| format!("cmd={command}"));
    let protocol = match arguments.protocol {
        Protocol::Uci => "uci",
        Protocol::Ugi => "ugi",
    };
    let engine =
        |size: u64| format!("{who},name={size} MB,proto={protocol},option.Hash={size},{}", play.time_control);
    let out = arguments.out.join(directory(megabytes));
    let mut words: Vec<_> = [
        ("--engine", engine(megabytes)),
        ("--engine", engine(reference)),
        // Given even if it is 7x6, so that a match on another board is not resumed.
        ("--board", arguments.board.to_string()),
        ("--rounds", (play.games / 2).to_string()),
        ("--concurrency", play.concurrency.to_string()),
        ("--seed", arguments.seed.to_string()),
        ("--out", out.display().to_string()),
        // Between the sizes a line for each game would be too much.
        ("--report-every", "0".to_owned()),
    ]
    .into_iter()
    .flat_map(|(name, value)| [name.to_owned(), value])
    .collect();
    // What is not there yet is begun; there may be more games than built-in openings.
    words.extend(["--resume".to_owned(), "--repeat-openings".to_owned()]);
    words.extend(arguments.shard.iter().map(|shard| format!("--shard={shard}")));
    words.extend(play.sprt.iter().map(|test| format!("--sprt={test}")));
    words
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
