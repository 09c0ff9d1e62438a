//! What the worker has been asked for and has not finished yet.

use std::collections::VecDeque;
use std::sync::Arc;

use super::report::Reporter;
use crate::search::{SearchId, Signals};

/// A job that will end with an event that carries its number.
#[derive(Debug)]
pub(super) struct Outstanding {
    id: SearchId,
    signals: Arc<Signals>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A search, and how its events are printed.
    Search {
        reporter: Reporter,
        /// Whether it answers only when told to stop.
        infinite: bool,
        /// Whether it still ponders.
        ponder: bool,
    },
    /// A count or benchmark, whose lines are printed as they are.
    Plain,
}

impl Outstanding {
    /// Whether nothing but a signal will end the job.
    fn is_unlimited(&self) -> bool {
        match self.kind {
            Kind::Search { infinite, ponder, .. } => (infinite || ponder) && !self.signals.stopped(),
            Kind::Plain => false,
        }
    }
}

/// The jobs that are under way, the one running or about to run at the front: the worker does them in order.
///
/// Only the last may be one that nothing but a signal ends. Such a search is stopped when another job comes, since
/// whoever sends that has given up on it, and nothing else would let the worker get there.
#[derive(Debug, Default)]
pub(super) struct Queue {
    jobs: VecDeque<Outstanding>,
    /// How many there were so far.
    count: SearchId,
}

impl Queue {
    /// Adds a search; returns its number and the signals to hand to the worker.
    pub(super) fn add_search(
        &mut self,
        reporter: Reporter,
        infinite: bool,
        ponder: bool,
    ) -> (SearchId, Arc<Signals>) {
        self.add(Kind::Search { reporter, infinite, ponder })
    }

    /// Adds a count or benchmark; returns its number and the signals to hand to the worker.
    pub(super) fn add_plain(&mut self) -> (SearchId, Arc<Signals>) {
        self.add(Kind::Plain)
    }

    fn add(&mut self, kind: Kind) -> (SearchId, Arc<Signals>) {
        self.jobs.iter().filter(|job| job.is_unlimited()).for_each(|job| job.signals.stop());
        self.count += 1;
        let signals = Arc::new(Signals::new());
        self.jobs.push_back(Outstanding { id: self.count, signals: Arc::clone(&signals), kind });
        (self.count, signals)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// How the events of this search are printed; `None` if it is none that is under way.
    pub(super) fn reporter(&self, id: SearchId) -> Option<Reporter> {
        self.jobs.iter().find(|job| job.id == id).and_then(|job| match job.kind {
            Kind::Search { reporter, .. } => Some(reporter),
            Kind::Plain => None,
        })
    }

    /// Removes a job that has ended.
    pub(super) fn finish(&mut self, id: SearchId) {
        self.jobs.retain(|job| job.id != id);
    }

    /// Whether a job will not end unless it is told to.
    pub(super) fn has_unlimited(&self) -> bool {
        self.jobs.iter().any(Outstanding::is_unlimited)
    }

    /// Stops the first job that has not been told so yet. Where the one running has been, and only its answer is
    /// still on its way, this `stop` is meant for the next.
    pub(super) fn stop(&self) {
        if let Some(job) = self.jobs.iter().find(|job| !job.signals.stopped()) {
            job.signals.stop();
        }
    }

    /// Stops everything.
    pub(super) fn stop_all(&self) {
        self.jobs.iter().for_each(|job| job.signals.stop());
    }

    /// Tells the first search that ponders that its guess was right.
    pub(super) fn ponder_hit(&mut self) {
        for Outstanding { signals, kind, .. } in &mut self.jobs {
            if let Kind::Search { ponder, .. } = kind
                && *ponder
                && !signals.stopped()
            {
                *ponder = false;
                signals.ponder_hit();
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::dialect::Style;
    use super::*;
    use crate::board::Position;

    fn reporter() -> Reporter {
        Reporter { root: Position::new(), style: Style::default(), show_wdl: false }
    }

    #[test]
    fn stop_is_for_the_first_that_was_not_told_yet() {
        let mut queue = Queue::default();
        queue.stop();
        let (first, first_signals) = queue.add_search(reporter(), true, false);
        assert!(queue.has_unlimited());
        queue.stop();
        let (second, second_signals) = queue.add_search(reporter(), false, false);
        assert!(first < second && first_signals.stopped() && !second_signals.stopped());
        assert!(!queue.has_unlimited());
        queue.stop();
        assert!(second_signals.stopped());
        queue.finish(first);
        assert!(queue.reporter(first).is_none() && queue.reporter(second).is_some());
        queue.finish(second);
        assert!(queue.is_empty());
    }

    #[test]
    fn only_unlimited_searches_make_way() {
        let mut queue = Queue::default();
        let (_, count) = queue.add_plain();
        let (_, limited) = queue.add_search(reporter(), false, false);
        let (_, infinite) = queue.add_search(reporter(), true, false);
        let (_, pondering) = queue.add_search(reporter(), false, true);
        let (_, last) = queue.add_plain();
        assert_eq!(
            [&count, &limited, &infinite, &pondering].map(|s| s.stopped()),
            [false, false, true, true]
        );
        queue.stop_all();
        assert!(count.stopped() && limited.stopped() && last.stopped());
    }

    #[test]
    fn a_ponder_hit_makes_a_search_limited_once() {
        let mut queue = Queue::default();
        let (_, limited) = queue.add_search(reporter(), false, false);
        let (_, pondering) = queue.add_search(reporter(), false, true);
        queue.ponder_hit();
        assert!(limited.hit_at().is_none() && pondering.hit_at().is_some() && !queue.has_unlimited());
        let (_, later) = queue.add_search(reporter(), false, true);
        assert!(!pondering.stopped() && queue.has_unlimited());
        queue.ponder_hit();
        queue.ponder_hit();
        assert!(later.hit_at().is_some() && !queue.has_unlimited());
    }
}
