//! What one search leaves to the next, beside the table.

use super::heuristic::Heuristic;
use super::root_move::RootMove;
use crate::board::{Geometry, Position};
use crate::score::Score;

/// What one search leaves to the next.
pub(crate) struct Carried<G: Geometry> {
    /// The depth-limited search, with its own table.
    pub heuristic: Heuristic<G>,
    /// What the last answer was played for.
    pub promise: Option<Promise<G>>,
}

impl<G: Geometry> Carried<G> {
    pub(crate) fn new() -> Self {
        Self { heuristic: Heuristic::new(), promise: None }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.heuristic.clear();
        self.promise = None;
    }
}

/// A score that a move was played for. If it was proven the position after the reply is worth as much, whatever the reply:
/// with a better one for the opponent the move would have been worth less. Mostly it is worth no more either.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise<G: Geometry> {
    /// The position after the move.
    after: Position<G>,
    /// For the side that made it.
    score: Score,
    is_proven: bool,
}

impl<G: Geometry> Promise<G> {
    /// What is known of the move that is played, where the position was `expected` to be worth that much.
    pub(crate) fn of(m: &RootMove<G>, expected: Option<Score>) -> Option<Self> {
        let is_proven = m.is_exact() || expected.is_some_and(|score| m.lower >= score);
        let score = if is_proven { Some(m.lower) } else { expected.filter(|&score| m.upper >= score) };
        score.map(|score| Self { after: m.next, score, is_proven })
    }

    /// What `position` is worth by that, if it comes up after a reply, and whether that is a proven lower bound.
    pub(crate) fn in_position(&self, position: &Position<G>) -> Option<(Score, bool)> {
        let is_next = position.predecessors().any(|before| before.key() == self.after.key());
        is_next.then_some((self.score, self.is_proven))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use crate::search::root::Root;

    #[test]
    fn a_promise_holds_after_a_reply_and_nowhere_else() {
        let before = Position::<Standard>::from_digits("4444").expect("legal");
        let m = Root::new(&before, &[3]).moves.swap_remove(0);
        let promise = Promise::of(&RootMove { lower: -2, upper: -2, ..m }, None).expect("it is exact");
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
            assert_eq!(promise.in_position(&position), expected, "{moves}");
        }
    }

    #[test]
    fn what_was_expected_is_promised_unless_it_was_refuted() {
        let after = Position::<Standard>::from_digits("4444").expect("legal");
        let reply = after.play(0).expect("legal");
        let m = Root::new(&Position::from_digits("444").expect("legal"), &[3]).moves.swap_remove(0);
        for (lower, upper, expected, promised) in [
            (-18, 18, None, None),
            (-18, 18, Some(0), Some((0, false))),
            (0, 18, Some(0), Some((0, true))),
            (2, 18, Some(0), Some((2, true))),
            (-18, -1, Some(0), None),
            (-1, -1, Some(0), Some((-1, true))),
        ] {
            let promise = Promise::of(&RootMove { lower, upper, ..m.clone() }, expected);
            assert_eq!(promise.and_then(|promise| promise.in_position(&reply)), promised);
        }
    }
}
