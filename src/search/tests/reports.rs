use std::num::NonZeroUsize;
use std::time::Duration;

use super::minimax::Oracle;
use crate::board::{Outcome, Position, StaticGeometry};
use crate::book::Book;
use crate::score::{Score, win_with_stone};
use crate::search::{
    Bound, Limits, Overhead, Search, SearchInfo, SearchMemory, SearchResult, Settings, TimeBudget, Value,
};
use crate::table::Table;

pub(super) struct Report {
    pub result: SearchResult,
    pub infos: Vec<SearchInfo>,
}

pub(super) struct Engine<G: StaticGeometry> {
    pub table: Table,
    pub memory: SearchMemory,
    pub threads: NonZeroUsize,
    pub book: Option<Book>,
    pub geometry: G,
}

impl<G: StaticGeometry> Engine<G> {
    pub(super) fn new() -> Self {
        let geometry = G::default();
        let table = Table::new_on(geometry, 1).expect("there is memory for a table");
        Self { table, memory: SearchMemory::default(), threads: NonZeroUsize::MIN, book: None, geometry }
    }

    pub(super) fn search(&mut self, position: &Position<G>, limits: &Limits, multi_pv: usize) -> Report {
        let multi_pv = NonZeroUsize::new(multi_pv).expect("at least one line");
        let settings = Settings { multi_pv, threads: self.threads, ..Settings::default() };
        let mut limits = limits.clone();
        limits.search_moves.retain(|&column| position.play(column).is_some());
        let mut infos = Vec::new();
        let search = Search::new(position)
            .time_budget(TimeBudget::new(&limits, Overhead::default(), position.empty_cells()))
            .limits(limits)
            .settings(settings)
            .memory(&mut self.memory)
            .book(&self.book)
            .on_info(|info| infos.push(info));
        let mut result = search.run_on(self.geometry, &self.table).expect("the limits fit the position");
        for info in infos.iter_mut().chain([&mut result.info]) {
            info.time = Duration::ZERO;
        }
        Report { result, infos }
    }

    pub(super) fn checked_search(
        &mut self,
        oracle: &mut Oracle<G>,
        position: &Position<G>,
        limits: &Limits,
        multi_pv: usize,
    ) -> Report {
        let report = self.search(position, limits, multi_pv);
        report.check(position, oracle, limits);
        report
    }
}

fn claimed<G: StaticGeometry>(value: Value, position: &Position<G>) -> Option<Score> {
    match value {
        Value::Win { plies } => {
            assert_eq!(plies % 2, 1, "the side to move wins with a stone of its own");
            Some(win_with_stone(G::default(), position.plies() + plies))
        }
        Value::Loss { plies } => {
            assert_eq!(plies % 2, 0, "the side to move loses to a stone of the other side");
            Some(-win_with_stone(G::default(), position.plies() + plies))
        }
        Value::Draw => Some(0),
        Value::Estimate(estimate) => {
            assert!(estimate.abs() < 10_000, "an estimate looks like a decided game");
            None
        }
    }
}

impl Report {
    fn check<G: StaticGeometry>(&self, position: &Position<G>, oracle: &mut Oracle<G>, limits: &Limits) {
        let scores = oracle.move_scores(position);
        let listed = |column: u32| limits.search_moves.contains(&column);
        let restricted = scores.iter().any(|&(column, _)| listed(column));
        let allowed = scores.into_iter().filter(|&(column, _)| !restricted || listed(column));
        let mut scores: Vec<_> = allowed.collect();
        scores.sort_by_key(|&(_, score)| std::cmp::Reverse(score));

        let best = self.result.best.expect("an open position has a move");
        let next = position.play(best).expect("the best move is legal");
        assert!(scores.iter().any(|&(column, _)| column == best), "the best move is one of those asked for");
        if let Some(ponder) = self.result.ponder {
            assert!(next.play(ponder).is_some(), "the expected reply is legal");
        }
        let last = self.infos.iter().rfind(|info| info.multi_pv.is_none_or(|rank| rank == 1));
        assert_eq!(last.expect("a search reports").pv[0], best, "the last report is about the best move");
        assert!(self.infos.is_sorted_by_key(|info| info.nodes), "the nodes are counted up");
        for info in &self.infos {
            check_info(info, position, &scores);
        }
    }

    pub(super) fn next<G: StaticGeometry>(&self, position: &Position<G>) -> Position<G> {
        self.result.best.and_then(|column| position.play(column)).expect("a legal move")
    }

    pub(super) fn final_lines(&self, lines: usize) -> Vec<&SearchInfo> {
        let last = |rank| self.infos.iter().rfind(|info| info.multi_pv.is_none_or(|found| found == rank));
        (1..=lines).filter_map(last).collect()
    }
}

fn check_info<G: StaticGeometry>(info: &SearchInfo, position: &Position<G>, scores: &[(u32, Score)]) {
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
    assert!(holds(of_move), "false for the move: {context}");
    if info.multi_pv.is_none_or(|rank| rank == 1) {
        assert!(holds(scores[0].1), "false for the position: {context}");
    }
    if info.bound == Bound::Exact {
        let outcome = match claim.signum() {
            1 => Outcome::Win(position.side_to_move()),
            -1 => Outcome::Win(position.side_to_move().other()),
            _ => Outcome::Draw,
        };
        assert_eq!(end.outcome(), Some(outcome), "the line ends differently: {context}");
        if claim != 0 {
            let score = win_with_stone(G::default(), end.plies());
            assert_eq!(score, claim.abs(), "the line has another length: {context}");
            assert_eq!(info.pv.len() as u32, info.depth, "the line has another length: {context}");
        }
    }
}
