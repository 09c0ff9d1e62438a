//! Counting nodes, and noticing when to stop, cheaply enough not to be felt.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::parallel::Team;
use super::signals::Signals;

/// Most nodes between two looks at the clock and the stop flag: well below 0.1 ms of search, and still too few looks to be
/// felt.
const POLL_INTERVAL: u64 = 256;

/// Nodes before the first look at the clock; each look doubles the number until [`POLL_INTERVAL`].
const FIRST_INTERVAL: u64 = 16;

/// Time that the nodes between two looks at the clock may take where there is a deadline. Where they take longer, as on a
/// machine that has other work, the looks come after fewer nodes.
const POLL_TIME: Duration = Duration::from_micros(200);

/// Why a search was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It is over: told to stop, out of time or out of nodes.
    Stop,
    /// Only the present probe is: its budget is used up, or another thread has the answer.
    Budget,
}

/// The node counter of one thread of a search together with everything that can end it.
///
/// Where there are several threads, each tells the team of its nodes at every look up from the work. A node limit is
/// one of them all together: it is exact on one thread, and else exceeded by less than [`POLL_INTERVAL`] a helper.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    signals: Option<&'a Signals>,
    deadline: Option<Instant>,
    /// Whether the deadline still waits for a ponder hit, as the time allowed from then on.
    pending: Option<Duration>,
    nodes: u64,
    node_limit: u64,
    budget_end: u64,
    /// Node count at which to look up from the work next; saves comparing with each limit at every node.
    next_poll: u64,
    /// Nodes between two looks, at most [`POLL_INTERVAL`].
    interval: u64,
    /// When the clock was last looked at.
    last_look: Option<Instant>,
    halted: bool,
    sel_depth: u32,
    /// The threads of the search, if there are several.
    team: Option<Arc<Team>>,
    /// How many of `nodes` the team has been told of.
    told: u64,
    /// Whether the team is at work on the present probe.
    accompanied: bool,
}

impl<'a> Control<'a> {
    /// A control that only counts.
    pub(crate) fn unlimited() -> Self {
        Self {
            signals: None,
            deadline: None,
            pending: None,
            nodes: 0,
            node_limit: u64::MAX,
            budget_end: u64::MAX,
            next_poll: u64::MAX,
            interval: FIRST_INTERVAL,
            last_look: None,
            halted: false,
            sel_depth: 0,
            team: None,
            told: 0,
            accompanied: false,
        }
    }

    /// A control that also obeys `signals` and ends after `node_limit` nodes or at `deadline`.
    pub(crate) fn new(signals: &'a Signals, node_limit: Option<u64>, deadline: Option<Instant>) -> Self {
        let mut control = Self {
            signals: Some(signals),
            node_limit: node_limit.unwrap_or(u64::MAX),
            deadline,
            ..Self::unlimited()
        };
        control.schedule();
        control
    }

    /// The same with `threads` threads, this one included, to make the probes.
    #[must_use]
    pub(crate) fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.team = (threads.get() > 1).then(|| Arc::new(Team::new(threads)));
        self.schedule();
        self
    }

    /// The control of a helper in `team`. It ends with the present probe, or when all threads together have visited
    /// `node_limit` nodes; clock and signals are left to the thread that leads.
    pub(crate) fn helper(team: Arc<Team>, node_limit: u64) -> Self {
        // Its first node is a look at the limit: by the time that a helper gets a processor all may be done.
        Self { team: Some(team), node_limit, accompanied: true, next_poll: 0, ..Self::unlimited() }
    }

    /// The threads of the search, if there are several.
    pub(crate) fn team(&self) -> Option<&Arc<Team>> {
        self.team.as_ref()
    }

    /// The threads that are at work on the present probe, if there are several.
    #[inline]
    pub(crate) fn companions(&self) -> Option<&Team> {
        self.team.as_deref().filter(|_| self.accompanied)
    }

    /// Whether from now on the team is at work on the present probe.
    pub(crate) fn set_accompanied(&mut self, accompanied: bool) {
        self.accompanied = accompanied;
    }

    /// Lets the clock start with the ponder hit: the deadline is then `allowance` after it.
    pub(crate) fn start_on_ponder_hit(&mut self, allowance: Option<Duration>) {
        self.deadline = None;
        self.pending = allowance;
    }

    /// Nodes that this thread has visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes that all threads have visited so far, as far as they have told.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.nodes - self.told + self.team.as_ref().map_or(0, |team| team.nodes())
    }

    /// Tells the team of this thread's nodes.
    pub(crate) fn tell_nodes(&mut self) {
        if let Some(team) = &self.team {
            team.add_nodes(self.nodes - self.told);
            self.told = self.nodes;
        }
    }

    /// How many nodes all threads together may visit.
    pub(crate) fn node_limit(&self) -> u64 {
        self.node_limit
    }

    /// Greatest number of stones seen on the board.
    pub(crate) fn deepest(&self) -> u32 {
        self.sel_depth
    }

    /// Allows `nodes` more nodes before [`Halt::Budget`]; `None` for any number.
    pub(crate) fn set_budget(&mut self, nodes: Option<u64>) {
        self.budget_end = nodes.map_or(u64::MAX, |nodes| self.nodes.saturating_add(nodes));
        self.schedule();
    }

    /// Lets the budget end after `nodes` more nodes, if that is sooner; returns when it would have ended, for
    /// [`restore_budget`](Self::restore_budget).
    pub(crate) fn shorten_budget(&mut self, nodes: u64) -> u64 {
        let end = self.budget_end;
        self.budget_end = end.min(self.nodes.saturating_add(nodes));
        self.schedule();
        end
    }

    /// Lets the budget end where it did before it was shortened; returns whether there is any left.
    pub(crate) fn restore_budget(&mut self, end: u64) -> bool {
        self.budget_end = end;
        self.schedule();
        self.nodes < end
    }

    /// Counts a node with `plies` stones.
    ///
    /// # Errors
    /// Why the search must be broken off, if it must.
    #[inline]
    pub(crate) fn visit(&mut self, plies: u32) -> Result<(), Halt> {
        self.nodes += 1;
        self.sel_depth = self.sel_depth.max(plies);
        if self.nodes < self.next_poll { Ok(()) } else { self.poll() }
    }

    /// Looks at every limit at once, whatever the node count.
    ///
    /// # Errors
    /// Why the search must be broken off, if it must.
    #[cold]
    pub(crate) fn poll(&mut self) -> Result<(), Halt> {
        if self.halted || self.must_stop() {
            self.halted = true;
            self.next_poll = 0;
            return Err(Halt::Stop);
        }
        self.schedule();
        let is_answered = self.companions().is_some_and(Team::is_over);
        if is_answered || self.nodes >= self.budget_end {
            self.next_poll = 0;
            return Err(Halt::Budget);
        }
        Ok(())
    }

    fn must_stop(&mut self) -> bool {
        self.tell_nodes();
        let nodes = self.all_nodes();
        let Some(signals) = self.signals else { return nodes >= self.node_limit };
        signals.set_nodes(nodes);
        if let Some(allowance) = self.pending
            && let Some(hit) = signals.hit_at()
        {
            self.pending = None;
            self.deadline = Some(hit + allowance);
        }
        signals.stopped() || nodes >= self.node_limit || self.is_past_deadline()
    }

    /// Looks at the clock, and adjusts how many nodes go by before the next look.
    fn is_past_deadline(&mut self) -> bool {
        let Some(deadline) = self.deadline else {
            self.interval = POLL_INTERVAL;
            return false;
        };
        let now = Instant::now();
        if let Some(last) = self.last_look.replace(now) {
            let took = now.saturating_duration_since(last);
            self.interval =
                if took > POLL_TIME { self.interval / 2 } else { self.interval * 2 }.clamp(1, POLL_INTERVAL);
        }
        now >= deadline
    }

    fn schedule(&mut self) {
        let is_watched = self.signals.is_some() || self.team.is_some();
        let left = self.node_limit.saturating_sub(self.all_nodes());
        // Threads that count together look more often towards the limit, each after its share of what is left.
        let share = self.team.as_ref().map_or(left, |team| left / team.threads()).max(1);
        // One that loses its processor in between comes back to what it had left to do, even if the limit is used up.
        let interval = if self.team.is_some() { self.interval.div_ceil(2) } else { self.interval };
        let polled = if is_watched { self.nodes + interval.min(share) } else { u64::MAX };
        let limit = self.nodes.saturating_add(left);
        self.next_poll = if self.halted { 0 } else { polled.min(limit).min(self.budget_end) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit_until_halt(control: &mut Control<'_>) -> Halt {
        loop {
            if let Err(halt) = control.visit(3) {
                return halt;
            }
        }
    }

    #[test]
    fn node_limits_and_budgets_are_exact() {
        let signals = Signals::new();
        let mut control = Control::new(&signals, Some(5000), None);
        control.set_budget(Some(10));
        assert_eq!(visit_until_halt(&mut control), Halt::Budget);
        assert_eq!(control.nodes(), 10);
        control.set_budget(Some(3000));
        assert_eq!(visit_until_halt(&mut control), Halt::Budget);
        assert_eq!(control.nodes(), 3010);
        control.set_budget(None);
        assert_eq!(visit_until_halt(&mut control), Halt::Stop);
        assert_eq!(control.nodes(), 5000);
        // Once over, it stays over.
        control.set_budget(None);
        assert_eq!(control.visit(3), Err(Halt::Stop));
    }

    #[test]
    fn a_stop_is_noticed_within_the_poll_interval() {
        let signals = Signals::new();
        let mut control = Control::new(&signals, None, None);
        control.visit(1).expect("nothing ends it yet");
        signals.stop();
        assert_eq!(visit_until_halt(&mut control), Halt::Stop);
        assert!(control.nodes() <= 2 * POLL_INTERVAL);
        assert_eq!(signals.nodes(), control.nodes(), "the last look was at the stop");
    }

    #[test]
    fn pondering_has_no_deadline_until_the_hit() {
        let signals = Signals::new();
        let mut control = Control::new(&signals, None, Some(Instant::now()));
        control.start_on_ponder_hit(Some(Duration::ZERO));
        for _ in 0..10_000 {
            control.visit(1).expect("pondering goes on");
        }
        signals.ponder_hit();
        assert_eq!(visit_until_halt(&mut control), Halt::Stop);
    }
}
