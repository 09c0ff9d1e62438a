//! Fields of the comments in a PGN.

use std::fmt;
use std::str::FromStr;

const FIELDS: [&str; 10] =
    ["score", "depth", "time", "clock", "nodes", "seldepth", "speed", "hashfull", "tbhits", "pv"];

const NONE: &str = "none";

/// Fields of a comment, such as `score,depth`; `none` for no comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnFields(Vec<&'static str>);

impl Default for PgnFields {
    fn default() -> Self {
        Self(FIELDS[..4].to_vec())
    }
}

impl FromStr for PgnFields {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(Vec::new()));
        }
        let given: Vec<_> = text.split(',').collect();
        match given.iter().find(|name| !FIELDS.contains(name)) {
            Some(name) => Err(format!("`{name}` is none of {}, nor `{NONE}` alone", FIELDS.join(", "))),
            None => Ok(Self(FIELDS.into_iter().filter(|name| given.contains(name)).collect())),
        }
    }
}

impl fmt::Display for PgnFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&if self.is_empty() { NONE.to_owned() } else { self.0.join(",") })
    }
}

serialize_as_text!(PgnFields);

impl PgnFields {
    pub(super) fn has(&self, field: &str) -> bool {
        debug_assert!(FIELDS.contains(&field), "{field}");
        self.0.contains(&field)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
