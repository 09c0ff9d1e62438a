use std::cmp::Ordering;

use crate::board::{Geometry, Outcome, Position};
use crate::score::{self, Score, Value, max_score, win_with_stone};
use crate::search::control::Aborted;
use crate::search::event::Bound;
use crate::search::exact::ExactSearch;
use crate::search::heuristic;

const MAX_REPORTED_ESTIMATE: i32 = 5_000;

#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: Geometry> {
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
    pub(super) fn new(position: &Position<G>, column: u32, next: Position<G>) -> Self {
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

    pub(crate) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    pub(super) fn add_lower_bound(&mut self, bound: Score) {
        self.lower = self.lower.max(bound);
    }

    pub(super) fn add_upper_bound(&mut self, bound: Score) {
        self.upper = self.upper.min(bound);
    }

    pub(super) fn add_score(&mut self, score: Score) {
        self.add_lower_bound(score);
        self.add_upper_bound(score);
    }

    pub(super) fn null_window(
        &mut self,
        search: &mut ExactSearch<'_, G>,
        beta: Score,
    ) -> Result<bool, Aborted> {
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
    pub(crate) fn set_estimate(&mut self, value: i32, is_upper_bound: bool) {
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

    pub(super) fn reported_estimate(&self) -> i32 {
        self.bounded_estimate().clamp(-MAX_REPORTED_ESTIMATE, MAX_REPORTED_ESTIMATE)
    }

    /// Value and bound to report. A win, loss or draw is exact only if the move is [solved](Self::is_solved):
    /// its principal variation shows the end of the game. A move proven not to lose reports its estimate if
    /// that is positive, otherwise at least a draw. Moves proven not to win are treated alike.
    pub(crate) fn reported_value(&self) -> (Value, Bound) {
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

    pub(crate) fn principal_variation(&self) -> Vec<u32> {
        [&[self.column][..], &self.line].concat()
    }

    /// The order of root moves, the better move less: proven wins, the fastest first; moves proven not to
    /// lose; undecided moves by estimate; losses, the latest first. Moves that score less than `floor`, a
    /// lower bound of the position's score, rank just above losses, unless they win.
    ///
    /// Moves proven to reach the `suggested` score come first, then the suggested move unless refuted.
    pub(super) fn compare(&self, other: &Self, floor: Score, suggested: Option<SuggestedMove>) -> Ordering {
        let priority = |m: &Self| match suggested {
            Some((_, score)) if m.lower >= score => 0,
            Some((column, score)) if m.column == column && m.upper >= score => 1,
            _ => 2,
        };
        let class = |m: &Self| match (m.lower, m.upper) {
            // A proven win.
            (1.., _) => 0,
            // Not a loss, but worse than the position's proven lower bound.
            (0, upper) if upper < floor => 3,
            (_, upper @ 0..) if upper < floor => 4,
            // Proven: at least a draw.
            (0, _) => 1,
            // Undecided, but not a proven loss.
            (_, 0..) => 2,
            // A proven loss.
            _ => 5,
        };
        let order = priority(self).cmp(&priority(other)).then(class(self).cmp(&class(other)));
        let bounds = |m: &Self| if m.lower > 0 || m.upper < 0 { (m.lower, m.upper) } else { (0, 0) };
        order
            .then(bounds(other).cmp(&bounds(self)))
            .then(other.bounded_estimate().cmp(&self.bounded_estimate()))
    }
}

pub(super) type SuggestedMove = (u32, Score);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    fn with(lower: Score, upper: Score, estimate: i32) -> RootMove<Standard> {
        let start = Position::new();
        let next = start.play(3).expect("legal");
        RootMove { lower, upper, estimate, ..RootMove::new(&start, 3, next) }
    }

    #[test]
    fn the_best_known_move_comes_first() {
        let order = [
            with(5, 5, 0),      // the fastest proven win
            with(2, 18, -50),   // a win of unknown length
            with(0, 18, 40),    // not a loss
            with(0, 0, 90),     // a draw
            with(-18, 18, 30),  // unknown, good
            with(-18, 18, -30), // unknown, bad
            with(-2, -2, 0),    // lost late
            with(-9, -9, 0),    // lost earlier
            with(-18, -2, 99),  // lost, perhaps at once
        ];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, Score::MIN, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn moves_below_the_floor_rank_above_losses_only() {
        let order = [with(2, 2, 0), with(-18, 3, -30), with(0, 2, 40), with(-18, 1, 50), with(-2, -2, 0)];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, 3, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn values_respect_what_is_proven() {
        let reported = |m: RootMove<Standard>| m.reported_value();
        assert_eq!(reported(with(0, 18, -25)), (Value::Draw, Bound::Lower));
        assert_eq!(reported(with(0, 18, 25)), (Value::Estimate(25), Bound::Exact));
        assert_eq!(reported(with(-18, 0, 25)), (Value::Draw, Bound::Upper));
        assert_eq!(reported(with(-18, -1, 0)), (Value::Loss { plies: 42 }, Bound::Upper));
        // An exact value without its principal variation is reported as a bound.
        assert_eq!(reported(with(0, 0, 25)), (Value::Draw, Bound::Lower));
        assert_eq!(reported(with(18, 18, 0)), (Value::Win { plies: 7 }, Bound::Lower));
        assert_eq!(reported(RootMove { is_solved: true, ..with(0, 0, 25) }), (Value::Draw, Bound::Exact));
    }
}
