//! Counting nodes, and noticing when to stop, cheaply enough not to be felt.

use std::time::Instant;

use super::signals::Signals;

/// Nodes between two looks at the clock and the stop flag: well below 0.1 ms of search, and still too few looks to be
/// felt.
const POLL_INTERVAL: u64 = 256;

/// Why a search was broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// It is over: told to stop, out of time or out of nodes.
    Stop,
    /// Only the budget of the present probe is used up.
    Budget,
}

/// The node counter of a search together with everything that can end it.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    signals: Option<&'a Signals>,
    deadline: Option<Instant>,
    /// Whether the deadline still waits for a ponder hit, as the time allowed from then on.
    pending: Option<std::time::Duration>,
    nodes: u64,
    node_limit: u64,
    budget_end: u64,
    /// Node count at which to look up from the work next; saves comparing with each limit at every node.
    next_poll: u64,
    halted: bool,
    sel_depth: u32,
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
            halted: false,
            sel_depth: 0,
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

    /// Lets the clock start with the ponder hit: the deadline is then `allowance` after it.
    pub(crate) fn start_on_ponder_hit(&mut self, allowance: Option<std::time::Duration>) {
        self.deadline = None;
        self.pending = allowance;
    }

    /// Nodes visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
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
        if self.nodes >= self.budget_end {
            self.next_poll = 0;
            return Err(Halt::Budget);
        }
        Ok(())
    }

    fn must_stop(&mut self) -> bool {
        let Some(signals) = self.signals else { return self.nodes >= self.node_limit };
        signals.set_nodes(self.nodes);
        if let Some(allowance) = self.pending
            && let Some(hit) = signals.hit_at()
        {
            self.pending = None;
            self.deadline = Some(hit + allowance);
        }
        signals.stopped()
            || self.nodes >= self.node_limit
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn schedule(&mut self) {
        let polled = if self.signals.is_some() { self.nodes + POLL_INTERVAL } else { u64::MAX };
        self.next_poll = if self.halted { 0 } else { polled.min(self.node_limit).min(self.budget_end) };
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
        control.start_on_ponder_hit(Some(std::time::Duration::ZERO));
        for _ in 0..10_000 {
            control.visit(1).expect("pondering goes on");
        }
        signals.ponder_hit();
        assert_eq!(visit_until_halt(&mut control), Halt::Stop);
    }
}
