//! Answers on time: when the running search must have answered, and what is done if it has not.

use std::io::Write;
use std::time::Instant;

use super::queue::Overdue;
use super::{Result, Session};
use crate::search::SearchId;

/// The time from which on the work on a line counts that was read `at` this time: that time if the session was idle, else
/// now, as the line was held back.
pub(super) fn start_of_work(at: Instant, idle_since: Instant) -> Instant {
    if at < idle_since { Instant::now() } else { at }
}

impl<W: Write> Session<W> {
    /// When the running search must have answered. As long as a `readyok` is owed, none has begun.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.queue.deadline().filter(|_| self.ready_owed == 0)
    }

    /// Answers in place of a search that has not done so by its deadline, with what it has reported.
    pub(super) fn answer_overdue(&mut self) -> Result {
        if self.deadline().is_none_or(|deadline| Instant::now() < deadline) {
            return Ok(());
        }
        // Its answer may be waiting to be read.
        while let Ok(event) = self.worker.events.try_recv() {
            self.on_event(event)?;
        }
        let Some(Overdue { id, reporter, info }) = self.queue.take_overdue(Instant::now()) else {
            return Ok(());
        };
        log::debug!("the search is late: its best move so far is played");
        self.finish_search(id);
        let pv = &info.pv;
        self.send(&reporter.info(&info))?;
        self.send(&reporter.best_move(pv.first().copied(), pv.get(1).copied()))
    }

    /// Takes note that a search is answered.
    pub(super) fn finish_search(&mut self, id: SearchId) {
        if let Some((late, tolerance)) = self.queue.lateness(id, Instant::now()) {
            self.lateness.saw(late, tolerance);
        }
        self.queue.finish(id);
    }
}
