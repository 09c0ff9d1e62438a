//! Jobs that are not answered yet: searches, perft and benchmarks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::executor::{JobId, SearchJob};
use super::report::Reporter;
use crate::board::{Board, Position};
use crate::book::Book;
use crate::clock::Instant;
use crate::score::Value;
use crate::search::{Bound, Limits, SearchInfo, Settings, StopFlag, StopSignal, TimeBudget, static_answer};

/// After a stop, the search has this long to answer; then the session answers for it. A search that waited behind
/// another job has at least this long from the moment it becomes the first job.
const STOP_GRACE: Duration = Duration::from_millis(5);

#[derive(Debug)]
struct Outstanding {
    id: JobId,
    stop_flag: Arc<StopFlag>,
    search: Option<Box<PendingSearch>>,
}

#[derive(Debug)]
struct PendingSearch {
    job: Arc<SearchJob>,
    reporter: Reporter,
    ponder: bool,
    /// Whether to measure lateness. Not for `go ponder`, nor for a search that waited behind another job or
    /// `readyok`.
    is_timed: bool,
    answer_deadline: Option<Instant>,
    last_report: Option<SearchInfo>,
    is_solved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AnswerTiming {
    /// Time from the [hard time limit](crate::search::TimeBudget::hard) to the answer. `None` if the answer came
    /// earlier.
    pub(super) lateness: Option<Duration>,
    pub(super) tolerance: Duration,
    pub(super) is_solved: bool,
}

/// Whether a report has the exact score of `root` and a principal variation to the end of the game.
fn is_solved(info: &SearchInfo, root: &Position<Board>) -> bool {
    let to_the_end = match info.value {
        Value::Win { plies } | Value::Loss { plies } => plies,
        Value::Draw => root.empty_cells(),
        Value::Estimate(_) => return false,
    };
    info.bound == Bound::Exact && info.pv.len() as u32 >= to_the_end
}

impl Outstanding {
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

/// Jobs in order, the running job first.
///
/// Only the last job may be a search without end (`infinite`, `ponder`). A new search, perft or benchmark
/// stops it; other jobs wait.
#[derive(Default)]
pub(super) struct Unanswered {
    jobs: VecDeque<Outstanding>,
    pub(super) signal: Option<StopSignal>,
    count: JobId,
}

impl Unanswered {
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
            answer_deadline: if ponder { None } else { budget.answer.map(|time| clock_start + time) },
            last_report: None,
            is_solved: false,
        };
        self.jobs.push_back(Outstanding { id, stop_flag, search: Some(Box::new(search)) });
        job
    }

    pub(super) fn add_plain(&mut self) -> (JobId, Arc<StopFlag>) {
        let (id, stop_flag) = self.begin_job();
        self.jobs.push_back(Outstanding { id, stop_flag: Arc::clone(&stop_flag), search: None });
        (id, stop_flag)
    }

    /// Numbers a new job. Stops earlier searches without end (`infinite`, `ponder`).
    fn begin_job(&mut self) -> (JobId, Arc<StopFlag>) {
        self.jobs.iter_mut().filter(|job| job.needs_stop()).for_each(Outstanding::stop);
        self.count += 1;
        (self.count, Arc::new(self.signal.clone().map_or_else(StopFlag::new, StopFlag::with_signal)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    pub(super) fn reporter(&self, id: JobId) -> Option<Reporter> {
        self.search(id).map(|search| search.reporter)
    }

    fn search(&self, id: JobId) -> Option<&PendingSearch> {
        self.jobs.iter().find(|job| job.id == id)?.search.as_deref()
    }

    /// An upper bound that is a win, or a lower bound that is a loss, decides nothing. It does not replace the
    /// last value, because arenas read every score as an evaluation.
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

    pub(super) fn finish(&mut self, id: JobId) {
        let was_running = self.jobs.front().is_some_and(|job| job.id == id);
        self.jobs.retain(|job| job.id != id);
        if was_running {
            self.grant_grace_to_first();
        }
    }

    pub(super) fn grant_grace_to_first(&mut self) {
        if let Some(search) = self.jobs.front_mut().and_then(|job| job.search.as_mut()) {
            let earliest = Instant::now() + STOP_GRACE;
            search.answer_deadline = search.answer_deadline.map(|deadline| deadline.max(earliest));
            // The search waited, so its lateness says nothing about the machine.
            search.is_timed = false;
        }
    }

    pub(super) fn answer_deadline(&self) -> Option<Instant> {
        self.jobs.front()?.search.as_ref()?.answer_deadline
    }

    pub(super) fn answer_timing(&self, id: JobId, now: Instant) -> Option<AnswerTiming> {
        let PendingSearch { job, is_solved, .. } = self.search(id).filter(|search| search.is_timed)?;
        let lateness = now.saturating_duration_since(job.clock_start).checked_sub(job.budget.hard?);
        Some(AnswerTiming { lateness, tolerance: job.budget.tolerance, is_solved: *is_solved })
    }

    /// Stops a search after its deadline. Returns its last report, or a [static answer](static_answer). The
    /// search stays in the list until [`finish`](Self::finish).
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
        let plays_book = job.settings.plays_book(&job.limits, job.position.empty_cells());
        let book = if plays_book { book } else { None };
        let info = found.unwrap_or_else(|| static_answer(&job.position, &job.limits.search_moves, book));
        let info = SearchInfo { time: now.saturating_duration_since(job.clock_start), ..info };
        Some((job.id, reporter, info))
    }

    /// Whether some search ends only by `stop` or `ponderhit`.
    pub(super) fn any_needs_stop(&self) -> bool {
        self.jobs.iter().any(Outstanding::needs_stop)
    }

    pub(super) fn stop(&mut self) {
        if let Some(job) = self.jobs.iter_mut().find(|job| !job.stop_flag.is_stopped()) {
            job.stop();
        }
    }

    pub(super) fn stop_all(&mut self) {
        self.jobs.iter_mut().for_each(Outstanding::stop);
    }

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
