//! Comments of moves in a PGN, as in `+0.30/12 0.051s`.

use std::fmt;
use std::str::FromStr;

use crate::record::game::{EngineScore, MoveRecord, ScoreBound};

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
    fn has(&self, field: &str) -> bool {
        debug_assert!(FIELDS.contains(&field), "{field}");
        self.0.contains(&field)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn comment(&self, played: &MoveRecord) -> String {
        let mut opinion = String::new();
        if let Some(score) = played.score
            && self.has("score")
        {
            opinion += &score_text(score);
        }
        if let Some(depth) = played.depth
            && self.has("depth")
        {
            opinion.extend(["/", &depth.to_string()]);
        }
        let time = if self.has("time") { time_text(played.time_ms) } else { String::new() };
        let blank = if opinion.is_empty() || time.is_empty() { "" } else { " " };
        let pv = if played.pv.is_empty() { None } else { Some(format!("pv {}", played.pv)) };
        let fields = [
            ("clock", played.clock_ms.map(|clock| format!("clock {:.2}s", clock / 1e3))),
            ("nodes", played.nodes.map(|nodes| format!("nodes {nodes}"))),
            ("seldepth", played.sel_depth.map(|depth| format!("seldepth {depth}"))),
            ("speed", speed(played).map(|speed| format!("{speed:.0} nodes/s"))),
            ("hashfull", played.hash_full.map(|full| format!("hashfull {full}"))),
            ("tbhits", played.tb_hits.map(|hits| format!("tbhits {hits}"))),
            ("pv", pv),
            ("score", played.bound.map(|bound| bound_text(bound).to_owned())),
            ("score", played.lower.map(|score| format!("lower bound {}", score_text(score)))),
            ("score", played.upper.map(|score| format!("upper bound {}", score_text(score)))),
        ];
        let mut parts = vec![opinion + blank + &time];
        for (field, text) in fields {
            if self.has(field) {
                parts.extend(text);
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }
}

/// Nodes per second by the engine's own time, which lacks the delay of the pipe.
fn speed(played: &MoveRecord) -> Option<f64> {
    let nodes = played.nodes?;
    let milliseconds = played.own_ms.map_or(played.time_ms, |own| own as f64);
    if milliseconds > 0.0 { Some(nodes as f64 * 1e3 / milliseconds) } else { None }
}

fn bound_text(bound: ScoreBound) -> &'static str {
    if bound == ScoreBound::Lower { "lower bound" } else { "upper bound" }
}

fn score_text(score: EngineScore) -> String {
    match score {
        EngineScore::Cp(0) => "0.00".to_owned(),
        EngineScore::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
        // A side to move at distance 0 has lost.
        EngineScore::Mate(plies) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs()),
    }
}

/// At most three decimals.
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
