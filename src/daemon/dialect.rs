//! The differences between UCI and UGI in the lines printed.

use plumb_protocol::{Column, Dialect, Move, MoveForm};

use super::options::Notation;
use crate::board::{Board, Geometry, Position};

/// The notation of moves and distances. A search keeps the style that it began with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// The protocol.
    pub(super) dialect: Dialect,
    /// The notation of moves.
    pub(super) notation: Notation,
}

impl Style {
    /// A move of `position` in this notation; `None` if it is illegal.
    #[must_use]
    pub(super) fn spell(self, position: &Position<Board>, column: u32) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let cell = position.landing(column)?;
        let rank = position.geometry().row_of(cell) as u8 + 1;
        let form = match (self.notation, self.dialect) {
            (Notation::Drop, _) | (Notation::Auto, Dialect::Uci) => MoveForm::Drop(rank),
            (Notation::Letter, _) | (Notation::Auto, Dialect::Ugi) => MoveForm::Letter,
            (Notation::Digit, _) => MoveForm::Digit,
        };
        Some(Move::new(Column::new(column as u8)?, form))
    }

    /// The distance after `score mate`, without its sign: the winner's moves in UCI, plies in UGI.
    #[must_use]
    pub(super) fn mate_distance(self, plies: u32) -> i32 {
        match self.dialect {
            Dialect::Uci => plies.div_ceil(2) as i32,
            Dialect::Ugi => plies as i32,
        }
    }

    /// The limit in plies of `go mate N`; at least 1, the shortest win.
    #[must_use]
    pub(super) fn mate_limit(self, distance: u32) -> u32 {
        match self.dialect {
            Dialect::Uci => distance.saturating_mul(2).saturating_sub(1),
            Dialect::Ugi => distance,
        }
        .max(1)
    }

    /// Whether `bestmove` may end in `ponder` and a move: not under UGI, where that hangs cutegames.
    #[must_use]
    pub(super) const fn names_ponder_move(self) -> bool {
        matches!(self.dialect, Dialect::Uci)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;

    fn style(dialect: Dialect, notation: Notation) -> Style {
        Style { dialect, notation }
    }

    #[test]
    fn the_notation_overrides_the_dialect() {
        let position = played("44");
        let spell = |dialect, notation| {
            style(dialect, notation).spell(&position, 3).map(|m| m.to_string()).expect("legal")
        };
        for (dialect, auto) in [(Dialect::Uci, "P@d3"), (Dialect::Ugi, "d")] {
            assert_eq!(spell(dialect, Notation::Auto), auto);
            assert_eq!(spell(dialect, Notation::Drop), "P@d3");
            assert_eq!(spell(dialect, Notation::Letter), "d");
            assert_eq!(spell(dialect, Notation::Digit), "4");
        }
    }

    #[test]
    fn illegal_moves_have_no_spelling() {
        let style = Style::default();
        assert_eq!(style.spell(&played("444444"), 3), None);
        assert_eq!(style.spell(&played(""), 7), None);
        assert_eq!(style.spell(&played("1122334"), 6), None);
    }

    #[test]
    fn distances_have_the_units_of_the_dialect() {
        let [uci, ugi] = [Dialect::Uci, Dialect::Ugi].map(|dialect| style(dialect, Notation::Auto));
        assert_eq!([0, 1, 2, 3, 4, 41].map(|plies| uci.mate_distance(plies)), [0, 1, 1, 2, 2, 21]);
        assert_eq!([0, 1, 2, 3, 4, 41].map(|plies| ugi.mate_distance(plies)), [0, 1, 2, 3, 4, 41]);
        assert_eq!([0, 1, 2, 21, u32::MAX].map(|n| uci.mate_limit(n)), [1, 1, 3, 41, u32::MAX - 1]);
        assert_eq!([0, 1, 41].map(|n| ugi.mate_limit(n)), [1, 1, 41]);
    }
}
