//! Runs a search: [`Search::run`] prepares it, `plan` has its steps, and [`Driver`] its state and reports.

mod plan;
mod swindle;

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::control::Control;
use super::event::{Bound, SearchInfo, SearchResult, SwindleInfo};
use super::exact::ExactSearch;
use super::limits::{Limits, Overhead, Settings, TimeBudget};
use super::memory::{ExpectedScore, GameMemory, SearchMemory};
use super::root::{ReportedLine, Root};
use super::stop::StopFlag;
use crate::board::{Board, Geometry, Kind, Position, each_kind};
use crate::book::{Book, BookProbe};
use crate::clock::Instant;
use crate::score::{self, Score, Value};
use crate::table::Table;

/// A search for the best move of a position, on the caller's thread.
///
/// Without limits the search runs until the position is solved.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::{Limits, Search};
/// use plumb::table::Table;
///
/// let table = Table::new(16)?;
/// let position: Position = "444444".parse()?;
/// let result = Search::new(&position)
///     .limits(Limits::default().with_nodes(20_000))
///     .on_info(|info| println!("depth {} nodes {} {:?}", info.depth, info.nodes, info.pv))
///     .run(&table)?;
/// assert!(result.best.is_some_and(|column| position.play(column).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a search does nothing until it is run"]
pub struct Search<'a> {
    position: Position<Board>,
    limits: Limits,
    settings: Settings,
    time_budget: Option<TimeBudget>,
    start: Option<Instant>,
    book: Option<&'a Book>,
    stop: Option<&'a StopFlag>,
    memory: Option<&'a mut SearchMemory>,
    on_info: Option<Box<dyn FnMut(SearchInfo) + 'a>>,
}

impl<'a> Search<'a> {
    /// A search of `position` without limits, with the default settings.
    pub fn new<G: Geometry>(position: &Position<G>) -> Self {
        Self {
            position: position.on(Board::of(position.geometry())),
            limits: Limits::default(),
            settings: Settings::default(),
            time_budget: None,
            start: None,
            book: None,
            stop: None,
            memory: None,
            on_info: None,
        }
    }

    /// Sets when the search ends, and which moves it considers.
    pub fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets strength, threads and other settings.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Sets time bounds, which replace the times in the limits. A `clock` in the limits then only enables
    /// early ends.
    pub fn time_budget(self, budget: TimeBudget) -> Self {
        Self { time_budget: Some(budget), ..self }
    }

    /// Sets the time from which time bounds count, by default the call of [`run`](Self::run).
    pub fn started_at(self, start: Instant) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Sets an opening book. The settings may disable it.
    pub fn book(self, book: impl Into<Option<&'a Book>>) -> Self {
        Self { book: book.into(), ..self }
    }

    /// Sets a flag that stops the search.
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Sets the memory that the searches of a game share, which makes them faster.
    pub fn memory(self, memory: &'a mut SearchMemory) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Sets a callback for reports, called on the thread of the search. A search that waited for a stop or
    /// ponder hit repeats its last report.
    pub fn on_info(self, callback: impl FnMut(SearchInfo) + 'a) -> Self {
        Self { on_info: Some(Box::new(callback)), ..self }
    }
}

impl Search<'_> {
    /// Runs the search with `table`, and blocks until it is over.
    ///
    /// A finished infinite or pondering search waits for the stop flag or, if pondering, the ponder hit.
    ///
    /// # Errors
    /// If a root move to consider is illegal, or if an infinite or pondering search has no stop flag.
    ///
    /// # Panics
    /// If the table is for another board.
    pub fn run(self, table: &Table) -> Result<SearchResult, SearchError> {
        each_kind!(Kind::of(self.position.geometry()), geometry => self.run_on(geometry, table))
    }

    pub(super) fn run_on<G: Geometry>(
        mut self,
        geometry: G,
        table: &Table,
    ) -> Result<SearchResult, SearchError> {
        table.assert_board(geometry);
        for &column in &self.limits.search_moves {
            if self.position.play(column).is_none() {
                return Err(SearchError::IllegalSearchMove { column });
            }
        }
        let Limits { infinite, ponder, .. } = self.limits;
        if (infinite || ponder) && self.stop.is_none() {
            return Err(SearchError::NoStopFlag);
        }
        let in_use = table.begin_search();
        let mut own_memory = SearchMemory::default();
        let memory = self.memory.take().unwrap_or(&mut own_memory).on(table.board());
        let own_stop = StopFlag::new();
        let stop = self.stop.unwrap_or(&own_stop);
        let mut on_info = self.on_info.take().unwrap_or_else(|| Box::new(|_| ()));
        // Updates the opponent model first: the reply counts even if this search is aborted.
        memory.opponent.observe(&self.position);
        let mut driver = Driver::new(geometry, &self, table, memory, stop, &mut on_info);
        if self.position.outcome().is_none()
            && let Err(aborted) = driver.search().and_then(|()| driver.swindle())
        {
            log::debug!("search aborted ({aborted:?}) after {} nodes", driver.exact.control.all_nodes());
        }
        let expected = driver.expected_score;
        driver.memory.expected_next =
            driver.root.moves.first().and_then(|m| ExpectedScore::of_move(m, expected));
        driver.report_all();
        let is_held_back = infinite || (ponder && stop.ponder_hit_time().is_none());
        drop(in_use);
        if is_held_back && !stop.is_stopped() {
            stop.wait(!infinite);
            // Arenas read the last `info` line before `bestmove`.
            driver.last_reports.clear();
            driver.report_all();
        }
        Ok(driver.result())
    }
}

pub(super) struct Driver<'a, G: Geometry> {
    position: Position<G>,
    task: &'a Search<'a>,
    /// Counted from `start`, or from the ponder hit if the search ponders.
    time_budget: TimeBudget,
    start: Instant,
    /// `None` without a book, or if the settings disable it.
    book: Option<&'a Book>,
    pub(super) exact: ExactSearch<'a, G>,
    memory: &'a mut GameMemory,
    on_info: &'a mut dyn FnMut(SearchInfo),
    pub(super) root: Root<G>,
    expected_score: Option<Score>,
    depth: u32,
    last_reports: Vec<Option<SearchInfo>>,
    book_extension_hits: u64,
    swindle: Option<SwindleInfo>,
}

impl<'a, G: Geometry> Driver<'a, G> {
    pub(super) fn new(
        geometry: G,
        task: &'a Search<'a>,
        table: &'a Table,
        memory: &'a mut GameMemory,
        stop: &'a StopFlag,
        on_info: &'a mut dyn FnMut(SearchInfo),
    ) -> Self {
        let (limits, position) = (&task.limits, task.position.on(geometry));
        let empty_cells = position.empty_cells();
        let time_budget =
            task.time_budget.unwrap_or_else(|| TimeBudget::new(limits, Overhead::NONE, empty_cells));
        let start = task.start.unwrap_or_else(Instant::now);
        let deadline = time_budget.hard.and_then(|hard| start.checked_add(hard));
        let mut control = Control::new(stop, limits.nodes, if limits.ponder { None } else { deadline });
        if limits.ponder {
            control.time_after_ponder_hit = time_budget.hard;
        }
        control.set_threads(task.settings.threads);
        Self {
            position,
            task,
            time_budget,
            start,
            book: if task.settings.plays_book(limits, empty_cells) { task.book } else { None },
            exact: ExactSearch::new(geometry, table, control),
            memory,
            on_info,
            root: Root::new(&position, &limits.search_moves),
            expected_score: None,
            depth: 0,
            last_reports: Vec::new(),
            book_extension_hits: 0,
            swindle: None,
        }
    }

    fn lines_wanted(&self) -> usize {
        self.task.settings.multi_pv.get().min(self.root.moves.len())
    }

    fn each_line(&self, known: impl Fn((Score, Score)) -> bool) -> bool {
        (0..self.lines_wanted()).all(|line_index| known(self.root.bounds(line_index)))
    }

    fn is_exact(&self) -> bool {
        self.each_line(|(lower, upper)| lower >= upper)
    }

    fn is_solved(&self) -> bool {
        self.is_exact() && self.root.moves[..self.lines_wanted()].iter().all(|m| m.is_solved)
    }

    fn is_decided(&self) -> bool {
        self.each_line(|(lower, upper)| lower > 0 || upper < 0 || lower >= upper)
    }

    /// Whether only one move is legal or not proven to lose. False if several moves all lose: the longest
    /// loss is best.
    fn has_only_move(&self) -> bool {
        let moves = &self.root.moves;
        moves.len() < 2 || (moves[0].upper >= 0 && moves[1..].iter().all(|m| m.upper < 0))
    }

    /// Whether unused time stays on a playing clock, so an early end saves time.
    fn is_on_clock(&self) -> bool {
        self.task.limits.clock.is_some() && !self.task.limits.ponder && !self.task.limits.infinite
    }

    /// Reports a new bound. An exact score is reported later, with its principal variation.
    fn report_bound(&mut self, beta: Score, line_index: usize) {
        let (lower, upper) = self.root.bounds(line_index);
        if lower < upper {
            let (score, bound) = if lower >= beta { (lower, Bound::Lower) } else { (upper, Bound::Upper) };
            let value = score::to_value(self.position.geometry(), score, self.position.plies());
            // The move with the greatest lower bound need not be first: late losses rank below unknown
            // scores.
            let moves = &self.root.moves[line_index..];
            let proving = moves.iter().position(|m| bound == Bound::Upper || m.lower == score);
            let Some(index) = proving else { return };
            self.emit(line_index, (value, bound, moves[index].principal_variation()));
            // If time runs out, the engine plays the last reported move, so the first move is reported last.
            if index > 0 {
                self.report_line(line_index);
            }
        }
    }

    fn report_line(&mut self, line_index: usize) {
        self.emit(line_index, self.root.reported_line(line_index));
    }

    fn report_all(&mut self) {
        (0..self.lines_wanted().max(1)).for_each(|line_index| self.report_line(line_index));
    }

    fn result(&self) -> SearchResult {
        let info = self.info(0, self.root.reported_line(0));
        let mut moves = info.pv.iter().copied();
        SearchResult { best: moves.next(), ponder: moves.next(), info, swindle: self.swindle }
    }

    fn emit(&mut self, line_index: usize, line: ReportedLine) {
        let info = self.info(line_index, line);
        if self.last_reports.len() <= line_index {
            self.last_reports.resize(line_index + 1, None);
        }
        let last = &mut self.last_reports[line_index];
        if let Some(last) = last {
            let mut repeated = SearchInfo { time: last.time, hash_full: last.hash_full, ..info.clone() };
            // With `MultiPV` only the first line reports new counters, which belong to the whole search.
            if line_index > 0 {
                (repeated.nodes, repeated.tb_hits, repeated.sel_depth) =
                    (last.nodes, last.tb_hits, last.sel_depth);
            }
            if *last == repeated {
                return;
            }
        }
        *last = Some(info.clone());
        (self.on_info)(info);
    }

    fn info(&self, line_index: usize, line: ReportedLine) -> SearchInfo {
        let position = &self.position;
        let depth = match line.0 {
            Value::Estimate(_) => self.depth.max(1),
            // A proof looks as far as the end of the game.
            Value::Win { plies } | Value::Loss { plies } => plies,
            Value::Draw => position.empty_cells(),
        };
        let reached = self.exact.control.max_plies.saturating_sub(position.plies());
        let is_ranked = self.task.settings.multi_pv.get() > 1 && !self.root.moves.is_empty();
        SearchInfo {
            sel_depth: reached.max(depth),
            multi_pv: if is_ranked { Some(line_index + 1) } else { None },
            nodes: self.exact.control.all_nodes(),
            time: self.start.elapsed(),
            hash_full: self.exact.table.hashfull(),
            tb_hits: self.exact.book.as_ref().map_or(0, BookProbe::probes) + self.book_extension_hits,
            ..SearchInfo::new(depth, line)
        }
    }
}

/// Why a search was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// A move in [`Limits::search_moves`] is illegal.
    IllegalSearchMove {
        /// The column of the move, from 0.
        column: u32,
    },
    /// The search is infinite or pondering, and has no [stop flag](Search::stop_flag).
    NoStopFlag,
}

impl Display for SearchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalSearchMove { column } => {
                let number = u64::from(*column) + 1;
                write!(f, "search move in column {number} (from 1): not legal in this position")
            }
            Self::NoStopFlag => f.write_str("an infinite or pondering search needs a stop flag"),
        }
    }
}

impl Error for SearchError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use std::time::Duration;

    fn table() -> Table {
        Table::new(1).expect("one megabyte")
    }

    #[test]
    fn requests_that_cannot_be_met_are_refused() {
        let full_column = Position::<Standard>::from_digits("444444").expect("legal");
        let limits = Limits::default().with_search_moves([2, 3]);
        let refused = Search::new(&full_column).limits(limits).run(&table());
        assert_eq!(refused, Err(SearchError::IllegalSearchMove { column: 3 }));
        let infinite = Limits { infinite: true, ..Limits::default() };
        assert_eq!(Search::new(&full_column).limits(infinite).run(&table()), Err(SearchError::NoStopFlag));
    }

    #[test]
    fn a_search_needs_a_position_and_a_table_only() {
        let late = Position::<Standard>::from_digits("2252576253462244111563365343671351441").expect("legal");
        let result = Search::new(&late).run(&table()).expect("nothing is wrong with it");
        assert_eq!((result.best, result.info.pv.len()), (Some(5), 4));
        let over = Position::<Standard>::from_digits("1122334").expect("legal");
        assert_eq!(Search::new(&over).run(&table()).map(|result| result.best), Ok(None));
    }

    #[test]
    fn a_search_ends_with_its_time() {
        let start = Position::<Standard>::new();
        let time = Duration::from_millis(20);
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let result = Search::new(&start).limits(limits).run(&table());
        assert!(result.is_ok_and(|result| result.best.is_some() && result.info.time >= time));
    }
}
