//! Messages between a session and the executor of its jobs.

use std::path::PathBuf;
use std::sync::Arc;

use super::bench::Bench;
use crate::board::{Board, Position};
use crate::clock::Instant;
use crate::search::{Limits, SearchInfo, Settings, StopFlag, SwindleInfo, TimeBudget};

/// Number of a search, perft or benchmark, unique in its session. The session drops events of earlier searches by
/// this number.
pub(crate) type JobId = u64;

#[derive(Debug)]
pub(crate) enum Job {
    /// Answered by reports, notes, and at last one [`Event::BestMove`].
    Search(Arc<SearchJob>),
    /// Open the book and allocate the table and the [`SearchMemory`](crate::search::SearchMemory). Answered by
    /// [`Event::Ready`].
    Ready,
    /// Set the size of the table in megabytes and empty it. If there is no table yet, it gets this size later.
    ///
    /// If memory is short, an [`Event::Note`] says so. The old table stays, or an empty one of at most its size (see
    /// [`Table::resize`](crate::table::Table::resize)). A first table gets a smaller size.
    Resize(usize),
    /// Use the table for this board, emptied. The next `isready` then allocates for it. A search sets its own board.
    SetBoard(Board),
    /// Play from this file; an empty path means the built-in book. On failure an [`Event::Note`] says why, and the
    /// old book stays.
    OpenBook(PathBuf),
    /// Clear the table and the memory of earlier searches.
    ForgetSearches,
    /// Answered by [`Event::Line`]s and [`Event::Finished`].
    Perft {
        id: JobId,
        /// The position to count from.
        position: Position<Board>,
        /// Length of the sequences in plies.
        depth: u32,
        /// Stops the count early.
        stop_flag: Arc<StopFlag>,
    },
    /// Uses a table of its own. Answered by [`Event::Line`]s and [`Event::Finished`].
    Bench {
        id: JobId,
        bench: Bench,
        /// Stops the benchmark early.
        stop_flag: Arc<StopFlag>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct SearchJob {
    pub id: JobId,
    pub position: Position<Board>,
    pub limits: Limits,
    /// Counts from `clock_start` or from the ponder hit.
    pub budget: TimeBudget,
    pub settings: Settings,
    pub stop_flag: Arc<StopFlag>,
    /// The arrival of the `go`, or the time at which the session read the line if that was late. A search that waits
    /// for other jobs loses that time.
    pub clock_start: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A report of the search.
    Info(JobId, SearchInfo),
    /// Why `Swindle` chose the answer. At most once, before the answer.
    Swindle(JobId, SwindleInfo),
    /// The last event of a search, exactly one each.
    BestMove {
        /// The number of the search.
        id: JobId,
        /// `None` only if the game is over.
        best: Option<u32>,
        ponder: Option<u32>,
    },
    /// All jobs before the [`Job::Ready`] are done, and there is a table.
    Ready,
    Line(String),
    Finished(JobId),
    Note(String),
}
