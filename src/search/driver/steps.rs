//! The steps of a search: iterations of the depth-limited search, schedules of probes, and principal variations.

use super::state::Driver;
use crate::board::Geometry;
use crate::search::control::Aborted;
use crate::search::exact::{WindowSchedule, extend_line};
use crate::search::heuristic::WIN;
use crate::search::limits::Strength;

/// Greatest depth of the depth-limited search where the limits give none.
const MAX_DEPTH: u32 = 24;

impl<G: Geometry> Driver<'_, G> {
    /// Deepens the depth-limited search for about `nodes` nodes.
    ///
    /// # Errors
    /// If the search was aborted.
    pub(super) fn estimate(&mut self, nodes: u64) -> Result<(), Aborted> {
        let end = self.exact.control.nodes() + nodes;
        let max_depth = self.task.position.empty_cells().min(MAX_DEPTH);
        while self.depth < max_depth && self.exact.control.nodes() < end && !self.is_decided() {
            // The first plies are always finished, so that there is an estimate at all.
            let rest = end - self.exact.control.nodes();
            self.exact.control.set_budget((self.depth >= 2).then_some(rest));
            match self.iterate(self.depth + 1) {
                Err(Aborted::Budget) => break,
                other => other?,
            }
        }
        Ok(())
    }

    /// One iteration of the depth-limited search, over the moves whose scores are open.
    ///
    /// # Errors
    /// If it was aborted; the result of the last iteration then stands.
    pub(super) fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        // With one line at full strength only the best move needs an estimate that is more than an upper bound.
        let all = self.lines_wanted() > 1 || self.task.settings.strength != Strength::Full;
        let proven = self.root.bounds(0).0;
        let mut best = None;
        let mut results = Vec::with_capacity(self.root.moves.len());
        for m in &self.root.moves {
            if m.is_exact() || (!all && m.upper < proven) {
                continue;
            }
            let mut line = Vec::new();
            let mut search = |alpha: i32, beta: i32| {
                let control = &mut self.exact.control;
                self.memory
                    .heuristic
                    .search(control, &m.next, depth - 1, -beta, -alpha, &mut line)
                    .map(|value| -value)
            };
            let upper_bound = match best {
                Some(best) if !all => Some(search(best, best + 1)?).filter(|&value| value <= best),
                _ => None,
            };
            let value = match upper_bound {
                Some(value) => value,
                None => search(-WIN, WIN)?,
            };
            best = best.max(Some(value));
            results.push((m.column, value, upper_bound.is_none(), line));
        }
        for (column, value, is_exact, line) in results {
            if let Some(m) = self.root.moves.iter_mut().find(|m| m.column == column) {
                m.set_estimate(value, is_exact);
                m.line = line;
            }
        }
        self.depth = depth;
        self.root.sort(0);
        (0..self.lines_wanted()).for_each(|line_index| self.report_line(line_index));
        Ok(())
    }

    /// Probes by `schedule` until the best score from `line_index` on is exact, and finds its line; or until the
    /// schedule ends.
    ///
    /// # Errors
    /// If the search was aborted.
    pub(super) fn probe_by(
        &mut self,
        mut schedule: WindowSchedule,
        line_index: usize,
    ) -> Result<(), Aborted> {
        // Bounds proved for later lines may have changed the order.
        self.root.sort(line_index);
        loop {
            let (lower, upper) = self.root.bounds(line_index);
            if lower >= upper {
                return self.solve_line(line_index);
            }
            let Some(beta) = schedule.next(lower, upper) else { return Ok(()) };
            self.exact.control.set_budget(schedule.budget());
            let nodes_before = self.exact.control.nodes();
            match self.root.probe(&mut self.exact, beta, line_index) {
                Ok(reached) => {
                    schedule.answered(self.exact.control.nodes() - nodes_before, reached);
                    self.report_probe(beta, line_index);
                }
                Err(Aborted::Budget) => schedule.exceeded_budget(),
                Err(Aborted::Stop) => return Err(Aborted::Stop),
            }
        }
    }

    /// Finds the line to the end of the game for the move of the line of this index, whose score is exact.
    fn solve_line(&mut self, line_index: usize) -> Result<(), Aborted> {
        let m = &self.root.moves[line_index];
        if m.is_solved() {
            return Ok(());
        }
        debug_assert!(m.is_exact(), "bounds that meet are those of the best move");
        let (next, score) = (m.next, m.lower);
        let mut line = Vec::new();
        self.exact.control.set_budget(None);
        let result = extend_line(&mut self.exact, next, -score, &mut line);
        let m = &mut self.root.moves[line_index];
        if result.is_ok() {
            m.full_line = Some(line);
            self.report_line(line_index);
        } else {
            m.line = line;
        }
        result
    }
}
