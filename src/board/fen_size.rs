//! The size of the board that a FEN is about.

use super::size::BoardSize;

impl BoardSize {
    /// The size of the board in a FEN: the number of its rows, and of columns if these are as many in each row. `None` if
    /// they are not.
    ///
    /// A FEN of a board of more than nine columns writes a gap of ten or more with two digits, which on a smaller board
    /// are two gaps. It is about the wide board if there is one; nobody divides gaps so that they look like one. Otherwise
    /// neither the existence of the board nor what stands on it is looked at.
    ///
    /// ```
    /// use plumb::board::BoardSize;
    ///
    /// assert_eq!(BoardSize::of_fen("8/8/8/8/8/3p4/3P4 w"), Some("8x7".parse()?));
    /// assert_eq!(BoardSize::of_fen("16/16/16/16"), Some("16x4".parse()?));
    /// assert_eq!(BoardSize::of_fen("7/7/7/7/3p2/3P3 w"), None);
    /// # Ok::<(), plumb::board::ParseBoardSizeError>(())
    /// ```
    #[must_use]
    pub fn of_fen(fen: &str) -> Option<Self> {
        let board = fen.split_whitespace().next()?;
        let rows = board.split_once('[').map_or(board, |(rows, _)| rows);
        let height = u32::try_from(rows.split('/').count()).ok()?;
        let size = |columns: fn(&str) -> u32| {
            let mut widths = rows.split('/').map(columns);
            let first = widths.next()?;
            widths.all(|width| width == first).then_some(Self { width: first, height })
        };
        let wide = size(columns_with_numbers).filter(|size| size.width > 9 && size.check(u128::BITS).is_ok());
        wide.or_else(|| size(columns_with_digits))
    }
}

/// The columns of a row in which successive digits are one number.
fn columns_with_numbers(row: &str) -> u32 {
    let (columns, gap) =
        row.chars().fold((0_u32, 0_u32), |(columns, gap), letter| match letter.to_digit(10) {
            Some(digit) => (columns, (gap * 10 + digit).min(1000)),
            None => (columns.saturating_add(gap + 1), 0),
        });
    columns.saturating_add(gap)
}

/// The columns of a row in which each digit is a number.
fn columns_with_digits(row: &str) -> u32 {
    row.chars().fold(0, |columns: u32, letter| columns.saturating_add(letter.to_digit(10).unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::super::any::AnyBoard;
    use super::super::position::Position;
    use super::*;

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
    fn successive_digits_are_one_number_where_that_makes_a_board() {
        for (fen, expected) in [
            ("11pp/11PP/1111/1111/1111/1111", Some("4x6")),
            ("1111111/11p1111/11P1111/1111111", Some("7x4")),
            ("13/13/13/13", Some("13x4")),
            ("99/99/99/99", Some("18x4")),
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
