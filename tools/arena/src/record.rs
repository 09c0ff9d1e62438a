//! Record of a match: one JSON object a line, first the header, then the games.
//!
//! A record holds no statistics, so later versions can compute them again.

pub mod file;
pub mod game;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use crate::counted;
use crate::shard::Shard;
use anyhow::{Context, Result, anyhow, ensure};
use jiff::Timestamp;
use plumb::board::PositionReader;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::engine::affinity::Processors;
use crate::engine::config::EngineConfig;
use crate::settings::MatchSettings;
pub use game::{EngineScore, GameRecord, GameResult, MoveRecord, Opening, Reason, ScoreBound};

/// Version of the record format. It rises only for changes that older programs would misread.
pub const FORMAT: u32 = 1;

/// Path of the record in a directory.
pub fn record_path(directory: &Path) -> PathBuf {
    directory.join("match.jsonl")
}

/// Present time in UTC: `2026-01-31T23:59:59Z`.
pub fn now() -> String {
    format!("{:.0}", Timestamp::now())
}

/// Header of a record. Unknown fields are refused: they could change how games are played or counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchHeader {
    /// Format version, [`FORMAT`].
    pub format: u32,
    /// Title of the match.
    pub title: String,
    /// Name and version of the program that began the match.
    pub program: String,
    /// Start of the match in UTC, or empty.
    pub started: String,
    /// Number of CPUs when the match was last started or resumed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<usize>,
    /// Shard, if the match is split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Settings of the match.
    pub settings: MatchSettings,
}

impl MatchHeader {
    /// Header of a new match.
    pub fn new(program: &str, settings: MatchSettings, shard: Option<Shard>) -> Self {
        let (title, program) = (settings.title(), program.to_owned());
        let header =
            Self { format: FORMAT, title, program, started: now(), processors: None, shard, settings };
        header.on_processors(None)
    }

    /// Stores the number of CPUs for the engines: `bound`, or the whole machine.
    #[must_use]
    pub(crate) fn on_processors(self, bound: Option<&Processors>) -> Self {
        let processors = match bound {
            Some(bound) => Some(bound.count()),
            None => available_parallelism().ok().map(NonZeroUsize::get),
        };
        Self { processors, ..self }
    }

    #[must_use]
    pub(crate) fn public(&self) -> Self {
        Self { settings: self.settings.public(), ..self.clone() }
    }

    /// Warning if the engines need more threads than there are CPUs.
    pub fn oversubscription(&self) -> Option<String> {
        let processors = self.processors?;
        let mut of_game = 0;
        for (index, engine) in self.settings.engines.iter().enumerate() {
            for opponent in &self.settings.engines[..index] {
                of_game = of_game.max(threads_of_game(engine, opponent));
            }
        }
        let games = self.settings.concurrency.get();
        let needed = games.saturating_mul(of_game);
        if needed <= processors {
            return None;
        }
        let (games, processors) = (counted(games, "game"), counted(processors, "processor"));
        Some(format!(
            "{games} at a time: up to {needed} search threads on {processors}, so engines wait for each other while their \
             clocks run."
        ))
    }

    /// Opening moves of a game, as columns from 0.
    pub fn opening(&self, game: &GameRecord) -> Result<Vec<u32>> {
        let read = PositionReader::new(self.settings.board()?).read(&game.opening.moves);
        let read = read.map_err(|error| anyhow!("opening: {error}"))?;
        read.columns.context("the opening is a FEN, expected moves")
    }

    /// Number of games of the match or shard.
    pub fn games(&self) -> usize {
        self.settings.games(self.shard.unwrap_or(Shard::WHOLE))
    }
}

fn threads_of_game(one: &EngineConfig, other: &EngineConfig) -> usize {
    let both = [threads(one), threads(other)];
    // With pondering, both engines of a game search at the same time.
    if one.ponder || other.ponder { both[0].saturating_add(both[1]) } else { both[0].max(both[1]) }
}

fn threads(engine: &EngineConfig) -> usize {
    engine.option("Threads").and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// Settings that may differ in a resumed match and between shards. A merged record has the values of the first shard.
const FREE: [&str; 7] =
    ["event", "site", "pgn-fields", "concurrency", "hang-timeout", "start-timeout", "ready-timeout"];

impl MatchHeader {
    /// Whether shards can be merged: one program version, and no differences except in `FREE` settings.
    pub(crate) fn is_of_same_match(&self, other: &Self) -> bool {
        let differences = differences(&self.settings, &other.settings);
        let is_same = differences.iter().all(Difference::is_free);
        is_same && self.program == other.program
    }

    /// Header for resuming this match with `requested` settings. An error if a setting must not change. Messages use
    /// `path`.
    pub fn resumed(&self, requested: MatchSettings, shard: Option<Shard>, path: &str) -> Result<Self> {
        let requested = requested.resolved();
        let mut differences = differences(&self.settings, &requested);
        if shard != self.shard {
            let (recorded, given) = (json!(self.shard), json!(shard));
            differences.push(Difference { engine: None, name: "shard".to_owned(), recorded, given });
        }
        let refused: Vec<_> =
            differences.iter().filter_map(|one| one.refusal(self.shard.is_some())).collect();
        ensure!(
            refused.is_empty(),
            "`{path}` has other settings: {}; leave these flags out with `--resume`, or give another `--out`",
            refused.join("; ")
        );
        // Checked last, because the message about a changed setting helps more.
        requested.check()?;
        Ok(Self { title: requested.title(), settings: requested, ..self.clone() })
    }
}

struct Difference {
    engine: Option<String>,
    /// Name of a setting, such as `rounds` or `sprt.alpha`.
    name: String,
    recorded: Value,
    given: Value,
}

impl Difference {
    fn is_free(&self) -> bool {
        self.engine.is_none() && FREE.contains(&self.name.as_str())
    }

    fn refusal(&self, is_shard: bool) -> Option<String> {
        let Self { engine, name, recorded, given } = self;
        let is_none = matches!(recorded, Value::Null | Value::Bool(false));
        let remedy = match name.as_str() {
            "rounds" if is_shard => " (a shard keeps its number)",
            "rounds" if given.as_u64() < recorded.as_u64() => " (there may be more, not fewer)",
            "rounds" => return None,
            "repeat-openings" | "sprt" if is_none => return None,
            _ if self.is_free() => return None,
            _ => "",
        };
        let of_engine = engine.as_ref().map_or_else(String::new, |engine| format!(" of `{engine}`"));
        Some(format!("`{name}`{of_engine}: recorded {}, given {}{remedy}", text(recorded), text(given)))
    }
}

fn differences(recorded: &MatchSettings, given: &MatchSettings) -> Vec<Difference> {
    let mut found = Vec::new();
    if let (Ok(recorded), Ok(given)) = (serde_json::to_value(recorded), serde_json::to_value(given)) {
        compare(&recorded, &given, None, "", &mut found);
    }
    found
}

/// Finds settings that differ. `prefix` is the name of the setting that contains the compared values.
fn compare(recorded: &Value, given: &Value, engine: Option<&str>, prefix: &str, found: &mut Vec<Difference>) {
    let empty = serde_json::Map::new();
    let [fields, others] = [recorded, given].map(|value| value.as_object().unwrap_or(&empty));
    let names: BTreeSet<_> = fields.keys().chain(others.keys()).collect();
    for name in names {
        let [recorded, given] = [fields, others].map(|fields| fields.get(name).unwrap_or(&Value::Null));
        match (recorded, given) {
            _ if recorded == given => {}
            (Value::Object(_), Value::Object(_)) => {
                compare(recorded, given, engine, &format!("{prefix}{name}."), found);
            }
            (Value::Array(all), Value::Array(others)) if all.len() == others.len() => {
                for (one, other) in all.iter().zip(others) {
                    compare(one, other, one["name"].as_str(), "", found);
                }
            }
            _ => {
                let (recorded, given) = (recorded.clone(), given.clone());
                let (engine, name) = (engine.map(str::to_owned), format!("{prefix}{name}"));
                found.push(Difference { engine, name, recorded, given });
            }
        }
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.len().to_string(),
        Value::Object(fields) => fields.values().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_a_time_in_utc() {
        let start = now();
        assert!(start.parse::<Timestamp>().is_ok() && start.ends_with('Z'), "{start}");
    }

    #[test]
    fn engines_that_wait_for_a_processor_are_counted() {
        let mut header = crate::test_match::header();
        header = header.on_processors(Some(&"0,1".parse().expect("two")));
        for (games, second, expected) in [
            (2, "cmd=b", None),
            (3, "cmd=b", Some("3 games at a time: up to 3 search threads on 2 processors")),
            (1, "cmd=b,option.threads=4", Some("1 game at a time: up to 4 search threads on 2 processors")),
            (
                1,
                "cmd=b,option.Threads=4,ponder=true",
                Some("1 game at a time: up to 5 search threads on 2 processors"),
            ),
            (2, "cmd=b,ponder=true", Some("2 games at a time: up to 4 search threads on 2 processors")),
        ] {
            header.settings.concurrency = NonZeroUsize::new(games).expect("not 0");
            header.settings.engines[1] = crate::test_match::engine(second);
            let note = header.oversubscription();
            assert_eq!(note.as_deref().and_then(|note| note.split(',').next()), expected);
        }
    }
}
