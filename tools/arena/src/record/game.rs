//! The games of a record.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::statistics::thousandths;

/// Finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number in the schedule, from 0. Games may end, and be recorded, in another order.
    pub game: u32,
    /// Number of the pair, from 0. Two games from one opening with swapped colours share it.
    pub pair: u32,
    /// Opening moves, which the engines did not choose.
    pub opening: Opening,
    /// Engine of the first player. After an opening of odd length, the second player moves first.
    pub first: String,
    /// Engine of the second player.
    pub second: String,
    /// Result of the game.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Reason,
    /// Details, such as the illegal move; usually empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Moves played after the opening, without an illegal last move.
    pub moves: Vec<MoveRecord>,
    /// Start in UTC: `2026-01-31T23:59:59.123Z`. Empty in older records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started: String,
    /// Wall time in seconds, without starting the engines.
    #[serde(serialize_with = "thousandths")]
    pub seconds: f64,
}

impl GameRecord {
    /// Losing engine, if any.
    pub fn loser(&self) -> Option<&str> {
        match self.result {
            GameResult::FirstWon => Some(&self.second),
            GameResult::SecondWon => Some(&self.first),
            GameResult::Draw => None,
        }
    }

    /// Number of the game in messages, from 1.
    pub fn number(&self) -> u64 {
        u64::from(self.game) + 1
    }
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, result, reason, detail, .. } = self;
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        write!(f, "game {}, {first} against {second}: {result}, {reason}{detail}", self.number())
    }
}

/// The moves of an opening.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Name of the opening; may be empty.
    pub name: String,
    /// Columns as digits from `1`, or as letters from `a` on more than nine columns.
    pub moves: String,
}

/// Move with the engine's report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// Column, from 1.
    pub column: u8,
    /// Thinking time in milliseconds, measured by the arena.
    #[serde(serialize_with = "thousandths")]
    pub time_ms: f64,
    /// Clock after the move in milliseconds, with increment. A move within the time margin cannot make it negative.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "thousandths")]
    pub clock_ms: Option<f64>,
    /// Search time in milliseconds as the engine reported it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_ms: Option<u64>,
    /// Search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Selective search depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sel_depth: Option<u32>,
    /// Score from the mover's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// Whether `score` is only a lower or upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ScoreBound>,
    /// Last lower bound reported after `score`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<EngineScore>,
    /// Last upper bound reported after `score`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<EngineScore>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Thousandths of the hash table in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_full: Option<u32>,
    /// Positions found in a book or tablebase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tb_hits: Option<u64>,
    /// Principal variation up to its first illegal move, like [`Opening::moves`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
    /// Error in the principal variation: an illegal move, or a game end at another ply than the mate score says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv_fault: String,
    /// Exact score that the move loses. `None` if unchecked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<i32>,
    /// Exact score before the move, for the mover. `None` if unchecked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
}

/// Score from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineScore {
    /// Estimate in hundredths of the engine's unit.
    Cp(i32),
    /// Plies to a proven end of the game. Positive if the mover wins.
    Mate(i32),
}

/// Kind of bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreBound {
    /// The true score is this score or above.
    Lower,
    /// The true score is this score or below.
    Upper,
}

/// Result, as in the PGN tag `Result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// The first player won.
    #[serde(rename = "1-0")]
    FirstWon,
    /// The second player won.
    #[serde(rename = "0-1")]
    SecondWon,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl EngineScore {
    /// Number for comparisons: mates are beyond all estimates.
    pub(crate) fn value(self) -> i32 {
        match self {
            Self::Cp(score) => score,
            Self::Mate(plies) if plies > 0 => i32::MAX,
            Self::Mate(_) => -i32::MAX,
        }
    }
}

impl GameResult {
    /// Win of a side: 0 for the first player.
    pub fn won_by(side: usize) -> Self {
        [Self::FirstWon, Self::SecondWon][side]
    }

    /// Half points of a side: 2 for a win, 1 for a draw. Side 0 is the first player.
    pub fn half_points(self, side: usize) -> usize {
        [[2, 0], [0, 2], [1, 1]][self as usize][side]
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why a game ended. The serialized names must not change. `CONTRIBUTING.md` explains how to add a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Four in a row.
    FourInARow,
    /// The board is full.
    FullBoard,
    /// Adjudicated by the engines' scores or the exact solver.
    Adjudicated,
    /// The loser's time ran out.
    TimeForfeit,
    /// The loser's move was illegal.
    IllegalMove,
    /// The loser's program ended or closed its streams, did not answer the handshake, or lacks an option or value.
    Crash,
    /// The loser did not answer `isready` or `stop` in time.
    Hang,
    /// The loser's answer is not a move.
    Nonsense,
    /// The loser sent an unrequested `bestmove`.
    SeveralBestMoves,
}

impl Reason {
    /// Whether the loser broke a rule or exceeded its time.
    pub fn is_forfeit(self) -> bool {
        match self {
            Self::FourInARow | Self::FullBoard | Self::Adjudicated => false,
            Self::TimeForfeit
            | Self::IllegalMove
            | Self::Crash
            | Self::Hang
            | Self::Nonsense
            | Self::SeveralBestMoves => true,
        }
    }

    /// Whether the game was forfeited other than on time.
    pub fn is_fault(self) -> bool {
        self.is_forfeit() && self != Self::TimeForfeit
    }

    /// Reason in words, and as the PGN tag `Termination`.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::FourInARow => ("four in a row", "normal"),
            Self::FullBoard => ("full board", "normal"),
            Self::Adjudicated => ("adjudicated", "adjudication"),
            Self::TimeForfeit => ("time forfeit", "time forfeit"),
            Self::IllegalMove => ("illegal move", "illegal move"),
            Self::Crash => ("crash", "abandoned"),
            Self::Hang => ("hang", "stalled connection"),
            Self::Nonsense => ("nonsense instead of a move", "rules infraction"),
            Self::SeveralBestMoves => ("unrequested move", "rules infraction"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().0)
    }
}

#[cfg(test)]
mod tests {
    use super::Reason::{Adjudicated, FourInARow, FullBoard};

    #[test]
    fn reasons_keep_their_names_in_files() {
        let all = [&[FourInARow, FullBoard, Adjudicated][..], &crate::test_match::FORFEITS].concat();
        let names = "four_in_a_row full_board adjudicated time_forfeit illegal_move crash hang nonsense several_best_moves";
        assert_eq!(serde_json::json!(all), serde_json::json!(names.split(' ').collect::<Vec<_>>()));
    }
}
