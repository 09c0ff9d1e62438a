//! Limits and settings of a search: plain data, without any protocol.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

/// The limits of one search. The default has none: the search runs until the position is solved.
///
/// Several limits hold together, with two exceptions: beside `mate`, `depth` is ignored; below full strength, `mate`
/// is.
///
/// ```
/// use plumb::search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default().with_move_time(Duration::from_millis(100)).with_search_moves([2, 3]);
/// assert_eq!(limits.search_moves, [2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The root moves to consider, as columns from 0; empty for all legal ones.
    pub search_moves: Vec<u32>,
    /// Depth in plies of a depth-limited search; at least 1. As many plies as the board has empty cells solve the
    /// position.
    pub depth: Option<u32>,
    /// Greatest number of nodes. With one thread and an empty table the result is the same every time; several threads
    /// count their nodes together, and may exceed the limit by a few hundred each.
    pub nodes: Option<u64>,
    /// Search only for a win within this many plies, at least 1. If there is none, the result is the best move of a
    /// short search.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A playing clock, from which time management takes the time for this move.
    pub clock: Option<Clock>,
    /// Whether the answer is held back until the search is stopped.
    pub infinite: bool,
    /// Whether the search is on the opponent's time: until the ponder hit no time counts, and the answer is held back.
    pub ponder: bool,
}

impl Limits {
    /// These limits for at most this number of [`nodes`](Self::nodes).
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// These limits for at most this [time](Self::move_time).
    #[must_use]
    pub fn with_move_time(self, time: Duration) -> Self {
        Self { move_time: Some(time), ..self }
    }

    /// These limits for a search that considers only these [root moves](Self::search_moves), as columns from 0.
    #[must_use]
    pub fn with_search_moves(self, columns: impl IntoIterator<Item = u32>) -> Self {
        Self { search_moves: columns.into_iter().collect(), ..self }
    }
}

/// The playing clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the rest of the game, or up to the next time control.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves up to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The settings of a search beside its limits. They are set field by field:
///
/// ```
/// use plumb::search::{Settings, Strength};
/// use std::num::NonZeroUsize;
///
/// let mut settings = Settings::default();
/// settings.threads = NonZeroUsize::new(2).expect("two is not zero");
/// settings.strength = Strength::Level(7.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Number of best moves whose lines are searched and reported.
    pub multi_pv: NonZeroUsize,
    /// Playing strength.
    pub strength: Strength,
    /// Number of threads of the exact search, the caller's included; the depth-limited search runs on one.
    pub threads: NonZeroUsize,
    /// Whether to play from the opening book, if there is one.
    pub own_book: bool,
    /// Whether to choose, among the moves that keep a theoretical draw or loss, the one after which a fallible opponent is
    /// likeliest to err. Not at reduced strength, with several lines, in an infinite search, or with a limit on depth or
    /// mate distance.
    pub swindle: bool,
    /// Seed of the random choices below full strength, which also depend on the position; without a seed they differ
    /// each time.
    pub seed: Option<NonZeroU32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: NonZeroUsize::MIN,
            strength: Strength::Full,
            threads: NonZeroUsize::MIN,
            own_book: true,
            swindle: false,
            seed: None,
        }
    }
}

/// Playing strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Strength {
    /// Full strength.
    #[default]
    Full,
    /// Weakened: from 0.0, the weakest, to below 20.0, the numbers of the option `Skill Level`. Values outside are
    /// taken as the nearest; NaN is not allowed. See [`level_for_elo`](super::strength::level_for_elo).
    Level(f64),
}
