//! Node counting and limits: a node costs one comparison, and clock and stop flag are polled every few hundred nodes.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::stop::StopFlag;
use super::team::Team;
use crate::clock::Instant;

/// Most nodes between two polls of the clock and the stop flag, or from a new node budget to its first poll: well below 0.1 ms
/// of search, and no measurable cost.
const POLL_INTERVAL: u64 = 256;

/// Nodes before the first poll. Under a deadline quick polls then double the number up to [`POLL_INTERVAL`], and slow
/// ones halve it; without a deadline the first poll sets it to `POLL_INTERVAL`.
const FIRST_INTERVAL: u64 = 16;

/// The time between two polls that is aimed at where there is a deadline. Where it is exceeded, as on a busy machine, the
/// interval is halved.
const POLL_TIME: Duration = Duration::from_micros(200);

/// Why a search was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aborted {
    /// The search is over: stopped, out of time or out of nodes.
    Stop,
    /// Only the present step is over, a null-window probe of the exact search or an iteration of the depth-limited one: its
    /// node budget is used up, or another thread has the answer.
    Step,
}

/// The node counter of one thread of a search, with every limit that can end it.
///
/// Where there are several threads, each reports its nodes to the team at every poll. A node limit counts the nodes of
/// all threads: it is exact on one thread, and else exceeded by less than [`POLL_INTERVAL`] for each helper.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control<'a> {
    /// The flag that stops the search. A new flag or deadline is seen at the next poll, or, if there was neither before, after
    /// the next budget of nodes is set.
    pub(super) stop: Option<&'a StopFlag>,
    /// The hard bound as a point in time; the choice after a solution (`Swindle`) sets a deadline of its own.
    pub(super) deadline: Option<Instant>,
    /// The time budget that starts with the ponder hit; `None` once the deadline is set.
    pub(super) time_after_ponder_hit: Option<Duration>,
    nodes: u64,
    node_limit: u64,
    /// Node count at which the budget of the present null-window probe or iteration is used up.
    budget_end: u64,
    /// Node count of the next poll: the one number that every node is compared with.
    next_poll: u64,
    /// Nodes between two polls, at most [`POLL_INTERVAL`].
    interval: u64,
    last_poll: Option<Instant>,
    /// Whether the search is over. [`Solver`](super::Solver) resets it before its next budget, to go on as far as the limits
    /// allow it.
    pub(super) is_stopped: bool,
    /// The most stones on the board in any node visited so far: `seldepth` comes from it.
    pub(super) max_plies: u32,
    /// The threads of the search, if there are several.
    pub(super) team: Option<Arc<Team>>,
    /// How many of `nodes` have been reported to the team.
    reported: u64,
    /// Whether the helpers of the team work on the present probe.
    pub(super) is_team_at_work: bool,
    /// Whether this is the thread of a helper.
    is_helper: bool,
}

impl<'a> Control<'a> {
    /// A control without limits.
    pub(crate) fn unlimited() -> Self {
        Self {
            node_limit: u64::MAX,
            budget_end: u64::MAX,
            next_poll: u64::MAX,
            interval: FIRST_INTERVAL,
            ..Self::default()
        }
    }

    /// A control that obeys `stop` and ends after `node_limit` nodes or at `deadline`.
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

    /// Sets the number of threads, this one included.
    pub(crate) fn set_threads(&mut self, threads: NonZeroUsize) {
        self.team = if threads.get() > 1 { Some(Arc::new(Team::new(threads))) } else { None };
        self.schedule();
    }

    /// The control of a helper in `team`. It ends with the present probe, and polls stop flag and deadline itself: with more
    /// threads than processors, helpers that waited for the lead to notice would take the processor that the lead needs.
    pub(crate) fn helper(&self, team: Arc<Team>) -> Self {
        // It polls at its first node: by the time that a helper gets a processor the probe may be over.
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

    /// The team, if its helpers work on the present probe.
    #[inline]
    pub(crate) fn team_at_work(&self) -> Option<&Team> {
        self.team.as_deref().filter(|_| self.is_team_at_work)
    }

    /// Nodes that this thread has visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes that all threads have visited so far, in the exact and the depth-limited search; those of helpers as far as they
    /// have been reported.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes - self.reported + self.team.as_ref().map_or(0, |team| team.nodes())
    }

    /// Reports this thread's nodes to the team.
    pub(crate) fn report_nodes(&mut self) {
        if let Some(team) = &self.team {
            team.add_nodes(self.nodes - self.reported);
            self.reported = self.nodes;
        }
    }

    /// Sets the budget to `nodes` more nodes, after which the search ends with [`Aborted::Step`]; `None` for no
    /// budget.
    pub(crate) fn set_budget(&mut self, nodes: Option<u64>) {
        self.budget_end = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.schedule();
    }

    /// Sets the limit of nodes, counted from the start; `None` for no limit.
    pub(crate) fn set_node_limit(&mut self, nodes: Option<u64>) {
        self.node_limit = nodes.unwrap_or(u64::MAX);
        self.schedule();
    }

    /// Shortens the budget to at most `nodes` more nodes; returns the node count at which it would have ended, for
    /// [`restore_budget`](Self::restore_budget).
    pub(crate) fn shorten_budget(&mut self, nodes: u64) -> u64 {
        let end = self.budget_end;
        self.budget_end = end.min(self.nodes.saturating_add(nodes));
        self.schedule();
        end
    }

    /// Restores the budget as it was before it was shortened; returns whether any is left.
    pub(crate) fn restore_budget(&mut self, end: u64) -> bool {
        self.budget_end = end;
        self.schedule();
        self.nodes < end
    }

    /// Counts a node with `plies` stones, and polls if it is time to.
    ///
    /// # Errors
    /// If the search or the probe is over.
    #[inline]
    pub(crate) fn visit(&mut self, plies: u32) -> Result<(), Aborted> {
        self.nodes += 1;
        self.max_plies = self.max_plies.max(plies);
        if self.nodes < self.next_poll { Ok(()) } else { self.poll() }
    }

    /// Checks every limit.
    ///
    /// # Errors
    /// If the search or the probe is over.
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

    /// Polls the clock, and adjusts the number of nodes before the next poll.
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

    /// Sets the node count of the next poll.
    fn schedule(&mut self) {
        let is_polled = self.stop.is_some() || self.deadline.is_some() || self.team.is_some();
        let left = self.node_limit.saturating_sub(self.all_nodes());
        // Threads that share a node limit poll more often towards it, each after its share of the nodes left.
        let share = self.team.as_ref().map_or(left, |team| left / team.threads()).max(1);
        // A thread that loses its processor first does the rest of its interval, even if the limit is reached
        // meanwhile; so the interval is halved.
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
        // A search that is over stays so.
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
