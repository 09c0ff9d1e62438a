use super::heuristic::HeuristicSearch;
use super::opponent::OpponentEstimate;
use super::root::RootMove;
use crate::board::{Bits, Board, Geometry, Position};
use crate::score::Score;

/// State of about 1 MB that the searches of one game share: table of the depth-limited search, expected
/// score, estimate of the opponent.
///
/// A search on another board starts with an empty memory.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::{Limits, Search, SearchMemory};
/// use plumb::table::Table;
///
/// let table = Table::new(4)?;
/// let mut memory = SearchMemory::default();
/// let mut position: Position = "444444".parse()?;
/// for _ in 0..2 {
///     let search = Search::new(&position).limits(Limits::default().with_nodes(5_000)).memory(&mut memory);
///     position = position.try_play(search.run(&table)?.best.expect("the game is not over"))?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct SearchMemory(Option<(Board, GameMemory)>);

impl SearchMemory {
    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// Allocates the memory for a board in advance.
    pub fn prepare(&mut self, board: Board) {
        self.on(board);
    }

    pub(super) fn on(&mut self, board: Board) -> &mut GameMemory {
        if self.0.as_ref().is_some_and(|(last, _)| *last != board) {
            self.0 = None;
        }
        &mut self.0.get_or_insert_with(|| (board, GameMemory::new())).1
    }
}

pub(super) struct GameMemory {
    pub(super) heuristic: HeuristicSearch,
    pub(super) expected_next: Option<ExpectedScore>,
    pub(super) opponent: OpponentEstimate,
}

impl GameMemory {
    pub(super) fn new() -> Self {
        Self { heuristic: HeuristicSearch::new(), expected_next: None, opponent: OpponentEstimate::new() }
    }
}

/// The score expected in the next search, after a move and a reply.
///
/// If the score of the move is proven, it is a lower bound after any reply.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpectedScore {
    after: u128,
    score: Score,
    is_proven: bool,
}

impl ExpectedScore {
    /// The lower bound of `m` if it is exact or at least `expected`; otherwise `expected`, unless the upper
    /// bound refutes it.
    pub(super) fn of_move<G: Geometry>(m: &RootMove<G>, expected: Option<Score>) -> Option<Self> {
        let is_proven = m.is_exact() || expected.is_some_and(|score| m.lower >= score);
        let score = if is_proven { Some(m.lower) } else { expected.filter(|&score| m.upper >= score) };
        score.map(|score| Self { after: m.next.key().to_wide(), score, is_proven })
    }

    /// The score, and whether it is a proven lower bound. `None` unless `position` is one reply after the
    /// move.
    pub(super) fn in_position<G: Geometry>(&self, position: &Position<G>) -> Option<(Score, bool)> {
        let is_next = position.predecessors().any(|before| before.key().to_wide() == self.after);
        if is_next { Some((self.score, self.is_proven)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use crate::search::root::Root;

    #[test]
    fn a_memory_that_is_prepared_is_kept_for_its_board() {
        let mut memory = SearchMemory::default();
        let (board, other) = (Board::default(), "5x4".parse().expect("a board"));
        memory.prepare(board);
        memory.on(board).expected_next = Some(ExpectedScore { after: 0, score: 0, is_proven: true });
        memory.prepare(board);
        assert!(memory.on(board).expected_next.is_some());
        memory.prepare(other);
        assert!(memory.on(board).expected_next.is_none());
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
            let position = Position::<Standard>::from_digits(&moves).expect("legal");
            assert_eq!(expected_score.in_position(&position), expected, "{moves}");
        }
    }

    #[test]
    fn an_expected_score_stands_until_it_is_refuted() {
        let after = Position::<Standard>::from_digits("4444").expect("legal");
        let reply = after.play(0).expect("legal");
        let m =
            Root::new(&Position::<Standard>::from_digits("444").expect("legal"), &[3]).moves.swap_remove(0);
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
