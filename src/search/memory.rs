//! The state that one search leaves to the next, beside the transposition table.

use std::any::Any;

use super::heuristic::HeuristicSearch;
use super::opponent::OpponentEstimate;
use super::root::RootMove;
use crate::board::{Board, BoardSize, Geometry, Kind, Position, Standard, each_kind};
use crate::score::Score;

/// The state that the searches of one game share beside the [`Table`](crate::table::Table): the table of the
/// depth-limited search, the score expected after the last move, and what the replies tell about the opponent. About
/// 1 MB, or 2 MB where a key of the board has more than 64 bits.
///
/// It goes with any table of the same board. Searches of another game may use it as well; then it is of little help and
/// does no harm.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::{Limits, Search, SearchMemory};
/// use plumb::table::Table;
///
/// let table = Table::new(4)?;
/// let mut memory = SearchMemory::new();
/// let mut position: Position = "444444".parse()?;
/// for _ in 0..2 {
///     let search = Search::new(&position).limits(Limits::default().with_nodes(5_000)).memory(&mut memory);
///     position = position.try_play(search.run(&table)?.best.expect("the game is not over"))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SearchMemory<G: Geometry = Standard> {
    pub(super) heuristic: HeuristicSearch<G>,
    pub(super) expected_next: Option<ExpectedScore<G>>,
    pub(super) opponent: OpponentEstimate<G>,
}

impl<G: Geometry> SearchMemory<G> {
    /// The memory before the first search.
    #[must_use]
    pub fn new() -> Self {
        Self { heuristic: HeuristicSearch::new(), expected_next: None, opponent: OpponentEstimate::new() }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        *self = Self::new();
    }
}

impl<G: Geometry> Default for SearchMemory<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// A [`SearchMemory`] for boards of any size. A search on another board than the last search begins with an empty memory.
#[derive(Default)]
pub struct AnySearchMemory(Option<(BoardSize, Box<dyn Any + Send>)>);

impl AnySearchMemory {
    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// Allocates the memory for searches on this board, unless it is there: the first search would do so.
    pub fn prepare(&mut self, board: Board) {
        each_kind!(Kind::of(board), geometry => { self.on(geometry); });
    }

    /// The memory of a board.
    pub(super) fn on<G: Geometry>(&mut self, geometry: G) -> &mut SearchMemory<G> {
        let size = geometry.size();
        self.0 = self.0.take().filter(|&(last, _)| last == size);
        let (_, memory) = self.0.get_or_insert_with(|| (size, Box::new(SearchMemory::<G>::new())));
        let Some(memory) = memory.downcast_mut() else { unreachable!("the size decides the geometry") };
        memory
    }
}

/// The score that a move was played for, expected of the position after the opponent's reply.
///
/// If the score was proven, it is a lower bound there, whatever the reply: with a better reply for the opponent the
/// move would have been worth less. Good opponents give nothing away, so it mostly is the score itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedScore<G: Geometry> {
    /// The position after the move.
    after: Position<G>,
    /// From the point of view of the side that made the move.
    score: Score,
    is_proven: bool,
}

impl<G: Geometry> ExpectedScore<G> {
    /// The score that `m` was played for in a position that was itself `expected` to have a score. `None` if the move's score
    /// is neither proven (exact, or at least `expected`) nor can be `expected`.
    pub(super) fn of_move(m: &RootMove<G>, expected: Option<Score>) -> Option<Self> {
        let is_proven = m.is_exact() || expected.is_some_and(|score| m.lower >= score);
        let score = if is_proven { Some(m.lower) } else { expected.filter(|&score| m.upper >= score) };
        score.map(|score| Self { after: m.next, score, is_proven })
    }

    /// The expected score of `position`, and whether it is a proven lower bound. `None` unless `position` is one reply
    /// after the move.
    pub(super) fn in_position(&self, position: &Position<G>) -> Option<(Score, bool)> {
        let is_next = position.predecessors().any(|before| before.key() == self.after.key());
        is_next.then_some((self.score, self.is_proven))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::root::Root;

    #[test]
    fn a_memory_that_is_prepared_is_kept_for_its_board() {
        let mut memory = AnySearchMemory::default();
        memory.prepare(Board::default());
        let address =
            |memory: &mut AnySearchMemory| std::ptr::from_ref(memory.on(Standard::default())).addr();
        let before = address(&mut memory);
        memory.prepare(Board::default());
        assert_eq!(address(&mut memory), before);
    }

    #[test]
    fn an_expected_score_is_that_of_any_position_after_one_reply() {
        let before = Position::<Standard>::from_digits("4444").expect("legal");
        let m = Root::new(&before, &[3]).moves.swap_remove(0);
        let expected_score =
            ExpectedScore::of_move(&RootMove { lower: -2, upper: -2, ..m }, None).expect("it is exact");
        for (moves, expected) in [
            ("444443", Some((-2, true))),
            ("444441", Some((-2, true))),
            ("444443 1", None),
            ("44444", None),
            ("444433", None),
            ("", None),
        ] {
            let moves: String = moves.split(' ').collect();
            let position = Position::from_digits(&moves).expect("legal");
            assert_eq!(expected_score.in_position(&position), expected, "{moves}");
        }
    }

    #[test]
    fn an_expected_score_stands_until_it_is_refuted() {
        let after = Position::<Standard>::from_digits("4444").expect("legal");
        let reply = after.play(0).expect("legal");
        let m = Root::new(&Position::from_digits("444").expect("legal"), &[3]).moves.swap_remove(0);
        for (lower, upper, before, after) in [
            (-18, 18, None, None),
            (-18, 18, Some(0), Some((0, false))),
            (0, 18, Some(0), Some((0, true))),
            (2, 18, Some(0), Some((2, true))),
            (-18, -1, Some(0), None),
            (-1, -1, Some(0), Some((-1, true))),
        ] {
            let expected = ExpectedScore::of_move(&RootMove { lower, upper, ..m.clone() }, before);
            assert_eq!(expected.and_then(|expected| expected.in_position(&reply)), after);
        }
    }
}
