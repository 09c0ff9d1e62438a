//! The state of a running search.

use crate::clock::Instant;

use crate::board::{Geometry, Position};
use crate::book::Book;
use crate::score::Score;
use crate::search::control::Control;
use crate::search::event::{SearchInfo, SwindleInfo};
use crate::search::exact::ExactSearch;
use crate::search::limits::{Limits, Settings};
use crate::search::memory::SearchMemory;
use crate::search::root::{Root, RootMove};
use crate::search::stop::StopFlag;
use crate::search::time::TimeBudget;
use crate::table::Table;

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

    /// Whether time that is not used for this move is left for the next.
    pub(super) fn is_on_clock(&self) -> bool {
        self.task.limits.clock.is_some() && !self.task.limits.ponder && !self.task.limits.infinite
    }
}
