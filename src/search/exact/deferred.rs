//! Simplified ABDADA: how the threads of one probe keep out of each other's subtrees.
//!
//! Each thread marks the positions that it is searching, and a move that leads to a marked position is deferred until
//! the node's other moves are done. By then its score is likely to be in the table. A node's first move is never
//! deferred, as it may cut off all others.
//!
//! Sources: Jean-Christophe Weill, "The ABDADA Distributed Minimax Search Algorithm" (1996); Tom Kerrigan,
//! "Simplified ABDADA".

use crate::board::Geometry;
use crate::score::Score;
use crate::search::team::Team;
use crate::table::{Table, TableKey};

/// With fewer empty cells than this no move is deferred: the subtrees are too small. Fewer in tests, so that small
/// boards, which minimax can check, are searched in this way too.
pub(super) const MIN_EMPTY_CELLS: u32 = if cfg!(test) { 6 } else { 19 };

/// The deferred moves of one node, as a set of the indices of its children.
#[derive(Default)]
pub(super) struct DeferredMoves {
    indices: u32,
    /// Whether a move has been searched.
    has_begun: bool,
    /// Whether only deferred moves are left, none of which is deferred again.
    is_closing: bool,
}

impl DeferredMoves {
    /// Whether the move with this index, which leads to `child`, is deferred. If not, `child` is marked, and must be
    /// [unmarked](Team::unmark) after its search.
    pub(super) fn defer_or_mark<G: Geometry>(
        &mut self,
        team: &Team,
        index: usize,
        child: TableKey<G>,
    ) -> bool {
        let is_deferred = self.has_begun && !self.is_closing && team.is_marked(child);
        if is_deferred {
            self.indices |= 1 << index;
        } else {
            self.has_begun = true;
            team.mark(child);
        }
        is_deferred
    }

    /// Takes out the index of a deferred move, once there are no other moves.
    pub(super) fn take(&mut self) -> Option<usize> {
        self.is_closing = true;
        let index = self.indices.trailing_zeros();
        self.indices &= self.indices.wrapping_sub(1);
        (index < u32::BITS).then_some(index as usize)
    }
}

/// The bound that answers "is the score at least `beta`?", if another thread has put one into the table.
pub(super) fn answer_in_table<G: Geometry>(table: &Table<G>, key: TableKey<G>, beta: Score) -> Option<Score> {
    let entry = table.probe(key)?;
    let (lower, upper) = (Score::from(entry.lower), Score::from(entry.upper));
    if lower >= beta { Some(lower) } else { (upper < beta).then_some(upper) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use std::num::NonZeroUsize;

    #[test]
    fn only_later_moves_to_marked_positions_are_deferred() {
        let team = Team::new(NonZeroUsize::new(2).expect("not zero"));
        let keys: Vec<_> = (1..=4).map(TableKey::<Standard>::from_key).collect();
        team.mark(keys[0]);
        team.mark(keys[2]);
        let mut deferred = DeferredMoves::default();
        let results: Vec<_> =
            keys.iter().zip(0..).map(|(&key, index)| deferred.defer_or_mark(&team, index, key)).collect();
        assert_eq!(results, [false, false, true, false]);
        assert!(keys.iter().all(|&key| team.is_marked(key)));
        team.unmark(keys[0]);
        assert!(!team.is_marked(keys[0]));
        // At the end a move is searched whether its position is marked or not.
        assert_eq!(deferred.take(), Some(2));
        assert!(!deferred.defer_or_mark(&team, 2, keys[2]));
        assert_eq!(deferred.take(), None);
    }
}
