//! Runs a search: [`Search::run`] prepares it, `plan` has its steps, `state` its results and reports.

mod plan;
mod state;
mod swindle;

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::event::SearchResult;
use super::limits::Limits;
use super::memory::{ExpectedScore, SearchMemory};
use super::stop::StopFlag;
use crate::board::{Geometry, Kind, each_kind};
use crate::table::Table;
pub(super) use state::Driver;
pub use state::Search;

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
    use crate::board::{Position, Standard};
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
