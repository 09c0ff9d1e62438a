//! Differences of the settings of two matches, and those that a resumed match may have from its record.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use plumb_tools_common::shard::Shard;
use serde_json::{Value, json};

use super::MatchHeader;
use crate::settings::MatchSettings;

/// The settings that may differ in any way in a resumed match, and from shard to shard of a match that is merged (the merged
/// record has those of the first), as neither openings nor pairings nor the limits in the
/// descriptions of engines depend on them. Those that may only grow or be added are in [`Difference::refusal`].
const FREE: [&str; 7] =
    ["event", "site", "pgn-fields", "concurrency", "hang-timeout", "start-timeout", "ready-timeout"];

impl MatchHeader {
    /// Whether shards with these two headers can be merged: those of one program and the same settings, but for those that
    /// may differ in any way.
    pub fn is_of_same_match(&self, other: &Self) -> bool {
        let differences = differences(&self.settings, &other.settings);
        let is_same = differences.iter().all(Difference::is_free);
        is_same && self.program == other.program
    }

    /// The header of this match, whose record is the file `path`, when it goes on with the `requested` settings.
    ///
    /// # Errors
    /// All settings that differ and must not; settings that make no match.
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
            "`{path}` has other settings, so it cannot be resumed with these: {}",
            refused.join("; ")
        );
        // Last, so that a setting which does not fit the others is named as a difference first.
        requested.check()?;
        Ok(Self { title: requested.title(), settings: requested, ..self.clone() })
    }
}

/// A setting with two values.
struct Difference {
    /// The engine whose setting this is.
    engine: Option<String>,
    /// Its name in the record, which is mostly that of its flag; in a setting with fields of its own like `sprt.alpha`.
    name: String,
    recorded: Value,
    given: Value,
}

impl Difference {
    /// Whether a resumed match, or another shard, may have any other value.
    fn is_free(&self) -> bool {
        self.engine.is_none() && FREE.contains(&self.name.as_str())
    }

    /// The difference as a sentence, unless a resumed match may have it.
    fn refusal(&self, is_shard: bool) -> Option<String> {
        let Self { engine, name, recorded, given } = self;
        let is_none = matches!(recorded, Value::Null | Value::Bool(false));
        let remedy = match name.as_str() {
            "rounds" if is_shard => " (a shard keeps its number)",
            "rounds" if given.as_u64() < recorded.as_u64() => " (there may be more, not fewer)",
            "rounds" => return None,
            // They may be added.
            "repeat-openings" | "sprt" if is_none => return None,
            _ if self.is_free() => return None,
            _ => "",
        };
        let of_engine = engine.as_ref().map_or_else(String::new, |engine| format!(" of `{engine}`"));
        Some(format!("`{name}`{of_engine}: recorded {}, given {}{remedy}", text(recorded), text(given)))
    }
}

/// All settings that differ, those of engines and of a test one by one.
fn differences(recorded: &MatchSettings, given: &MatchSettings) -> Vec<Difference> {
    let mut found = Vec::new();
    // Settings are plain data, which JSON can hold.
    if let (Ok(recorded), Ok(given)) = (serde_json::to_value(recorded), serde_json::to_value(given)) {
        compare(&recorded, &given, None, "", &mut found);
    }
    found
}

/// Compares two objects field by field: settings, those of `engine`, or a setting with fields, whose name is then the `prefix`
/// of theirs.
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
            // Only engines are an array.
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

/// A value for people.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(all) => all.len().to_string(),
        Value::Object(fields) => fields.values().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
