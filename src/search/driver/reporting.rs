//! The events of a search and its result.

use super::state::Driver;
use crate::board::Geometry;
use crate::book::BookProbe;
use crate::score::{self, Score, Value};
use crate::search::event::{Bound, SearchInfo, SearchResult};
use crate::search::root::RootMove;

impl<G: Geometry> Driver<'_, G> {
    /// Reports the bound of the score from `line_index` on that a probe at `beta` has proved. An exact score is
    /// reported with its line instead, once that is known.
    pub(super) fn report_probe(&mut self, beta: Score, line_index: usize) {
        let (lower, upper) = self.root.bounds(line_index);
        if lower < upper {
            let (score, bound) = if lower >= beta { (lower, Bound::Lower) } else { (upper, Bound::Upper) };
            let value = score::to_value(self.task.position.geometry(), score, self.task.position.plies());
            // A late loss may be the proven lower bound, and yet rank below moves with unknown scores.
            let proves = |m: &RootMove<G>| bound == Bound::Upper || m.lower == score;
            let Some(m) = self.root.moves[line_index..].iter().find(|&m| proves(m)) else { return };
            let line = std::iter::once(m.column).chain(m.line.iter().copied()).collect();
            self.emit(line_index, value, bound, line);
        }
    }

    /// Reports the line of this index.
    pub(super) fn report_line(&mut self, line_index: usize) {
        let (value, bound, line) = self.line(line_index);
        self.emit(line_index, value, bound, line);
    }

    /// Reports all wanted lines, or how the game ended.
    pub(super) fn report_all(&mut self) {
        if self.task.position.outcome().is_none() {
            (0..self.lines_wanted()).for_each(|line_index| self.report_line(line_index));
        } else {
            let info = self.best_info();
            (self.on_info)(info);
        }
    }

    /// The result of the search as it stands.
    pub(super) fn result(&self) -> SearchResult {
        let info = self.best_info();
        let mut moves = info.pv.iter().copied();
        SearchResult { best: moves.next(), ponder: moves.next(), info, swindle: self.swindle }
    }

    /// The best line, or how the game ended.
    fn best_info(&self) -> SearchInfo {
        if let Some(outcome) = self.task.position.outcome() {
            return SearchInfo { depth: 0, ..self.info(Value::of_finished(outcome), Bound::Exact) };
        }
        let (value, bound, pv) = self.line(0);
        SearchInfo { pv, multi_pv: self.multi_pv(0), ..self.info(value, bound) }
    }

    /// Value, bound and principal variation of the line of this index.
    fn line(&self, line_index: usize) -> (Value, Bound, Vec<u32>) {
        let m = &self.root.moves[line_index];
        let (value, bound, line) =
            if line_index == 0 { self.root.reported_value() } else { m.reported_value() };
        (value, bound, std::iter::once(m.column).chain(line.iter().copied()).collect())
    }

    fn multi_pv(&self, line_index: usize) -> Option<usize> {
        (self.task.settings.multi_pv.get() > 1).then_some(line_index + 1)
    }

    fn emit(&mut self, line_index: usize, value: Value, bound: Bound, pv: Vec<u32>) {
        let info = SearchInfo { pv, multi_pv: self.multi_pv(line_index), ..self.info(value, bound) };
        let is_repeated = self.last_report.as_ref().is_some_and(|last| {
            last == &SearchInfo { time: last.time, hash_full: last.hash_full, ..info.clone() }
        });
        if !is_repeated {
            self.last_report = Some(info.clone());
            (self.on_info)(info);
        }
    }

    /// An event with the counters as they stand, without a line.
    fn info(&self, value: Value, bound: Bound) -> SearchInfo {
        let position = &self.task.position;
        let depth = match value {
            Value::Estimate(_) => self.depth.max(1),
            // A proof looks as far as the end of the game.
            Value::Win { plies } | Value::Loss { plies } => plies,
            Value::Draw => position.empty_cells(),
        };
        let reached = self.exact.control.max_plies().saturating_sub(position.plies());
        SearchInfo {
            depth,
            sel_depth: reached.max(depth),
            multi_pv: None,
            value,
            bound,
            nodes: self.exact.control.all_nodes(),
            time: self.task.start.elapsed(),
            hash_full: self.exact.table().hashfull(),
            tb_hits: self.exact.book.as_ref().map_or(0, BookProbe::probes) + self.book_extension_hits,
            pv: Vec::new(),
        }
    }
}
