use super::node::Node;
use crate::board::{Bits, Geometry};

const CAPACITY: usize = 32;
const FEW_MOVES: usize = 8;

const WINNING_CELL: u32 = 32;
const NEAR_WINNING_CELL: u32 = 8;
const TABLE_MOVE: u32 = 1024;

/// The greatest priority of a move. A priority shares 16 bits with the move's index. The greatest word means
/// no move.
const MAX_PRIORITY: u32 = (1 << (u16::BITS - INDEX_BITS)) - 2;
const INDEX_BITS: u32 = CAPACITY.ilog2();

const MAX_UNTABLED_PRIORITY: u32 = MAX_PRIORITY - TABLE_MOVE;

const _: () = assert!(MAX_UNTABLED_PRIORITY < TABLE_MOVE, "the table's move comes first");

/// The priority of the move on `cell`, 0 to [`MAX_PRIORITY`].
///
/// Counts the mover's winning cells, except cells directly above a winning cell of the other side, which the
/// mover never gets. Winning cells one row above a playable cell have a bonus. Nearness to the centre decides
/// between equals. With 11 columns or more it can outweigh the bonus.
#[inline(always)]
pub(crate) fn priority<G: Geometry>(
    before: &Node<G>,
    after: &Node<G>,
    cell: G::Bits,
    table_move: bool,
) -> u32 {
    let geometry = before.geometry;
    let usable = after.opponent_wins & !(before.opponent_wins << 1);
    let near = usable & (after.playable() << 1);
    let distance = (2 * geometry.column_of(cell) + 1).abs_diff(geometry.width());
    let priority =
        usable.count() * WINNING_CELL + near.count() * NEAR_WINNING_CELL + (geometry.width() - distance);
    priority.min(MAX_UNTABLED_PRIORITY) + u32::from(table_move) * TABLE_MOVE
}

/// The moves of a node, taken out best first.
///
/// Most nodes are cut off after one or two moves, so nothing is sorted.
pub(crate) struct MovePicker {
    /// `MAX_PRIORITY - priority` in the high bits and the index in the low bits, so the least word is the best move.
    /// Places without a move hold [`EMPTY`].
    words: [u16; CAPACITY],
    len: usize,
}

const EMPTY: u16 = u16::MAX;

impl MovePicker {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { words: [EMPTY; CAPACITY], len: 0 }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, priority: u32) {
        self.words[self.len % CAPACITY] = ((MAX_PRIORITY - priority) << INDEX_BITS) as u16 | self.len as u16;
        self.len += 1;
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, index: usize) {
        self.words[index % CAPACITY] = EMPTY;
    }

    #[inline(always)]
    pub(crate) fn next(&mut self, geometry: impl Geometry) -> Option<usize> {
        let best = if geometry.width() as usize <= FEW_MOVES {
            least(&self.words[..FEW_MOVES])
        } else {
            least(&self.words)
        };
        if best == EMPTY {
            return None;
        }
        let index = usize::from(best) % CAPACITY;
        self.words[index] = EMPTY;
        Some(index)
    }
}

#[inline(always)]
fn least(words: &[u16]) -> u16 {
    words.iter().copied().min().unwrap_or(EMPTY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Standard, Wide};
    use crate::search::simd::Portable;

    #[test]
    fn the_move_of_the_table_comes_first_with_any_number_of_winning_cells() {
        // An impossible position, in which every empty cell is a winning cell.
        let geometry = Wide::<14, 8>;
        let empty =
            [2, 5, 8, 11].map(|column| geometry.column(column)).into_iter().fold(0, |set, one| set | one);
        let last = geometry.cell(0, 7);
        let stones = geometry.board() & !empty & !last;
        let before = Node { own: stones, mask: stones, ..Node::new(&Position::empty(geometry)) };
        let after = before.after(Portable, last);
        assert_eq!(after.opponent_wins & empty, empty);

        let [table, other] = [true, false].map(|is_table| priority(&before, &after, last, is_table));
        assert_eq!((table, other), (MAX_PRIORITY, MAX_UNTABLED_PRIORITY));
        let mut moves = MovePicker::new();
        for priority in [other, 0, table] {
            moves.push(priority);
        }
        let order: Vec<_> = std::iter::from_fn(|| moves.next(geometry)).collect();
        assert_eq!(order, [2, 0, 1]);
    }

    #[test]
    fn moves_come_best_first_and_equal_ones_by_index() {
        let mut moves = MovePicker::new();
        for priority in [5, MAX_PRIORITY, 5, 0, 40, 41] {
            moves.push(priority);
        }
        assert_eq!(moves.len(), 6);
        moves.remove(4);
        let order: Vec<_> = std::iter::from_fn(|| moves.next(Standard::default())).collect();
        assert_eq!(order, [1, 5, 0, 2, 3]);

        let mut moves = MovePicker::new();
        for index in 0..25 {
            moves.push(index % 3);
        }
        let order: Vec<_> = std::iter::from_fn(|| moves.next(Wide::<25, 4>)).collect();
        let mut expected: Vec<_> = (0..25).collect();
        expected.sort_by_key(|index| 2 - index % 3);
        assert_eq!(order, expected);
    }
}
