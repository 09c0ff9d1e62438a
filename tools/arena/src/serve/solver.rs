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

/// The solver.
pub(super) struct Solver {
    pub settings: SolverSettings,
    pool: Arc<Pool>,
    /// Number of places of the queue and of the threads together.
    capacity: usize,
    places: Arc<Semaphore>,
    /// The places that requests with many questions may take, half of all: a single question always has a chance.
    bulk_places: Arc<Semaphore>,
    /// Permits for the bytes of lines that are read ahead.
    pub read_ahead: Arc<Semaphore>,
}

/// The queue before the threads, and what they work with.
struct Pool {
    /// `None` after the end.
    waiting: Mutex<Option<VecDeque<Job>>>,
    changed: Condvar,
    hash: usize,
    time: Duration,
    book: Option<AnyBook>,
    /// The tables, that of the last position last.
    tables: Mutex<Vec<Arc<AnyTable>>>,
}

impl Pool {
    fn push(&self, job: Job) {
        if let Some(waiting) = &mut *lock(&self.waiting) {
            waiting.push_back(job);
        }
        self.changed.notify_one();
    }

    /// The next position; waits for it. `None` after the queue was closed.
    fn pop(&self) -> Option<Job> {
        let is_idle = |waiting: &mut Option<VecDeque<_>>| waiting.as_ref().is_some_and(VecDeque::is_empty);
        let waiting = self.changed.wait_while(lock(&self.waiting), is_idle);
        waiting.unwrap_or_else(PoisonError::into_inner).as_mut()?.pop_front()
    }

    /// Gives up a position that may still wait, and its place.
    fn remove(&self, stop: &Arc<StopFlag>) {
        if let Some(waiting) = &mut *lock(&self.waiting) {
            waiting.retain(|job| !Arc::ptr_eq(&job.stop, stop));
        }
    }

    /// Ends the threads after the searches that are running.
    fn close(&self) {
        *lock(&self.waiting) = None;
        self.changed.notify_all();
    }

    /// Solves a position, unless nobody waits for it any more.
    fn work(&self, job: Job, number: usize) {
        if job.stop.is_stopped() {
            return;
        }
        let answer = self.table(job.task.position.geometry()).map(|table| self.solve(&job, &table, number));
        let answer = match answer {
            Some(Ok(answer)) => answer,
            Some(Err(Stopped)) => {
                let sentence = format!("not solved within {} s", self.time.as_secs_f64());
                job.task.refusal(StatusCode::SERVICE_UNAVAILABLE, &sentence)
            }
            None => job.task.refusal(StatusCode::SERVICE_UNAVAILABLE, "there is no memory for the table"),
        };
        // Whoever has asked may have gone.
        let _ = job.answer.send(answer);
    }

    fn solve(&self, job: &Job, table: &AnyTable, number: usize) -> Result<Answer, Stopped> {
        let Job { task, deadline, stop, .. } = job;
        let mut solver = AnySolver::new(table).book(self.book.as_ref()).thread_number(number).stop_flag(stop);
        solver.set_deadline(Some(deadline.unwrap_or_else(|| Instant::now() + self.time)));
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
            Arc::new(AnyTable::new(board, self.hash).ok()?)
        };
        tables.push(Arc::clone(&table));
        Some(table)
    }
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
    pool: Arc<Pool>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.stop.stop();
        self.pool.remove(&self.stop);
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.pool.close();
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
    /// Starts the threads, which end when the solver is dropped.
    ///
    /// # Errors
    /// If the system has no more threads.
    pub(super) fn start(settings: SolverSettings) -> anyhow::Result<Self> {
        let pool = Arc::new(Pool {
            waiting: Mutex::new(Some(VecDeque::new())),
            changed: Condvar::new(),
            hash: settings.hash,
            time: settings.time,
            book: AnyBook::embedded(),
            tables: Mutex::default(),
        });
        let threads = settings.threads.get();
        for number in 0..threads {
            let own = Arc::clone(&pool);
            let run = move || {
                while let Some(job) = own.pop() {
                    own.work(job, number);
                }
            };
            let started = thread::Builder::new().name("solver".to_owned()).spawn(run);
            started.inspect_err(|_| pool.close()).context("cannot solve")?;
        }
        let capacity = threads.saturating_add(settings.queue).min(Semaphore::MAX_PERMITS);
        Ok(Self {
            settings,
            pool,
            capacity,
            places: Arc::new(Semaphore::new(capacity)),
            bulk_places: Arc::new(Semaphore::new(capacity.div_ceil(2))),
            read_ahead: Arc::new(Semaphore::new(READ_AHEAD)),
        })
    }

    /// The answer to a question: from the book at once, from a thread, or that there is no place in the queue.
    pub(super) async fn ask(&self, question: Question) -> Answer {
        let task = match self.without_search(question) {
            Ok(answer) => return answer,
            Err(task) => task,
        };
        match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => {
                self.submit(task, Some(Instant::now() + self.settings.time), [Some(place), None]).await
            }
            Err(_) => {
                task.refusal(StatusCode::TOO_MANY_REQUESTS, "too many positions are waiting; ask again later")
            }
        }
    }

    /// The answer to a question, one of many, which waits for its place in the queue.
    pub(super) async fn pend(&self, question: Result<Question, String>) -> Pending {
        let refused = |sentence: String| Answer::refusal(StatusCode::BAD_REQUEST, None, &sentence);
        let found = question.map_err(refused).map(|question| self.without_search(question));
        let answer = match found {
            Ok(Ok(answer)) | Err(answer) => answer,
            Ok(Err(task)) => {
                // Neither semaphore is ever closed.
                let bulk_place = Arc::clone(&self.bulk_places).acquire_owned().await.ok();
                let place = Arc::clone(&self.places).acquire_owned().await.ok();
                return self.submit(task, None, [place, bulk_place]);
            }
        };
        let (sender, receiver) = oneshot::channel();
        // The receiver is here.
        let _ = sender.send(answer);
        Pending { answer: receiver, stop: Arc::default(), pool: Arc::clone(&self.pool) }
    }

    /// The answer that needs no search: a refusal, the end of a game, or scores from the book.
    fn without_search(&self, question: Question) -> Result<Answer, Task> {
        let task = match question.task() {
            Ok(task) => task,
            Err(refusal) => return Ok(refusal),
        };
        if task.line && task.position.outcome().is_none() {
            return Err(task);
        }
        let score = |column| {
            let next = task.position.play(column)?;
            Some((column, -self.pool.book.as_ref()?.score(&next)?))
        };
        let columns = task.position.legal_columns().filter(|_| task.position.outcome().is_none());
        match columns.map(score).collect::<Option<Vec<_>>>() {
            Some(moves) => Ok(task.answer(&moves, task.line.then(Vec::new))),
            None => Err(task),
        }
    }

    fn submit(&self, task: Task, deadline: Option<Instant>, places: Places) -> Pending {
        let (sender, receiver) = oneshot::channel();
        let stop = Arc::new(StopFlag::new());
        self.pool.push(Job { task, deadline, stop: Arc::clone(&stop), answer: sender, _places: places });
        Pending { answer: receiver, stop, pool: Arc::clone(&self.pool) }
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
