//! What a PGN says of each move: `+0.30/12 0.051s, clock 1.95s`, and more if it is asked for.

use std::fmt::{self, Write};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::record::{EngineScore, MoveRecord, ScoreBound};

/// A field of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Score,
    Depth,
    Time,
    Clock,
    Nodes,
    SelDepth,
    Speed,
    Pv,
}

/// The fields by their names, in the order in which they stand.
const FIELDS: [(&str, Field); 8] = [
    ("score", Field::Score),
    ("depth", Field::Depth),
    ("time", Field::Time),
    ("clock", Field::Clock),
    ("nodes", Field::Nodes),
    ("seldepth", Field::SelDepth),
    ("speed", Field::Speed),
    ("pv", Field::Pv),
];

/// The word for no comments at all.
const NONE: &str = "none";

/// The fields of a comment; parsed from `score,depth`, or `none` for moves without comments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PgnFields(Vec<Field>);

impl Default for PgnFields {
    /// Those that cutechess writes, and what the clock shows.
    fn default() -> Self {
        Self(vec![Field::Score, Field::Depth, Field::Time, Field::Clock])
    }
}

impl FromStr for PgnFields {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(Vec::new()));
        }
        let field = |name: &str| {
            let found = FIELDS.iter().find(|(known, _)| *known == name);
            found.map(|&(_, field)| field).ok_or_else(|| {
                let known = FIELDS.map(|(known, _)| known).join(", ");
                format!("`{name}` is none of {known}, nor `{NONE}` alone")
            })
        };
        text.split(',').map(field).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for PgnFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            FIELDS.iter().filter(|(_, field)| self.has(*field)).map(|(name, _)| *name).collect();
        f.write_str(if names.is_empty() { NONE } else { "" })?;
        f.write_str(&names.join(","))
    }
}

impl TryFrom<String> for PgnFields {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PgnFields> for String {
    fn from(fields: PgnFields) -> Self {
        fields.to_string()
    }
}

impl PgnFields {
    fn has(&self, field: Field) -> bool {
        self.0.contains(&field)
    }

    /// Whether moves have no comments.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The comment of a move, as much of it as is known: score, depth and time as cutechess writes them, then the other
    /// fields by their names, and whether the score is a bound.
    pub(super) fn comment(&self, played: &MoveRecord) -> String {
        let mut first = String::new();
        if let Some(score) = played.score.filter(|_| self.has(Field::Score)) {
            first.push_str(&score_text(score));
        }
        if let Some(depth) = played.depth.filter(|_| self.has(Field::Depth)) {
            // A string takes all that is written to it.
            let _ = write!(first, "/{depth}");
        }
        if self.has(Field::Time) {
            let blank = if first.is_empty() { "" } else { " " };
            let _ = write!(first, "{blank}{}", time_text(played.time_ms));
        }
        let mut parts = vec![first];
        let mut say = |field, text: Option<String>| parts.extend(text.filter(|_| self.has(field)));
        say(Field::Clock, played.clock_ms.map(|clock| format!("clock {:.2}s", clock / 1e3)));
        say(Field::Nodes, played.nodes.map(|nodes| format!("nodes {nodes}")));
        say(Field::SelDepth, played.sel_depth.map(|depth| format!("seldepth {depth}")));
        say(
            Field::Speed,
            // By the engine's own time, where it reports one.
            played.nodes.and_then(|nodes| {
                let milliseconds = played.own_ms.map_or(played.time_ms, |own| own as f64);
                (milliseconds > 0.0).then(|| format!("{:.0} nodes/s", nodes as f64 * 1e3 / milliseconds))
            }),
        );
        say(Field::Pv, (!played.pv.is_empty()).then(|| format!("pv {}", played.pv)));
        let bound = played.bound.map(|bound| match bound {
            ScoreBound::Lower => "lower bound".to_owned(),
            ScoreBound::Upper => "upper bound".to_owned(),
        });
        say(Field::Score, bound);
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }
}

/// A score in pawns or in plies to the end, as cutechess writes them: `+0.30`, `-M4`.
fn score_text(score: EngineScore) -> String {
    match score {
        EngineScore::Cp(0) => "0.00".to_owned(),
        EngineScore::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        // Who moves has not won yet, so that no distance at all is a loss.
        EngineScore::Mate(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs()),
    }
}

/// Seconds from milliseconds, with fewer decimals the more there are, in whole milliseconds.
fn time_text(milliseconds: f64) -> String {
    let decimals = match milliseconds.round() {
        ..1.0 => return "0s".to_owned(),
        ..100.0 => 3,
        ..1000.0 => 2,
        ..10_000.0 => 1,
        _ => 0,
    };
    format!("{:.decimals$}s", milliseconds.round() / 1e3)
}
