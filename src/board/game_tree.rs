//! Searches of the game tree: perft, predecessors and reachability.

use std::collections::HashSet;

use super::bits::{Bits, each_cell};
use super::geometry::{Geometry, has_four};
use super::position::Position;

const CANCEL_DEPTH: u32 = 6;

/// Counts the move sequences of exactly `depth` plies. Games that end earlier do not count. `None` if `cancelled`
/// returned `true`.
///
/// ```
/// use plumb::board::{Position, Standard, perft};
///
/// assert_eq!(perft(&Position::<Standard>::new(), 7, &|| false), Some(823_536));
/// ```
#[must_use]
pub fn perft<G: Geometry>(position: &Position<G>, depth: u32, cancelled: &impl Fn() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if has_four(position.geometry(), position.opponent()) {
        return Some(0);
    }
    if depth == 1 {
        return Some(u64::from(position.playable().count()));
    }
    if depth >= CANCEL_DEPTH && cancelled() {
        return None;
    }
    each_cell(position.playable()).map(|cell| perft(&position.after(cell), depth - 1, cancelled)).sum()
}

impl<G: Geometry> Position<G> {
    /// The positions from which one move leads to this position. This position must not be over. Some may be
    /// unreachable.
    pub fn predecessors(&self) -> impl Iterator<Item = Self> {
        let (own, mask, plies) = (self.opponent(), self.mask(), self.plies());
        let geometry = self.geometry();
        let last = each_cell(tops(geometry, mask) & own);
        last.map(move |cell| Self::from_sets(geometry, own & !cell, mask & !cell, plies - 1))
    }

    /// Whether some game leads to this position. For example, nobody could have made the first move if the second
    /// player owns the whole bottom row.
    ///
    /// The search takes back stones of the two sides in turn. On 7x6 it visits at most some hundred thousand
    /// sets of stones. For a finished game, an order of moves that continues after a four in a row also counts.
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

fn tops<G: Geometry>(geometry: G, mask: G::Bits) -> G::Bits {
    (mask.plus(geometry.bottom()) >> 1) & mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::geometry::{Narrow, Standard, StaticGeometry, Wide};

    #[test]
    fn counts_are_those_published() {
        let known = [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234, 39_394_572, 268_031_646];
        let start = Position::<Standard>::new();
        for (depth, &count) in (1..).zip(&known) {
            assert_eq!(perft(&start, depth, &|| false), Some(count), "depth {depth}");
        }
        assert_eq!(perft(&start, 0, &|| false), Some(1));
    }

    #[test]
    fn both_word_sizes_agree_and_a_count_can_be_cancelled() {
        for depth in 0..9 {
            let narrow = perft(&Position::<Narrow<5, 4>>::new(), depth, &|| false);
            assert_eq!(narrow, perft(&Position::<Wide<5, 4>>::new(), depth, &|| false));
        }
        assert_eq!(perft(&Position::<Standard>::new(), 12, &|| true), None);
    }

    #[test]
    fn moves_lead_back_from_predecessors() {
        for moves in ["", "4", "112233", "44444433333322", "2252576253462244111563365343671351441"] {
            let position = Position::<Standard>::from_digits(moves).expect("legal");
            assert!(position.is_reachable(), "{moves}");
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
