//! Running whole searches, and checking every word that they say.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use super::minimax::Oracle;
use crate::board::{Geometry, Outcome, Position};
use crate::book::Book;
use crate::score::{Score, win_with_stone};
use crate::search::carried::Carried;
use crate::search::driver::{Answer, Task, run};
use crate::search::{Allowance, Bound, Limits, Overhead, SearchInfo, Settings, Signals, Value};
use crate::table::Table;

/// A search of one position with everything it says.
pub(super) struct Report {
    pub answer: Answer,
    pub infos: Vec<SearchInfo>,
}

/// What a worker keeps from search to search.
pub(super) struct Worker<G: Geometry> {
    pub table: Table,
    pub carried: Carried<G>,
    pub threads: NonZeroUsize,
    pub book: Option<Book<G>>,
}

impl<G: Geometry> Worker<G> {
    pub(super) fn new() -> Self {
        let table = Table::new(1, 1).expect("there is memory for a table");
        Self { table, carried: Carried::new(), threads: NonZeroUsize::MIN, book: None }
    }

    pub(super) fn search(&mut self, position: &Position<G>, limits: &Limits, multi_pv: usize) -> Report {
        let settings = Settings { multi_pv, threads: self.threads, ..Settings::default() };
        let signals = Signals::new();
        let task = Task {
            position: *position,
            limits,
            allowance: Allowance::new(limits, Overhead::default(), position.empty_cells()),
            settings: &settings,
            signals: &signals,
            book: self.book.as_ref(),
            received: Instant::now(),
        };
        let mut infos = Vec::new();
        let answer = run(&task, &self.table, &mut self.carried, &mut |info| infos.push(info));
        // The time is the one thing that differs from run to run.
        for info in &mut infos {
            info.time = Duration::ZERO;
        }
        Report { answer, infos }
    }
}

/// The score that a value stands for, if it is not an estimate, in a position with `plies` stones.
fn claimed<G: Geometry>(value: Value, position: &Position<G>) -> Option<Score> {
    match value {
        Value::Win { plies } => {
            assert_eq!(plies % 2, 1, "the side to move wins with a stone of its own");
            Some(win_with_stone::<G>(position.plies() + plies))
        }
        Value::Loss { plies } => {
            assert_eq!(plies % 2, 0, "the side to move loses to a stone of the other side");
            Some(-win_with_stone::<G>(position.plies() + plies))
        }
        Value::Draw => Some(0),
        Value::Estimate(estimate) => {
            assert!(estimate.abs() < 10_000, "an estimate looks like a decided game");
            None
        }
    }
}

impl Report {
    /// Checks the answer's shape and every report against the oracle; `position` is open.
    pub(super) fn check<G: Geometry>(&self, position: &Position<G>, oracle: &mut Oracle<G>, limits: &Limits) {
        let scores = oracle.move_scores(position);
        let listed = |column: u32| limits.search_moves.contains(&column);
        let restricted = scores.iter().any(|&(column, _)| listed(column));
        let allowed = scores.into_iter().filter(|&(column, _)| !restricted || listed(column));
        let mut scores: Vec<_> = allowed.collect();
        scores.sort_by_key(|&(_, score)| std::cmp::Reverse(score));

        let best = self.answer.best.expect("an open position has a move");
        let next = position.play(best).expect("the answer is legal");
        assert!(scores.iter().any(|&(column, _)| column == best), "the answer is one of the moves asked for");
        if let Some(ponder) = self.answer.ponder {
            assert!(next.play(ponder).is_some(), "the expected reply is legal");
        }
        let last = self.infos.iter().rfind(|info| info.multi_pv.is_none_or(|rank| rank == 1));
        assert_eq!(last.expect("a search reports").pv[0], best, "the last report is about the answer");
        assert!(self.infos.is_sorted_by_key(|info| info.nodes), "the nodes are counted up");
        for info in &self.infos {
            check_info(info, position, &scores);
        }
    }

    /// The last report of each rank, the best first.
    pub(super) fn final_lines(&self, lines: usize) -> &[SearchInfo] {
        &self.infos[self.infos.len() - lines..]
    }
}

/// Checks one report; `scores` holds the moves with their scores, the best first.
fn check_info<G: Geometry>(info: &SearchInfo, position: &Position<G>, scores: &[(u32, Score)]) {
    let context = format!("{info:?}\n{scores:?}\n{position}");
    let first = *info.pv.first().unwrap_or_else(|| panic!("no line: {context}"));
    let legal = info.pv.iter().try_fold(*position, |position, &column| position.play(column));
    let end = legal.unwrap_or_else(|| panic!("an illegal line: {context}"));
    assert!(info.depth >= 1 && info.sel_depth >= info.depth, "{context}");
    assert!(info.depth <= position.empty_cells(), "{context}");
    assert!(info.hash_full <= 1000, "{context}");

    let Some(claim) = claimed(info.value, position) else {
        assert_eq!(info.bound, Bound::Exact, "an estimate is no bound: {context}");
        return;
    };
    let holds = |score: Score| match info.bound {
        Bound::Exact => score == claim,
        Bound::Lower => score >= claim,
        Bound::Upper => score <= claim,
    };
    let of_move = scores.iter().find(|&&(column, _)| column == first).expect("a move asked for").1;
    assert!(holds(of_move), "not true of the move: {context}");
    if info.multi_pv.is_none_or(|rank| rank == 1) {
        assert!(holds(scores[0].1), "not true of the position: {context}");
    }
    if info.bound == Bound::Exact {
        let outcome = match claim.signum() {
            1 => Outcome::Win(position.side_to_move()),
            -1 => Outcome::Win(position.side_to_move().other()),
            _ => Outcome::Draw,
        };
        assert_eq!(end.outcome(), Some(outcome), "the line does not end so: {context}");
        if claim != 0 {
            assert_eq!(win_with_stone::<G>(end.plies()), claim.abs(), "the line ends elsewhere: {context}");
            assert_eq!(info.pv.len() as u32, info.depth, "the line ends elsewhere: {context}");
        }
    }
}
