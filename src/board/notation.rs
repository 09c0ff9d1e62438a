//! Moves as strings and positions as move lists.

use std::fmt;

use super::{Geometry, Position};

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The game is over already.
    GameOver,
    /// The board has no such column; columns count from 0.
    NoSuchColumn {
        /// The column asked for.
        column: u32,
        /// The number of columns there are.
        width: u32,
    },
    /// The column has no free cell.
    ColumnFull {
        /// The column asked for.
        column: u32,
    },
    /// A rank was named, and the stone would land on another one.
    WrongRank {
        /// The rank named, from 1.
        named: u32,
        /// The rank where the stone lands, from 1.
        lands: u32,
    },
    /// Not a digit from 1 to 9.
    NotADigit {
        /// The character found.
        found: char,
    },
}

/// The letter of `column` (from 0).
fn letter(column: u32) -> char {
    char::from(b'a' + (column % 26) as u8)
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::GameOver => write!(f, "the game is over"),
            Self::NoSuchColumn { column, width } => {
                write!(f, "there is no column {} (columns a to {})", letter(column), letter(width - 1))
            }
            Self::ColumnFull { column } => write!(f, "column {} is full", letter(column)),
            Self::WrongRank { named, lands } => write!(f, "the stone lands on rank {lands}, not {named}"),
            Self::NotADigit { found } => write!(f, "`{found}` is not a column digit from 1 to 9"),
        }
    }
}

impl std::error::Error for MoveError {}

impl<G: Geometry> Position<G> {
    /// The position after a stone in `column` (from 0), which must land on `rank` (from 1) if one is given.
    ///
    /// # Errors
    /// What makes the move illegal; the position stays as it is.
    pub fn try_play(&self, column: u32, rank: Option<u32>) -> Result<Self, MoveError> {
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        if column >= G::WIDTH {
            return Err(MoveError::NoSuchColumn { column, width: G::WIDTH });
        }
        let cell = self.landing(column).ok_or(MoveError::ColumnFull { column })?;
        let lands = G::row_of(cell) + 1;
        match rank {
            Some(named) if named != lands => Err(MoveError::WrongRank { named, lands }),
            _ => Ok(self.after(cell)),
        }
    }

    /// The position after a list of 1-based column digits from the empty board, the notation of Pons and Marlin.
    ///
    /// # Errors
    /// The index of the first digit that is no legal move, and why.
    pub fn from_digits(digits: &str) -> Result<Self, (usize, MoveError)> {
        let mut position = Self::new();
        for (index, found) in digits.chars().enumerate() {
            let digit =
                found.to_digit(10).filter(|&d| d > 0).ok_or((index, MoveError::NotADigit { found }))?;
            position = position.try_play(digit - 1, None).map_err(|error| (index, error))?;
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standard;
    use super::*;

    #[test]
    fn illegal_moves_say_why() {
        let play = |digits: &str| Position::<Standard>::from_digits(digits).map(|_| ());
        assert_eq!(play("4444444"), Err((6, MoveError::ColumnFull { column: 3 })));
        assert_eq!(play("48"), Err((1, MoveError::NoSuchColumn { column: 7, width: 7 })));
        assert_eq!(play("40"), Err((1, MoveError::NotADigit { found: '0' })));
        assert_eq!(play("11223344"), Err((7, MoveError::GameOver)));
        let start = Position::<Standard>::new();
        assert_eq!(start.try_play(3, Some(2)), Err(MoveError::WrongRank { named: 2, lands: 1 }));
        assert!(start.try_play(3, Some(1)).is_ok());
    }
}
