//! Answers on time: when the running search must have answered, and what is done if it has not.

use std::io::Write;
use std::time::Instant;

use super::queue::Overdue;
use super::{Result, Session};

impl<W: Write> Session<W> {
    /// The time from which on the work on an input counts that came `at` this time. Where the session was idle, it is that
    /// time, and how late the session is by now says something about the machine. Input that was held back counts from
    /// now on.
    pub(super) fn start_of_work(&mut self, at: Instant, idle_since: Instant) -> Instant {
        if at < idle_since {
            return Instant::now();
        }
        self.lateness.saw(at.elapsed());
        at
    }

    /// When the running search must have answered. As long as a `readyok` is owed, none has begun.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.queue.deadline().filter(|_| self.ready_owed == 0)
    }

    /// Answers in place of a search that has not done so by its deadline, with what it has reported.
    pub(super) fn answer_overdue(&mut self, idle_since: Instant) -> Result {
        if self.deadline().is_none_or(|deadline| Instant::now() < deadline) {
            return Ok(());
        }
        // Its answer may be waiting to be read.
        while let Ok(event) = self.worker.events.try_recv() {
            self.on_event(event)?;
        }
        let now = Instant::now();
        let Some(Overdue { reporter, info, deadline }) = self.queue.take_overdue(now) else { return Ok(()) };
        if idle_since < deadline {
            self.lateness.saw(now - deadline);
        }
        let pv = &info.pv;
        log::debug!(
            "the search is late: its best move so far is played, {:?} after the deadline",
            now - deadline
        );
        self.send(&reporter.info(&info))?;
        self.send(&reporter.best_move(pv.first().copied(), pv.get(1).copied()))
    }
}
