//! The names of columns, and lists of moves with a character for each.

use std::fmt::{self, Display, Formatter};

/// The greatest number of columns that are named by one digit each.
const MAX_DIGITS: u32 = 9;

/// How a text names columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnNotation {
    /// Letters from `a`.
    Letters,
    /// Numbers, of which the leftmost column has the first one.
    Numbers {
        /// The number of the leftmost column.
        first: u32,
    },
}

impl ColumnNotation {
    /// The notation in which lists of moves are written: numbers from 1 on boards of up to nine columns, where each has
    /// one digit, else letters.
    #[must_use]
    pub const fn of_width(width: u32) -> Self {
        if width <= MAX_DIGITS { Self::Numbers { first: 1 } } else { Self::Letters }
    }

    /// The name of a column, counted from 0.
    pub(super) const fn name(self, column: u32) -> ColumnName {
        ColumnName(self, column)
    }

    /// The range of the columns, such as `1 to 7`.
    pub(super) fn range(self, width: u32) -> String {
        format!("{} to {}", self.name(0), self.name(width - 1))
    }
}

/// The name of a column: its number, or its letter; past `z` its number from 1.
pub(super) struct ColumnName(ColumnNotation, u32);

impl Display for ColumnName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(notation, column) = *self;
        match (notation, u8::try_from(column)) {
            (ColumnNotation::Letters, Ok(column @ ..26)) => write!(f, "{}", char::from(b'a' + column)),
            (ColumnNotation::Letters, _) => write!(f, "{}", u64::from(column) + 1),
            (ColumnNotation::Numbers { first }, _) => write!(f, "{}", u64::from(column) + u64::from(first)),
        }
    }
}

/// The character of a column, counted from 0, in lists of moves on a board of `width` columns: a digit from 1, or on boards
/// of more than nine columns a letter from `a`.
#[must_use]
pub const fn column_name(width: u32, column: u32) -> char {
    (if width <= MAX_DIGITS { b'1' } else { b'a' } + column as u8) as char
}

/// The list of moves into these columns, counted from 0, as [`PositionReader`](super::PositionReader) reads it.
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
