//! Moves and positions in UCI or UGI notation.

use plumb::board::{BoardSize, Geometry, Position};
use plumb_protocol::{Column, Dialect, Move, MoveForm, PositionCommand, Token};

/// `UCI_Variant` of a board: `cfour`, with the size except for 7x6.
pub fn variant(board: BoardSize) -> String {
    match board {
        BoardSize::STANDARD => "cfour".to_owned(),
        board => format!("cfour{board}"),
    }
}

/// Notation of a legal move: `P@d1` in UCI, `d` in UGI. `None` for a column past `z`.
pub fn spelled_move<G: Geometry>(position: &Position<G>, column: u32, dialect: Dialect) -> Option<Move> {
    let row = position.landing(column).map_or(0, |cell| position.geometry().row_of(cell));
    let form = match dialect {
        Dialect::Uci => MoveForm::Drop(row as u8 + 1),
        Dialect::Ugi => MoveForm::Letter,
    };
    Some(Move::new(Column::new(column as u8)?, form))
}

/// Converts the distance of a `score mate` to plies. UCI counts the winner's moves.
pub fn mate_plies(distance: i32, dialect: Dialect) -> i32 {
    match dialect {
        // A winning mover makes the first and the last ply.
        Dialect::Uci => distance.saturating_mul(2) - i32::from(distance > 0),
        Dialect::Ugi => distance,
    }
}

/// `position` command for moves in these columns, from 0. It ends before an illegal move.
pub fn position_after<G: Geometry>(
    dialect: Dialect,
    board: G,
    columns: impl IntoIterator<Item = u32>,
) -> PositionCommand<'static> {
    let mut command = PositionCommand::default();
    let mut position = Position::empty(board);
    for column in columns {
        let Some(next) = position.play(column) else { break };
        command.moves.extend(spelled_move(&position, column, dialect).map(Token::from));
        position = next;
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::Standard;

    #[test]
    fn moves_are_spelled_as_the_dialect_wants_them() {
        let command = |columns: &[u32], dialect| {
            position_after(dialect, Standard::default(), columns.iter().copied()).to_string()
        };
        assert_eq!(command(&[], Dialect::Uci), "position startpos");
        assert_eq!(command(&[3, 3, 0, 6], Dialect::Uci), "position startpos moves P@d1 P@d2 P@a1 P@g1");
        assert_eq!(command(&[3, 3, 0, 6], Dialect::Ugi), "position startpos moves d d a g");
    }

    #[test]
    fn mates_in_moves_become_plies() {
        let plies = [1, 3, -1, -2, 0, i32::MIN].map(|moves| mate_plies(moves, Dialect::Uci));
        assert_eq!(plies, [1, 5, -2, -4, 0, i32::MIN]);
    }
}
