//! The names of columns, moves as text, and the reasons why moves are illegal.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::geometry::Geometry;
use super::position::Position;

/// A move: the column of the stone, and possibly the rank on which it lands.
///
/// Displays as a column letter with or without the rank, `d` or `d1`. Also parsed from the drops of UCI, `P@d1`,
/// `p@d1` or `@d1`, and from a column number from 1, `4`.
///
/// ```
/// use plumb::board::Move;
///
/// let with_rank: Move = "d1".parse()?;
/// assert_eq!(with_rank, Move { column: 3, rank: Some(1) });
/// assert_eq!("P@d1".parse::<Move>()?, with_rank);
/// assert_eq!("4".parse::<Move>()?, Move::from(3));
/// assert_eq!(Move::from(3).to_string(), "d");
/// # Ok::<(), plumb::board::ParseMoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The column, from 0 at the left.
    pub column: u32,
    /// The rank on which the stone lands, from 1. `None` if the text has no rank.
    pub rank: Option<u32>,
}

impl From<u32> for Move {
    fn from(column: u32) -> Self {
        Self { column, rank: None }
    }
}

impl Display for Move {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&ColumnNotation::Letters.name(self.column))?;
        if let Some(rank) = self.rank {
            write!(f, "{rank}")?;
        }
        Ok(())
    }
}

/// The error for text that is not a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseMoveError;

impl Display for ParseMoveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("expected a move such as P@d1, d or 4")
    }
}

impl Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let number = |digits: &str| -> Option<u32> {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
            if is_number { digits.parse().ok() } else { None }
        };
        let cell = |text: &str| -> Option<(u32, Option<u32>)> {
            let letter = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
            let rank = &text[1..];
            let rank = if rank.is_empty() { None } else { Some(number(rank)?) };
            Some((u32::from(letter.to_ascii_lowercase() - b'a'), rank))
        };
        let drop = text.strip_prefix(['P', 'p']).unwrap_or(text).strip_prefix('@');
        let parsed = match drop {
            Some(landing) => cell(landing).filter(|(_, rank)| rank.is_some()),
            None => cell(text).or_else(|| Some((number(text)? - 1, None))),
        };
        parsed.map(|(column, rank)| Self { column, rank }).ok_or(ParseMoveError)
    }
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveError {
    /// The game is over.
    GameOver,
    /// The board has no such column.
    NoSuchColumn {
        /// The column of the move, from 0.
        column: u32,
        /// The number of columns of the board.
        width: u32,
    },
    /// The column has no empty cell.
    ColumnFull {
        /// The column of the move, from 0.
        column: u32,
    },
    /// The stone does not land on the rank that the move names.
    WrongRank {
        /// The rank of the move, from 1.
        named: u32,
        /// The rank where the stone lands, from 1.
        lands: u32,
    },
}

impl MoveError {
    /// The reason in words, with columns in the given notation.
    #[must_use]
    pub fn describe(self, notation: ColumnNotation) -> String {
        match self {
            Self::GameOver => "the game is over".to_owned(),
            Self::NoSuchColumn { column, width } => {
                format!("there is no column {} (columns {})", notation.name(column), notation.range(width))
            }
            Self::ColumnFull { column } => format!("column {} is full", notation.name(column)),
            Self::WrongRank { named, lands } => format!("the stone lands on rank {lands}, not {named}"),
        }
    }
}

impl Display for MoveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(ColumnNotation::Letters))
    }
}

impl Error for MoveError {}

impl<G: Geometry> Position<G> {
    /// The position after a move, given as a column (from 0) or a [`Move`]. A rank must be the rank where the
    /// stone lands.
    ///
    /// # Errors
    /// [`MoveError`] if the move is illegal.
    ///
    /// ```
    /// use plumb::board::{MoveError, Position};
    ///
    /// let position: Position = "444444".parse()?;
    /// assert_eq!(position.try_play(3), Err(MoveError::ColumnFull { column: 3 }));
    /// assert_eq!(position.try_play(4)?.plies(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_play(&self, m: impl Into<Move>) -> Result<Self, MoveError> {
        let Move { column, rank } = m.into();
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        let width = self.geometry().width();
        if column >= width {
            return Err(MoveError::NoSuchColumn { column, width });
        }
        let cell = self.landing(column).ok_or(MoveError::ColumnFull { column })?;
        let lands = self.geometry().row_of(cell) + 1;
        match rank {
            Some(named) if named != lands => Err(MoveError::WrongRank { named, lands }),
            _ => Ok(self.after(cell)),
        }
    }
}

const MAX_DIGITS: u32 = 9;

/// How a text names columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnNotation {
    /// Letters from `a`.
    Letters,
    /// Numbers. The leftmost column has the number `first`.
    Numbers {
        /// The number of the leftmost column.
        first: u32,
    },
}

impl ColumnNotation {
    fn name(self, column: u32) -> String {
        match (self, u8::try_from(column)) {
            (Self::Letters, Ok(column @ ..26)) => char::from(b'a' + column).to_string(),
            (Self::Letters, _) => (u64::from(column) + 1).to_string(),
            (Self::Numbers { first }, _) => (u64::from(column) + u64::from(first)).to_string(),
        }
    }

    /// The names of the first and the last column, such as `1 to 7`.
    pub(super) fn range(self, width: u32) -> String {
        format!("{} to {}", self.name(0), self.name(width - 1))
    }
}

/// The character of a column (from 0) in lists of moves: a digit from 1, or on boards of more than nine columns a
/// letter from `a`.
#[must_use]
pub const fn column_name(width: u32, column: u32) -> char {
    (if width <= MAX_DIGITS { b'1' } else { b'a' }).wrapping_add(column as u8) as char
}

/// Writes columns (from 0) as a list of moves that [`PositionReader`](super::PositionReader) can read.
///
/// ```
/// use plumb::board::column_names;
///
/// assert_eq!(column_names(7, [3, 3, 4]), "445");
/// assert_eq!(column_names(10, [9, 0]), "ja");
/// ```
#[must_use]
pub fn column_names(width: u32, columns: impl IntoIterator<Item = u32>) -> String {
    columns.into_iter().map(|column| column_name(width, column)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::Standard;

    #[test]
    fn columns_past_z_are_named_by_number() {
        let error = Position::<Standard>::new().try_play(30).expect_err("no such column");
        assert_eq!(error.to_string(), "there is no column 31 (columns a to g)");
        let error = Position::<Standard>::new().try_play(u32::MAX).expect_err("no such column");
        assert_eq!(error.to_string(), "there is no column 4294967296 (columns a to g)");
    }

    #[test]
    fn moves_are_read_as_they_are_printed() {
        for column in 0..40 {
            for rank in [None, Some(1), Some(12)].into_iter().filter(|rank| rank.is_none() || column < 26) {
                let m = Move { column, rank };
                assert_eq!(m.to_string().parse(), Ok(m));
            }
        }
        assert_eq!("D2".parse(), Ok(Move { column: 3, rank: Some(2) }));
        for text in ["P@d2", "p@D2", "@d2"] {
            assert_eq!(text.parse(), Ok(Move { column: 3, rank: Some(2) }), "{text}");
        }
        for text in "|0|d0|d01|04|-1|+1|d+1|dd|ä|1d|d 1|99999999999|P@|P@d|P@4|PP@d1".split('|') {
            assert_eq!(text.parse::<Move>(), Err(ParseMoveError), "{text}");
        }
    }
}
