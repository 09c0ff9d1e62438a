//! Whether a position can come about by moves.

use std::collections::HashSet;

use super::{Bits, Geometry, Position, each_cell};

impl<G: Geometry> Position<G> {
    /// Whether some sequence of moves leads here. A position that was set up need not have one: with twelve stones, the
    /// second player's may all be at the bottom and the first player's on top of them, and nobody could have begun.
    ///
    /// Whoever moves alternates, so stones are taken back in turn, each from the top of a column, until none is left or
    /// none can be taken. Sets of remaining stones are looked at once: a thousand of them at most with twelve stones,
    /// some hundred thousand on a full board.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        let mut seen = HashSet::new();
        let mut rest = vec![(self.mask(), self.plies())];
        while let Some((mask, plies)) = rest.pop() {
            if plies == 0 {
                return true;
            }
            let mover =
                if plies.abs_diff(self.plies()).is_multiple_of(2) { self.opponent() } else { self.own() };
            // The top of a column is the stone below its empty cell; a full column's is below the spare bit.
            let tops = (mask.plus(G::bottom()) >> 1) & mask & mover;
            rest.extend(
                each_cell(tops).map(|cell| (mask & !cell, plies - 1)).filter(|&(mask, _)| seen.insert(mask)),
            );
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Standard};

    #[test]
    fn what_was_played_is_reachable() {
        for moves in ["", "4", "112233", "44444433333322", "2252576253462244111563365343671351441"] {
            let position = Position::<Standard>::from_digits(moves).expect("legal");
            assert!(position.is_reachable(), "{moves}");
        }
    }

    /// On a small board, where all positions of either kind can be listed.
    #[test]
    fn exactly_the_positions_in_play_are_reachable() {
        type Small = Narrow<4, 4>;
        let mut layer = HashSet::from([Position::<Small>::new().key()]);
        for plies in 0..=6 {
            let reachable = (0..1 << Small::KEY_BITS)
                .filter_map(Position::<Small>::from_key)
                .filter(|position| position.plies() == plies && position.is_reachable())
                .map(|position| position.key());
            assert_eq!(reachable.collect::<HashSet<_>>(), layer, "{plies} stones");
            layer = layer
                .iter()
                .filter_map(|&key| Position::<Small>::from_key(key))
                .flat_map(|position| position.legal_columns().filter_map(move |column| position.play(column)))
                .map(|position| position.key())
                .collect();
        }
    }
}
