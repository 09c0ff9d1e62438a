//! The stop flag of a search, with the ponder hit and the node count.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// A flag that ends a running search from another thread.
///
/// It can also turn a pondering search into a timed one ([`ponder_hit`](Self::ponder_hit)), and shows how many nodes
/// the search has visited. Once stopped it stays so: each search gets a new flag, as resetting a flag can lose a stop
/// that was meant for the search that is about to begin.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::{Solver, StopFlag, Stopped};
/// use plumb::table::Table;
/// use std::{thread, time::Duration};
///
/// let table = Table::new(1)?;
/// let stop = StopFlag::new();
/// let score = thread::scope(|scope| {
///     scope.spawn(|| {
///         thread::sleep(Duration::from_millis(10));
///         stop.stop();
///     });
///     Solver::new(&table).stop_flag(&stop).score(&Position::<Standard>::new())
/// });
/// assert_eq!(score, Err(Stopped));
/// # Ok::<(), plumb::table::TableError>(())
/// ```
#[derive(Debug, Default)]
pub struct StopFlag {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    /// The time of the ponder hit; also the lock of `changed`.
    ponder_hit_time: Mutex<Option<Instant>>,
    changed: Condvar,
    /// The node count as the search has published it last.
    nodes: AtomicU64,
}

impl StopFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search, which then answers at once: within a few hundred nodes, or some ten microseconds.
    pub fn stop(&self) {
        let guard = self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
        drop(guard);
    }

    /// Starts the clock of a [pondering](crate::search::Limits::ponder) search: the expected move was played.
    pub fn ponder_hit(&self) {
        let mut hit_time = self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner);
        hit_time.get_or_insert_with(Instant::now);
        self.ponder_hit.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search has been stopped.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Nodes that the search has visited, updated every few hundred nodes. If several searches share the flag, it is
    /// the count of the one that updated it last.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Publishes the number of nodes visited.
    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// The time of the ponder hit; `None` before it.
    #[must_use]
    pub fn ponder_hit_time(&self) -> Option<Instant> {
        if !self.ponder_hit.load(Ordering::Acquire) {
            return None;
        }
        *self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until the search is stopped or, with `or_ponder_hit`, until the ponder hit.
    pub(crate) fn wait(&self, or_ponder_hit: bool) {
        let mut hit_time = self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.stop.load(Ordering::Acquire) || or_ponder_hit && hit_time.is_some()) {
            hit_time = self.changed.wait(hit_time).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The error of a search that was stopped, or reached its deadline, before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Display for Stopped {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the search was stopped before it had an answer")
    }
}

impl Error for Stopped {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_waiting_search_wakes_for_what_it_waits_for() {
        let stop = Arc::new(StopFlag::new());
        let waiter = {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || stop.wait(true))
        };
        stop.ponder_hit();
        waiter.join().expect("the waiter ends");
        assert!(stop.ponder_hit_time().is_some() && !stop.is_stopped());

        // A ponder hit does not end an infinite search, and a stop before the wait is not lost.
        let waiter = {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || stop.wait(false))
        };
        stop.stop();
        waiter.join().expect("the waiter ends");
        stop.wait(false);
        assert!(stop.is_stopped());
    }
}
