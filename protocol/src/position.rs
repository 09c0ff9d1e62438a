//! The `position` command.

use std::fmt;

use crate::{Located, Move};

/// Where a position comes from: a base, and the moves played from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// The position before the moves.
    pub base: Base,
    /// The moves, in order. A glued list such as `4455` has become one move per digit.
    pub moves: Vec<Located<Move>>,
}

/// The position that moves are played from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// `startpos`, or no base at all: the empty board.
    #[default]
    Start,
    /// `fen …`: the words before `moves`, joined by one blank each. At least one word, and nothing else is known of
    /// them; offsets inside the text hold for the line as long as that has single blanks too.
    Fen(Located<String>),
}

/// Prints the whole command: `position startpos moves P@d1`. A command without moves prints without `moves`.
impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.base)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        display_moves(&self.moves, f)
    }
}

/// Prints `startpos` or `fen` and the FEN.
impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}

/// Prints each move with a blank before it.
pub(crate) fn display_moves(moves: &[impl fmt::Display], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    moves.iter().try_for_each(|m| write!(f, " {m}"))
}
