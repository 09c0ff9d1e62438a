//! The games as the script gets them: JSON with little in it that is not a number.

use anyhow::{Context, Result};
use serde::Serialize;

use super::model::Report;
use crate::escape;
use crate::record::{EngineScore, GameRecord, GameResult, MoveRecord, Reason};

/// A mate in `n` plies is this less `n`, and the negative of that for the loser; estimates are nearer to 0.
const MATE: i64 = 1_000_000;

/// Everything; the script has the same fields.
#[derive(Serialize)]
struct Data<'a> {
    engines: Vec<&'a str>,
    reasons: Vec<String>,
    /// How many of the reasons, counted from the first, are no faults.
    fair: usize,
    games: Vec<Game<'a>>,
}

/// A game, in short names as there are thousands. Lists have an entry for each move after the opening, and are
/// missing if all their entries are.
#[derive(Serialize)]
struct Game<'a> {
    /// Number and pair, from 0.
    n: u32,
    p: u32,
    /// The opening's name and columns.
    #[serde(skip_serializing_if = "str::is_empty")]
    o: &'a str,
    b: &'a str,
    /// The engines, by number.
    f: usize,
    s: usize,
    /// 1, 0 or -1, for the first player.
    r: i8,
    /// The reason by number, and the detail.
    w: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    d: &'a str,
    /// The columns after the opening.
    m: String,
    /// Seconds.
    t: f64,
    /// Of the moves: times, clocks in milliseconds; depths, scores, nodes, losses.
    tt: Option<Vec<Option<f64>>>,
    cc: Option<Vec<Option<f64>>>,
    dd: Option<Vec<Option<u32>>>,
    ss: Option<Vec<Option<i64>>>,
    nn: Option<Vec<Option<u64>>>,
    ll: Option<Vec<Option<i32>>>,
}

/// The games of the report as JSON that may stand in a script element.
///
/// # Errors
/// Not in practice: only if JSON cannot hold it.
pub(super) fn data(report: &Report<'_>) -> Result<String> {
    let mut engines: Vec<&str> = report.header.engines.iter().map(|engine| engine.name.as_str()).collect();
    let mut number = |name| {
        engines.iter().position(|engine| *engine == name).unwrap_or_else(|| {
            engines.push(name);
            engines.len() - 1
        })
    };
    let mut games: Vec<_> =
        report.games.iter().map(|game| compact(game, number(&game.first), number(&game.second))).collect();
    games.sort_by_key(|game| game.n);
    let reasons = Reason::ALL.map(|reason| reason.to_string()).to_vec();
    let fair = Reason::ALL.iter().filter(|reason| !reason.is_fault()).count();
    let json =
        serde_json::to_string(&Data { engines, reasons, fair, games }).context("cannot write the games")?;
    Ok(escape::json(&json))
}

fn compact(game: &GameRecord, first: usize, second: usize) -> Game<'_> {
    Game {
        n: game.game,
        p: game.pair,
        o: &game.opening.name,
        b: &game.opening.moves,
        f: first,
        s: second,
        r: match game.result {
            GameResult::FirstWon => 1,
            GameResult::Draw => 0,
            GameResult::SecondWon => -1,
        },
        w: Reason::ALL.iter().position(|reason| *reason == game.reason).unwrap_or_default(),
        d: &game.detail,
        m: game.moves.iter().map(|played| char::from(b'0' + played.column)).collect(),
        t: rounded(game.seconds),
        tt: list(game, |played| Some(rounded(played.time_ms))),
        cc: list(game, |played| played.clock_ms.map(f64::round)),
        dd: list(game, |played| played.depth),
        ss: list(game, |played| played.score.map(number)),
        nn: list(game, |played| played.nodes),
        ll: list(game, |played| played.loss),
    }
}

/// A figure of each move, if there is one of any.
fn list<T>(game: &GameRecord, figure: impl Fn(&MoveRecord) -> Option<T>) -> Option<Vec<Option<T>>> {
    let figures: Vec<_> = game.moves.iter().map(figure).collect();
    figures.iter().any(Option::is_some).then_some(figures)
}

/// Three decimals below ten, else none: as much as is shown.
fn rounded(value: f64) -> f64 {
    if value < 10.0 { (value * 1e3).round() / 1e3 } else { value.round() }
}

/// A score as one number.
fn number(score: EngineScore) -> i64 {
    match score {
        EngineScore::Cp(value) => i64::from(value).clamp(-MATE / 2, MATE / 2),
        EngineScore::Mate(plies) => {
            let distance = MATE - i64::from(plies.unsigned_abs()).min(MATE / 4);
            if plies > 0 { distance } else { -distance }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_keep_their_order() {
        let scores = [
            EngineScore::Mate(-2),
            EngineScore::Mate(-20),
            EngineScore::Cp(i32::MIN),
            EngineScore::Cp(0),
            EngineScore::Cp(i32::MAX),
        ];
        let numbers = scores.map(number);
        assert!(numbers.is_sorted(), "{numbers:?}");
        assert_eq!(number(EngineScore::Mate(3)), 999_997);
        assert!(number(EngineScore::Mate(i32::MIN)) < number(EngineScore::Cp(i32::MIN)));
    }
}
