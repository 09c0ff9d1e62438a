//! The commands `position` and `moves`.

use plumb_protocol::{Base, Expected, LineError, Move, MoveForm, PositionCommand, Reason, Token};

use crate::board::{
    self, Board, BoardSize, ColumnNotation, Geometry, MoveError, ParsePositionError, Position, PositionFault,
};

/// The position that a `position` command describes. `board` is the present one; a FEN of another size has its own.
///
/// # Errors
/// The fault of the FEN, or the first illegal move.
pub(super) fn set_up(command: &PositionCommand<'_>, board: Board) -> Result<Position<Board>, LineError> {
    let base = match &command.base {
        Base::Start => Position::empty(board),
        Base::Fen(fen) => {
            let size = BoardSize::of_fen(fen.text).unwrap_or(board.size());
            let board = Board::new(size).map_err(|error| {
                let BoardSize { width, height } = size;
                let rows = fen.text.split_whitespace().next().unwrap_or_default();
                LineError::new(
                    rows,
                    fen.offset,
                    Reason::Invalid(format!("these are {width} columns and {height} rows; {error}")),
                )
            })?;
            Position::from_fen_on(board, fen.text).map_err(|error| {
                let ParsePositionError { token, offset, fault, .. } = error;
                LineError::new(&token, fen.offset + offset, Reason::Invalid(fault.to_string()))
            })?
        }
    };
    play(base, &command.moves)
}

/// The position after `moves` from `position`.
///
/// # Errors
/// The first illegal move.
pub(super) fn play(
    position: Position<Board>,
    moves: &[Token<'_, Move>],
) -> Result<Position<Board>, LineError> {
    moves.iter().try_fold(position, |position, token| {
        let Move { column, .. } = token.value;
        let rank = token.value.rank().map(u32::from);
        position
            .try_play(board::Move { column: column.index().into(), rank })
            .map_err(|error| illegal(token, error))
    })
}

/// The error of an illegal move, with columns as the move names them.
pub(super) fn illegal(token: &Token<'_, Move>, error: MoveError) -> LineError {
    let notation = match token.value.form {
        MoveForm::Digit => ColumnNotation::Numbers { first: 1 },
        _ => ColumnNotation::Letters,
    };
    token.error(error.describe(notation))
}

/// A syntax error, of a column 0 in the sentence of [`board::PositionReader`].
pub(super) fn with_columns(error: LineError, board: Board) -> LineError {
    match error.reason {
        Reason::Expected(Expected::ColumnDigit) => {
            let fault = PositionFault::CountsFromOne(board.width());
            LineError::new(&error.token, error.offset, Reason::Invalid(fault.to_string()))
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;
    use plumb_protocol::{Command, parse_command};

    fn set_up(line: &str) -> Result<Position<Board>, String> {
        match parse_command(line).expect(line).expect("not blank").command {
            Command::Position(command) => super::set_up(&command, Board::default()),
            Command::Moves(moves) => play(played("44"), &moves),
            other => panic!("{other:?}"),
        }
        .map_err(|error| error.to_string())
    }

    #[test]
    fn all_spellings_lead_to_the_same_position() {
        let expected = played("4455");
        for line in [
            "position startpos moves P@d1 P@d2 P@e1 P@e2",
            "position startpos moves d d e e",
            "position startpos moves p@D1 @d2 e1 5",
            "position moves 4455",
            "position 4455",
            "position 4 4 55",
            "position fen 7/7/7/7/3p3/3P3 w moves 55",
            "position  fen\t7/7/7/7/3oo2/3xx2  w  -  -  0  1",
            "position fen 7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2 moves P@e1 P@e2",
            "moves 55",
        ] {
            assert_eq!(set_up(line), Ok(expected), "{line}");
        }
        for line in ["position", "position startpos", "position startpos moves ", "position moves"] {
            assert_eq!(set_up(line), Ok(played("")), "{line}");
        }
    }

    #[test]
    fn errors_name_token_place_and_reason() {
        for (line, fault) in [
            ("position startpos moves d d3", "`d3` at byte 26: the stone lands on rank 2, not 3"),
            ("position 4444444", "`4` at byte 15: column 4 is full"),
            ("position 448", "`8` at byte 11: there is no column 8 (columns 1 to 7)"),
            ("position startpos moves 1 h", "`h` at byte 26: there is no column h (columns a to g)"),
            ("position 11223344", "`4` at byte 16: the game is over"),
            ("moves d3 d5", "`d5` at byte 9: the stone lands on rank 4, not 5"),
            ("position fen  7/7/7/7/7/8  w", "`8` at byte 24: the row has 8 columns, the board 7"),
            (
                "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "`n` at byte 14: expected a stone (P p, X O, r y), a number of gaps or `/`",
            ),
            ("position fen 7/7/7/7/7/7   b", "`b` at byte 27: with 0 and 0 stones the other side is to move"),
        ] {
            assert_eq!(set_up(line), Err(fault.to_owned()), "{line}");
        }
    }
}
