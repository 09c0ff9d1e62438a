//! The root moves, best first, with proven bounds and estimates.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use super::control::Aborted;
use super::event::Bound;
use super::exact::{ExactSearch, store_lower_bound, table_bounds, table_move};
use super::heuristic;
use crate::board::{Geometry, Outcome, Position, centre_first};
use crate::book::{Book, BookProbe};
use crate::score::{self, Score, Value, max_score, win_with_stone};
use crate::table::Table;

const MAX_REPORTED_ESTIMATE: i32 = 5_000;

pub(super) type ReportedLine = (Value, Bound, Vec<u32>);

type SuggestedMove = (u32, Score);

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

#[derive(Clone, Debug)]
pub(super) struct RootMove<G: Geometry> {
    pub column: u32,
    pub next: Position<G>,
    pub lower: Score,
    pub upper: Score,
    pub estimate: i32,
    /// The principal variation after this move, to the end of the game once the move is solved.
    pub line: Vec<u32>,
    pub is_solved: bool,
}

impl<G: Geometry> RootMove<G> {
    fn new(position: &Position<G>, column: u32, next: Position<G>) -> Self {
        let geometry = position.geometry();
        let limit = max_score(geometry);
        let (lower, upper) = match next.outcome() {
            Some(Outcome::Win(_)) => {
                let score = win_with_stone(geometry, next.plies());
                (score, score)
            }
            Some(Outcome::Draw) => (0, 0),
            // The opponent wins with its reply at the earliest, the mover with the stone after that.
            None => (
                -limit.min(win_with_stone(geometry, position.plies() + 2)),
                limit.min(win_with_stone(geometry, position.plies() + 3)),
            ),
        };
        let is_solved = next.outcome().is_some();
        let estimate = if lower > 0 { heuristic::WIN - next.plies() as i32 } else { 0 };
        Self { column, next, lower, upper, estimate, line: Vec::new(), is_solved }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    fn add_lower_bound(&mut self, bound: Score) {
        self.lower = self.lower.max(bound);
    }

    fn add_upper_bound(&mut self, bound: Score) {
        self.upper = self.upper.min(bound);
    }

    fn add_score(&mut self, score: Score) {
        self.add_lower_bound(score);
        self.add_upper_bound(score);
    }

    fn null_window(&mut self, search: &mut ExactSearch<'_, G>, beta: Score) -> Result<bool, Aborted> {
        if self.lower < beta && self.upper >= beta {
            let value = -search.null_window(&self.next, 1 - beta)?;
            if value >= beta {
                self.add_lower_bound(value);
            } else {
                self.add_upper_bound(value);
            }
        }
        Ok(self.lower >= beta)
    }

    /// Sets the value of the depth-limited search. Wins and losses become proven bounds. An upper bound
    /// proves only a loss.
    pub(super) fn set_estimate(&mut self, value: i32, is_upper_bound: bool) {
        self.estimate = value;
        let (lower, upper) = heuristic::proven_bounds(self.next.geometry(), value);
        self.add_lower_bound(if is_upper_bound { Score::MIN } else { lower });
        self.add_upper_bound(upper);
    }

    fn bounded_estimate(&self) -> i32 {
        let low = if self.lower >= 0 { 0 } else { i32::MIN };
        let high = if self.upper <= 0 { 0 } else { i32::MAX };
        self.estimate.clamp(low, high)
    }

    fn reported_estimate(&self) -> i32 {
        self.bounded_estimate().clamp(-MAX_REPORTED_ESTIMATE, MAX_REPORTED_ESTIMATE)
    }

    /// Value and bound to report. A win, loss or draw is exact only if the move is [solved](Self::is_solved):
    /// its principal variation shows the end of the game. A move proven not to lose reports its estimate if
    /// that is positive, otherwise at least a draw. Moves proven not to win are treated alike.
    pub(super) fn reported_value(&self) -> (Value, Bound) {
        let plies = self.next.plies() - 1;
        let proven = |score| score::to_value(self.next.geometry(), score, plies);
        if self.is_solved {
            (proven(self.lower), Bound::Exact)
        } else if self.lower > 0 {
            (proven(self.lower), Bound::Lower)
        } else if self.upper < 0 {
            (proven(self.upper), Bound::Upper)
        } else if self.lower == 0 && (self.upper == 0 || self.estimate <= 0) {
            (Value::Draw, Bound::Lower)
        } else if self.upper == 0 && self.estimate >= 0 {
            (Value::Draw, Bound::Upper)
        } else {
            (Value::Estimate(self.reported_estimate()), Bound::Exact)
        }
    }

    pub(super) fn principal_variation(&self) -> Vec<u32> {
        [&[self.column][..], &self.line].concat()
    }

    /// The order of root moves, the better move less: proven wins, the fastest first; moves proven not to
    /// lose; undecided moves by estimate; losses, the latest first. Moves that score less than `floor`, a
    /// lower bound of the position's score, rank just above losses, unless they win.
    ///
    /// Moves proven to reach the `suggested` score come first, then the suggested move unless refuted.
    fn compare(&self, other: &Self, floor: Score, suggested: Option<SuggestedMove>) -> Ordering {
        let priority = self.priority(suggested).cmp(&other.priority(suggested));
        priority
            .then(self.class(floor).cmp(&other.class(floor)))
            .then(other.decisive_bounds().cmp(&self.decisive_bounds()))
            .then(other.bounded_estimate().cmp(&self.bounded_estimate()))
    }

    fn priority(&self, suggested: Option<SuggestedMove>) -> u32 {
        match suggested {
            Some((_, score)) if self.lower >= score => 0,
            Some((column, score)) if self.column == column && self.upper >= score => 1,
            _ => 2,
        }
    }

    fn class(&self, floor: Score) -> u32 {
        match (self.lower, self.upper) {
            // A proven win.
            (1.., _) => 0,
            // Not a loss, but worse than the position's proven lower bound.
            (0, upper) if upper < floor => 3,
            (_, upper @ 0..) if upper < floor => 4,
            // At least a draw.
            (0, _) => 1,
            // Undecided, but not a proven loss.
            (_, 0..) => 2,
            // A proven loss.
            _ => 5,
        }
    }

    /// The bounds of a proven win or loss; `(0, 0)` for other moves.
    fn decisive_bounds(&self) -> (Score, Score) {
        if self.lower > 0 || self.upper < 0 { (self.lower, self.upper) } else { (0, 0) }
    }
}
