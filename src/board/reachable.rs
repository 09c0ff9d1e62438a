//! Retrograde analysis: predecessors of a position, and whether any game reaches it.

use std::collections::HashSet;

use super::bits::{Bits, each_cell};
use super::geometry::Geometry;
use super::position::Position;

impl<G: Geometry> Position<G> {
    /// The positions from which one move leads to this one, which must not be over. Some may not be reachable.
    pub fn predecessors(&self) -> impl Iterator<Item = Self> {
        let (own, mask, plies) = (self.opponent(), self.mask(), self.plies());
        let geometry = self.geometry();
        let last = each_cell(tops(geometry, mask) & own);
        last.map(move |cell| Self::from_sets(geometry, own & !cell, mask & !cell, plies - 1))
    }

    /// Whether some sequence of moves from the empty board leads to this position. One that was set up need not be
    /// reachable: if all stones in the bottom row are the second player's, nobody could have made the first move.
    ///
    /// A search that takes stones back in turn, each from the top of a column; it visits at most a thousand sets of
    /// remaining stones from a position with twelve stones, some hundred thousand from a full board. If the game is
    /// over, moves past its end are not ruled out.
    #[must_use]
    pub fn is_reachable(&self) -> bool {
        let mut seen = HashSet::new();
        let mut rest = vec![(self.mask(), self.plies())];
        while let Some((mask, plies)) = rest.pop() {
            if plies == 0 {
                return true;
            }
            if !seen.insert(mask) {
                continue;
            }
            let mover =
                if plies.abs_diff(self.plies()).is_multiple_of(2) { self.opponent() } else { self.own() };
            rest.extend(each_cell(tops(self.geometry(), mask) & mover).map(|cell| (mask & !cell, plies - 1)));
        }
        false
    }
}

/// The topmost stone of each column.
fn tops<G: Geometry>(geometry: G, mask: G::Bits) -> G::Bits {
    (mask.plus(geometry.bottom()) >> 1) & mask
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Narrow, Standard, StaticGeometry};
    use super::*;

    #[test]
    fn moves_lead_back_from_predecessors() {
        for moves in ["", "4", "112233", "44444433333322", "2252576253462244111563365343671351441"] {
            let position = Position::<Standard>::from_digits(moves).expect("legal");
            let before: Vec<_> = position.predecessors().collect();
            let leads_here = |before: &Position| {
                before.legal_columns().any(|column| before.play(column) == Some(position))
            };
            assert!(before.iter().all(leads_here), "{moves}");
            let played = moves.get(..moves.len().saturating_sub(1)).filter(|_| !moves.is_empty());
            let played = played.map(|moves| Position::from_digits(moves).expect("legal"));
            assert!(played.is_none_or(|position| before.contains(&position)), "{moves}");
            assert_eq!(before.is_empty(), moves.is_empty());
        }
    }

    #[test]
    fn positions_of_games_are_reachable() {
        for moves in ["", "4", "112233", "44444433333322", "2252576253462244111563365343671351441"] {
            let position = Position::<Standard>::from_digits(moves).expect("legal");
            assert!(position.is_reachable(), "{moves}");
        }
    }

    /// On a small board, where all positions can be enumerated.
    #[test]
    fn exactly_the_positions_of_games_are_reachable() {
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
