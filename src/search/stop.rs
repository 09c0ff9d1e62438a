use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use crate::clock::Instant;
use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex};

/// A function that returns true if the search must stop. Called every few hundred nodes.
pub type StopSignal = Arc<dyn Fn() -> bool + Send + Sync>;

/// A flag that ends a running search from another thread.
///
/// Use a new flag for each search: resetting a flag could lose a stop.
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
#[derive(Default)]
pub struct StopFlag {
    stop: AtomicBool,
    signal: Option<StopSignal>,
    ponder_hit: AtomicBool,
    /// The time of the ponder hit. Its mutex also guards the condition variable `changed`.
    ponder_hit_time: Mutex<Option<Instant>>,
    changed: Condvar,
    nodes: AtomicU64,
}

impl StopFlag {
    /// A flag that is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag that is also set once `signal` returns true, for hosts without a second thread. A finished
    /// infinite or pondering search does not wait for this flag.
    #[must_use]
    pub fn with_signal(signal: StopSignal) -> Self {
        Self { signal: Some(signal), ..Self::default() }
    }

    /// Stops the search within a few hundred nodes, or tens of microseconds.
    pub fn stop(&self) {
        let guard = self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
        drop(guard);
    }

    /// Starts the clock of a [pondering](crate::search::Limits::ponder) search.
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
        let is_stopped = self.stop.load(Ordering::Relaxed);
        if !is_stopped && self.signal.as_ref().is_some_and(|signal| signal()) {
            self.stop.store(true, Ordering::Release);
            return true;
        }
        is_stopped
    }

    /// Nodes visited, updated every few hundred nodes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// The time of the ponder hit. `None` before it.
    #[must_use]
    pub fn ponder_hit_time(&self) -> Option<Instant> {
        if !self.ponder_hit.load(Ordering::Acquire) {
            return None;
        }
        *self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks until a stop or, if asked, a ponder hit. A flag with a signal function
    /// never blocks, because its host has no second thread that could stop the search.
    pub(crate) fn wait(&self, or_ponder_hit: bool) {
        if self.signal.is_some() {
            return;
        }
        let mut hit_time = self.ponder_hit_time.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.stop.load(Ordering::Acquire) || or_ponder_hit && hit_time.is_some()) {
            hit_time = self.changed.wait(hit_time).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Debug for StopFlag {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("StopFlag")
            .field("stop", &self.stop)
            .field("ponder_hit", &self.ponder_hit)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

/// The error of a search that was stopped before it had an answer.
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

    #[test]
    fn a_signal_sets_the_flag_for_good() {
        let is_on = Arc::new(AtomicBool::new(false));
        let signal = {
            let is_on = Arc::clone(&is_on);
            Arc::new(move || is_on.load(Ordering::Relaxed))
        };
        let flag = StopFlag::with_signal(signal);
        assert!(!flag.is_stopped());
        is_on.store(true, Ordering::Relaxed);
        assert!(flag.is_stopped());
        is_on.store(false, Ordering::Relaxed);
        assert!(flag.is_stopped());
    }
}
