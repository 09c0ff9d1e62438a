//! Positions from text in either notation.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::digits::DigitsError;
use super::fen::FenError;
use super::geometry::{Geometry, StaticGeometry};
use super::position::Position;

/// The error of reading a [`Position`] from text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParsePositionError {
    /// The text was read as column digits.
    Digits(DigitsError),
    /// The text was read as a FEN, as it contains a `/`.
    Fen(FenError),
}

impl Display for ParsePositionError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digits(error) => error.fmt(f),
            Self::Fen(error) => error.fmt(f),
        }
    }
}

impl Error for ParsePositionError {}

/// Reads a FEN (see [`Position::from_fen`]) if the text contains a `/`, and otherwise column digits from 1 (see
/// [`Position::from_digits`]); the empty text is the empty board.
///
/// ```
/// use plumb::board::Position;
///
/// let position: Position = "4455".parse()?;
/// assert_eq!(position.to_string().parse(), Ok(position)); // Displays as a FEN.
/// assert!("4x".parse::<Position>().is_err());
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
impl<G: StaticGeometry> FromStr for Position<G> {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Self, ParsePositionError> {
        Self::parse_on(G::default(), text)
    }
}

impl<G: Geometry> Position<G> {
    /// Reads a FEN or column digits, as [`str::parse`] does for boards whose type determines their size.
    ///
    /// # Errors
    /// [`ParsePositionError`] if the text is neither, or no position of this board.
    pub fn parse_on(geometry: G, text: &str) -> Result<Self, ParsePositionError> {
        if text.contains('/') {
            Self::from_fen_on(geometry, text).map_err(ParsePositionError::Fen)
        } else {
            Self::from_digits_on(geometry, text).map_err(ParsePositionError::Digits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Standard;
    use super::*;

    #[test]
    fn errors_name_token_place_and_reason_in_either_notation() {
        let error = |text: &str| text.parse::<Position<Standard>>().expect_err(text).to_string();
        assert_eq!(error("44x"), "`x` at byte 2: not a column digit from 1 to 9");
        assert_eq!(error("44ä"), "`ä` at byte 2: not a column digit from 1 to 9");
        assert_eq!(error("4444444"), "`4` at byte 6: column d is full");
        assert_eq!(error("7/7/7/7/7/8 w"), "`8` at byte 10: the row has 8 columns, the board 7");
    }

    #[test]
    fn errors_hold_no_control_characters() {
        for text in ["44\0", "4\u{7}4", "7/7/7/7/7/7 \0", "7/7/7/7/7/6\u{1b}", "7/7/7/7/7/\n\u{85}7"] {
            let error = text.parse::<Position<Standard>>().expect_err(text).to_string();
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }

    #[test]
    fn the_empty_text_is_the_empty_board() {
        assert_eq!("".parse(), Ok(Position::<Standard>::new()));
    }
}
