//! One search from start to answer.
//!
//! [`Search`] is the public request; `state` holds a running search and emits its events, `plan` decides what to search
//! next and does it, `swindle` chooses among moves that are equally good in theory.

mod plan;
mod state;
mod swindle;

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::event::{SearchInfo, SearchResult};
use super::limits::{Limits, Overhead, Settings, TimeBudget};
use super::memory::{AnySearchMemory, ExpectedScore, SearchMemory};
use super::stop::StopFlag;
use crate::board::{Board, Geometry, Position, Standard, each_kind};
use crate::book::{AnyBook, Book};
use crate::clock::Instant;
use crate::table::{AnyTable, Table};
pub(super) use state::{Driver, Task};

/// A search for the best move of a position, on the caller's thread.
///
/// Everything but the position is optional. Without limits the search runs until the position is solved.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::{Limits, Search, Value};
/// use plumb::table::Table;
///
/// let table = Table::new(16)?;
/// let position = Position::<Standard>::from_digits("444444").unwrap();
/// let result = Search::new(&position)
///     .limits(Limits::default().with_nodes(20_000))
///     .on_info(|info| println!("depth {} nodes {} {:?}", info.depth, info.nodes, info.pv))
///     .run(&table)?;
/// assert!(result.best.is_some_and(|column| position.play(column).is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a search does nothing until it is run"]
pub struct Search<'a, G: Geometry = Standard> {
    position: Position<G>,
    limits: Limits,
    settings: Settings,
    time_budget: Option<TimeBudget>,
    start: Option<Instant>,
    book: Option<&'a Book<G>>,
    stop: Option<&'a StopFlag>,
    memory: Option<&'a mut SearchMemory<G>>,
    on_info: Option<Box<dyn FnMut(SearchInfo) + 'a>>,
}

impl<'a, G: Geometry> Search<'a, G> {
    /// A search of `position` without limits, with the default settings.
    pub fn new(position: &Position<G>) -> Self {
        Self {
            position: *position,
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

    /// Sets how the search plays.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Sets the bounds on time. Without them the search uses the time of its limits in full ([`Overhead::NONE`]).
    pub fn time_budget(self, budget: TimeBudget) -> Self {
        Self { time_budget: Some(budget), ..self }
    }

    /// Sets the time from which the time of the search counts, in place of the call of [`run`](Self::run).
    pub fn started_at(self, start: Instant) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Sets an opening book, which is used unless the settings say otherwise.
    pub fn book(self, book: &'a Book<G>) -> Self {
        Self { book: Some(book), ..self }
    }

    /// Sets a flag by which other threads stop the search. Make a new one for each search.
    pub fn stop_flag(self, stop: &'a StopFlag) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Sets the memory that this search shares with the other searches of a game, which makes them faster.
    pub fn memory(self, memory: &'a mut SearchMemory<G>) -> Self {
        Self { memory: Some(memory), ..self }
    }

    /// Sets a callback for each finished iteration and probe. It runs on the thread of the search.
    pub fn on_info(self, callback: impl FnMut(SearchInfo) + 'a) -> Self {
        Self { on_info: Some(Box::new(callback)), ..self }
    }

    /// Runs the search with `table`, and blocks until it is over.
    ///
    /// An infinite or pondering search that is finished waits for the stop flag, a pondering one also for the ponder
    /// hit.
    ///
    /// # Errors
    /// If one of the root moves to consider is illegal, or if the search is infinite or pondering and has no stop flag.
    pub fn run(self, table: &Table<G>) -> Result<SearchResult, SearchError> {
        let limits = &self.limits;
        let is_illegal = |&&column: &&u32| self.position.play(column).is_none();
        if let Some(&column) = limits.search_moves.iter().find(is_illegal) {
            return Err(SearchError::IllegalSearchMove { column });
        }
        if (limits.infinite || limits.ponder) && self.stop.is_none() {
            return Err(SearchError::NoStopFlag);
        }
        let mut own_memory = None;
        let memory = match self.memory {
            Some(memory) => memory,
            None => own_memory.insert(SearchMemory::new()),
        };
        let own_stop = StopFlag::new();
        let own_budget = || TimeBudget::new(limits, Overhead::NONE, self.position.empty_cells());
        let task = Task {
            position: self.position,
            limits,
            settings: &self.settings,
            time_budget: self.time_budget.unwrap_or_else(own_budget),
            start: self.start.unwrap_or_else(Instant::now),
            book: self.book.filter(|_| self.settings.own_book),
            stop: self.stop.unwrap_or(&own_stop),
        };
        let mut on_info = self.on_info.unwrap_or_else(|| Box::new(|_| ()));
        // Observed first: the opponent's move has been made, even if this search is aborted.
        memory.opponent.observe(&task.position);
        let mut driver = Driver::new(&task, table, memory, &mut on_info);
        if task.position.outcome().is_none()
            && let Err(aborted) = driver.search().and_then(|()| driver.swindle())
        {
            log::debug!("search aborted ({aborted:?}) after {} nodes", driver.exact.control.all_nodes());
        }
        let expected = driver.expected_score;
        driver.memory.expected_score =
            driver.root.moves.first().and_then(|m| ExpectedScore::of_move(m, expected));
        driver.report_all();
        let stop = task.stop;
        let is_held_back = limits.infinite || (limits.ponder && stop.ponder_hit_time().is_none());
        if is_held_back && !stop.is_stopped() {
            stop.wait(!limits.infinite);
            // Arenas read the last line before the answer, so it is repeated with the time of the answer.
            driver.last_report = None;
            driver.report_all();
        }
        Ok(driver.result())
    }
}

impl<'a> Search<'a, Board> {
    /// Runs the search with a table for the board of the position, by the code that is fastest for that board; book and
    /// memory for any board replace those set by [`book`](Self::book) and [`memory`](Self::memory).
    ///
    /// ```
    /// use plumb::board::{Board, Position};
    /// use plumb::search::{AnySearchMemory, Limits, Search};
    /// use plumb::table::AnyTable;
    ///
    /// let board = "8x7".parse::<Board>()?;
    /// let (table, mut memory) = (AnyTable::new(board, 1)?, AnySearchMemory::default());
    /// let search = Search::new(&Position::empty(board)).limits(Limits::default().with_nodes(5_000));
    /// assert!(search.run_any(&table, None, Some(&mut memory))?.best.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// # Panics
    /// If the table is for another board.
    pub fn run_any(
        self,
        table: &AnyTable,
        book: Option<&'a AnyBook>,
        memory: Option<&'a mut AnySearchMemory>,
    ) -> Result<SearchResult, SearchError> {
        each_kind!(&table.0, table => {
            let geometry = table.geometry();
            let search = Search {
                position: self.position.on(geometry),
                limits: self.limits,
                settings: self.settings,
                time_budget: self.time_budget,
                start: self.start,
                book: book.and_then(|book| book.on(geometry)),
                stop: self.stop,
                memory: memory.map(|memory| memory.on(geometry)),
                on_info: self.on_info,
            };
            search.run(table)
        })
    }
}

/// Why a search was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SearchError {
    /// One of [`Limits::search_moves`] is no legal move of the position.
    IllegalSearchMove {
        /// The column of the move, from 0.
        column: u32,
    },
    /// The search is infinite or pondering, and has no [stop flag](Search::stop_flag) that could end it.
    NoStopFlag,
}

impl Display for SearchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllegalSearchMove { column } => {
                write!(f, "search move in column {} (from 1): not legal in this position", column + 1)
            }
            Self::NoStopFlag => f.write_str("an infinite or pondering search needs a stop flag"),
        }
    }
}

impl Error for SearchError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn table() -> Table<Standard> {
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
