//! The answer to a `go` for which no search has had time.

use std::time::Duration;

use super::evaluation::evaluate;
use super::event::{Bound, SearchInfo, Value};
use super::root::Root;
use crate::board::{Geometry, Outcome, Position};

/// The static answer for `position`, which takes some microseconds. Columns count from 0; only those in `search_moves` are
/// considered, if any of these is legal.
///
/// The principal variation is a move that wins at once, else one that does not lose to the next stone, else any; among
/// equals it is the one with the best static evaluation. It is empty only where the game is over.
#[must_use]
pub fn without_search<G: Geometry>(position: &Position<G>, search_moves: &[u32]) -> SearchInfo {
    let (value, bound, pv) = if let Some(outcome) = position.outcome() {
        (Value::of_finished(outcome), Bound::Exact, Vec::new())
    } else {
        let mut root = Root::new(position, search_moves);
        for m in root.moves.iter_mut().filter(|m| !m.is_exact()) {
            m.set_estimate(-evaluate(&m.next), true);
        }
        root.see_threats();
        let (value, bound, line) = root.verdict();
        (value, bound, std::iter::once(root.moves[0].column).chain(line.iter().copied()).collect())
    };
    let depth = match value {
        Value::Win { plies } | Value::Loss { plies } => plies,
        Value::Draw | Value::Estimate(_) => u32::from(position.outcome().is_none()),
    };
    SearchInfo {
        depth,
        sel_depth: depth,
        multi_pv: None,
        value,
        bound,
        nodes: 0,
        time: Duration::ZERO,
        hash_full: 0,
        tb_hits: 0,
        pv,
    }
}

impl Value {
    /// The value of a game that has ended, for the side that would be to move.
    pub(super) fn of_finished(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(_) => Self::Loss { plies: 0 },
            Outcome::Draw => Self::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    fn answer(digits: &str, search_moves: &[u32]) -> (Option<u32>, Value) {
        let position = Position::<Standard>::from_digits(digits).expect("legal");
        let info = without_search(&position, search_moves);
        (info.pv.first().copied(), info.value)
    }

    #[test]
    fn what_the_next_stones_decide_is_seen() {
        assert_eq!(answer("112233", &[]), (Some(3), Value::Win { plies: 1 }));
        assert_eq!(answer("41424", &[]).0, Some(3), "three on top of each other must be stopped");
        assert_eq!(answer("", &[]).0, Some(3));
        assert_eq!(answer("", &[0, 6]).0.map(|column| column % 6), Some(0));
        assert_eq!(answer("1122334", &[]), (None, Value::Loss { plies: 0 }));
        assert_eq!(answer("121212212121343434434343565656656565777777", &[]), (None, Value::Draw));
    }

    #[test]
    fn every_answer_is_legal() {
        let mut position = Position::<Standard>::new();
        while position.outcome().is_none() {
            let column = without_search(&position, &[]).pv[0];
            position = position.play(column).expect("legal");
        }
    }
}
