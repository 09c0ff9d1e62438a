//! Columns and moves.

use std::fmt;

/// A column of the board, counted from the left; index 0 to 25.
///
/// The range is that of the letters `a` to `z`; the width of the board is not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// The largest index, that of column `z`.
    pub const MAX_INDEX: u8 = 25;

    /// The column with this index, counted from 0; `None` above [`Column::MAX_INDEX`].
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index <= Self::MAX_INDEX { Some(Self(index)) } else { None }
    }

    /// The column of a letter of either case: `a` and `A` are index 0. `None` for anything else.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='z' => Some(Self(letter as u8 - b'a')),
            'A'..='Z' => Some(Self(letter as u8 - b'A')),
            _ => None,
        }
    }

    /// The column of a digit: `1` is index 0, `9` is index 8. `None` for anything else, and for `0`, which is
    /// ambiguous between programs that count from 0 and programs with a tenth column.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='9' => Some(Self(digit as u8 - b'1')),
            _ => None,
        }
    }

    /// The index, 0 to 25, counted from the left.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The letter, `a` to `z`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self.0) as char
    }

    /// The digit, `1` to `9`; `None` from the tenth column on, which has no digit.
    #[must_use]
    pub const fn digit(self) -> Option<char> {
        if self.0 < 9 { Some((b'1' + self.0) as char) } else { None }
    }
}

/// Prints the letter.
impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A move in its notation: the column, and the form in which it is written.
///
/// ```
/// use plumb_protocol::{Column, Move, MoveForm};
///
/// let m: Move = "p@d1".parse()?;
/// assert_eq!((m.column.index(), m.form), (3, MoveForm::Drop(1)));
/// assert_eq!(m.to_string(), "P@d1");
/// assert_eq!("4".parse::<Move>()?.column, m.column);
/// # Ok::<(), plumb_protocol::LineError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The column that the stone is dropped into.
    pub column: Column,
    /// The form, with the rank if the form has one.
    pub form: MoveForm,
}

/// The form in which a move is written, here for column `d`. Ranks are 1 to 255, counted from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveForm {
    /// `P@d1`, also read from `p@d1` and `@d1`: a drop in the notation of UCI, with the rank of the landing square.
    Drop(u8),
    /// `d1`: the landing square alone, with its rank.
    Cell(u8),
    /// `d`, also read from `D`.
    Letter,
    /// `4`: the number of the column from 1, one digit. Columns from the tenth on have no such form and display as their
    /// letter.
    Digit,
}

impl Move {
    /// A move into this column, in this form.
    #[must_use]
    pub const fn new(column: Column, form: MoveForm) -> Self {
        Self { column, form }
    }

    /// The landing rank, 1 to 255 counted from the bottom, if the form has one.
    #[must_use]
    pub const fn rank(self) -> Option<u8> {
        match self.form {
            MoveForm::Drop(rank) | MoveForm::Cell(rank) => Some(rank),
            MoveForm::Letter | MoveForm::Digit => None,
        }
    }
}

/// Prints the move in its form.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column;
        match self.form {
            MoveForm::Drop(rank) => write!(f, "P@{column}{rank}"),
            MoveForm::Cell(rank) => write!(f, "{column}{rank}"),
            MoveForm::Letter => write!(f, "{column}"),
            MoveForm::Digit => write!(f, "{}", column.digit().unwrap_or(column.letter())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_letter_and_the_first_nine_a_digit() {
        for index in 0..=Column::MAX_INDEX {
            let column = Column::new(index).expect("the index is in range");
            assert_eq!(column.index(), index);
            assert_eq!(Column::from_letter(column.letter()), Some(column));
            assert_eq!(Column::from_letter(column.letter().to_ascii_uppercase()), Some(column));
            assert_eq!(column.digit().is_some(), index < 9);
            if let Some(digit) = column.digit() {
                assert_eq!(Column::from_digit(digit), Some(column));
            }
        }
        assert_eq!(Column::new(26), None);
    }

    #[test]
    fn other_characters_are_no_column() {
        for c in ['0', 'a', ' ', '@', '٣'] {
            assert_eq!(Column::from_digit(c), None, "{c}");
        }
        for c in ['0', '1', ' ', '@', '[', '`', '{', 'ä'] {
            assert_eq!(Column::from_letter(c), None, "{c}");
        }
    }

    #[test]
    fn forms_display_and_know_their_rank() {
        let column = Column(3);
        for (form, text, rank) in [
            (MoveForm::Drop(1), "P@d1", Some(1)),
            (MoveForm::Cell(12), "d12", Some(12)),
            (MoveForm::Letter, "d", None),
            (MoveForm::Digit, "4", None),
        ] {
            let m = Move::new(column, form);
            assert_eq!((m.to_string().as_str(), m.rank()), (text, rank));
        }
        assert_eq!(Move::new(Column(9), MoveForm::Digit).to_string(), "j");
    }
}
