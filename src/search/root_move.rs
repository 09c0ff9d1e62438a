//! A move at the root: what is known of it, and which of two is better by that.

use std::cmp::Ordering;

use super::control::Halt;
use super::event::{Bound, Value};
use super::heuristic;
use super::negamax::Prover;
use crate::board::{Geometry, Position};
use crate::score::{self, Score, max_score, win_with_stone};

/// Estimates are told up to here, lest they look like decided games.
const ESTIMATE_LIMIT: i32 = 5_000;

/// A legal move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: Geometry> {
    /// The column, from 0.
    pub column: u32,
    /// The position after it.
    pub next: Position<G>,
    /// Proven bounds of its score, for the side to move at the root.
    pub lower: Score,
    pub upper: Score,
    /// The estimate of the deepest finished iteration.
    pub estimate: i32,
    /// The line of that iteration after this move.
    pub line: Vec<u32>,
    /// The line of perfect play after this move, once it has been worked out to the end of the game.
    pub proof: Option<Vec<u32>>,
}

impl<G: Geometry> RootMove<G> {
    pub(super) fn new(position: &Position<G>, column: u32, next: Position<G>) -> Self {
        let limit = max_score::<G>();
        let (lower, upper) = match next.outcome() {
            Some(crate::board::Outcome::Win(_)) => {
                let score = win_with_stone::<G>(next.plies());
                (score, score)
            }
            Some(crate::board::Outcome::Draw) => (0, 0),
            // The opponent's next stone is the earliest loss, our next but one the earliest win.
            None => (
                -limit.min(win_with_stone::<G>(position.plies() + 2)),
                limit.min(win_with_stone::<G>(position.plies() + 3)),
            ),
        };
        // A move that ends the game is its own proof.
        let proof = next.outcome().map(|_| Vec::new());
        let estimate = if lower > 0 { heuristic::WIN - next.plies() as i32 } else { 0 };
        Self { column, next, lower, upper, estimate, line: Vec::new(), proof }
    }

    /// Whether the score is known.
    pub(crate) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    /// Takes note of a proven lower bound.
    pub(crate) fn at_least(&mut self, bound: Score) {
        self.lower = self.lower.max(bound);
    }

    /// Takes note of a proven upper bound.
    pub(crate) fn at_most(&mut self, bound: Score) {
        self.upper = self.upper.min(bound);
    }

    /// Finds out whether the score is at least `beta`, and takes note of what was proven.
    ///
    /// # Errors
    /// If the search was broken off.
    pub(super) fn reaches(&mut self, prover: &mut Prover<'_, G>, beta: Score) -> Result<bool, Halt> {
        if self.lower < beta && self.upper >= beta {
            let value = -prover.probe(&self.next, 1 - beta)?;
            if value >= beta {
                self.at_least(value);
            } else {
                self.at_most(value);
            }
        }
        Ok(self.lower >= beta)
    }

    /// Takes note of the result of an iteration of the depth-limited search: the value itself if it is `exact`, else
    /// an upper bound of it. (An upper bound that looks like a win proves nothing, one that is a loss does.)
    pub(crate) fn set_estimate(&mut self, value: i32, exact: bool) {
        self.estimate = value;
        let (lower, upper) = heuristic::proven::<G>(value);
        if let Some(lower) = lower.filter(|_| exact) {
            self.at_least(lower);
        }
        if let Some(upper) = upper {
            self.at_most(upper);
        }
    }

    /// The estimate as far as the proven bounds leave room for it.
    fn bounded_estimate(&self) -> i32 {
        let low = if self.lower >= 0 { 0 } else { i32::MIN };
        let high = if self.upper <= 0 { 0 } else { i32::MAX };
        self.estimate.clamp(low, high)
    }

    /// The estimate as it is told.
    pub(super) fn told_estimate(&self) -> i32 {
        self.bounded_estimate().clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
    }

    /// What to tell of this move: value, what it says, and the line after the move.
    ///
    /// A win, loss or draw is exact only with a line that runs to the end; until that is there it is told as the bound
    /// that it also is.
    pub(crate) fn verdict(&self) -> (Value, Bound, &[u32]) {
        let plies = self.next.plies() - 1;
        let proven = |score| score::to_value::<G>(score, plies);
        if self.is_exact()
            && let Some(proof) = &self.proof
        {
            return (proven(self.lower), Bound::Exact, proof);
        }
        let (value, bound) = if self.lower > 0 {
            (proven(self.lower), Bound::Lower)
        } else if self.upper < 0 {
            (proven(self.upper), Bound::Upper)
        } else if self.lower == 0 && (self.upper == 0 || self.estimate <= 0) {
            (Value::Draw, Bound::Lower)
        } else if self.upper == 0 && self.estimate >= 0 {
            (Value::Draw, Bound::Upper)
        } else {
            (Value::Estimate(self.told_estimate()), Bound::Exact)
        };
        (value, bound, &self.line)
    }

    /// Whether the search for this move is over: its score is known, and the line that shows it.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_exact() && self.proof.is_some()
    }

    /// Less is better. A proven win comes first, the fastest first; then what is proven not to lose, then what is not
    /// known to lose, by estimate; then losses, the one that is sure to last longest first. What falls short of a
    /// `floor` that some move is known to reach comes just before the losses: any of the others is the likelier one.
    ///
    /// If a move is `trusted` to reach a score, first of all comes what is proven to reach it, and then that move, unless
    /// it was refuted.
    pub(super) fn compare(&self, other: &Self, floor: Score, trusted: Option<Trusted>) -> Ordering {
        let place = |m: &Self| match trusted {
            Some(Trusted { score, .. }) if m.lower >= score => 0,
            Some(Trusted { column, score }) if m.column == column && m.upper >= score => 1,
            _ => 2,
        };
        let class = |m: &Self| match (m.lower, m.upper) {
            (1.., _) => 0,
            (0, upper) if upper < floor => 3,
            (_, upper @ 0..) if upper < floor => 4,
            (0, _) => 1,
            (_, 0..) => 2,
            _ => 5,
        };
        let order = place(self).cmp(&place(other)).then(class(self).cmp(&class(other)));
        let decided = |m: &Self| if m.lower > 0 || m.upper < 0 { (m.lower, m.upper) } else { (0, 0) };
        order
            .then(decided(other).cmp(&decided(self)))
            .then(other.bounded_estimate().cmp(&self.bounded_estimate()))
    }
}

/// A move, by its column, of which the opening book says that it reaches a score, without proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trusted {
    pub column: u32,
    pub score: Score,
}

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
            with(2, 18, -50),   // a slower one, for all we know
            with(0, 18, 40),    // not a loss
            with(0, 0, 90),     // a draw
            with(-18, 18, 30),  // unknown, good
            with(-18, 18, -30), // unknown, bad
            with(-2, -2, 0),    // lost late
            with(-9, -9, 0),    // lost, but not soon
            with(-18, -2, 99),  // lost, nobody knows when
        ];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, Score::MIN, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn what_falls_short_of_the_floor_comes_after_what_may_reach_it() {
        let order = [with(2, 2, 0), with(-18, 3, -30), with(0, 2, 40), with(-18, 1, 50), with(-2, -2, 0)];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, 3, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn values_respect_what_is_proven() {
        let told = |m: RootMove<Standard>| {
            let (value, bound, _) = m.verdict();
            (value, bound)
        };
        assert_eq!(told(with(0, 18, -25)), (Value::Draw, Bound::Lower));
        assert_eq!(told(with(0, 18, 25)), (Value::Estimate(25), Bound::Exact));
        assert_eq!(told(with(-18, 0, 25)), (Value::Draw, Bound::Upper));
        assert_eq!(told(with(-18, -1, 0)), (Value::Loss { plies: 42 }, Bound::Upper));
        // Exact values without their line are told as bounds.
        assert_eq!(told(with(0, 0, 25)), (Value::Draw, Bound::Lower));
        assert_eq!(told(with(18, 18, 0)), (Value::Win { plies: 7 }, Bound::Lower));
        let proof = Some(vec![1, 2, 3]);
        assert_eq!(told(RootMove { proof, ..with(0, 0, 25) }), (Value::Draw, Bound::Exact));
    }
}
