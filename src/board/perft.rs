//! Counting the games of a length: the classic test of a move generator.

use super::{Bits, Geometry, Position, each_cell, has_four};

/// Plies above the leaves at which [`perft`] asks whether to go on; below that it is over in no time.
const ASKED_DEPTH: u32 = 6;

/// Number of move sequences of exactly `depth` plies from `position`; a game that ends earlier counts nothing.
/// `None` if `cancelled` said so on the way.
#[must_use]
pub fn perft<G: Geometry>(position: &Position<G>, depth: u32, cancelled: &impl Fn() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if has_four::<G>(position.opponent()) {
        return Some(0);
    }
    if depth == 1 {
        return Some(u64::from(position.playable().count()));
    }
    if depth >= ASKED_DEPTH && cancelled() {
        return None;
    }
    each_cell(position.playable()).map(|cell| perft(&position.after(cell), depth - 1, cancelled)).sum()
}

#[cfg(test)]
mod tests {
    use super::super::{Narrow, Standard, Wide};
    use super::*;

    #[test]
    fn the_known_counts_come_out() {
        // Published counts for 7x6, games ending at a win.
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
}
