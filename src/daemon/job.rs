//! Messages between a session and the executor of its jobs.

use std::path::PathBuf;
use std::sync::Arc;

use super::bench::Bench;
use crate::board::{Board, Position};
use crate::clock::Instant;
use crate::search::{Limits, SearchInfo, Settings, StopFlag, SwindleInfo, TimeBudget};

/// The number of a search, a count of move sequences or a benchmark, unique in its session. Events carry it, so that those of an
/// earlier search can be dropped.
pub(crate) type JobId = u64;

/// A job for the executor. Jobs are done in the order in which the session orders them.
#[derive(Debug)]
pub(crate) enum Job {
    /// Search a position; answered by events of its reports and notes, and one [`Event::BestMove`], the last.
    Search(Arc<SearchJob>),
    /// Open the book, allocate the table and what searches remember beside it
    /// ([`SearchMemory`](crate::search::SearchMemory), whose size `Hash` does not set); answered by [`Event::Ready`].
    Ready,
    /// Give the table this size in megabytes. A table of another size gets it immediately, and is then empty; if there is no
    /// table yet, it is allocated with this size later. If the memory is refused to a resize, an
    /// [`Event::Note`] says so, and the old table stays, or an empty one of at most its size: see
    /// [`Table::resize`](crate::table::Table::resize). A first table gets a smaller size, with a note for each that was refused.
    Resize(usize),
    /// Use the table for this board, emptied. Sent when the board changes, so that the next `isready` allocates for it;
    /// a search sets its own board in any case.
    SetBoard(Board),
    /// Play from the opening book in this file; an empty path stands for the built-in book. On failure an
    /// [`Event::Note`] says why, and the old book stays.
    OpenBook(PathBuf),
    /// Forget all earlier searches: clear the table and the other state that they have left.
    ForgetSearches,
    /// Count move sequences; answered by [`Event::Line`]s and [`Event::Finished`].
    Perft {
        /// The number that the last answer carries.
        id: JobId,
        /// The position to count from.
        position: Position<Board>,
        /// Length of the sequences in plies.
        depth: u32,
        /// Stops the count early.
        stop_flag: Arc<StopFlag>,
    },
    /// Run the benchmark, which has a table of its own; answered by [`Event::Line`]s and [`Event::Finished`].
    Bench {
        /// The number that the last answer carries.
        id: JobId,
        /// The table, the threads and the positions.
        bench: Bench,
        /// Stops the benchmark early.
        stop_flag: Arc<StopFlag>,
    },
}

/// A search to be done. The session keeps it until it is answered.
#[derive(Clone, Debug)]
pub(crate) struct SearchJob {
    /// The number that its events carry.
    pub id: JobId,
    /// The root position.
    pub position: Position<Board>,
    /// The limits of the `go`.
    pub limits: Limits,
    /// The time budget, which counts from `clock_start` or from the ponder hit.
    pub budget: TimeBudget,
    /// Strength, seed, lines, threads, book and swindle.
    pub settings: Settings,
    /// Stops the search; new for each search.
    pub stop_flag: Arc<StopFlag>,
    /// The start of its time: the arrival of the `go`, or, if the session took the line up late, the time at which it did; a
    /// search that waits for jobs before it loses that time.
    pub clock_start: Instant,
}

/// An event of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A report of the search with this number: see [`SearchInfo`] for the occasions.
    Info(JobId, SearchInfo),
    /// Why the answer of the search with this number was chosen among moves that keep the theoretical result; at most once,
    /// before the answer.
    Swindle(JobId, SwindleInfo),
    /// The answer: exactly one for each search, and its last event.
    BestMove {
        /// The number of the search.
        id: JobId,
        /// The column to play (from 0); `None` only if the game is over.
        best: Option<u32>,
        /// The column of the expected reply (from 0).
        ponder: Option<u32>,
    },
    /// All jobs before the [`Job::Ready`] are done, and there is a table.
    Ready,
    /// One line of the output of a benchmark or count.
    Line(String),
    /// The benchmark or count with this number has ended.
    Finished(JobId),
    /// A message to the user, such as an allocation that failed.
    Note(String),
}
