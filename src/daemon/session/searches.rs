//! Searches of a session: from `go` to `bestmove`, on time.

use std::io::{self, Write};

use plumb_protocol::{Go, Reply};

use super::Session;
use crate::board::Move;
use crate::book::AnyBook;
use crate::clock::Instant;
use crate::daemon::go;
use crate::daemon::job::{Event, Job, JobId, SearchEvent, SearchJob};
use crate::daemon::queue::Overdue;
use crate::daemon::report::Reporter;
use crate::search::{Strength, SwindleInfo, TimeBudget};

impl<W: Write> Session<W> {
    /// Starts a search, or queues it behind the jobs under way.
    pub(super) fn on_go(&mut self, go: &Go<'_>, received: Instant) -> io::Result<()> {
        let style = self.style();
        let position = self.position;
        let (limits, errors) = go::limits(go, &position, style);
        for error in errors {
            self.say(format!("{error}; this move is not searched"))?;
        }
        let reporter = Reporter { root: position, style, show_wdl: self.options.show_wdl };
        let overhead = self.lateness.overhead(self.options.move_overhead());
        let budget = TimeBudget::new(&limits, overhead, position.empty_cells());
        let (id, stop_flag) = self.queue.add_search(reporter, &limits, budget, received);
        let settings = self.options.settings();
        let job = SearchJob { id, position, limits, budget, settings, stop_flag, received };
        self.unsent.push(Job::Search(Box::new(job)));
        Ok(())
    }

    /// Acts on an event of a job.
    pub(in crate::daemon) fn on_event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Search(id, event) => self.on_search_event(id, event),
            Event::Ready => {
                self.ready_owed = self.ready_owed.saturating_sub(1);
                self.queue.grant_grace_to_first();
                self.send(&Reply::ReadyOk)
            }
            Event::Line(_, text) => self.send(&Reply::Text(text)),
            Event::Finished(id) => {
                self.queue.finish(id);
                Ok(())
            }
            Event::Note(text) => self.say(text),
        }
    }

    fn on_search_event(&mut self, id: JobId, event: SearchEvent) -> io::Result<()> {
        let Some(reporter) = self.queue.reporter(id) else {
            // The session has answered in its place.
            log::debug!("search {id} is over and reports {event:?}");
            return Ok(());
        };
        match event {
            SearchEvent::Info(info) => {
                self.send(&reporter.info(&info))?;
                self.queue.reported(id, info);
                Ok(())
            }
            SearchEvent::Swindle(choice) if self.debug => self.say(swindle_sentence(choice)),
            SearchEvent::Swindle(_) => Ok(()),
            SearchEvent::Done { best, ponder } => {
                self.finish_search(id);
                self.send(&reporter.best_move(best, ponder))
            }
        }
    }

    /// The time by which the running search must have answered. While a `readyok` is owed no search has begun.
    pub(in crate::daemon) fn deadline(&self) -> Option<Instant> {
        self.queue.answer_deadline().filter(|_| self.ready_owed == 0)
    }

    /// Answers in place of a search whose deadline is not after `now`: with its last report, else from `book`, the one that
    /// is open, or from the static evaluation.
    pub(in crate::daemon) fn answer_overdue(
        &mut self,
        now: Instant,
        book: Option<&AnyBook>,
    ) -> io::Result<()> {
        if self.deadline().is_none() {
            return Ok(());
        }
        let settings = self.options.settings();
        let plays_book = settings.own_book && settings.strength == Strength::Full;
        let overdue = self.queue.take_overdue(now, book.filter(|_| plays_book));
        let Some(Overdue { id, reporter, info }) = overdue else { return Ok(()) };
        log::debug!("the search is late: its best move so far is played");
        self.finish_search(id);
        let pv = &info.pv;
        self.send(&reporter.info(&info))?;
        self.send(&reporter.best_move(pv.first().copied(), pv.get(1).copied()))
    }

    /// Stops everything under way.
    pub(in crate::daemon) fn stop_all(&mut self) {
        self.queue.stop_all();
    }

    /// Removes a search that is answered now, and records how late the answer is.
    fn finish_search(&mut self, id: JobId) {
        if let Some(timing) = self.queue.answer_timing(id, Instant::now()) {
            self.lateness.record(timing);
        }
        self.queue.finish(id);
    }
}

/// The sentence about a choice among moves that are equally good in theory.
fn swindle_sentence(choice: SwindleInfo) -> String {
    let SwindleInfo { column, expected, preferred, expected_of_preferred, depth } = choice;
    let name = |column: u32| Move::from(column).to_string();
    let points = |permille: u16| f64::from(permille) / 1000.0;
    let other = if column == preferred {
        String::new()
    } else {
        format!(", {:.3} after column {}", points(expected_of_preferred), name(preferred))
    };
    let (expected, column) = (points(expected), name(column));
    format!("swindle: {expected:.3} points expected after column {column}{other}; {depth} replies deep")
}
