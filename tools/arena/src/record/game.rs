//! The games of a record: how each went and ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::statistics::thousandths;

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the schedule, from 0. Games stand in the file in the order in which they ended and were checked,
    /// after `match merge` in that of their numbers.
    pub game: u32,
    /// The two games of two engines from one opening, with swapped colours, have the same number, from 0; a game whose opening
    /// is played once has a number of its own.
    pub pair: u32,
    /// The moves before the engines' own.
    pub opening: Opening,
    /// The engine of the first player, also where the other engine moves first after the opening.
    pub first: String,
    /// The other engine.
    pub second: String,
    /// The result.
    pub result: GameResult,
    /// Why the game ended.
    pub reason: Reason,
    /// More about the reason, such as the illegal move; any text, mostly none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The moves after the opening, each legal.
    pub moves: Vec<MoveRecord>,
    /// Start of the game in UTC, after the start of its engines: `2026-01-31T23:59:59.123Z`. Empty in older records.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub started: String,
    /// Wall time of the game in seconds, without the start of its engines.
    #[serde(serialize_with = "thousandths")]
    pub seconds: f64,
}

impl GameRecord {
    /// The engine that lost, if one did.
    pub fn loser(&self) -> Option<&str> {
        match self.result {
            GameResult::FirstWon => Some(&self.second),
            GameResult::SecondWon => Some(&self.first),
            GameResult::Draw => None,
        }
    }

    /// Its number in messages, from 1.
    pub fn number(&self) -> u64 {
        u64::from(self.game) + 1
    }
}

impl fmt::Display for GameRecord {
    /// The game in a line for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, result, reason, detail, .. } = self;
        let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
        write!(f, "game {}, {first} against {second}: {result}, {reason}{detail}", self.number())
    }
}

/// The moves that were played for the engines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Its name; may be empty.
    pub name: String,
    /// Columns, one character each, from `1` on the left, or on boards of more than nine columns from `a`; none for the empty
    /// board.
    pub moves: String,
}

/// A move and what its engine said of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The column, from 1 on the left.
    pub column: u8,
    /// Time of the move in milliseconds.
    #[serde(serialize_with = "thousandths")]
    pub time_ms: f64,
    /// Time left on the mover's clock after the move, in milliseconds, never below 0. A late move that was tolerated
    /// leaves what the move adds: the increment, and the time of a new time control.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "thousandths")]
    pub clock_ms: Option<f64>,
    /// The time that the engine reports, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_ms: Option<u64>,
    /// The depth of the search in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The greatest depth of the search in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sel_depth: Option<u32>,
    /// The engine's opinion, seen from the mover.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    /// The side of `score`, if every score of the search was a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<ScoreBound>,
    /// The last lower bound that the engine reported after `score`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lower: Option<EngineScore>,
    /// The last upper bound that the engine reported after `score`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<EngineScore>,
    /// The positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Occupancy of the engine's hash table in thousandths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_full: Option<u32>,
    /// Positions that the engine found in a book or tablebase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tb_hits: Option<u64>,
    /// The columns of the line of play that the engine expects, up to the first that is not legal; written like those of
    /// [`Opening::moves`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
    /// The fault of that line: an illegal move, or an end of the game at another ply than the score says; else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv_fault: String,
    /// Exact score that the move gave away, from 0 for a best move; `None` if the move was not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<i32>,
    /// The exact score of the position before the move, for the mover; `None` if the move was not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<i32>,
}

/// An engine's opinion of a position, seen from the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineScore {
    /// An estimate, in hundredths of whatever the engine counts by; 0 is even.
    Cp(i32),
    /// A proven end in so many plies, whatever the dialect: positive if the mover wins, negative if it loses.
    Mate(i32),
}

/// On which side of a reported score the engine's opinion lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreBound {
    /// At this score or above.
    Lower,
    /// At this score or below.
    Upper,
}

/// Result of a game, in the words of the PGN tag `Result`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// The player who moved first won.
    #[serde(rename = "1-0")]
    FirstWon,
    /// The other player won.
    #[serde(rename = "0-1")]
    SecondWon,
    /// A draw.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl EngineScore {
    /// The score as a number. Mates are beyond all estimates.
    pub(crate) fn value(self) -> i32 {
        match self {
            Self::Cp(score) => score,
            Self::Mate(plies) if plies > 0 => i32::MAX,
            Self::Mate(_) => -i32::MAX,
        }
    }
}

impl GameResult {
    /// The player on this side won: 0 for the one who moved first.
    pub fn won_by(side: usize) -> Self {
        [Self::FirstWon, Self::SecondWon][side]
    }

    /// The half points of the player on this side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: usize) -> usize {
        // By result, in the order of the variants.
        [[2, 0], [0, 2], [1, 1]][self as usize][side]
    }
}

impl fmt::Display for GameResult {
    /// As in PGN and in records.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Why a game ended. In the file the names are in `snake_case`, and they stay as they are. The page, the Python package and
/// tests list the reasons too, where the compiler does not see it: `CONTRIBUTING.md` has a recipe for a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Somebody has four in a row.
    FourInARow,
    /// The board is full.
    FullBoard,
    /// The arena stopped it by the scores of the engines, or by a result that both reported and the solver confirmed.
    Adjudicated,
    /// The loser's time ran out.
    TimeForfeit,
    /// The loser's move was not legal.
    IllegalMove,
    /// The loser's program ended or closed its streams, did not answer the handshake, or does not declare an option
    /// that it was to get, or not that value.
    Crash,
    /// The loser did not answer `isready` or `stop` in time; it is sent `stop` when its move is overdue, or when it
    /// ponders on another move than was made.
    Hang,
    /// The loser answered with something that is not a move.
    Nonsense,
    /// The loser sent a `bestmove` that no `go` asked for.
    SeveralBestMoves,
}

impl Reason {
    /// Whether the game was forfeited: the loser broke a rule, time limits included, rather than being beaten.
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

    /// Whether the loser's program is at fault: a forfeit other than a loss on time, which is a result like others.
    pub fn is_fault(self) -> bool {
        self.is_forfeit() && self != Self::TimeForfeit
    }

    /// The words for people, and those of cutechess and of the PGN standard for the tag `Termination`.
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
    /// For people.
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
