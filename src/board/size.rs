//! Board sizes as values, for code that learns them at run time.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::geometry::Geometry;

/// The size of a board, written `7x6`: columns by rows. Any numbers; only a [`Geometry`] is known to be playable.
///
/// ```
/// use plumb::board::{BoardSize, Standard};
///
/// let size: BoardSize = "7x6".parse()?;
/// assert_eq!(size, BoardSize::of::<Standard>());
/// assert_eq!(size.to_string(), "7x6");
/// # Ok::<(), plumb::board::ParseBoardSizeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl BoardSize {
    /// The size of board `G`.
    #[must_use]
    pub const fn of<G: Geometry>() -> Self {
        Self { width: G::WIDTH, height: G::HEIGHT }
    }
}

impl Display for BoardSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// The error of reading a [`BoardSize`] from a text that is not two numbers with an `x` between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseBoardSizeError;

impl Display for ParseBoardSizeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("expected columns and rows as WxH, such as 7x6")
    }
}

impl Error for ParseBoardSizeError {}

impl FromStr for BoardSize {
    type Err = ParseBoardSizeError;

    fn from_str(text: &str) -> Result<Self, ParseBoardSizeError> {
        let number = |digits: &str| {
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        };
        let sides = text.split_once('x').and_then(|(width, height)| number(width).zip(number(height)));
        sides.map(|(width, height)| Self { width, height }).ok_or(ParseBoardSizeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!("12x4".parse(), Ok(BoardSize { width: 12, height: 4 }));
        for text in ["", "7", "7x", "x6", "7x6x5", "7X6", "-7x6", "+7x6", "7 x6", "seven", "99999999999x6"] {
            assert_eq!(text.parse::<BoardSize>(), Err(ParseBoardSizeError), "{text}");
        }
    }
}
