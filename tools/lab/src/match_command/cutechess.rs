//! What users of cutechess-cli bring: the words of its command line, and its file of engines, `engines.json`, for
//! `--engines-file FILE` with `conf=NAME`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use plumb_arena::engine::config::EngineDescription;
use serde::Deserialize;
use serde_json::Value;

/// A word, and what does it here.
const WORDS: [(&str, &str); 22] = [
    ("-concurrency", "`--concurrency N`"),
    ("-debug", "`--log FILE`"),
    ("-draw", "`--draw movenumber=N,movecount=N,score=N`"),
    ("-each", "`--each KEY=VALUE,…`"),
    ("-engine", "`--engine KEY=VALUE,…`"),
    ("-event", "`--event NAME`"),
    ("-games", "`--rounds N`, the number of openings, each of which is played twice"),
    ("-maxmoves", "nothing: a board is full in the end"),
    ("-noswap", "`--no-swap`"),
    ("-openings", "`--openings FILE`"),
    ("-pgnout", "`--out DIR`, which gets games.pgn"),
    ("-ratinginterval", "`--report-every N`"),
    ("-recover", "`--recover`"),
    ("-repeat", "what it does anyway: each opening is played with both colours"),
    ("-resign", "`--resign movecount=N,score=N`"),
    ("-rounds", "`--rounds N`"),
    ("-site", "`--site NAME`"),
    ("-sprt", "`--sprt ELO0,ELO1`"),
    ("-srand", "`--seed S`"),
    ("-tournament", "`--tournament KIND`"),
    ("-variant", "`--board WxH`: the game is Connect Four"),
    ("-wait", "`--wait MS`"),
];

/// A sentence about the first of the `words` that is one of cutechess, if any is.
pub(crate) fn hint(words: &[String]) -> Option<String> {
    let known = |word: &String| WORDS.iter().find(|(known, _)| known == word);
    let (word, here) = words.iter().find_map(known)?;
    Some(format!("`{word}` is a word of cutechess: here it is {here}"))
}

/// An engine of the file; other fields are left out.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    command: String,
    #[serde(default)]
    working_directory: String,
    #[serde(default)]
    protocol: String,
    #[serde(default)]
    options: Vec<EntryOption>,
    /// Lines that the engine is sent first.
    #[serde(default)]
    init_strings: Vec<String>,
}

#[derive(Deserialize)]
struct EntryOption {
    name: String,
    /// Nothing for a button.
    #[serde(default)]
    value: Value,
}

/// The engines, those with `conf=NAME` as the file describes them, but for settings of their own.
///
/// # Errors
/// If the file is missing, cannot be read, or has no such engine; if one is sent lines that set no option.
pub(super) fn with_engines_file(
    engines: &[EngineDescription],
    file: Option<&Path>,
) -> Result<Vec<EngineDescription>> {
    let resolved = engines.iter().map(|engine| {
        let Some(name) = engine.get("conf") else { return Ok(engine.clone()) };
        let path =
            file.with_context(|| format!("--engine: conf={name}: `--engines-file FILE` names its file"))?;
        let shown = path.display();
        let text =
            fs::read_to_string(path).with_context(|| format!("--engines-file: cannot read `{shown}`"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let entries: Vec<Entry> =
            serde_json::from_str(text).with_context(|| format!("--engines-file: `{shown}`"))?;
        let names = || entries.iter().map(|entry| format!("`{}`", entry.name)).collect::<Vec<_>>().join(", ");
        let entry = entries.iter().find(|entry| entry.name == name);
        let entry = entry.with_context(|| format!("--engine: conf={name}: `{shown}` has {}", names()))?;
        let described =
            entry.describe().map_err(|error| anyhow!("--engines-file: `{shown}`, `{name}`: {error}"))?;
        Ok(engine.without("conf").with_defaults(&described))
    });
    resolved.collect()
}

impl Entry {
    fn describe(&self) -> Result<EngineDescription, String> {
        let Self { name, command, working_directory, protocol, .. } = self;
        let fields = [("name", name), ("cmd", command), ("dir", working_directory), ("proto", protocol)];
        let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
        let mut pairs: Vec<_> = given.map(|(key, value)| (key.to_owned(), value.clone())).collect();
        for EntryOption { name, value } in &self.options {
            let value = match value {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            pairs.push((format!("option.{name}"), value));
        }
        for line in self.init_strings.iter().flat_map(|text| text.lines()) {
            let option = line.strip_prefix("setoption name ").and_then(|rest| rest.split_once(" value "));
            let (name, value) = option.ok_or_else(|| {
                format!("initStrings: `{line}`: expected `setoption name NAME value VALUE`")
            })?;
            pairs.push((format!("option.{name}"), value.to_owned()));
        }
        Ok(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_of_the_file_is_described() {
        let entry = |text: &str| serde_json::from_str::<Entry>(text).expect("an engine").describe();
        let described = entry(
            r#"{"name": "A", "command": "\"/my x/plumb\" -q", "workingDirectory": "/y", "protocol": "uci", "variants": ["cfour"],
                "options": [{"name": "Hash", "value": 64}, {"name": "OwnBook", "value": false}, {"name": "Clear Hash"}],
                "initStrings": ["setoption name Skill Level value 3"]}"#,
        );
        let expected = "name=A,cmd=\"/my x/plumb\" -q,dir=/y,proto=uci,option.Hash=64,option.OwnBook=false,option.Skill Level=3";
        assert_eq!(described, Ok(expected.parse().expect("a description")));
        let said =
            entry(r#"{"name": "A", "command": "a", "initStrings": ["xboard"]}"#).expect_err("no option");
        assert_eq!(said, "initStrings: `xboard`: expected `setoption name NAME value VALUE`");
    }
}
