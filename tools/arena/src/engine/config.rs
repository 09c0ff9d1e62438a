//! Engines described on the command line: `name=A,cmd=plumb,option.Hash=16`.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use plumb::board::BoardSize;
use plumb_protocol::{Dialect, most_similar};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::engine::command_line;
use crate::time_control::{ClockControl, TimeControl, thinking_time};

/// Command, options and limits of an engine; in JSON an [`EngineDescription`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EngineDescription", into = "EngineDescription")]
pub struct EngineConfig {
    /// Name in the results.
    pub name: String,
    /// Program and its arguments.
    pub command: Vec<String>,
    /// Working directory. `None` for the current directory.
    pub directory: Option<PathBuf>,
    /// Time from start to `uciok` or `ugiok`.
    pub start_timeout: Duration,
    /// Maximum time for each `readyok`.
    pub ready_timeout: Duration,
    /// Protocol: UCI or UGI.
    pub dialect: Dialect,
    /// Options in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// Board. `None` for an engine of another game.
    pub board: Option<BoardSize>,
    /// Limits of time, nodes and depth.
    pub control: TimeControl,
    /// Whether the engine ponders.
    pub ponder: bool,
}

/// Default of [`EngineConfig::start_timeout`], in seconds.
pub const START_TIMEOUT: u64 = 10;
/// Default of [`EngineConfig::ready_timeout`], in seconds.
pub const READY_TIMEOUT: u64 = 30;

const KEYS: [&str; 11] =
    ["name", "cmd", "dir", "proto", "tc", "st", "nodes", "depth", "timemargin", "ponder", "conf"];

/// Key for the built-in engines `plumb`, `skill-N` and `depth-N`, which users name without a key.
const REFERENCE: &str = "engine";

fn is_reference(name: &str) -> bool {
    name == "plumb" || name.starts_with("skill-") || name.starts_with("depth-")
}

/// Keys of cutechess, and their replacements.
const CUTECHESS: [(&str, &str); 7] = [
    ("arg", "arguments follow the program in `cmd`"),
    ("hash", "`option.Hash=MB`"),
    ("initstr", "`option.NAME=VALUE` sets an option at the start"),
    ("protocol", "`proto=`"),
    ("restart", "`--restart`, for all engines: otherwise they continue from one game to the next"),
    ("threads", "`option.Threads=N`"),
    ("whitepov", "scores are from the mover's view"),
];

fn unknown(piece: &str) -> String {
    let key = piece.split_once('=').map(|(key, _)| key);
    let hint = match (key, CUTECHESS.iter().find(|(word, _)| Some(*word) == key)) {
        (_, Some((_, here))) => format!("here {here}"),
        (None, None) => format!("a program is named by `cmd={piece}`"),
        (Some(key), None) => {
            let word = key.split('.').next().unwrap_or_default();
            let similar = most_similar(word, KEYS.into_iter().chain(["option"]));
            similar.map_or_else(|| "unknown key".to_owned(), |similar| format!("did you mean `{similar}`?"))
        }
    };
    format!("`{piece}`: {hint}; expected KEY=VALUE with a key of {} or option.NAME", KEYS.join(", "))
}

fn is_known(key: &str) -> bool {
    KEYS.contains(&key) || key.starts_with("option.")
}

/// Full or partial description of an engine: `key=value` pairs, or a JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineDescription(Vec<(String, String)>);

impl FromStr for EngineDescription {
    type Err = String;

    /// A value may contain commas, unless `key=` follows the comma.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for piece in text.split(',') {
            let pair = piece.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match (pair, pairs.last_mut()) {
                (_, Some((key, value))) if has_open_quote(key, value) => value.extend([",", piece]),
                (Some((key, value)), _) if is_known(key) => pairs.push((key.to_owned(), value.to_owned())),
                (None, None) if is_reference(piece) => {
                    pairs.push((REFERENCE.to_owned(), piece.to_owned()));
                }
                (None, Some((_, value))) => value.extend([",", piece]),
                _ => return Err(unknown(piece)),
            }
        }
        Ok(Self(pairs))
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for EngineDescription {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl Serialize for EngineDescription {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for EngineDescription {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;

        impl<'de> Visitor<'de> for Pairs {
            type Value = EngineDescription;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the settings of an engine")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, String>()? {
                    if key != REFERENCE && !is_known(&key) {
                        return Err(A::Error::unknown_field(&key, &KEYS));
                    }
                    pairs.push((key, value));
                }
                Ok(EngineDescription(pairs))
            }
        }

        deserializer.deserialize_map(Pairs)
    }
}

impl EngineDescription {
    /// Takes the values of `each` for keys that this description lacks.
    #[must_use]
    pub fn with_defaults(&self, each: &Self) -> Self {
        Self([&each.0[..], &self.0].concat())
    }

    /// A copy without this key.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        self.0.iter().filter(|(known, _)| known != key).cloned().collect()
    }

    /// Last value of a key. Case does not matter.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// Parses a built-in engine such as `skill-3`, `key=value` pairs, or else a command.
    pub fn of_command(text: &str) -> Result<Self, String> {
        let first = text.split(',').next().unwrap_or_default();
        let is_name = is_reference(first) && !first.contains(char::is_whitespace);
        let is_pair = first.split_once('=').is_some_and(|(key, _)| is_known(key.trim()));
        if is_name || is_pair { text.parse() } else { Ok(Self(vec![("cmd".to_owned(), text.to_owned())])) }
    }

    /// Parses the settings. An error without a command, or without a limit on time, nodes or depth.
    pub fn complete(&self) -> Result<EngineConfig, String> {
        let config = self.complete_without_limit()?;
        if config.control == (TimeControl { margin: config.control.margin, ..TimeControl::default() }) {
            let name = config.name;
            return Err(format!(
                "`{name}` has no limit; for 1 second per move give `--each st=1` (or tc, nodes, depth)"
            ));
        }
        Ok(config)
    }

    /// Like [`complete`](Self::complete), but needs no limit.
    pub fn complete_without_limit(&self) -> Result<EngineConfig, String> {
        let mut config = EngineConfig::try_from(self.clone())?;
        if config.command.is_empty() {
            return Err("an engine needs cmd=COMMAND, or to be plumb, skill-N or depth-N".to_owned());
        }
        if config.name.is_empty() {
            let program = PathBuf::from(&config.command[0]);
            config.name = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        }
        Ok(config)
    }
}

impl TryFrom<EngineDescription> for EngineConfig {
    type Error = String;

    fn try_from(description: EngineDescription) -> Result<Self, String> {
        let mut config = Self::named(String::new());
        for (key, value) in &description.0 {
            config.set(key, value).map_err(|error| {
                if key == REFERENCE { format!("`{value}`: {error}") } else { format!("{key}: {error}") }
            })?;
        }
        Ok(config)
    }
}

impl From<EngineConfig> for EngineDescription {
    fn from(config: EngineConfig) -> Self {
        config.description()
    }
}

impl EngineConfig {
    /// Engine with only a name.
    pub fn named(name: String) -> Self {
        Self {
            name,
            command: Vec::new(),
            directory: None,
            start_timeout: Duration::from_secs(START_TIMEOUT),
            ready_timeout: Duration::from_secs(READY_TIMEOUT),
            dialect: Dialect::Uci,
            options: Vec::new(),
            board: Some(BoardSize::STANDARD),
            control: TimeControl::default(),
            ponder: false,
        }
    }

    /// Description without board and time-outs, which belong to the match.
    pub fn description(&self) -> EngineDescription {
        let mut pairs = vec![("name".to_owned(), self.name.clone())];
        if self.command.is_empty() {
            return EngineDescription(pairs);
        }
        pairs.push(("cmd".to_owned(), command_line::join(&self.command)));
        if let Some(directory) = &self.directory {
            let directory = directory.to_string_lossy().into_owned();
            pairs.push(("dir".to_owned(), command_line::join(&[directory])));
        }
        pairs.push(("proto".to_owned(), self.dialect.to_string()));
        pairs.extend(self.limits().into_iter().map(|(key, value)| (key.to_owned(), value)));
        let margin = self.control.margin;
        if !margin.is_zero() {
            pairs.push(("timemargin".to_owned(), margin.as_millis().to_string()));
        }
        if self.ponder {
            pairs.push(("ponder".to_owned(), "true".to_owned()));
        }
        pairs.extend(self.options.iter().map(|(name, value)| (format!("option.{name}"), value.clone())));
        EngineDescription(pairs)
    }

    /// Limits by the keys `tc`, `st`, `nodes` and `depth`.
    pub fn limits(&self) -> Vec<(&'static str, String)> {
        let TimeControl { clock, move_time, nodes, depth, .. } = &self.control;
        let limits = [
            ("tc", clock.as_ref().map(ClockControl::to_string)),
            ("st", move_time.map(|time| time.as_secs_f64().to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|depth| depth.to_string())),
        ];
        limits.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// Limits such as `tc=10+0.1 nodes=500`.
    pub fn limits_text(&self) -> String {
        self.limits().iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    }

    /// Value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether an option is set.
    pub fn sets(&self, option: &str) -> bool {
        self.option(option).is_some()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let control = &mut self.control;
        match key {
            REFERENCE => self.set_reference(value)?,
            "name" => value.clone_into(&mut self.name),
            "cmd" => self.command = command_line::split(value)?,
            "dir" => self.directory = Some(directory(value)?),
            "proto" => self.dialect = value.parse()?,
            "conf" => {
                return Err(format!("`{value}`: engines of a file are for `match --engines-file FILE`"));
            }
            "tc" => control.clock = if value == "inf" { None } else { Some(value.parse()?) },
            "st" => control.move_time = Some(thinking_time(value)?),
            "nodes" => control.nodes = Some(whole(value)?),
            "depth" => control.depth = Some(whole(value)?),
            "timemargin" => {
                let margin = value.parse().map_err(|_| format!("`{value}` is not a number of milliseconds"));
                control.margin = Duration::from_millis(margin?);
            }
            "ponder" => self.ponder = flag(value)?,
            _ => {
                let name = key.strip_prefix("option.").ok_or("no such key")?.to_owned();
                self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                self.options.push((name, value.to_owned()));
            }
        }
        Ok(())
    }

    fn set_reference(&mut self, name: &str) -> Result<(), String> {
        if let Some(depth) = name.strip_prefix("depth-") {
            self.control.depth = Some(number_within(depth, 1..=42).ok_or("depths are 1 to 42")?);
        } else if let Some(level) = name.strip_prefix("skill-") {
            let level = number_within(level, 0..=20).ok_or("Skill Levels are 0 to 20")?;
            self.set("option.Skill Level", &level.to_string())?;
        }
        name.clone_into(&mut self.name);
        self.command = vec![command_line::plumb_program()];
        Ok(())
    }
}

fn number_within(text: &str, range: RangeInclusive<u32>) -> Option<u32> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(format!("`{value}`: expected true or false")),
    }
}

fn whole<T: FromStr + PartialOrd + From<u8>>(value: &str) -> Result<T, String> {
    match value.parse() {
        Ok(number) if number >= T::from(1) => Ok(number),
        _ => Err(format!("`{value}` is not a whole number of at least 1")),
    }
}

fn has_open_quote(key: &str, value: &str) -> bool {
    match key {
        "cmd" => command_line::split(value).is_err(),
        "dir" => directory(value).is_err(),
        _ => false,
    }
}

fn directory(text: &str) -> Result<PathBuf, String> {
    if text.starts_with(['"', '\'']) {
        Ok(command_line::split(text)?.join(" ").into())
    } else {
        Ok(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(engine: &str, each: &str) -> Result<EngineConfig, String> {
        let each = if each.is_empty() { Ok(EngineDescription::default()) } else { each.parse() };
        engine.parse::<EngineDescription>()?.with_defaults(&each?).complete()
    }

    #[test]
    fn descriptions_are_completed_or_refused_as_the_table_says() {
        for row in include_str!("descriptions.tsv").lines().filter(|row| !row.starts_with('#')) {
            let fields: Vec<_> = row.split('\t').collect();
            let &[engine, each, expected] = fields.as_slice() else { panic!("{row}") };
            let config = match described(engine, each) {
                Ok(config) => config,
                Err(fault) => {
                    assert_eq!(fault, expected, "{engine}");
                    continue;
                }
            };
            let json = serde_json::to_string(&config.description()).expect("JSON");
            assert_eq!(json, expected, "{engine}");
            let again: EngineDescription = serde_json::from_str(&json).expect("a description");
            assert_eq!(again.complete(), Ok(config), "{json}");
        }
    }

    #[test]
    fn reference_engines_go_by_their_names() {
        let skilled = described("skill-7,name=seven", "st=0.1").expect("whole");
        assert_eq!((skilled.name.as_str(), skilled.command.len()), ("seven", 1));
        assert_eq!(skilled.options, [("Skill Level".to_owned(), "7".to_owned())]);
        let stronger = described("skill-15", "option.skill level=3,st=0.1").expect("whole");
        assert_eq!(stronger.options, [("Skill Level".to_owned(), "15".to_owned())]);
        let shallow = described("depth-3", "").expect("whole");
        assert_eq!((shallow.name.as_str(), shallow.control.depth), ("depth-3", Some(3)));
    }
}
