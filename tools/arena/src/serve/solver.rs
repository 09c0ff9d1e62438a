//! The solver by HTTP: threads of its own, and the queue before them.

use std::collections::VecDeque;
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use plumb::board::Board;
use plumb::book::AnyBook;
use plumb::search::{AnySolver, StopFlag, Stopped};
use plumb::table::AnyTable;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::question::{Answer, Question, Task};
use crate::interrupt::lock;

/// Boards whose tables are kept: one for those who play 7x6, and one for another board.
const TABLES: usize = 2;
/// Bytes of lines that are read ahead, of all requests together: many clients read no answer before all their questions are
/// sent.
const READ_AHEAD: usize = 64 << 20;

/// The settings of the solver by HTTP.
#[derive(Clone, Debug)]
pub struct SolverSettings {
    /// Positions that are solved at the same time.
    pub threads: NonZeroUsize,
    /// Size of a table in MB of 2^20 bytes. The tables of two boards are kept; each board that is being solved has one, so
    /// that there can be `threads` + 1 in all.
    pub hash: usize,
    /// Positions that wait for a thread; more are refused.
    pub queue: usize,
    /// The time for a position: from its arrival on, or for one of many in a request, from the beginning of its search on.
    pub time: Duration,
    /// The origin of pages of other sites that may read the answers.
    pub origin: Option<Origin>,
}

/// An origin of pages, such as `https://example.org`, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(pub(super) HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_origin = text.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '*', ' '])
        });
        let value = HeaderValue::from_str(text).ok().filter(|_| is_origin || text == "*" || text == "null");
        value.map(Self).ok_or_else(|| {
            format!("`{text}`: expected *, null (pages from files), or an origin such as https://example.org")
        })
    }
}

/// The solver, shared by its threads and by all who ask.
pub(super) struct Solver {
    pub settings: SolverSettings,
    /// The queue before the threads; `None` after the end.
    waiting: Mutex<Option<VecDeque<Job>>>,
    changed: Condvar,
    book: Option<AnyBook>,
    /// The tables, that of the last position last.
    tables: Mutex<Vec<Arc<AnyTable>>>,
    /// Number of places of the queue and of the threads together.
    capacity: usize,
    places: Arc<Semaphore>,
    /// The places that requests with many questions may take, half of all: a single question always has a chance.
    bulk_places: Arc<Semaphore>,
    /// Permits for the bytes of lines that are read ahead.
    pub read_ahead: Arc<Semaphore>,
}

/// Places in the queue, which are free again when the position is solved or given up.
type Places = [Option<OwnedSemaphorePermit>; 2];

/// A position for a thread.
struct Job {
    task: Task,
    /// `None` if the time begins with the search.
    deadline: Option<Instant>,
    stop: Arc<StopFlag>,
    answer: oneshot::Sender<Answer>,
    _places: Places,
}

/// The answer of a submitted question. Dropping it removes the question from the queue or stops its search.
pub(super) struct Pending {
    answer: oneshot::Receiver<Answer>,
    stop: Arc<StopFlag>,
    solver: Arc<Solver>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(waiting) = &mut *lock(&self.solver.waiting) {
            waiting.retain(|job| !Arc::ptr_eq(&job.stop, &self.stop));
        }
    }
}

impl Future for Pending {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answer> {
        let lost = |_| Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, None, "the solver has ended");
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.unwrap_or_else(lost))
    }
}

impl Solver {
    /// Starts the threads, which run until the solver is [closed](Self::close).
    ///
    /// # Errors
    /// If the system has no more threads.
    pub(super) fn start(settings: SolverSettings) -> anyhow::Result<Arc<Self>> {
        let threads = settings.threads.get();
        let capacity = threads.saturating_add(settings.queue).min(Semaphore::MAX_PERMITS);
        let solver = Arc::new(Self {
            settings,
            waiting: Mutex::new(Some(VecDeque::new())),
            changed: Condvar::new(),
            book: AnyBook::embedded(),
            tables: Mutex::default(),
            capacity,
            places: Arc::new(Semaphore::new(capacity)),
            bulk_places: Arc::new(Semaphore::new(capacity.div_ceil(2))),
            read_ahead: Arc::new(Semaphore::new(READ_AHEAD)),
        });
        for number in 0..threads {
            let own = Arc::clone(&solver);
            let run = move || {
                while let Some(job) = own.next_job() {
                    own.work(job, number);
                }
            };
            let started = thread::Builder::new().name("solver".to_owned()).spawn(run);
            started.inspect_err(|_| solver.close()).context("cannot solve")?;
        }
        Ok(solver)
    }

    /// Ends the threads after the searches that are running.
    pub(super) fn close(&self) {
        *lock(&self.waiting) = None;
        self.changed.notify_all();
    }

    /// The next position; waits for it. `None` after the queue was closed.
    fn next_job(&self) -> Option<Job> {
        let is_idle = |waiting: &mut Option<VecDeque<_>>| waiting.as_ref().is_some_and(VecDeque::is_empty);
        let waiting = self.changed.wait_while(lock(&self.waiting), is_idle);
        waiting.unwrap_or_else(PoisonError::into_inner).as_mut()?.pop_front()
    }

    /// Solves a position, unless nobody waits for it any more.
    fn work(&self, job: Job, number: usize) {
        if job.stop.is_stopped() {
            return;
        }
        let unsolved =
            |sentence: &str| Answer::refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&job.task.pos), sentence);
        let answer = match self.table(job.task.position.geometry()) {
            Some(table) => self.solve(&job, &table, number).unwrap_or_else(|Stopped| {
                unsolved(&format!("not solved within {} s", self.settings.time.as_secs_f64()))
            }),
            None => unsolved("there is no memory for the table"),
        };
        // Whoever has asked may have gone.
        let _ = job.answer.send(answer);
    }

    fn solve(&self, job: &Job, table: &AnyTable, number: usize) -> Result<Answer, Stopped> {
        let Job { task, deadline, stop, .. } = job;
        let mut solver = AnySolver::new(table).book(self.book.as_ref()).thread_number(number).stop_flag(stop);
        solver.set_deadline(Some(deadline.unwrap_or_else(|| Instant::now() + self.settings.time)));
        let moves = solver.move_scores(&task.position)?;
        let line = task.line.then(|| solver.best_line(&task.position)).transpose()?;
        Ok(task.answer(&moves, line))
    }

    /// The table of a board; `None` if there is no memory for it.
    fn table(&self, board: Board) -> Option<Arc<AnyTable>> {
        let mut tables = lock(&self.tables);
        let table = if let Some(place) = tables.iter().position(|table| table.board() == board) {
            tables.remove(place)
        } else {
            // Before the new table is allocated. A table that another thread searches with lives on until that search ends.
            while tables.len() >= TABLES {
                tables.remove(0);
            }
            Arc::new(AnyTable::new(board, self.settings.hash).ok()?)
        };
        tables.push(Arc::clone(&table));
        Some(table)
    }

    /// The answer to a question: from the book at once, from a thread, or that there is no place in the queue.
    pub(super) async fn ask(self: &Arc<Self>, question: Result<Question, String>) -> Answer {
        let task = match self.without_search(question) {
            Ok(answer) => return answer,
            Err(task) => task,
        };
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            let sentence = "too many positions are waiting; ask again later";
            return Answer::refusal(StatusCode::TOO_MANY_REQUESTS, Some(&task.pos), sentence);
        };
        self.submit(task, Some(Instant::now() + self.settings.time), [Some(place), None]).await
    }

    /// The answer to a question, one of many, which waits for its place in the queue.
    pub(super) async fn pend(self: &Arc<Self>, question: Result<Question, String>) -> Pending {
        let answer = match self.without_search(question) {
            Ok(answer) => answer,
            Err(task) => {
                // Neither semaphore is ever closed.
                let bulk_place = Arc::clone(&self.bulk_places).acquire_owned().await.ok();
                let place = Arc::clone(&self.places).acquire_owned().await.ok();
                return self.submit(task, None, [place, bulk_place]);
            }
        };
        let (sender, receiver) = oneshot::channel();
        // The receiver is here.
        let _ = sender.send(answer);
        Pending { answer: receiver, stop: Arc::default(), solver: Arc::clone(self) }
    }

    /// The answer that needs no search: a refusal, the end of a game, or scores from the book.
    fn without_search(&self, question: Result<Question, String>) -> Result<Answer, Task> {
        let refused = |sentence: String| Answer::refusal(StatusCode::BAD_REQUEST, None, &sentence);
        let task = match question.map_err(refused).and_then(Question::task) {
            Ok(task) => task,
            Err(refusal) => return Ok(refusal),
        };
        if task.line && task.position.outcome().is_none() {
            return Err(task);
        }
        let score = |column| {
            let next = task.position.play(column)?;
            Some((column, -self.book.as_ref()?.score(&next)?))
        };
        let columns = task.position.legal_columns().filter(|_| task.position.outcome().is_none());
        match columns.map(score).collect::<Option<Vec<_>>>() {
            Some(moves) => Ok(task.answer(&moves, task.line.then(Vec::new))),
            None => Err(task),
        }
    }

    fn submit(self: &Arc<Self>, task: Task, deadline: Option<Instant>, places: Places) -> Pending {
        let (sender, receiver) = oneshot::channel();
        let stop = Arc::new(StopFlag::new());
        if let Some(waiting) = &mut *lock(&self.waiting) {
            waiting.push_back(Job {
                task,
                deadline,
                stop: Arc::clone(&stop),
                answer: sender,
                _places: places,
            });
        }
        self.changed.notify_one();
        Pending { answer: receiver, stop, solver: Arc::clone(self) }
    }

    /// The state for those who watch over the server.
    pub(super) fn health(&self) -> Answer {
        #[derive(Serialize)]
        struct Health {
            status: &'static str,
            threads: usize,
            solving: usize,
            waiting: usize,
        }
        let threads = self.settings.threads.get();
        let taken = self.capacity.saturating_sub(self.places.available_permits());
        let (solving, waiting) = (taken.min(threads), taken.saturating_sub(threads));
        Answer::new(StatusCode::OK, &Health { status: "ok", threads, solving, waiting })
    }
}
