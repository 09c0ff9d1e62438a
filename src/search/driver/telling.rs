//! What a search tells of itself on the way.

use super::Driver;
use crate::board::Geometry;
use crate::book::Opening;
use crate::score::{self, Score};
use crate::search::event::{Bound, SearchInfo, Value};
use crate::search::root_move::RootMove;

impl<G: Geometry> Driver<'_, G> {
    /// Tells the bound that the probe at `beta` has proved.
    pub(super) fn tell_probe(&mut self, beta: Score, rank: usize) {
        let (lower, upper) = self.root.bounds(rank);
        if lower < upper {
            let (score, bound) = if lower >= beta { (lower, Bound::Lower) } else { (upper, Bound::Upper) };
            let value = score::to_value::<G>(score, self.task.position.plies());
            // A move that is known to lose late may prove the bound and yet rank below one of which less is known.
            let shows = |m: &RootMove<G>| bound == Bound::Upper || m.lower == score;
            let Some(m) = self.root.moves[rank..].iter().find(|&m| shows(m)) else { return };
            let line = std::iter::once(m.column).chain(m.line.iter().copied()).collect();
            self.send(rank, value, bound, line);
        }
    }

    /// Tells what is known of the move of that rank.
    pub(super) fn tell(&mut self, rank: usize) {
        let m = &self.root.moves[rank];
        let (value, bound, line) = if rank == 0 { self.root.verdict() } else { m.verdict() };
        let line = std::iter::once(m.column).chain(line.iter().copied()).collect();
        self.send(rank, value, bound, line);
    }

    /// Tells all that is known, or how the game ended.
    pub(super) fn conclude(&mut self) {
        match self.task.position.outcome() {
            None => (0..self.lines_wanted()).for_each(|rank| self.tell(rank)),
            Some(outcome) => {
                let info = SearchInfo { depth: 0, ..self.info(Value::of_finished(outcome), Bound::Exact) };
                (self.report)(info);
            }
        }
    }

    fn send(&mut self, rank: usize, value: Value, bound: Bound, line: Vec<u32>) {
        let mut info = self.info(value, bound);
        info.pv = line;
        info.multi_pv = (self.task.settings.multi_pv > 1).then_some(rank + 1);
        let repeated = self.told.as_ref().is_some_and(|told| {
            told == &SearchInfo { time: told.time, hash_full: told.hash_full, ..info.clone() }
        });
        if !repeated {
            self.told = Some(info.clone());
            (self.report)(info);
        }
    }

    /// The counters as they stand, with `value`.
    fn info(&self, value: Value, bound: Bound) -> SearchInfo {
        let position = &self.task.position;
        let depth = match value {
            Value::Estimate(_) => self.depth.max(1),
            // A proof looks as far as the end that it is about.
            Value::Win { plies } | Value::Loss { plies } => plies,
            Value::Draw => position.empty_cells(),
        };
        let reached = self.prover.control.deepest().saturating_sub(position.plies());
        SearchInfo {
            depth,
            sel_depth: reached.max(depth),
            multi_pv: None,
            value,
            bound,
            nodes: self.prover.control.all_nodes(),
            time: self.task.received.elapsed(),
            hash_full: self.prover.table().hashfull(),
            tb_hits: self.prover.opening.as_ref().map_or(0, Opening::probes) + self.line_moves,
            pv: Vec::new(),
        }
    }
}
