//! The wires by which a running search is told to stop, or that its pondering was right.
//!
//! They are made new for every search: a flag that is reused can be reset by the start of a search after the `stop`
//! meant for it was set, and that `stop` is lost.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Signals to one search, shared between the session and the worker.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    /// Set when pondering has turned into a search on the clock.
    ponder_hit: AtomicBool,
    /// When the ponder hit came; also the lock behind `changed`.
    hit_at: Mutex<Option<Instant>>,
    changed: Condvar,
    /// What the search has told of itself.
    nodes: AtomicU64,
}

impl Signals {
    /// Signals of a search that nobody has told anything yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the search to answer at once.
    pub fn stop(&self) {
        let guard = self.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Release);
        self.changed.notify_all();
        drop(guard);
    }

    /// Tells the search that the expected move was played: its clock runs from now.
    pub fn ponder_hit(&self) {
        let mut hit_at = self.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        hit_at.get_or_insert_with(Instant::now);
        self.ponder_hit.store(true, Ordering::Release);
        self.changed.notify_all();
    }

    /// Whether the search has been told to stop.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Nodes that the search had visited when it last looked at these signals, which it does every few hundred nodes or
    /// so: for whoever watches a long search from another thread. Where several searches share the signals, it is the
    /// count of the one that looked last.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Tells whoever watches how many nodes the search has visited.
    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// When the ponder hit came, if it has.
    #[must_use]
    pub fn hit_at(&self) -> Option<Instant> {
        if !self.ponder_hit.load(Ordering::Acquire) {
            return None;
        }
        *self.hit_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until the search is told to stop or, where `or_ponder_hit`, that its pondering was right.
    pub fn wait(&self, or_ponder_hit: bool) {
        let mut hit_at = self.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.stop.load(Ordering::Acquire) || or_ponder_hit && hit_at.is_some()) {
            hit_at = self.changed.wait(hit_at).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_waiting_search_wakes_for_what_it_waits_for() {
        let signals = Arc::new(Signals::new());
        let waiter = {
            let signals = Arc::clone(&signals);
            std::thread::spawn(move || signals.wait(true))
        };
        signals.ponder_hit();
        waiter.join().expect("the waiter ends");
        assert!(signals.hit_at().is_some() && !signals.stopped());

        // A ponder hit does not end an infinite search, and a signal that came first is not lost.
        let waiter = {
            let signals = Arc::clone(&signals);
            std::thread::spawn(move || signals.wait(false))
        };
        signals.stop();
        waiter.join().expect("the waiter ends");
        signals.wait(false);
        assert!(signals.stopped());
    }
}
