//! Engines described on the command line: `name=A,cmd=plumb,option.Hash=16`.

use std::path::PathBuf;
use std::time::Duration;

use plumb::board::BoardSize;
use plumb_protocol::Dialect;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::engine::command_line;
use crate::time_control::{ClockControl, TimeControl, thinking_time};

/// Command, options and limits of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Its name in the results.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The working directory; `None` for that of this program.
    pub directory: Option<PathBuf>,
    /// Time from its start to the answer to `uci` or `ugi`.
    pub start_timeout: Duration,
    /// Time for each answer to `isready`.
    pub ready_timeout: Duration,
    /// The protocol that it speaks.
    pub dialect: Dialect,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// The board of its games; `None` for an engine of another game, which has no board to set.
    pub board: Option<BoardSize>,
    /// Its limits of time, nodes and depth.
    pub control: TimeControl,
    /// Whether it ponders.
    pub ponder: bool,
}

/// The default of [`EngineConfig::start_timeout`], in seconds.
pub const START_TIMEOUT: u64 = 10;
/// The default of [`EngineConfig::ready_timeout`], in seconds: a large table takes time.
pub const READY_TIMEOUT: u64 = 30;

/// The keys that a description may be written with, but `option.NAME`.
const KEYS: [&str; 11] =
    ["name", "cmd", "dir", "proto", "tc", "st", "nodes", "depth", "timemargin", "ponder", "conf"];

/// The key under which a description keeps the name of a reference engine, `plumb`, `skill-N` or `depth-N`, which is written
/// without a key.
const REFERENCE: &str = "engine";

/// Whether `name` is that of a reference engine, or begins like one.
fn is_reference(name: &str) -> bool {
    name == "plumb" || name.starts_with("skill-") || name.starts_with("depth-")
}

/// Words of cutechess for an engine, and what stands for them here.
const CUTECHESS: [(&str, &str); 7] = [
    ("arg", "arguments follow the program in `cmd`"),
    ("hash", "`option.Hash=MB`"),
    ("initstr", "`option.NAME=VALUE` for what an engine is sent first"),
    ("protocol", "`proto=`"),
    ("restart", "`--restart`, for all engines: else they stay from one game to the next"),
    ("threads", "`option.Threads=N`"),
    ("whitepov", "scores are those of the mover"),
];

/// The error for a `piece` that stands where a key is expected, with what helps whoever wrote it, if that is known.
fn unknown(piece: &str) -> String {
    let key = piece.split_once('=').map(|(key, _)| key);
    let hint = match (key, CUTECHESS.iter().find(|(word, _)| Some(*word) == key)) {
        (_, Some((_, here))) => format!("; here {here}"),
        (None, None) => format!("; a program is named by `cmd={piece}`"),
        _ => String::new(),
    };
    format!("`{piece}` is none of {} or option.NAME, each with =VALUE{hint}", KEYS.join(", "))
}

/// Whether this is a known key.
fn is_known(key: &str) -> bool {
    KEYS.contains(&key) || key.starts_with("option.")
}

/// A description, perhaps a partial one: `key=value` pairs as they were written. In JSON it is an object of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineDescription(Vec<(String, String)>);

impl std::str::FromStr for EngineDescription {
    type Err = String;

    /// Reads `key=value,key=value…`. A value may contain commas that no `key=` follows.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for piece in text.split(',') {
            let pair = piece.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            match (pair, pairs.last_mut()) {
                // A comma within quotes.
                (_, Some((key, value))) if has_open_quote(key, value) => value.extend([",", piece]),
                (Some((key, value)), _) if is_known(key) => pairs.push((key.to_owned(), value.to_owned())),
                (None, None) if is_reference(piece) => {
                    pairs.push((REFERENCE.to_owned(), piece.to_owned()));
                }
                // A comma within a value; a word and `=` after it is an unknown key instead.
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

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    /// These settings, with those of `each` for keys that they lack: of two pairs with one key the later holds.
    #[must_use]
    pub fn with_defaults(&self, each: &Self) -> Self {
        Self([&each.0[..], &self.0].concat())
    }

    /// These settings without those of this key.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        self.0.iter().filter(|(known, _)| known != key).cloned().collect()
    }

    /// The limits as pairs, separated by blanks.
    pub fn limits(&self) -> String {
        let limit = |key: &&str| self.get(key).map(|value| format!("{key}={value}"));
        ["tc", "st", "nodes", "depth"].iter().filter_map(limit).collect::<Vec<_>>().join(" ")
    }

    /// The last value of a key; names of options are equal in any case.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().rfind(|(known, _)| known.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// Reads an engine where a command is expected: the name of a reference engine, pairs of which the first has a
    /// known key, or else a command.
    ///
    /// # Errors
    /// The errors of a description.
    pub fn of_command(text: &str) -> Result<Self, String> {
        let first = text.split(',').next().unwrap_or_default();
        let is_name = is_reference(first) && !first.contains(char::is_whitespace);
        let is_pair = first.split_once('=').is_some_and(|(key, _)| is_known(key.trim()));
        if is_name || is_pair { text.parse() } else { Ok(Self(vec![("cmd".to_owned(), text.to_owned())])) }
    }

    /// The command, options and limits of the engine described.
    ///
    /// # Errors
    /// The key and the expected value, in one sentence.
    pub fn complete(&self) -> Result<EngineConfig, String> {
        let config = self.complete_without_limit()?;
        if config.control == (TimeControl { margin: config.control.margin, ..TimeControl::default() }) {
            return Err(format!("`{}` has no limit: one of tc, st, nodes or depth is needed", config.name));
        }
        Ok(config)
    }

    /// The engine described, which needs no limit.
    ///
    /// # Errors
    /// The key and the expected value, in one sentence.
    pub fn complete_without_limit(&self) -> Result<EngineConfig, String> {
        let mut config = EngineConfig {
            name: String::new(),
            command: Vec::new(),
            directory: None,
            start_timeout: Duration::from_secs(START_TIMEOUT),
            ready_timeout: Duration::from_secs(READY_TIMEOUT),
            dialect: Dialect::Uci,
            options: Vec::new(),
            board: Some(BoardSize::STANDARD),
            control: TimeControl::default(),
            ponder: false,
        };
        for (key, value) in &self.0 {
            config.set(key, value).map_err(|error| format!("{key}: {error}"))?;
        }
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

impl EngineConfig {
    /// The description of this engine, without its board and the time-outs of its start, which are the match's.
    pub fn description(&self) -> EngineDescription {
        let TimeControl { clock, move_time, nodes, depth, margin } = &self.control;
        let directory = |path: &PathBuf| command_line::join(&[path.to_string_lossy().into_owned()]);
        let pairs = [
            ("name", Some(self.name.clone())),
            ("cmd", Some(command_line::join(&self.command))),
            ("dir", self.directory.as_ref().map(directory)),
            ("proto", Some(self.dialect.to_string())),
            ("tc", clock.as_ref().map(ClockControl::to_string)),
            ("st", move_time.map(|time| time.as_secs_f64().to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|depth| depth.to_string())),
            ("timemargin", (!margin.is_zero()).then(|| margin.as_millis().to_string())),
            ("ponder", self.ponder.then(|| "true".to_owned())),
        ];
        let pairs = pairs.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let options = self.options.iter().map(|(name, value)| (format!("option.{name}"), value.clone()));
        pairs.chain(options).collect()
    }

    /// Whether this option is to be set.
    pub fn sets(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(option))
    }

    /// Applies one pair; a later one replaces an earlier one of the same key.
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

    /// Sets name, command and strength of the reference engine called `name`: `plumb`, `skill-N` or `depth-N`.
    fn set_reference(&mut self, name: &str) -> Result<(), String> {
        let number = |text: &str, least: u32, most: u32| {
            let number = text.parse::<u32>().ok().filter(|number| (least..=most).contains(number));
            number.ok_or_else(|| format!("`{text}` is not a whole number from {least} to {most}"))
        };
        if let Some(depth) = name.strip_prefix("depth-") {
            self.control.depth = Some(number(depth, 1, 42)?);
        } else if let Some(level) = name.strip_prefix("skill-") {
            self.set("option.Skill Level", &number(level, 0, 20)?.to_string())?;
        }
        name.clone_into(&mut self.name);
        self.command = vec![command_line::plumb_program()];
        Ok(())
    }
}

fn flag(value: &str) -> Result<bool, String> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(format!("`{value}` is neither true nor false")),
    }
}

/// A whole number of at least 1.
fn whole<T: std::str::FromStr + PartialOrd + From<u8>>(value: &str) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| format!("`{value}` is not a whole number of at least 1"))
}

/// Whether the value of this key ends within quotes.
fn has_open_quote(key: &str, value: &str) -> bool {
    match key {
        "cmd" => command_line::split(value).is_err(),
        "dir" => directory(value).is_err(),
        _ => false,
    }
}

/// The directory named by `text`: all of it, blanks included, or the text within its quotes.
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

    /// Keys of `--engine` take precedence over those of `--each`.
    #[test]
    fn a_description_is_completed_and_makes_the_same_participant() {
        for (engine, each, expected) in [
            (
                "name=A,cmd=plumb --quiet,option.hash=16,proto=ugi,nodes=500",
                "tc=10+0.1,option.Hash=64,timemargin=20",
                r#""name":"A","cmd":"plumb --quiet","proto":"ugi","tc":"10+0.1","nodes":"500","timemargin":"20","option.hash":"16""#,
            ),
            (
                r#"cmd="/opt/my engines/plumb" -x a,b,st=0.5,option.Book File=x,y,option.C="#,
                "option.Hash=3",
                r#""name":"plumb","cmd":"\"/opt/my engines/plumb\" -x \"a,b\"","proto":"uci","st":"0.5","option.Hash":"3","option.Book File":"x,y","option.C":"""#,
            ),
            (
                r#"name=A, B,cmd='/my engines,st=1/plumb' "a b",dir=/my engine's,depth=3,ponder=on"#,
                "tc=40/1:30+0.05",
                r#""name":"A, B","cmd":"\"/my engines,st=1/plumb\" \"a b\"","dir":"\"/my engine's\"","proto":"uci","tc":"40/90+0.05","depth":"3","ponder":"true""#,
            ),
            (
                r#"cmd=plumb,dir="/my, st=1",tc=inf"#,
                "nodes=5,tc=10,ponder=off",
                r#""name":"plumb","cmd":"plumb","dir":"\"/my, st=1\"","proto":"uci","nodes":"5""#,
            ),
        ] {
            let config = described(engine, each).expect("whole");
            let json = serde_json::to_string(&config.description()).expect("JSON");
            assert_eq!(json, format!("{{{expected}}}"));
            let again: EngineDescription = serde_json::from_str(&json).expect("the same");
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

    #[test]
    fn what_is_wrong_is_named() {
        for (engine, fault) in [
            ("name=A,st=1", "an engine needs cmd=COMMAND, or to be plumb, skill-N or depth-N"),
            ("skill-21,st=1", "engine: `21` is not a whole number from 0 to 20"),
            ("depth-0,st=1", "engine: `0` is not a whole number from 1 to 42"),
            ("cmd=plumb", "`plumb` has no limit: one of tc, st, nodes or depth is needed"),
            ("cmd=plumb,st=soon", "st: `soon` is not a time in seconds, nor minutes and seconds as m:s"),
            ("cmd=plumb,st=0.0009", "st: `0.0009` leaves no time for a move: expected at least 0.001 s"),
            ("cmd=plumb,nodes=0", "nodes: `0` is not a whole number of at least 1"),
            ("cmd=plumb,proto=cecp", "proto: `cecp` is neither uci nor ugi"),
            ("cmd=\"plumb,st=1", "cmd: the quotes in `\"plumb,st=1` are not closed"),
            ("cmd=plumb,ponder=maybe,st=1", "ponder: `maybe` is neither true nor false"),
        ] {
            assert_eq!(described(engine, ""), Err(fault.to_owned()));
        }
        for (engine, start, end) in [
            ("cmd=plumb,hash=16,st=1", "`hash=16` is none of name, cmd, ", "; here `option.Hash=MB`"),
            ("cmd=plumb,colour=red", "`colour=red` is none of ", "or option.NAME, each with =VALUE"),
            ("stockfish", "`stockfish` is none of ", "; a program is named by `cmd=stockfish`"),
        ] {
            let said = described(engine, "st=1").expect_err("no such key");
            assert!(said.starts_with(start) && said.ends_with(end), "{said}");
        }
    }
}
