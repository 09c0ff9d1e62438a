//! The state of a running search, its events and its result.

use crate::board::{Geometry, Position};
use crate::book::{Book, BookProbe};
use crate::clock::Instant;
use crate::score::{self, Score, Value};
use crate::search::control::Control;
use crate::search::event::{Bound, SearchInfo, SearchResult, SwindleInfo};
use crate::search::exact::ExactSearch;
use crate::search::limits::{Limits, Settings, TimeBudget};
use crate::search::memory::SearchMemory;
use crate::search::root::{Root, RootMove};
use crate::search::stop::StopFlag;
use crate::table::Table;

/// Value, bound and principal variation.
type Line = (Value, Bound, Vec<u32>);

/// The parameters of a search.
pub(in crate::search) struct Task<'a, G: Geometry> {
    pub position: Position<G>,
    pub limits: &'a Limits,
    pub settings: &'a Settings,
    pub time_budget: TimeBudget,
    /// The time from which the time budget counts, unless the search ponders.
    pub start: Instant,
    pub book: Option<&'a Book<G>>,
    pub stop: &'a StopFlag,
}

/// A running search.
pub(in crate::search) struct Driver<'a, G: Geometry> {
    pub(super) task: &'a Task<'a, G>,
    pub(super) exact: ExactSearch<'a, G>,
    pub(super) memory: &'a mut SearchMemory<G>,
    pub(super) on_info: &'a mut dyn FnMut(SearchInfo),
    pub(in crate::search) root: Root<G>,
    /// The score that the position has by the book, or that is expected of it after the previous search.
    pub(super) expected_score: Option<Score>,
    /// Depth of the last finished iteration of the depth-limited search, in plies.
    pub(super) depth: u32,
    /// The last event, so that none is repeated.
    pub(super) last_report: Option<SearchInfo>,
    /// Number of moves read from the book's extension.
    pub(super) book_extension_hits: u64,
    /// The choice among moves that are equally good in theory, if there was one.
    pub(super) swindle: Option<SwindleInfo>,
}

impl<'a, G: Geometry> Driver<'a, G> {
    pub(in crate::search) fn new(
        task: &'a Task<'a, G>,
        table: &'a Table<G>,
        memory: &'a mut SearchMemory<G>,
        on_info: &'a mut dyn FnMut(SearchInfo),
    ) -> Self {
        let limits = task.limits;
        let hard = task.time_budget.hard;
        let deadline = hard.map(|hard| task.start + hard);
        let mut control = Control::new(task.stop, limits.nodes, deadline).with_threads(task.settings.threads);
        if limits.ponder {
            control.start_on_ponder_hit(hard);
        }
        Self {
            task,
            exact: ExactSearch::new(table, control),
            memory,
            on_info,
            root: Root::new(&task.position, &limits.search_moves),
            expected_score: None,
            depth: 0,
            last_report: None,
            book_extension_hits: 0,
            swindle: None,
        }
    }

    /// Number of lines to search and report; a line index counts them from 0, the best first.
    pub(super) fn lines_wanted(&self) -> usize {
        self.task.settings.multi_pv.get().min(self.root.moves.len())
    }

    /// Whether the score of every wanted line is exact.
    pub(super) fn is_exact(&self) -> bool {
        (0..self.lines_wanted()).all(|line_index| {
            let (lower, upper) = self.root.bounds(line_index);
            lower >= upper
        })
    }

    /// Whether every wanted line is solved: its score is exact, and its line to the end of the game known.
    pub(super) fn is_solved(&self) -> bool {
        self.is_exact() && self.root.moves[..self.lines_wanted()].iter().all(RootMove::is_solved)
    }

    /// Whether the game is decided: the winner of every wanted line is known, so that estimates have nothing to add.
    pub(super) fn is_decided(&self) -> bool {
        let (lower, upper) = self.root.bounds(self.lines_wanted() - 1);
        lower > 0 || upper < 0 || self.is_solved()
    }

    /// Whether the best move is the only one: all others are proven to lose.
    pub(super) fn has_only_move(&self) -> bool {
        self.root.moves.iter().skip(1).all(|m| m.upper < 0)
    }

    /// Whether the search began on a clock, on which time that is not used for this move is left for the next. One that
    /// began as a search of the opponent's time stays outside: its time was planned when the opponent moved.
    pub(super) fn is_on_clock(&self) -> bool {
        self.task.limits.clock.is_some() && !self.task.limits.ponder && !self.task.limits.infinite
    }
}

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
            self.emit(line_index, (value, bound, line));
        }
    }

    /// Reports the line of this index.
    pub(super) fn report_line(&mut self, line_index: usize) {
        self.emit(line_index, self.line(line_index));
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
        match self.task.position.outcome() {
            Some(outcome) => {
                let line = (Value::of_finished(outcome), Bound::Exact, Vec::new());
                SearchInfo { multi_pv: None, ..self.info(0, line) }
            }
            None => self.info(0, self.line(0)),
        }
    }

    /// Value, bound and principal variation of the line of this index.
    fn line(&self, line_index: usize) -> Line {
        let m = &self.root.moves[line_index];
        let (value, bound, line) =
            if line_index == 0 { self.root.reported_value() } else { m.reported_value() };
        (value, bound, std::iter::once(m.column).chain(line.iter().copied()).collect())
    }

    fn emit(&mut self, line_index: usize, line: Line) {
        let info = self.info(line_index, line);
        let is_repeated = self.last_report.as_ref().is_some_and(|last| {
            last == &SearchInfo { time: last.time, hash_full: last.hash_full, ..info.clone() }
        });
        if !is_repeated {
            self.last_report = Some(info.clone());
            (self.on_info)(info);
        }
    }

    /// The event of a line, with the counters as they stand.
    fn info(&self, line_index: usize, line: Line) -> SearchInfo {
        let position = &self.task.position;
        let depth = match line.0 {
            Value::Estimate(_) => self.depth.max(1),
            // A proof looks as far as the end of the game.
            Value::Win { plies } | Value::Loss { plies } => plies,
            Value::Draw => position.empty_cells(),
        };
        let reached = self.exact.control.max_plies.saturating_sub(position.plies());
        SearchInfo {
            sel_depth: reached.max(depth),
            multi_pv: (self.task.settings.multi_pv.get() > 1).then_some(line_index + 1),
            nodes: self.exact.control.all_nodes(),
            time: self.task.start.elapsed(),
            hash_full: self.exact.table.hashfull(),
            tb_hits: self.exact.book.as_ref().map_or(0, BookProbe::probes) + self.book_extension_hits,
            ..SearchInfo::new(depth, line)
        }
    }
}
