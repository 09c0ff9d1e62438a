//! What one search leaves to the next, beside the table.

use super::heuristic::Heuristic;
use super::root::RootMove;
use crate::board::{Geometry, Position};
use crate::score::Score;

/// What one search leaves to the next.
pub(crate) struct Carried<G: Geometry> {
    /// The depth-limited search, with its own table.
    pub heuristic: Heuristic<G>,
    /// What the last answer was proven to be worth.
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

/// The exact score of a move that was played. Whatever the reply, the next position is worth as much: the opponent had no
/// better one, or the score would be less. Most often it is worth no more either.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise<G: Geometry> {
    /// The position after the move.
    after: Position<G>,
    /// For the side that made it.
    score: Score,
}

impl<G: Geometry> Promise<G> {
    /// What is known of a move, if it is its exact score.
    pub(crate) fn of(m: &RootMove<G>) -> Option<Self> {
        m.is_exact().then_some(Self { after: m.next, score: m.lower })
    }

    /// A lower bound of the score of `position`, if it comes up after a reply.
    pub(crate) fn in_position(&self, position: &Position<G>) -> Option<Score> {
        position.predecessors().any(|before| before.key() == self.after.key()).then_some(self.score)
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
        let mut m = Root::new(&before, &[3]).moves.swap_remove(0);
        assert!(Promise::of(&m).is_none(), "nothing is known");
        (m.lower, m.upper) = (-2, -2);
        let promise = Promise::of(&m).expect("it is exact");
        for (moves, expected) in [
            ("444443", Some(-2)),
            ("444441", Some(-2)),
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
}
