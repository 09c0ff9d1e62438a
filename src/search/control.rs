//! Node counting, and the limits that stop a search.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::stop::StopFlag;
use super::team::Team;
use crate::clock::Instant;

/// Most nodes between two polls of stop flag and clock: below 0.1 ms of search, without measurable cost.
const POLL_INTERVAL: u64 = 256;

/// Nodes before the first poll of stop flag and clock. With a deadline, later intervals adapt to
/// [`POLL_TIME`].
const FIRST_INTERVAL: u64 = 16;

/// Target time between two polls with a deadline.
const POLL_TIME: Duration = Duration::from_micros(200);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aborted {
    /// The whole search must end: stop flag, node limit or deadline.
    Stop,
    /// Only this null-window search or iteration ends: its budget is spent, or another thread has the result.
    Step,
}

/// The node counter and the limits of one thread.
///
/// A node limit counts the nodes of all threads. Each helper thread may exceed it by less than
/// [`POLL_INTERVAL`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Control<'a> {
    /// Polling of a first stop flag or deadline starts with the next call of
    /// [`set_budget`](Self::set_budget).
    pub(super) stop: Option<&'a StopFlag>,
    pub(super) deadline: Option<Instant>,
    pub(super) time_after_ponder_hit: Option<Duration>,
    nodes: u64,
    node_limit: u64,
    budget_end: u64,
    next_poll: u64,
    interval: u64,
    last_poll: Option<Instant>,
    pub(super) is_stopped: bool,
    pub(super) max_plies: u32,
    pub(super) team: Option<Arc<Team>>,
    reported: u64,
    pub(super) is_team_at_work: bool,
    is_helper: bool,
}

impl<'a> Control<'a> {
    pub(crate) fn unlimited() -> Self {
        Self {
            node_limit: u64::MAX,
            budget_end: u64::MAX,
            next_poll: u64::MAX,
            interval: FIRST_INTERVAL,
            ..Self::default()
        }
    }

    pub(crate) fn new(stop: &'a StopFlag, node_limit: Option<u64>, deadline: Option<Instant>) -> Self {
        let mut control = Self {
            stop: Some(stop),
            node_limit: node_limit.unwrap_or(u64::MAX),
            deadline,
            ..Self::unlimited()
        };
        control.schedule();
        control
    }

    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.team = if threads.get() > 1 { Some(Arc::new(Team::new(threads))) } else { None };
        self.schedule();
    }

    /// A helper thread polls stop flag and deadline itself. On a busy machine, helpers that wait for the main
    /// thread would take its processor.
    pub(crate) fn helper(&self, team: Arc<Team>) -> Self {
        // Polls at the first node, because the search may already be over.
        Self {
            team: Some(team),
            nodes: 0,
            reported: 0,
            budget_end: u64::MAX,
            next_poll: 0,
            interval: FIRST_INTERVAL,
            last_poll: None,
            is_team_at_work: true,
            is_helper: true,
            ..self.clone()
        }
    }

    #[inline]
    pub(crate) fn team_at_work(&self) -> Option<&Team> {
        if self.is_team_at_work { self.team.as_deref() } else { None }
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes - self.reported + self.team.as_ref().map_or(0, |team| team.nodes())
    }

    pub(crate) fn report_nodes(&mut self) {
        if let Some(team) = &self.team {
            team.add_nodes(self.nodes - self.reported);
            self.reported = self.nodes;
        }
    }

    pub(crate) fn set_budget(&mut self, nodes: Option<u64>) {
        self.budget_end = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.schedule();
    }

    pub(crate) fn set_node_limit(&mut self, nodes: Option<u64>) {
        self.node_limit = nodes.unwrap_or(u64::MAX);
        self.schedule();
    }

    pub(crate) fn shorten_budget(&mut self, nodes: u64) -> u64 {
        let end = self.budget_end;
        self.budget_end = end.min(self.nodes.saturating_add(nodes));
        self.schedule();
        end
    }

    pub(crate) fn restore_budget(&mut self, end: u64) -> bool {
        self.budget_end = end;
        self.schedule();
        self.nodes < end
    }

    #[inline]
    pub(crate) fn visit(&mut self, plies: u32) -> Result<(), Aborted> {
        self.nodes += 1;
        self.max_plies = self.max_plies.max(plies);
        if self.nodes < self.next_poll { Ok(()) } else { self.poll() }
    }

    #[cold]
    pub(crate) fn poll(&mut self) -> Result<(), Aborted> {
        if self.is_stopped || self.must_stop() {
            self.is_stopped = true;
            self.next_poll = 0;
            return Err(Aborted::Stop);
        }
        self.schedule();
        let is_answered = self.team_at_work().is_some_and(Team::is_over);
        if is_answered || self.nodes >= self.budget_end {
            self.next_poll = 0;
            return Err(Aborted::Step);
        }
        Ok(())
    }

    fn must_stop(&mut self) -> bool {
        self.report_nodes();
        let nodes = self.all_nodes();
        if let Some(stop) = self.stop {
            if !self.is_helper {
                stop.set_nodes(nodes);
            }
            if let Some(time) = self.time_after_ponder_hit
                && let Some(ponder_hit) = stop.ponder_hit_time()
            {
                self.time_after_ponder_hit = None;
                self.deadline = ponder_hit.checked_add(time);
            }
            if stop.is_stopped() {
                return true;
            }
        }
        nodes >= self.node_limit || self.is_past_deadline()
    }

    fn is_past_deadline(&mut self) -> bool {
        let Some(deadline) = self.deadline else {
            self.interval = POLL_INTERVAL;
            return false;
        };
        let now = Instant::now();
        if let Some(last) = self.last_poll.replace(now) {
            let took = now.saturating_duration_since(last);
            let interval = if took > POLL_TIME { self.interval / 2 } else { self.interval * 2 };
            self.interval = interval.clamp(1, POLL_INTERVAL);
        }
        now >= deadline
    }

    fn schedule(&mut self) {
        let is_polled = self.stop.is_some() || self.deadline.is_some() || self.team.is_some();
        let left = self.node_limit.saturating_sub(self.all_nodes());
        // Threads that share a node limit poll more often near it.
        let share = self.team.as_ref().map_or(left, |team| left / team.threads()).max(1);
        // With several threads the interval is halved: all threads wait for a thread that is preempted
        // between two polls.
        let interval = if self.team.is_some() { self.interval.div_ceil(2) } else { self.interval };
        let polled = if is_polled { self.nodes + interval.min(share) } else { u64::MAX };
        let limit = self.nodes.saturating_add(left);
        self.next_poll = if self.is_stopped { 0 } else { polled.min(limit).min(self.budget_end) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit_until_aborted(control: &mut Control<'_>) -> Aborted {
        loop {
            if let Err(aborted) = control.visit(3) {
                return aborted;
            }
        }
    }

    #[test]
    fn a_helper_obeys_the_limits_without_the_lead() {
        let stop = StopFlag::new();
        let two = NonZeroUsize::new(2).expect("not zero");
        let helper = |deadline| {
            let mut lead = Control::new(&stop, None, deadline);
            lead.set_threads(two);
            lead.helper(Arc::clone(lead.team.as_ref().expect("two threads")))
        };
        assert_eq!(visit_until_aborted(&mut helper(Some(Instant::now()))), Aborted::Stop);
        let mut stopped = helper(None);
        stopped.visit(1).expect("nothing ends it yet");
        stop.stop();
        assert_eq!(visit_until_aborted(&mut stopped), Aborted::Stop);
        assert_eq!(stop.nodes(), 0, "only the lead publishes nodes");
    }

    #[test]
    fn node_limits_and_budgets_are_exact() {
        let stop = StopFlag::new();
        let mut control = Control::new(&stop, Some(5000), None);
        control.set_budget(Some(10));
        assert_eq!(visit_until_aborted(&mut control), Aborted::Step);
        assert_eq!(control.nodes(), 10);
        control.set_budget(Some(3000));
        assert_eq!(visit_until_aborted(&mut control), Aborted::Step);
        assert_eq!(control.nodes(), 3010);
        control.set_budget(None);
        assert_eq!(visit_until_aborted(&mut control), Aborted::Stop);
        assert_eq!(control.nodes(), 5000);
        control.set_budget(None);
        assert_eq!(control.visit(3), Err(Aborted::Stop));
    }

    #[test]
    fn a_stop_is_noticed_within_the_poll_interval() {
        let stop = StopFlag::new();
        let mut control = Control::new(&stop, None, None);
        control.visit(1).expect("nothing ends it yet");
        stop.stop();
        assert_eq!(visit_until_aborted(&mut control), Aborted::Stop);
        assert!(control.nodes() <= 2 * POLL_INTERVAL);
        assert_eq!(stop.nodes(), control.nodes(), "the last poll was at the stop");
    }

    #[test]
    fn pondering_has_no_deadline_until_the_hit() {
        let stop = StopFlag::new();
        let mut control = Control::new(&stop, None, None);
        control.time_after_ponder_hit = Some(Duration::ZERO);
        for _ in 0..10_000 {
            control.visit(1).expect("pondering has no limit");
        }
        stop.ponder_hit();
        assert_eq!(visit_until_aborted(&mut control), Aborted::Stop);
    }
}
