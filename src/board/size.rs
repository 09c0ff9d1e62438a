//! Board sizes as values, and the size of the board in a FEN.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::bits::LAYOUTS;

/// A board size, written `7x6`: columns by rows. The library may not support boards of this size.
///
/// ```
/// use plumb::board::{BoardSize, Geometry, Standard};
///
/// let size: BoardSize = "7x6".parse()?;
/// assert_eq!(size, Standard::default().size());
/// assert_eq!(size.to_string(), "7x6");
/// # Ok::<(), plumb::board::BoardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl BoardSize {
    /// Minimum number of columns and of rows: the length of a winning line.
    pub const LEAST: u32 = 4;
    /// Greatest width, possible with four rows only.
    pub const MAX_WIDTH: u32 = 25;
    /// Greatest height, possible with four columns only.
    pub const MAX_HEIGHT: u32 = 31;

    /// The standard size, 7x6.
    pub const STANDARD: Self = Self { width: 7, height: 6 };

    /// All supported sizes, sorted by width, then by height.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        LAYOUTS.iter().map(|layout| Self { width: layout.width, height: layout.height })
    }

    pub(super) fn exists(self) -> bool {
        Self::all().any(|size| size == self)
    }
}

/// The error for an unsupported size, or for text that is not a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError(String);

impl BoardError {
    /// The error for a size that is too small or does not fit in `bits` bits. Each column takes one spare
    /// bit.
    pub(super) fn unsupported(size: BoardSize, bits: u32) -> Self {
        let (width, least) = (size.width, BoardSize::LEAST);
        if width.min(size.height) < least {
            return Self(format!("a board has at least {least} columns and {least} rows"));
        }
        let rows = (bits / width).saturating_sub(1);
        let limit = if rows < least {
            format!("has at most {} columns", bits / (least + 1))
        } else {
            format!("with {width} columns has at most {rows} rows")
        };
        Self(format!("a board {limit}: columns times (rows + 1) is {bits} at most"))
    }
}

impl Display for BoardError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for BoardError {}

impl Display for BoardSize {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for BoardSize {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        if let Some((width, height)) = text.split_once('x')
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'x')
            && let (Ok(width), Ok(height)) = (width.parse(), height.parse())
        {
            return Ok(Self { width, height });
        }
        Err(BoardError("expected columns and rows as WxH, such as 7x6".to_owned()))
    }
}

impl BoardSize {
    /// The size of the board in a FEN. `None` if the rows differ in length or the text is blank.
    ///
    /// Two digits are one gap on boards of more than nine columns, otherwise two gaps. The first reading wins
    /// if it gives all rows the same width. The size may be unsupported. The stones are not checked.
    ///
    /// ```
    /// use plumb::board::BoardSize;
    ///
    /// assert_eq!(BoardSize::of_fen("8/8/8/8/8/3p4/3P4 w"), Some("8x7".parse()?));
    /// assert_eq!(BoardSize::of_fen("16/16/16/16"), Some("16x4".parse()?));
    /// assert_eq!(BoardSize::of_fen("7/7/7/7/3p2/3P3 w"), None);
    /// # Ok::<(), plumb::board::BoardError>(())
    /// ```
    #[must_use]
    pub fn of_fen(fen: &str) -> Option<Self> {
        let board = fen.split_whitespace().next()?;
        let rows = board.split_once('[').map_or(board, |(rows, _)| rows);
        let height = u32::try_from(rows.split('/').count()).ok()?;
        let wide = common_width(rows, true).filter(|width| (10..100).contains(width));
        let width = wide.or_else(|| common_width(rows, false))?;
        Some(Self { width, height })
    }
}

fn common_width(rows: &str, are_numbers: bool) -> Option<u32> {
    let mut widths = rows.split('/').map(|row| columns(row, are_numbers));
    let first = widths.next()?;
    if widths.all(|width| width == first) { Some(first) } else { None }
}

fn columns(row: &str, are_numbers: bool) -> u32 {
    let (mut columns, mut gap) = (0_u32, 0);
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) if are_numbers => gap = (gap * 10 + digit).min(1000),
            other => {
                columns = columns.saturating_add(gap + other.unwrap_or(1));
                gap = 0;
            }
        }
    }
    columns.saturating_add(gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::any::AnyBoard;
    use crate::board::position::Position;

    #[test]
    fn a_size_that_is_refused_says_why() {
        let reason =
            |width, height, bits| BoardError::unsupported(BoardSize { width, height }, bits).to_string();
        assert_eq!(reason(3, 6, 128), "a board has at least 4 columns and 4 rows");
        assert_eq!(reason(7, 0, 128), "a board has at least 4 columns and 4 rows");
        for (width, height, bits, most) in [
            (12, 10, 128, "a board with 12 columns has at most 9 rows"),
            (25, 5, 128, "a board with 25 columns has at most 4 rows"),
            (26, 4, 128, "a board has at most 25 columns"),
            (9, 7, 64, "a board with 9 columns has at most 6 rows"),
            (u32::MAX, u32::MAX, 64, "a board has at most 12 columns"),
        ] {
            let expected = format!("{most}: columns times (rows + 1) is {bits} at most");
            assert_eq!(reason(width, height, bits), expected);
        }
    }

    #[test]
    fn the_list_of_sizes_is_complete_and_in_order() {
        let all: Vec<_> = BoardSize::all().collect();
        assert_eq!((all.len(), all[0].to_string()), (157, "4x4".to_owned()));
        assert!(all.is_sorted_by_key(|size| (size.width, size.height)));
        assert!(all.contains(&BoardSize::STANDARD));
        assert_eq!(all.iter().map(|size| size.width).max(), Some(BoardSize::MAX_WIDTH));
        assert_eq!(all.iter().map(|size| size.height).max(), Some(BoardSize::MAX_HEIGHT));
    }

    #[test]
    fn sizes_are_two_numbers() {
        assert_eq!("12x4".parse(), Ok(BoardSize { width: 12, height: 4 }));
        for text in ["", "7", "7x", "x6", "7x6x5", "7X6", "-7x6", "+7x6", "7 x6", "seven", "99999999999x6"] {
            let error = text.parse::<BoardSize>().expect_err(text).to_string();
            assert_eq!(error, "expected columns and rows as WxH, such as 7x6", "{text}");
        }
    }

    #[test]
    fn a_fen_of_every_board_is_known_by_its_rows() {
        for size in BoardSize::all() {
            let board = AnyBoard::<u128>::new(size).expect("a board");
            for moves in [&[][..], &[0], &[3, 3], &[1, 2, 1, 3]] {
                let position = moves.iter().try_fold(Position::empty(board), |position, &m| position.play(m));
                let position = position.expect("legal");
                let fen = position.fen();
                assert_eq!(BoardSize::of_fen(&fen), Some(size), "{fen}");
                assert_eq!(Position::from_fen_on(board, &fen), Ok(position));
            }
        }
    }

    #[test]
    fn successive_digits_are_one_number_where_all_rows_agree_on_a_wide_board() {
        for (fen, expected) in [
            ("11pp/11PP/1111/1111/1111/1111", Some("4x6")),
            ("1111111/11p1111/11P1111/1111111", Some("7x4")),
            ("13/13/13/13", Some("13x4")),
            ("1111/1111/1111/1111", Some("4x4")),
            ("16/16/16/16/16/16/16", Some("16x7")),
            ("7/7", Some("7x2")),
            ("rnbqkbnr/8/8/8[] w", Some("8x4")),
            ("", None),
            (" ", None),
            ("7/7/7/7/7/8", None),
            ("7/7/7//7/7", None),
            ("p/pp", None),
            ("99999999999/1", None),
        ] {
            let size = BoardSize::of_fen(fen).map(|size| size.to_string());
            assert_eq!(size.as_deref(), expected, "{fen}");
        }
    }
}
