//! The searches, perfts and benchmarks that have been ordered and not been answered yet. A search in whose place the session
//! has answered is not among them, though it may still run.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::job::{JobId, SearchJob};
use super::report::Reporter;
use crate::board::{Board, Position};
use crate::book::Book;
use crate::clock::Instant;
use crate::score::Value;
use crate::search::{Bound, Limits, SearchInfo, Settings, StopFlag, StopSignal, TimeBudget, static_answer};

/// Time from the stop of a search to the answer that the session gives in its place; also the least time from the start of a
/// search that had to wait for its turn to that answer, while the search's own deadline (in `Control`) stays where it is.
const STOP_GRACE: Duration = Duration::from_millis(5);

/// A search, perft or benchmark, which ends with an event with its number; other [`Job`](super::job::Job)s are not recorded.
#[derive(Debug)]
struct Outstanding {
    id: JobId,
    stop_flag: Arc<StopFlag>,
    /// `None` for `perft` and `bench`.
    search: Option<Box<PendingSearch>>,
}

/// A search whose answer is still to come.
#[derive(Debug)]
struct PendingSearch {
    job: Arc<SearchJob>,
    reporter: Reporter,
    /// Whether it still ponders.
    ponder: bool,
    /// Whether its lateness is measured: not if it began as `go ponder` (also after the hit), or had to wait for its turn behind
    /// a search, a count or a benchmark that is recorded here, or a `readyok`. What other jobs before it took is measured.
    is_timed: bool,
    /// The time at which the session answers in its place; `None` while its time is unbounded.
    answer_deadline: Option<Instant>,
    /// The last report of the first line of play.
    last_report: Option<SearchInfo>,
    /// Whether a report had an exact score and its line to the end of the game.
    is_solved: bool,
}

/// The time of an answer in relation to its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerTiming {
    /// The time from the [hard bound](crate::search::TimeBudget::hard) to the answer, also where a choice (`Swindle`) should have
    /// ended earlier; `None` if the answer came before.
    pub(super) lateness: Option<Duration>,
    /// Tolerated lateness.
    pub(super) tolerance: Duration,
    /// Whether the search had reported an exact score and its line to the end of the game.
    pub(super) is_solved: bool,
}

/// Whether this report about `root` has an exact score and its line to the end of the game.
fn is_solved(info: &SearchInfo, root: &Position<Board>) -> bool {
    let to_the_end = match info.value {
        Value::Win { plies } | Value::Loss { plies } => plies,
        Value::Draw => root.empty_cells(),
        Value::Estimate(_) => return false,
    };
    info.bound == Bound::Exact && info.pv.len() as u32 >= to_the_end
}

impl Outstanding {
    /// Whether only `stop` or `ponderhit` ends the job.
    fn needs_stop(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.job.limits.infinite || search.ponder)
            && !self.stop_flag.is_stopped()
    }

    fn stop(&mut self) {
        self.stop_flag.stop();
        if let Some(search) = &mut self.search {
            let time = Instant::now() + STOP_GRACE;
            search.answer_deadline = Some(search.answer_deadline.map_or(time, |deadline| deadline.min(time)));
        }
    }
}

/// The searches, perfts and benchmarks under way in their order, the one running or about to run at the front. The jobs
/// themselves are with the executor, or on their way.
///
/// Only the last one may be a search without end (`infinite`, `ponder`): when another search, perft or benchmark is
/// added, such a search is stopped, as otherwise the new one would never begin. Other jobs, such as a new size of the table,
/// are not among these, and wait until it is stopped.
#[derive(Default)]
pub(super) struct Unanswered {
    jobs: VecDeque<Outstanding>,
    /// A second source of stops, for the jobs that are added later.
    pub(super) signal: Option<StopSignal>,
    /// Number of jobs added so far.
    count: JobId,
}

impl Unanswered {
    /// Adds a search of `reporter`'s position, whose time counts from `clock_start`.
    pub(super) fn add_search(
        &mut self,
        reporter: Reporter,
        limits: Limits,
        budget: TimeBudget,
        settings: Settings,
        clock_start: Instant,
    ) -> Arc<SearchJob> {
        let (id, stop_flag) = self.begin_job();
        let job = Arc::new(SearchJob {
            id,
            position: reporter.root,
            limits,
            budget,
            settings,
            stop_flag: Arc::clone(&stop_flag),
            clock_start,
        });
        let ponder = job.limits.ponder;
        let search = PendingSearch {
            job: Arc::clone(&job),
            reporter,
            ponder,
            is_timed: !ponder,
            answer_deadline: budget.answer.filter(|_| !ponder).map(|answer_time| clock_start + answer_time),
            last_report: None,
            is_solved: false,
        };
        self.jobs.push_back(Outstanding { id, stop_flag, search: Some(Box::new(search)) });
        job
    }

    /// Adds a perft or benchmark; returns its number and its stop flag.
    pub(super) fn add_plain(&mut self) -> (JobId, Arc<StopFlag>) {
        let (id, stop_flag) = self.begin_job();
        self.jobs.push_back(Outstanding { id, stop_flag: Arc::clone(&stop_flag), search: None });
        (id, stop_flag)
    }

    /// Number and stop flag of the job to add; stops the jobs before it that would not end by themselves.
    fn begin_job(&mut self) -> (JobId, Arc<StopFlag>) {
        self.jobs.iter_mut().filter(|job| job.needs_stop()).for_each(Outstanding::stop);
        self.count += 1;
        (self.count, Arc::new(self.signal.clone().map_or_else(StopFlag::new, StopFlag::with_signal)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The reporter of this search; `None` if the search is not under way.
    pub(super) fn reporter(&self, id: JobId) -> Option<Reporter> {
        self.search(id).map(|search| search.reporter)
    }

    fn search(&self, id: JobId) -> Option<&PendingSearch> {
        self.jobs.iter().find(|job| job.id == id)?.search.as_deref()
    }

    /// Records a report, for an answer in place of the search. A bound that decides nothing, such as "no loss within six
    /// moves", leaves the value of the report before: arenas take the number for the evaluation, whatever bound it is.
    pub(super) fn record_report(&mut self, id: JobId, info: SearchInfo) {
        let job = self.jobs.iter_mut().find(|job| job.id == id);
        if let Some(search) = job.and_then(|job| job.search.as_mut())
            && info.multi_pv.unwrap_or(1) == 1
        {
            search.is_solved |= is_solved(&info, &search.reporter.root);
            let (value, bound) = match (&search.last_report, info.value, info.bound) {
                (Some(last), Value::Win { .. }, Bound::Upper)
                | (Some(last), Value::Loss { .. }, Bound::Lower) => (last.value, last.bound),
                (_, value, bound) => (value, bound),
            };
            search.last_report = Some(SearchInfo { value, bound, ..info });
        }
    }

    /// Removes a job: one that has ended, or a late search that the session has answered and stopped.
    pub(super) fn finish(&mut self, id: JobId) {
        let was_running = self.jobs.front().is_some_and(|job| job.id == id);
        self.jobs.retain(|job| job.id != id);
        if was_running {
            self.grant_grace_to_first();
        }
    }

    /// Gives the first job, which begins now or when the one before has obeyed its stop, [`STOP_GRACE`] to answer by
    /// itself, however long ago it was ordered; its lateness is not measured.
    pub(super) fn grant_grace_to_first(&mut self) {
        if let Some(search) = self.jobs.front_mut().and_then(|job| job.search.as_mut()) {
            let earliest = Instant::now() + STOP_GRACE;
            search.answer_deadline = search.answer_deadline.map(|deadline| deadline.max(earliest));
            // Its time ran while it waited, so its lateness says nothing about the machine.
            search.is_timed = false;
        }
    }

    /// The time by which the running search must have answered.
    pub(super) fn answer_deadline(&self) -> Option<Instant> {
        self.jobs.front()?.search.as_ref()?.answer_deadline
    }

    /// The timing of an answer of this search at `now`. `None` if the search has no limit of time that counts from the
    /// `go`, or had to wait for its turn.
    pub(super) fn answer_timing(&self, id: JobId, now: Instant) -> Option<AnswerTiming> {
        let PendingSearch { job, is_solved, .. } = self.search(id).filter(|search| search.is_timed)?;
        let lateness = now.saturating_duration_since(job.clock_start).checked_sub(job.budget.hard?);
        Some(AnswerTiming { lateness, tolerance: job.budget.tolerance, is_solved: *is_solved })
    }

    /// Stops the running search if its deadline has passed, and returns the answer to give in its place: its last report,
    /// else a [static answer](static_answer), with the score from `book` if that has one and the search plays from a
    /// book. The line of the answer is empty only if the game is over. The search stays recorded until [`finish`](Self::finish).
    pub(super) fn stop_overdue(
        &mut self,
        now: Instant,
        book: Option<&Book>,
    ) -> Option<(JobId, Reporter, SearchInfo)> {
        self.answer_deadline().filter(|&deadline| deadline <= now)?;
        let search = self.jobs.front_mut()?.search.as_mut()?;
        let (job, reporter) = (&search.job, search.reporter);
        job.stop_flag.stop();
        let found = search.last_report.take();
        let book = book.filter(|_| job.settings.plays_book(&job.limits, job.position.empty_cells()));
        let info = found.unwrap_or_else(|| static_answer(&job.position, &job.limits.search_moves, book));
        let info = SearchInfo { time: now.saturating_duration_since(job.clock_start), ..info };
        Some((job.id, reporter, info))
    }

    /// Whether a job is a search that only `stop` or `ponderhit` ends.
    pub(super) fn any_needs_stop(&self) -> bool {
        self.jobs.iter().any(Outstanding::needs_stop)
    }

    /// Stops the first job that has not been stopped yet: if the running one has been, and only its answer is missing, the
    /// `stop` is meant for the next.
    pub(super) fn stop(&mut self) {
        if let Some(job) = self.jobs.iter_mut().find(|job| !job.stop_flag.is_stopped()) {
            job.stop();
        }
    }

    /// Stops all jobs.
    pub(super) fn stop_all(&mut self) {
        self.jobs.iter_mut().for_each(Outstanding::stop);
    }

    /// Turns the first pondering search into one whose time runs, from now on.
    pub(super) fn ponder_hit(&mut self) {
        for job in &mut self.jobs {
            if let Some(search) = &mut job.search
                && search.ponder
                && !job.stop_flag.is_stopped()
            {
                search.ponder = false;
                search.answer_deadline =
                    search.job.budget.answer.map(|answer_time| Instant::now() + answer_time);
                job.stop_flag.ponder_hit();
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
