//! Answers on time: when the running search must have answered, and what is done if it has not.

use std::io::Write;
use std::time::{Duration, Instant};

use super::queue::Overdue;
use super::{Result, Session};

/// How often the session wakes on the way to a deadline at least, and the least time between.
const TICKS: u32 = 8;
const LEAST_TICK: Duration = Duration::from_millis(4);
/// How long after a line it is watched how late the session wakes: what is known of that when the first `go` comes.
const ATTENTION: Duration = Duration::from_millis(40);

impl<W: Write> Session<W> {
    /// The time from which on the work on an input counts that came `at` this time. Where the session was idle, it is that
    /// time, and how late the session is by now says something about the machine. Input that was held back counts from
    /// now on.
    pub(super) fn start_of_work(&mut self, at: Instant, idle_since: Instant) -> Instant {
        if at < idle_since {
            return Instant::now();
        }
        self.lateness.saw_relay(at.elapsed());
        at
    }

    /// When to wake next if nothing happens before: when the running search must have answered; and a few times on the way
    /// there and after each line of input, to see how late the session is then. `None` if there is no reason to wake.
    pub(super) fn alarm(&self, now: Instant) -> Option<Instant> {
        let Some(deadline) = self.deadline() else {
            let is_awaiting_go =
                self.last_line.is_some_and(|line| now.saturating_duration_since(line) < ATTENTION);
            return is_awaiting_go.then(|| now + LEAST_TICK);
        };
        let rest = deadline.saturating_duration_since(now);
        Some(if rest > 2 * LEAST_TICK { now + (rest / TICKS).max(LEAST_TICK) } else { deadline })
    }

    /// When the running search must have answered: earlier than was planned if the machine turns out to be later than was
    /// known then. As long as a `readyok` is owed, no search has begun.
    fn deadline(&self) -> Option<Instant> {
        self.queue.deadline(self.lateness.reserve()).filter(|_| self.ready_owed == 0)
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
        let (now, reserve) = (Instant::now(), self.lateness.reserve());
        let Some(Overdue { reporter, info }) = self.queue.take_overdue(now, reserve) else { return Ok(()) };
        log::debug!("the search is late: its best move so far is played");
        let pv = &info.pv;
        self.send(&reporter.info(&info))?;
        self.send(&reporter.best_move(pv.first().copied(), pv.get(1).copied()))
    }
}
