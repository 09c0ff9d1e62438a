//! The `position` command for the moves of a game.

use std::fmt;

use plumb::board::{Geometry, Position};
use plumb_protocol::{Column, Dialect, Move, MoveForm};

/// A legal move in the spelling of a dialect, `P@d1` in UCI and `d` in UGI; columns are counted from 0.
#[must_use]
pub fn move_word<G: Geometry>(position: &Position<G>, column: u32, dialect: Dialect) -> String {
    let row = position.landing(column).map_or(0, |cell| position.geometry().row_of(cell));
    let form = match dialect {
        Dialect::Uci => MoveForm::Drop(row as u8 + 1),
        Dialect::Ugi => MoveForm::Letter,
    };
    Column::new(column as u8).map(|column| Move::new(column, form).to_string()).unwrap_or_default()
}

/// The `position` command after moves from the empty board, in the spelling of one dialect:
/// `position startpos moves P@d1`.
#[derive(Clone, Debug)]
pub struct PositionCommand<G: Geometry> {
    dialect: Dialect,
    position: Position<G>,
    moves: String,
}

impl<G: Geometry> PositionCommand<G> {
    /// The command for the empty board, of the size that the engine has been told.
    #[must_use]
    pub fn new(dialect: Dialect, board: G) -> Self {
        Self { dialect, position: Position::empty(board), moves: String::new() }
    }

    /// The command after legal moves in these columns, counted from 0.
    #[must_use]
    pub fn after(dialect: Dialect, board: G, columns: impl IntoIterator<Item = u32>) -> Self {
        let mut command = Self::new(dialect, board);
        columns.into_iter().for_each(|column| command.push(column));
        command
    }

    /// Appends a legal move in a column, counted from 0; a move that is not legal is left out.
    pub fn push(&mut self, column: u32) {
        let Some(next) = self.position.play(column) else { return };
        self.moves += if self.moves.is_empty() { " moves " } else { " " };
        self.moves += &move_word(&self.position, column, self.dialect);
        self.position = next;
    }
}

impl<G: Geometry> fmt::Display for PositionCommand<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position startpos{}", self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::Standard;

    #[test]
    fn moves_are_spelled_as_the_dialect_wants_them() {
        let command = |columns: &[u32], dialect| {
            PositionCommand::after(dialect, Standard::default(), columns.iter().copied()).to_string()
        };
        assert_eq!(command(&[], Dialect::Uci), "position startpos");
        assert_eq!(command(&[3, 3, 0, 6], Dialect::Uci), "position startpos moves P@d1 P@d2 P@a1 P@g1");
        assert_eq!(command(&[3, 3, 0, 6], Dialect::Ugi), "position startpos moves d d a g");
    }
}
