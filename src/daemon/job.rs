use std::path::PathBuf;
use std::sync::Arc;

use super::bench::Bench;
use crate::board::{Board, Position};
use crate::clock::Instant;
use crate::search::{Limits, SearchInfo, Settings, StopFlag, SwindleInfo, TimeBudget};

/// A job's number. The session drops events of earlier searches by this number.
pub(crate) type JobId = u64;

#[derive(Debug)]
pub(crate) enum Job {
    /// Answered by reports, notes, and at last one [`Event::BestMove`].
    Search(Arc<SearchJob>),
    /// Opens the book, and allocates the table and the search memory. Answered by [`Event::Ready`].
    Ready,
    /// Sets the size of the table in megabytes and empties it. If memory is short, an [`Event::Note`] says
    /// so, and a first table gets a smaller size.
    Resize(usize),
    /// Empties the table and sets its board. A search sets its own board.
    SetBoard(Board),
    /// Opens a book file; an empty path means the built-in book. On failure the old book stays.
    OpenBook(PathBuf),
    ForgetSearches,
    /// Answered by [`Event::Line`]s and [`Event::Finished`].
    Perft {
        id: JobId,
        position: Position<Board>,
        depth: u32,
        stop_flag: Arc<StopFlag>,
    },
    Bench {
        id: JobId,
        bench: Bench,
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
    /// When the `go` arrived; if the session was busy then, when it read the `go`. The clock also runs while
    /// the search waits for earlier jobs.
    pub clock_start: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Info(JobId, SearchInfo),
    Swindle(JobId, SwindleInfo),
    /// The last event of every search.
    BestMove {
        id: JobId,
        /// `None` only if the game is over.
        best: Option<u32>,
        ponder: Option<u32>,
    },
    Ready,
    Line(String),
    Finished(JobId),
    Note(String),
}
