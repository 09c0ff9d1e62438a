//! The size of the board that a FEN is about.

use super::size::BoardSize;

impl BoardSize {
    /// The size of the board in a FEN: the number of its rows, and of columns if these are as many in each row. `None` if
    /// they are not.
    ///
    /// A FEN of a board of more than nine columns writes a gap of ten or more with two digits, which on a smaller board
    /// are two gaps. So a FEN can be about two sizes: then it is about `expected`, if that is one of them, else about the
    /// wider board. Whether such a board exists and what stands on it is not looked at.
    ///
    /// ```
    /// use plumb::board::BoardSize;
    ///
    /// let size = BoardSize::of_fen("8/8/8/8/8/3p4/3P4 w", BoardSize::STANDARD);
    /// assert_eq!(size, Some("8x7".parse()?));
    /// assert_eq!(BoardSize::of_fen("7/7/7/7/3p2/3P3 w", BoardSize::STANDARD), None);
    /// # Ok::<(), plumb::board::ParseBoardSizeError>(())
    /// ```
    #[must_use]
    pub fn of_fen(fen: &str, expected: Self) -> Option<Self> {
        let board = fen.split_whitespace().next()?;
        let rows = board.split_once('[').map_or(board, |(rows, _)| rows);
        let height = u32::try_from(rows.split('/').count()).ok()?;
        let width = |columns: fn(&str) -> u32| {
            let mut widths = rows.split('/').map(columns);
            let first = widths.next()?;
            widths.all(|width| width == first).then_some(Self { width: first, height })
        };
        let wide = width(columns_with_numbers).filter(|size| size.width > 9);
        let narrow = width(columns_with_digits).filter(|size| size.width <= 9);
        [wide, narrow].into_iter().flatten().find(|&size| size == expected).or(wide).or(narrow)
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
    use super::super::geometry::Geometry;
    use super::super::position::Position;
    use super::*;

    fn size(fen: &str, expected: &str) -> Option<String> {
        BoardSize::of_fen(fen, expected.parse().expect("a size")).map(|size| size.to_string())
    }

    #[test]
    fn a_fen_of_every_board_is_known_by_its_rows() {
        for of in BoardSize::all() {
            let board = AnyBoard::<u128>::new(of).expect("a board");
            for moves in [&[][..], &[0], &[3, 3], &[1, 2, 1, 3]] {
                let position = moves.iter().try_fold(Position::empty(board), |position, &m| position.play(m));
                let fen = position.expect("legal").fen();
                for expected in [of, BoardSize::STANDARD] {
                    assert_eq!(BoardSize::of_fen(&fen, expected), Some(of), "{fen}");
                }
                let size = BoardSize::of_fen(&fen, of).expect("told");
                let board = AnyBoard::<u128>::new(size).expect("a board");
                assert_eq!(Position::from_fen_on(board, &fen).expect("read").geometry().size(), of);
            }
        }
    }

    #[test]
    fn what_can_be_two_sizes_is_the_expected_one() {
        let fen = "11pp/11PP/1111/1111/1111/1111";
        assert_eq!(size(fen, "7x6"), None, "neither reading has equal rows");
        let fen = "1111111/11p1111/11P1111/1111111";
        assert_eq!(size(fen, "7x4").as_deref(), Some("7x4"));
        let fen = "13/13/13/13";
        assert_eq!(size(fen, "4x4").as_deref(), Some("4x4"));
        assert_eq!(size(fen, "7x6").as_deref(), Some("13x4"));
    }

    #[test]
    fn unequal_rows_are_about_no_size() {
        for fen in ["", " ", "7/7/7/7/7/8", "7/7/7//7/7", "p/pp", "99999999999/1"] {
            assert_eq!(size(fen, "7x6"), None, "{fen}");
        }
        assert_eq!(size("7/7", "7x6").as_deref(), Some("7x2"));
        assert_eq!(size("rnbqkbnr/8/8/8[] w", "7x6").as_deref(), Some("8x4"));
    }
}
