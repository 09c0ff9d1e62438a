//! The root moves, best first, with proven bounds and estimates.

mod root_move;

use root_move::SuggestedMove;

use super::control::Aborted;
use super::event::Bound;
use super::exact::{ExactSearch, store_lower_bound, table_bounds, table_move};
use crate::board::{Geometry, Outcome, Position, centre_first};
use crate::book::{Book, BookProbe};
use crate::score::{self, Score, Value, win_with_stone};
use crate::table::Table;
pub(super) use root_move::RootMove;

pub(super) type ReportedLine = (Value, Bound, Vec<u32>);

#[derive(Debug)]
pub(super) struct Root<G: Geometry> {
    pub moves: Vec<RootMove<G>>,
    position: Position<G>,
    has_all_moves: bool,
    floor: Score,
    suggested: Option<SuggestedMove>,
}

impl<G: Geometry> Root<G> {
    /// The root moves in `columns`, or all legal moves if none of them is legal.
    pub(super) fn new(position: &Position<G>, columns: &[u32]) -> Self {
        let all: Vec<_> = centre_first(position.geometry())
            .filter_map(|column| position.play(column).map(|next| RootMove::new(position, column, next)))
            .collect();
        let chosen: Vec<_> = all.iter().filter(|m| columns.contains(&m.column)).cloned().collect();
        let has_all_moves = chosen.is_empty() || chosen.len() == all.len();
        let moves = if chosen.is_empty() { all } else { chosen };
        let mut root = Self { moves, position: *position, has_all_moves, floor: Score::MIN, suggested: None };
        root.sort(0);
        root
    }

    pub(super) fn sort(&mut self, first: usize) {
        // `floor` is a proven lower bound of the position's score. It matters only if all legal moves are
        // here and none has reached it.
        let is_open = first == 0 && self.has_all_moves && self.moves.iter().all(|m| m.lower < self.floor);
        let floor = if is_open { self.floor } else { Score::MIN };
        let suggested = if first == 0 { self.suggested } else { None };
        self.moves[first..].sort_by(|a, b| a.compare(b, floor, suggested));
    }

    /// Adds a book move with an unproven score. It is searched first, and played if there is no time for a
    /// proof.
    pub(super) fn suggest(&mut self, column: u32, score: Score) {
        self.suggested = Some((column, score));
        self.sort(0);
    }

    pub(super) fn bound_immediate_losses(&mut self) {
        for m in &mut self.moves {
            if m.next.outcome().is_none() && m.next.can_win_now() {
                m.add_upper_bound(-win_with_stone(m.next.geometry(), m.next.plies() + 1));
            }
        }
        self.sort(0);
    }

    pub(super) fn raise_floor(&mut self, score: Score) {
        self.floor = self.floor.max(score);
    }

    pub(super) fn add_upper_bound(&mut self, score: Score) {
        self.moves.iter_mut().for_each(|m| m.add_upper_bound(score));
    }

    pub(super) fn add_bounds_past_book(&mut self, book: &Book, table: &Table) {
        for m in self.moves.iter_mut().filter(|m| m.next.outcome().is_none()) {
            let bound = book.upper_bound_of_move(&self.position, &m.next);
            if let Some(upper) = bound.filter(|&upper| upper < m.upper) {
                m.add_upper_bound(upper);
                store_lower_bound(table, &m.next, -upper);
            }
        }
        self.sort(0);
    }

    /// Adds the book's scores: of all moves, or at the book's largest number of stones the position's score
    /// with a best move. Returns the score of the best move, or only an upper bound if `searchmoves` excludes
    /// that move.
    ///
    /// Exact moves among the first `lines` get the book's principal variation.
    pub(super) fn add_book_scores(&mut self, book: &mut BookProbe<'_>, lines: usize) -> Option<Score> {
        let mut all = true;
        for m in &mut self.moves {
            if let Some(score) = book.score(&m.next) {
                m.add_score(-score);
            } else {
                all = false;
            }
        }
        let score = if all { None } else { book.score(&self.position) };
        if let Some(score) = score {
            self.raise_floor(score);
            self.add_upper_bound(score);
            let best = book.best_move(&self.position);
            self.moves.iter_mut().filter(|m| Some(m.column) == best).for_each(|m| m.add_lower_bound(score));
        }
        self.sort(0);
        for m in self.moves.iter_mut().take(lines).filter(|m| m.is_exact()) {
            m.line = book.best_line(m.next, -m.lower);
            let end = m.line.iter().try_fold(m.next, |position, &column| position.play(column));
            m.is_solved = end.is_some_and(|end| end.outcome().is_some());
        }
        if all || score.is_some() { Some(self.bounds(0).1) } else { None }
    }

    pub(super) fn bounds(&self, first: usize) -> (Score, Score) {
        let rest = &self.moves[first..];
        let lower = rest.iter().map(|m| m.lower).max().unwrap_or(0);
        let upper = rest.iter().map(|m| m.upper).max().unwrap_or(0);
        (lower, upper)
    }

    /// Value, bound and principal variation to report. The first line must also be true for the position:
    /// while another move may be better, an exact value becomes a lower bound, and an upper bound becomes the
    /// upper bound of all moves. If another move may win, the estimate replaces an upper bound.
    pub(super) fn reported_line(&self, line_index: usize) -> ReportedLine {
        let Some(m) = self.moves.get(line_index) else {
            let is_draw = self.position.outcome() == Some(Outcome::Draw);
            let value = if is_draw { Value::Draw } else { Value::Loss { plies: 0 } };
            return (value, Bound::Exact, Vec::new());
        };
        let (value, bound) = m.reported_value();
        let upper = self.bounds(0).1;
        let stands = line_index > 0 || upper <= m.upper || matches!(value, Value::Estimate(_));
        let (value, bound) = match bound {
            _ if stands => (value, bound),
            Bound::Exact | Bound::Lower => (value, Bound::Lower),
            Bound::Upper if upper <= 0 => {
                let plies = self.position.plies();
                (score::to_value(self.position.geometry(), upper, plies), Bound::Upper)
            }
            Bound::Upper => (Value::Estimate(m.reported_estimate()), Bound::Exact),
        };
        (value, bound, m.principal_variation())
    }

    /// Proves whether a move from index `first` on scores at least `beta`, and sorts these moves. The
    /// position itself is searched first if the root has all legal moves, because the recursion orders moves
    /// better.
    pub(super) fn null_window(
        &mut self,
        search: &mut ExactSearch<'_, G>,
        beta: Score,
        first: usize,
    ) -> Result<bool, Aborted> {
        if first == 0 {
            let answer = self.null_window_of_position(search, beta);
            if let Some(reached) = answer.inspect_err(|_| self.add_table_bounds(search))? {
                return Ok(reached);
            }
        }
        let mut result = Ok(false);
        for m in &mut self.moves[first..] {
            result = m.null_window(search, beta);
            if result != Ok(false) {
                break;
            }
        }
        self.sort(first);
        result
    }

    /// Searches the position itself. Returns `None` if it was not searched, or if it reaches `beta` by an
    /// unknown move.
    fn null_window_of_position(
        &mut self,
        search: &mut ExactSearch<'_, G>,
        beta: Score,
    ) -> Result<Option<bool>, Aborted> {
        if let Some((column, score)) = self.suggested
            && self.moves[0].column == column
            && beta <= score
        {
            let reached = self.moves[0].null_window(search, beta)?;
            self.sort(0);
            if reached {
                return Ok(Some(true));
            }
        }
        if self.has_all_moves && self.bounds(0).0 < beta {
            let value = search.null_window_without_book(&self.position, beta)?;
            if value < beta {
                self.add_upper_bound(value);
                self.sort(0);
                return Ok(Some(false));
            }
            self.raise_floor(value);
            self.move_to_front(table_move(search.table, &self.position));
        }
        Ok(None)
    }

    pub(super) fn choose(&mut self, column: u32, score: Option<Score>) {
        self.move_to_front(Some(column));
        if let (Some(m), Some(score)) = (self.moves.first_mut(), score) {
            m.add_score(-score);
        }
    }

    fn move_to_front(&mut self, column: Option<u32>) {
        let found = self.moves.iter().position(|m| Some(m.column) == column);
        if let Some(index) = found {
            self.moves[..=index].rotate_right(1);
        }
    }

    fn add_table_bounds(&mut self, search: &ExactSearch<'_, G>) {
        for m in self.moves.iter_mut().filter(|m| m.next.outcome().is_none()) {
            if let Some((lower, upper)) = table_bounds(search.table, &m.next) {
                m.add_lower_bound(-upper);
                m.add_upper_bound(-lower);
            }
        }
        self.sort(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn a_suggested_move_comes_after_moves_proven_to_be_as_good() {
        let start = Position::<Standard>::new();
        let mut root = Root::new(&start, &[]);
        let mut first = |column: u32, bounds: Option<(Score, Score)>| {
            let m = root.moves.iter_mut().find(|m| m.column == column).expect("a legal move");
            if let Some((lower, upper)) = bounds {
                m.add_lower_bound(lower);
                m.add_upper_bound(upper);
            }
            root.suggest(1, 2);
            root.moves[0].column
        };
        assert_eq!(first(1, None), 1);
        assert_eq!(first(2, Some((1, 18))), 1, "a win, but not soon enough");
        assert_eq!(first(4, Some((2, 18))), 4, "as good, and proven");
        assert_eq!(first(5, Some((3, 18))), 5, "better yet");
        assert_eq!(first(1, Some((2, 18))), 5);
        let mut root = Root::new(&start, &[]);
        root.suggest(1, 2);
        root.moves[2].estimate = 1;
        root.sort(0);
        assert_eq!(root.moves[0].column, 1, "an estimate is no proof");
        root.moves[0].add_upper_bound(1);
        root.sort(0);
        assert_eq!(root.moves[0].estimate, 1, "it was refuted");
    }

    #[test]
    fn a_winning_move_is_first_from_the_start() {
        // The first player has c1 d1 f1 and wins at e1.
        let position: Position = Position::from_digits("31664646").expect("legal");
        let root = Root::new(&position, &[]);
        assert_eq!((root.moves[0].column, root.moves[0].is_solved), (4, true));
    }

    #[test]
    fn a_move_that_loses_at_once_is_last_before_any_search() {
        // The first player has three stones on top of each other.
        let parried: Position = Position::from_digits("41424").expect("legal");
        let mut root = Root::new(&parried, &[]);
        root.bound_immediate_losses();
        let open = |root: &Root<Standard>| {
            root.moves.iter().filter(|m| !m.is_exact()).map(|m| m.column).collect::<Vec<_>>()
        };
        assert_eq!((open(&root), root.moves[0].column), (vec![3], 3));
        root.add_upper_bound(-1);
        root.sort(0);
        assert_eq!(root.moves[0].column, 3);
    }

    #[test]
    fn search_moves_restrict_the_root_only_if_legal() {
        let full: Position = Position::from_digits("444444").expect("legal");
        let columns =
            |list: &[u32]| Root::new(&full, list).moves.iter().map(|m| m.column).collect::<Vec<_>>();
        assert_eq!(columns(&[0, 6]), [6, 0]);
        assert_eq!(columns(&[3]).len(), 6);
        assert_eq!(columns(&[]).len(), 6);
    }
}
