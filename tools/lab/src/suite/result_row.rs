//! The result of a position, a row of the file for other programs.

use std::time::Duration;

use plumb::board::Board;
use plumb::score::Score;
use plumb_studies::scored_positions::ScoredPosition;
use serde::{Deserialize, Serialize};

use super::position_solver::{Answer, Solved};
use crate::results::Row;

/// The result of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ResultRow {
    pub file: String,
    pub line: usize,
    pub moves: String,
    pub expected: Option<Score>,
    pub score: Score,
    pub nodes: Option<u64>,
    /// Processor time of the built-in solver on one thread, else wall time.
    nanoseconds: u64,
    /// Whether the score was compared, or only its sign.
    compared: Compared,
    cpu_nanoseconds: Option<u64>,
    wall_nanoseconds: u64,
}

/// What was compared with the expected score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Compared {
    Score,
    Sign,
}

impl ResultRow {
    /// The result of a position of the file called `name`, with the score that was found and the one expected.
    pub(super) fn new(
        name: &str,
        entry: &ScoredPosition<Board>,
        found: Score,
        expected: Option<Score>,
        solved: &Solved,
    ) -> Self {
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        Self {
            file: name.to_owned(),
            line: entry.line,
            moves: entry.moves.clone(),
            expected,
            score: found,
            nodes: solved.nodes,
            nanoseconds: nanoseconds(solved.time),
            compared: match solved.answer {
                Answer::Exact(_) => Compared::Score,
                Answer::Sign(_) => Compared::Sign,
            },
            cpu_nanoseconds: solved.cpu.map(nanoseconds),
            wall_nanoseconds: nanoseconds(solved.wall),
        }
    }

    /// Whether it is the result of this position.
    pub(super) fn is_of(&self, name: &str, entry: &ScoredPosition<Board>) -> bool {
        (self.file.as_str(), self.line, self.moves.as_str()) == (name, entry.line, entry.moves.as_str())
    }

    /// Whether the score is not the expected one.
    pub(super) fn is_mismatch(&self) -> bool {
        self.expected.is_some_and(|expected| expected != self.score)
    }

    /// Whether only the sign was there to compare.
    pub(super) fn is_by_sign(&self) -> bool {
        self.compared == Compared::Sign
    }

    /// Processor time of the built-in solver on one thread, else wall time.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
    }

    /// Processor time, where it is known.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.cpu_nanoseconds.map(Duration::from_nanos)
    }

    /// Time of day.
    pub(super) fn wall(&self) -> Duration {
        Duration::from_nanos(self.wall_nanoseconds)
    }
}

impl Row for ResultRow {
    type Key = String;

    fn key(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}
