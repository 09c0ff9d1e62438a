//! The `position` command.

use std::fmt;

use crate::{Move, Token};

/// A position: a base, and the moves played from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand<'a> {
    /// The position before the moves.
    pub base: Base<'a>,
    /// The moves, in order. Joined digits such as `4455` are one move each.
    pub moves: Vec<Token<'a, Move>>,
}

/// The position that moves are played from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Base<'a> {
    /// `startpos`, or no base at all: the empty board.
    #[default]
    Start,
    /// `fen …`: the words before `moves`, at least one. The value has one blank between them, the token's text those of
    /// the line, so that offsets in the text count from the token's own. Whether it is a FEN is not checked.
    Fen(Token<'a, String>),
}

/// Prints the whole command: `position startpos moves P@d1`. A command without moves prints without `moves`.
impl fmt::Display for PositionCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position {}", self.base)?;
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        display_words(&self.moves, f)
    }
}

/// Prints `startpos` or `fen` and the FEN.
impl fmt::Display for Base<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("startpos"),
            Self::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}

/// Prints each word or move with a blank before it.
pub(crate) fn display_words(words: &[impl fmt::Display], out: &mut dyn fmt::Write) -> fmt::Result {
    words.iter().try_for_each(|word| write!(out, " {word}"))
}
