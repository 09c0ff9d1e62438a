//! The jobs that the worker has been given and has not finished yet.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::report::Reporter;
use crate::search::{Allowance, Limits, SearchId, SearchInfo, Signals, without_search};

/// Time in which a search that is told to stop, or whose turn comes when its time is over, can answer by itself.
const STOP_GRACE: Duration = Duration::from_millis(5);

/// A job that will end with an event that carries its number.
#[derive(Debug)]
struct Outstanding {
    id: SearchId,
    signals: Arc<Signals>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Search(Box<Search>),
    /// A count or benchmark, whose lines are printed as they are.
    Plain,
}

/// A search as the session sees it.
#[derive(Debug)]
struct Search {
    reporter: Reporter,
    /// The columns that it may play, if not all.
    columns: Vec<u32>,
    /// Whether it answers only when told to stop.
    infinite: bool,
    /// Whether it still ponders.
    ponder: bool,
    /// When the `go` came.
    received: Instant,
    /// The time to answer in, from the `go` or from the ponder hit.
    allowed: Option<Duration>,
    /// The time to search in, if it counts from the `go`.
    hard: Option<Duration>,
    /// The lateness of its answer that nothing need be done about.
    tolerance: Duration,
    /// When the session answers if the search has not; `None` as long as nothing bounds its time.
    deadline: Option<Instant>,
    /// What it reported last of its best move.
    last_report: Option<SearchInfo>,
}

/// An answer that the session gives in place of a search that does not come to it in time.
#[derive(Debug)]
pub(super) struct Overdue {
    pub(super) id: SearchId,
    pub(super) reporter: Reporter,
    /// The best move known, with its line. The line is empty only where the game is over.
    pub(super) info: SearchInfo,
}

impl Search {
    /// Lets the answer be due at `time`, unless it is due before.
    fn answer_by(&mut self, time: Instant) {
        self.deadline = Some(self.deadline.map_or(time, |deadline| deadline.min(time)));
    }
}

impl Outstanding {
    /// Whether nothing but a signal will end the job.
    fn is_unlimited(&self) -> bool {
        match &self.kind {
            Kind::Search(search) => (search.infinite || search.ponder) && !self.signals.stopped(),
            Kind::Plain => false,
        }
    }

    fn search(&mut self) -> Option<&mut Search> {
        match &mut self.kind {
            Kind::Search(search) => Some(search),
            Kind::Plain => None,
        }
    }

    fn stop(&mut self) {
        self.signals.stop();
        if let Some(search) = self.search() {
            search.answer_by(Instant::now() + STOP_GRACE);
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
    /// Adds a search that was ordered at `received`; returns its number and the signals to hand to the worker.
    pub(super) fn add_search(
        &mut self,
        reporter: Reporter,
        limits: &Limits,
        allowance: Allowance,
        received: Instant,
    ) -> (SearchId, Arc<Signals>) {
        let allowed = allowance.answer;
        self.add(Kind::Search(Box::new(Search {
            reporter,
            columns: limits.search_moves.clone(),
            infinite: limits.infinite,
            ponder: limits.ponder,
            received,
            allowed,
            hard: allowance.hard.filter(|_| !limits.ponder),
            tolerance: allowance.tolerance,
            deadline: allowed.filter(|_| !limits.ponder).map(|allowed| received + allowed),
            last_report: None,
        })))
    }

    /// Adds a count or benchmark; returns its number and the signals to hand to the worker.
    pub(super) fn add_plain(&mut self) -> (SearchId, Arc<Signals>) {
        self.add(Kind::Plain)
    }

    fn add(&mut self, kind: Kind) -> (SearchId, Arc<Signals>) {
        self.jobs.iter_mut().filter(|job| job.is_unlimited()).for_each(Outstanding::stop);
        self.count += 1;
        let signals = Arc::new(Signals::new());
        self.jobs.push_back(Outstanding { id: self.count, signals: Arc::clone(&signals), kind });
        (self.count, signals)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// How the events of this search are printed; `None` if it is not under way.
    pub(super) fn reporter(&self, id: SearchId) -> Option<Reporter> {
        self.jobs.iter().find(|job| job.id == id).and_then(|job| match &job.kind {
            Kind::Search(search) => Some(search.reporter),
            Kind::Plain => None,
        })
    }

    /// Takes note of what a search has reported.
    pub(super) fn reported(&mut self, id: SearchId, info: SearchInfo) {
        let job = self.jobs.iter_mut().find(|job| job.id == id);
        if let Some(search) = job.and_then(Outstanding::search)
            && info.multi_pv.unwrap_or(1) == 1
        {
            search.last_report = Some(info);
        }
    }

    /// Removes a job that has ended.
    pub(super) fn finish(&mut self, id: SearchId) {
        let was_running = self.jobs.front().is_some_and(|job| job.id == id);
        self.jobs.retain(|job| job.id != id);
        if was_running {
            self.begin_next();
        }
    }

    /// Gives the first job a moment to answer by itself: it begins only now, however long ago it was ordered.
    pub(super) fn begin_next(&mut self) {
        if let Some(search) = self.jobs.front_mut().and_then(Outstanding::search) {
            let earliest = Instant::now() + STOP_GRACE;
            search.deadline = search.deadline.map(|deadline| deadline.max(earliest));
            // Its lateness is that of whoever ordered it, not of the machine.
            search.hard = None;
        }
    }

    /// When the running search must have answered.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match &self.jobs.front()?.kind {
            Kind::Search(search) => search.deadline,
            Kind::Plain => None,
        }
    }

    /// How long after the end of its time the search with this number answers at `now`, and how much of that is tolerable;
    /// `None` if it has time left, or if its time does not count from the `go`.
    pub(super) fn lateness(&self, id: SearchId, now: Instant) -> Option<(Duration, Duration)> {
        let job = self.jobs.iter().find(|job| job.id == id)?;
        let Kind::Search(search) = &job.kind else { return None };
        let late = now.saturating_duration_since(search.received).checked_sub(search.hard?)?;
        Some((late, search.tolerance))
    }

    /// Stops the running search if it has not answered by its deadline, and returns the answer to give in its place.
    pub(super) fn take_overdue(&mut self, now: Instant) -> Option<Overdue> {
        self.deadline().filter(|&deadline| deadline <= now)?;
        let job = self.jobs.front_mut()?;
        job.signals.stop();
        let id = job.id;
        let search = job.search()?;
        let reporter = search.reporter;
        let found = search.last_report.take();
        let info = found.unwrap_or_else(|| without_search(&reporter.root, &search.columns));
        let info = SearchInfo { time: now.saturating_duration_since(search.received), ..info };
        Some(Overdue { id, reporter, info })
    }

    /// Whether a job will not end unless it is told to.
    pub(super) fn has_unlimited(&self) -> bool {
        self.jobs.iter().any(Outstanding::is_unlimited)
    }

    /// Stops the first job that has not been stopped yet. Where the one running has been, and only its answer is
    /// still on its way, this `stop` is meant for the next.
    pub(super) fn stop(&mut self) {
        if let Some(job) = self.jobs.iter_mut().find(|job| !job.signals.stopped()) {
            job.stop();
        }
    }

    /// Stops everything.
    pub(super) fn stop_all(&mut self) {
        self.jobs.iter_mut().for_each(Outstanding::stop);
    }

    /// Turns the first search that ponders into one on the clock, whose time begins now.
    pub(super) fn ponder_hit(&mut self) {
        for job in &mut self.jobs {
            let is_stopped = job.signals.stopped();
            if let Some(search) = job.search()
                && search.ponder
                && !is_stopped
            {
                search.ponder = false;
                search.deadline = search.allowed.map(|allowed| Instant::now() + allowed);
                job.signals.ponder_hit();
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

    fn add(queue: &mut Queue, infinite: bool, ponder: bool) -> (SearchId, Arc<Signals>) {
        let limits = Limits { infinite, ponder, ..Limits::default() };
        queue.add_search(reporter(), &limits, Allowance::default(), Instant::now())
    }

    #[test]
    fn stop_is_for_the_first_that_was_not_told_yet() {
        let mut queue = Queue::default();
        queue.stop();
        let (first, first_signals) = add(&mut queue, true, false);
        assert!(queue.has_unlimited());
        queue.stop();
        let (second, second_signals) = add(&mut queue, false, false);
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
        let (_, limited) = add(&mut queue, false, false);
        let (_, infinite) = add(&mut queue, true, false);
        let (_, pondering) = add(&mut queue, false, true);
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
        let (_, limited) = add(&mut queue, false, false);
        let (_, pondering) = add(&mut queue, false, true);
        queue.ponder_hit();
        assert!(limited.hit_at().is_none() && pondering.hit_at().is_some() && !queue.has_unlimited());
        let (_, later) = add(&mut queue, false, true);
        assert!(!pondering.stopped() && queue.has_unlimited());
        queue.ponder_hit();
        queue.ponder_hit();
        assert!(later.hit_at().is_some() && !queue.has_unlimited());
    }

    /// A search that may take so many milliseconds.
    fn add_timed(queue: &mut Queue, milliseconds: u64, ponder: bool, received: Instant) -> SearchId {
        let answer = Some(Duration::from_millis(milliseconds));
        let limits = Limits { ponder, search_moves: vec![1, 2], ..Limits::default() };
        queue
            .add_search(
                reporter(),
                &limits,
                Allowance { answer, hard: answer, ..Allowance::default() },
                received,
            )
            .0
    }

    #[test]
    fn a_late_search_is_answered_for_with_what_it_reported() {
        let (mut queue, start) = (Queue::default(), Instant::now());
        let id = add_timed(&mut queue, 100, false, start);
        let due = start + Duration::from_millis(100);
        assert_eq!(queue.deadline(), Some(due));
        assert!(queue.take_overdue(start + Duration::from_millis(99)).is_none());
        let report = |multi_pv, column| {
            let info = without_search(&reporter().root, &[]);
            SearchInfo { multi_pv, pv: vec![column, 3], ..info }
        };
        queue.reported(id, report(None, 5));
        queue.reported(id, report(Some(1), 6));
        queue.reported(id, report(Some(2), 4));
        let signals = Arc::clone(&queue.jobs[0].signals);
        let overdue = queue.take_overdue(due + Duration::from_millis(7)).expect("it is late");
        assert_eq!((overdue.info.pv, overdue.info.time), (vec![6, 3], Duration::from_millis(107)));
        assert!(signals.stopped() && overdue.id == id);
    }

    #[test]
    fn a_search_that_has_reported_nothing_is_answered_for_all_the_same() {
        let (mut queue, start) = (Queue::default(), Instant::now());
        add_timed(&mut queue, 0, false, start);
        let info = queue.take_overdue(start).expect("it is late").info;
        assert!(matches!(info.pv[..], [1 | 2]), "{info:?}");
    }

    #[test]
    fn the_time_of_a_pondering_search_begins_with_the_hit_and_ends_with_a_stop() {
        let (mut queue, long_ago) = (Queue::default(), Instant::now());
        add_timed(&mut queue, 1_000_000, true, long_ago);
        assert_eq!(queue.deadline(), None);
        queue.ponder_hit();
        assert!(queue.deadline().is_some_and(|due| due >= long_ago + Duration::from_secs(1_000)));
        queue.stop();
        let due = queue.deadline().expect("it was stopped");
        assert!(due <= Instant::now() + STOP_GRACE);
    }

    #[test]
    fn a_search_whose_turn_comes_late_still_has_a_moment() {
        let (mut queue, start) = (Queue::default(), Instant::now());
        let first = add_timed(&mut queue, 0, false, start);
        let second = add_timed(&mut queue, 0, false, start);
        let before = Instant::now();
        queue.finish(first);
        assert!(queue.deadline().is_some_and(|due| due >= before + STOP_GRACE));
        assert_eq!(
            queue.lateness(second, before + Duration::from_secs(9)),
            None,
            "it had to wait for its turn"
        );
        let (mut queue, _) = (Queue::default(), queue.add_plain());
        queue.add_plain();
        add_timed(&mut queue, 0, false, start);
        assert_eq!(queue.deadline(), None, "a count or benchmark comes first");
    }
}
