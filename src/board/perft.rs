//! Perft, the classic test of a move generator: the number of move sequences of a length.

use super::bits::{Bits, each_cell};
use super::geometry::Geometry;
use super::position::Position;
use super::threats::has_four;

/// Least depth of a subtree before which [`perft`] calls `cancelled`; smaller ones take microseconds.
const CANCEL_DEPTH: u32 = 6;

/// The number of move sequences of exactly `depth` plies from `position`; games that end earlier do not count.
/// `None` if `cancelled` returned `true`.
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

#[cfg(test)]
mod tests {
    use super::super::geometry::{Narrow, Standard, Wide};
    use super::*;

    #[test]
    fn counts_are_those_published() {
        // Published counts for 7x6.
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
