//! Differences between settings, and which a resumed match may have.

use std::collections::BTreeSet;

use crate::shard::Shard;
use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::MatchHeader;
use crate::settings::MatchSettings;

/// Settings that may differ in a resumed match and between shards: openings, pairings and limits do not depend on them.
/// A merged record has the values of the first shard.
const FREE: [&str; 7] =
    ["event", "site", "pgn-fields", "concurrency", "hang-timeout", "start-timeout", "ready-timeout"];

impl MatchHeader {
    /// Whether shards can be merged: same program, and differences in free settings only.
    pub fn is_of_same_match(&self, other: &Self) -> bool {
        let differences = differences(&self.settings, &other.settings);
        let is_same = differences.iter().all(Difference::is_free);
        is_same && self.program == other.program
    }

    /// Header of this match, from the file `path`, when it continues with `requested` settings.
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
            "`{path}` has other settings: {}; give another `--out`",
            refused.join("; ")
        );
        // Checked last, so that a changed setting is named as a difference first.
        requested.check()?;
        Ok(Self { title: requested.title(), settings: requested, ..self.clone() })
    }
}

struct Difference {
    engine: Option<String>,
    /// Such as `rounds` or `sprt.alpha`.
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

/// `prefix` is the name of the setting that contains the compared values.
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
