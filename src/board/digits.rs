//! Positions as lists of moves: one column digit a move, from 1, as Pascal Pons and others write them.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::escaped::Escaped;
use super::geometry::{Geometry, StaticGeometry};
use super::moves::MoveError;
use super::position::Position;

/// The error of [`Position::from_digits`]: the first character that is no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DigitsError {
    /// The character.
    pub token: char,
    /// Its offset in bytes, which is also the number of moves before it.
    pub offset: usize,
    /// Its fault.
    pub fault: DigitFault,
}

/// The fault of a character of a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DigitFault {
    /// It is not a digit from 1 to 9.
    NotADigit(char),
    /// The move is illegal.
    Illegal(MoveError),
}

impl Display for DigitFault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotADigit(found) => {
                write!(f, "`{}` is not a column digit from 1 to 9", Escaped(found.encode_utf8(&mut [0; 4])))
            }
            Self::Illegal(error) => error.fmt(f),
        }
    }
}

impl Display for DigitsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { token, offset, fault } = self;
        let mut bytes = [0; 4];
        let token = Escaped(token.encode_utf8(&mut bytes));
        match fault {
            DigitFault::NotADigit(_) => {
                write!(f, "`{token}` at byte {offset}: not a column digit from 1 to 9")
            }
            DigitFault::Illegal(error) => write!(f, "`{token}` at byte {offset}: {error}"),
        }
    }
}

impl Error for DigitsError {}

impl<G: StaticGeometry> Position<G> {
    /// The position after a list of column digits from 1, played from the empty board. Columns past the ninth have no
    /// digit.
    ///
    /// # Errors
    /// [`DigitsError`] with the first character that is no digit from 1 to 9 or no legal move.
    ///
    /// ```
    /// use plumb::board::Position;
    ///
    /// let position: Position = Position::from_digits("4455")?;
    /// assert_eq!(position.plies(), 4);
    /// let error = Position::<plumb::board::Standard>::from_digits("4458").unwrap_err();
    /// assert_eq!(error.to_string(), "`8` at byte 3: there is no column h (columns a to g)");
    /// # Ok::<(), plumb::board::DigitsError>(())
    /// ```
    pub fn from_digits(digits: &str) -> Result<Self, DigitsError> {
        Self::from_digits_on(G::default(), digits)
    }
}

impl<G: Geometry> Position<G> {
    /// The position after a list of column digits from 1, played from the empty board of a size.
    ///
    /// # Errors
    /// As [`from_digits`](Position::from_digits).
    pub fn from_digits_on(geometry: G, digits: &str) -> Result<Self, DigitsError> {
        let mut position = Self::empty(geometry);
        for (offset, token) in digits.char_indices() {
            let error = |fault| DigitsError { token, offset, fault };
            let digit = token.to_digit(10).filter(|&digit| digit > 0);
            let digit = digit.ok_or_else(|| error(DigitFault::NotADigit(token)))?;
            position = position.try_play(digit - 1).map_err(|illegal| error(DigitFault::Illegal(illegal)))?;
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Standard;
    use super::*;

    #[test]
    fn illegal_moves_say_why() {
        let fault = |digits: &str| {
            let error = Position::<Standard>::from_digits(digits).expect_err(digits);
            (error.offset, error.fault)
        };
        let illegal = DigitFault::Illegal;
        assert_eq!(fault("4444444"), (6, illegal(MoveError::ColumnFull { column: 3 })));
        assert_eq!(fault("48"), (1, illegal(MoveError::NoSuchColumn { column: 7, width: 7 })));
        assert_eq!(fault("40"), (1, DigitFault::NotADigit('0')));
        assert_eq!(fault("11223344"), (7, illegal(MoveError::GameOver)));
    }
}
