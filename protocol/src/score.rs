//! Scores in `info` lines.

use std::fmt;

/// A value from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// An estimate in hundredths of the engine's unit; 0 is even. A proven draw is 0 too.
    Cp(i32),
    /// A proven end of the game. Positive: the side to move wins; negative: it loses; 0: it has lost already. The
    /// distance counts the winner's moves in UCI, and plies in UGI.
    Mate(i32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(value) => write!(f, "cp {value}"),
            Self::Mate(distance) => write!(f, "mate {distance}"),
        }
    }
}

/// The kind of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `lowerbound`: the true value is this or better.
    Lower,
    /// `upperbound`: the true value is this or worse.
    Upper,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lower => "lowerbound",
            Self::Upper => "upperbound",
        })
    }
}

/// A score that is exact or a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScoreReport {
    /// The value.
    pub score: Score,
    /// `None` if the value is exact.
    pub bound: Option<Bound>,
}

/// An exact score.
impl From<Score> for ScoreReport {
    fn from(score: Score) -> Self {
        Self { score, bound: None }
    }
}

/// Prints the text after the word `score`, such as `cp 12` or `mate -3 upperbound`.
impl fmt::Display for ScoreReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)?;
        self.bound.map_or(Ok(()), |bound| write!(f, " {bound}"))
    }
}
