//! Hints for users of cutechess-cli, and its file of engines, `engines.json`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use plumb_arena::engine::config::EngineDescription;
use plumb_protocol::most_similar;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Flags of cutechess-cli, and the flags of `match` that replace them.
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
    ("-wait", "nothing: the next game starts at once"),
];

/// Hint about an argument of cutechess-cli or another arena. `unknown` is the argument that clap does not know.
pub(crate) fn hint(words: &[String], unknown: Option<&str>) -> Option<String> {
    let with_one_dash = words.iter().find(|word| WORDS.iter().any(|(known, _)| word == known));
    if let Some(word) = with_one_dash {
        return hint_of(word);
    }
    if let Some(test) = test_by_keys(words) {
        return Some(format!("`--sprt` takes the values alone: `--sprt {test}`"));
    }
    let unknown = unknown?;
    if let Some(key) = unknown.strip_prefix("--")
        && (LIMITS.contains(&key) || key.starts_with("option."))
    {
        return Some(limit_as_flag(words, unknown, key));
    }
    if unknown.contains('=') {
        return stray_pair(words, unknown);
    }
    if unknown.starts_with('-') {
        return hint_of(unknown);
    }
    let (before, _) = words.split_at(words.iter().position(|word| word == unknown)?);
    let flag = before.iter().rfind(|word| word.starts_with('-'))?;
    if flag != "--engine" {
        return None;
    }
    Some(format!("`{unknown}`: each engine needs its own `--engine`"))
}

/// Keys of `--engine` that users write as flags by mistake, such as `--tc`.
const LIMITS: [&str; 7] = ["depth", "nodes", "ponder", "proto", "st", "tc", "timemargin"];

fn limit_as_flag(words: &[String], flag: &str, key: &str) -> String {
    let value = words.iter().skip_while(|word| *word != flag).nth(1).map_or("VALUE", String::as_str);
    format!("`{flag}`: settings of engines are part of `--engine` or `--each`: `--each {key}={value}`")
}

/// Converts `--sprt elo0=0 elo1=5` of cutechess and fastchess to `0,5`.
fn test_by_keys(words: &[String]) -> Option<String> {
    let pairs = words.iter().skip_while(|word| *word != "--sprt").skip(1);
    let mut values = [None; 4];
    for (key, value) in pairs.map_while(|word| word.split_once('=')) {
        let place = ["elo0", "elo1", "alpha", "beta"].iter().position(|known| *known == key)?;
        values[place] = Some(value);
    }
    let [elo0, elo1, alpha, beta] = values;
    let mut test = format!("{},{}", elo0?, elo1?);
    if let (Some(alpha), Some(beta)) = (alpha, beta) {
        test.extend([",", alpha, ",", beta]);
    }
    Some(test)
}

/// Hint about a flag of cutechess-cli, with one dash or two.
fn hint_of(word: &str) -> Option<String> {
    let (_, here) =
        WORDS.iter().find(|(known, _)| word == *known || word.strip_prefix('-') == Some(known))?;
    Some(format!("`{word}` is a word of cutechess: here it is {here}"))
}

/// Hint about `KEY=VALUE` that follows `--engine` after a blank instead of a comma.
fn stray_pair(words: &[String], stray: &str) -> Option<String> {
    let (before, after) = words.split_at(words.iter().position(|word| word == stray)?);
    let flag = before.iter().rposition(|word| word.starts_with("--engine") || word.starts_with("--each"))?;
    let pairs = after.iter().take_while(|word| word.contains('=') && !word.starts_with('-'));
    let joined = before[flag + 1..].iter().chain(pairs).map(String::as_str).collect::<Vec<_>>().join(",");
    let separator = if before[flag].contains('=') { "," } else { " " };
    Some(format!("`{stray}`: commas join the settings of an engine: `{}{separator}{joined}`", before[flag]))
}

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
    /// Commands that the engine gets first.
    #[serde(default)]
    init_strings: Vec<String>,
    #[serde(default)]
    ponder: bool,
    #[serde(flatten)]
    others: Map<String, Value>,
}

const ENTRY_FIELDS: [&str; 7] =
    ["command", "initStrings", "name", "options", "ponder", "protocol", "workingDirectory"];

/// Fields of `engines.json` that `match` ignores: the only allowed value, if any, and the hint for another value.
const OTHER_FIELDS: [(&str, Option<&str>, &str); 7] = [
    ("debug", Some("false"), "`--log FILE` logs the lines of all engines"),
    ("restart", Some("auto"), "`--restart` restarts all engines for each game"),
    ("stderrFile", Some(""), "`--log FILE` has standard error too"),
    ("timeoutScaleFactor", Some("1"), "`--timeout` gives engines more time"),
    ("validateClaims", None, ""),
    ("variants", None, ""),
    ("whitepov", Some("false"), "scores must be those of the side to move"),
];

#[derive(Deserialize)]
struct EntryOption {
    name: String,
    #[serde(default)]
    value: Value,
    #[serde(flatten)]
    others: Map<String, Value>,
}

const OPTION_FIELDS: [&str; 6] = ["alias", "choices", "default", "max", "min", "type"];

/// Refuses a field that `match` does not know, or that would change the games.
fn check_field(key: &str, value: &Value) -> Result<(), String> {
    let Some((_, default, hint)) = OTHER_FIELDS.iter().find(|(known, ..)| *known == key) else {
        let known = OTHER_FIELDS.iter().map(|(known, ..)| *known).chain(ENTRY_FIELDS);
        let similar = most_similar(key, known).map(|similar| format!("; did you mean `{similar}`?"));
        return Err(format!("`{key}` is not a field of an engine{}", similar.unwrap_or_default()));
    };
    let given = text_of(value);
    let is_default = value.as_f64() == Some(1.0) && *default == Some("1");
    // `match` restarts engines only with `--restart`, so `restart=off` of cutechess is the default.
    let is_off = key == "restart" && given == "off";
    if is_default || is_off || default.is_none_or(|default| default == given) {
        Ok(())
    } else {
        Err(format!("`{key}` is `{given}`, and `match` does not read it: {hint}"))
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Completes engines with `conf=NAME` from the engines file of cutechess.
pub(super) fn with_engines_file(
    engines: &[EngineDescription],
    file: Option<&Path>,
) -> Result<Vec<EngineDescription>> {
    let resolved = engines.iter().map(|engine| {
        let Some(name) = engine.get("conf") else { return Ok(engine.clone()) };
        let path = file.with_context(|| format!("--engine: `conf={name}` needs `--engines-file FILE`"))?;
        let shown = path.display();
        let text =
            fs::read_to_string(path).with_context(|| format!("--engines-file: cannot read `{shown}`"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let is_array = text.trim_start().starts_with('[');
        ensure!(is_array, "--engines-file: `{shown}`: expected a JSON array of engines");
        let entries: Vec<Entry> = serde_json::from_str(text)
            .with_context(|| format!("--engines-file: no list of engines in `{shown}`"))?;
        let entry = entries.iter().find(|entry| entry.name == name);
        let entry = entry.with_context(|| {
            let names: Vec<_> = entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
            format!("--engine: conf={name}: `{shown}` has {}", names.join(", "))
        })?;
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
        self.others.iter().try_for_each(|(key, value)| check_field(key, value))?;
        if self.ponder {
            pairs.push(("ponder".to_owned(), "true".to_owned()));
        }
        for EntryOption { name, value, others } in &self.options {
            if let Some(key) = others.keys().find(|key| !OPTION_FIELDS.contains(&key.as_str())) {
                return Err(format!("option `{name}`: `{key}` is not a field of an option"));
            }
            if !value.is_null() {
                pairs.push((format!("option.{name}"), text_of(value)));
            }
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
        for (fields, fault) in [
            (
                r#""initStrings": ["xboard"]"#,
                "initStrings: `xboard`: expected `setoption name NAME value VALUE`",
            ),
            (r#""whitepov": true"#, "`whitepov` is `true`, and `match` does not read it: scores must be "),
            (r#""restart": "on""#, "`restart` is `on`, and `match` does not read it: `--restart` restarts "),
            (r#""stderrFile": "e""#, "`stderrFile` is `e`, and `match` does not read it: `--log FILE` "),
            (r#""timeoutScaleFactor": 2"#, "`timeoutScaleFactor` is `2`, and `match` does not read it: "),
            (r#""pondr": true"#, "`pondr` is not a field of an engine; did you mean `ponder`?"),
            (
                r#""options": [{"name": "Hash", "vale": 1}]"#,
                "option `Hash`: `vale` is not a field of an option",
            ),
        ] {
            let text = format!(r#"{{"name": "A", "command": "a", {fields}}}"#);
            let said = entry(&text).expect_err("refused");
            assert!(said.starts_with(fault), "{said}");
        }
    }

    #[test]
    fn fields_of_cutechess_are_used_or_have_their_defaults() {
        let text = r#"{"name": "A", "command": "a", "ponder": true, "workingDirectory": "", "stderrFile": "", "protocol": "uci",
            "whitepov": false, "restart": "auto", "validateClaims": false, "debug": false, "timeoutScaleFactor": 1.0,
            "variants": ["cfour"], "options": [{"alias": "", "default": 64, "max": 9, "min": 1, "name": "Hash", "type": "spin", "value": 8}]}"#;
        let described = serde_json::from_str::<Entry>(text).expect("an engine").describe();
        assert_eq!(
            described,
            Ok("name=A,cmd=a,proto=uci,ponder=true,option.Hash=8".parse().expect("a description"))
        );
    }

    #[test]
    fn words_of_cutechess_have_a_hint() {
        let said = |line: &str, unknown| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            hint(&words, unknown).unwrap_or_default()
        };
        assert!(
            said("match --rounds 2 --games 2", Some("--games"))
                .starts_with("`--games` is a word of cutechess")
        );
        assert!(said("match --engine a -pgnout x", None).starts_with("`-pgnout` is a word of cutechess"));
        assert_eq!(said("match --rounds x", None), "");
        assert_eq!(said("match --rouns 2", Some("--rouns")), "");
        for (line, unknown, said_here) in [
            ("match --sprt elo0=0 elo1=5", "elo1=5", "`--sprt` takes the values alone: `--sprt 0,5`"),
            ("match --sprt elo1=5 elo0=-1 alpha=0.05 beta=0.1 model=x", "alpha=0.05", ""),
            (
                "match --sprt elo1=5 elo0=-1 alpha=0.05 beta=0.1",
                "alpha=0.05",
                "`--sprt` takes the values alone: `--sprt -1,5,0.05,0.1`",
            ),
            (
                "match --engine plumb --tc 5",
                "--tc",
                "`--tc`: settings of engines are part of `--engine` or `--each`: `--each tc=5`",
            ),
            (
                "match --engine plumb skill-3 --each st=1",
                "skill-3",
                "`skill-3`: each engine needs its own `--engine`",
            ),
        ] {
            assert_eq!(said(line, Some(unknown)), said_here, "{line}");
        }
        for (line, fixed) in [
            ("match --engine cmd=plumb tc=1 --rounds 2", "--engine cmd=plumb,tc=1"),
            ("match --engine=cmd=plumb tc=1 nodes=2", "--engine=cmd=plumb,tc=1,nodes=2"),
        ] {
            let expected = format!("`tc=1`: commas join the settings of an engine: `{fixed}`");
            assert_eq!(said(line, Some("tc=1")), expected);
        }
    }
}
