//! The solver behind `/solve`: a search thread for each position, at most `threads` at a time, and a queue of waiting positions.

use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use crate::lock;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use plumb::board::Board;
use plumb::book::Book;
use plumb::search::{self, StopFlag, Stopped};
use plumb::table::Table;
use serde::Serialize;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::timeout_at;

use super::question::{Answer, Question, Task};

/// Boards whose tables are kept, those of the last questions: mostly 7x6 and one other.
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

/// The solver, shared by all who ask.
pub(super) struct Solver {
    pub settings: SolverSettings,
    book: Option<Book>,
    /// The tables, that of the last position last.
    tables: Mutex<Vec<Arc<Table>>>,
    /// Permits for the threads that search at the same time.
    threads: Arc<Semaphore>,
    /// The numbers of threads that have ended (each has its region of the table), for the next one; and how many there are.
    free_numbers: Mutex<Vec<usize>>,
    numbers: AtomicUsize,
    /// Number of places of the queue and of the threads together.
    capacity: usize,
    /// Places of the queue and the threads, each of which is free again when its position is solved or given up.
    places: Semaphore,
    /// The places that requests with many questions may take, half of all, rounded up, so that single
    /// questions find some.
    bulk_places: Semaphore,
    /// Permits for the bytes of lines that are read ahead.
    pub read_ahead: Arc<Semaphore>,
}

/// The answer of one of many questions. Dropping it takes the question from the queue or stops its search.
pub(super) struct Pending(JoinHandle<Answer>);

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Future for Pending {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answer> {
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or_else(|_| unanswered()))
    }
}

/// The answer where a search has failed.
fn unanswered() -> Answer {
    Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, None, "the search has ended without an answer")
}

/// Stops a search when it is dropped.
#[derive(Default)]
struct StopOnDrop(Arc<StopFlag>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Solver {
    pub(super) fn new(settings: SolverSettings) -> Arc<Self> {
        let threads = settings.threads.get();
        let capacity = threads.saturating_add(settings.queue).min(Semaphore::MAX_PERMITS);
        Arc::new(Self {
            settings,
            book: Book::embedded(),
            tables: Mutex::default(),
            threads: Arc::new(Semaphore::new(threads.min(capacity))),
            free_numbers: Mutex::default(),
            numbers: AtomicUsize::new(0),
            capacity,
            places: Semaphore::new(capacity),
            bulk_places: Semaphore::new(capacity.div_ceil(2)),
            read_ahead: Arc::new(Semaphore::new(READ_AHEAD)),
        })
    }

    /// Solves a position on a thread of its own, once fewer of them search than there may be. Dropping the future stops the
    /// search.
    async fn solve(self: &Arc<Self>, task: Task, deadline: Option<Instant>) -> Answer {
        let permit = Arc::clone(&self.threads).acquire_owned();
        let permit = match deadline {
            Some(deadline) => timeout_at(deadline.into(), permit).await,
            None => Ok(permit.await),
        };
        let Ok(permit) = permit else { return self.unsolved(&task) };
        let (sender, answer) = oneshot::channel();
        let stop = StopOnDrop::default();
        let (own, flag, pos) = (Arc::clone(self), Arc::clone(&stop.0), task.pos.clone());
        let search = move || {
            let number = lock(&own.free_numbers).pop();
            let number = number.unwrap_or_else(|| own.numbers.fetch_add(1, Ordering::Relaxed));
            let answer = own.search(&task, deadline, &flag, number);
            lock(&own.free_numbers).push(number);
            drop(permit);
            // Whoever has asked may have gone.
            let _ = sender.send(answer);
        };
        if let Err(error) = thread::Builder::new().name("solver".to_owned()).spawn(search) {
            let sentence = format!("cannot solve: there is no thread for it: {error}");
            return Answer::refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&pos), &sentence);
        }
        answer.await.unwrap_or_else(|_| unanswered())
    }

    fn search(&self, task: &Task, deadline: Option<Instant>, stop: &StopFlag, number: usize) -> Answer {
        let Some(table) = self.table(task.position.geometry()) else {
            let sentence = "there is no memory for the table";
            return Answer::refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&task.pos), sentence);
        };
        let mut solver =
            search::Solver::new(&table).book(self.book.as_ref()).thread_number(number).stop_flag(stop);
        solver.set_deadline(Some(deadline.unwrap_or_else(|| Instant::now() + self.settings.time)));
        let answer = solver.move_scores(&task.position).and_then(|moves| {
            let line = task.line.then(|| solver.best_line(&task.position)).transpose()?;
            Ok(task.answer(&moves, line))
        });
        answer.unwrap_or_else(|Stopped| self.unsolved(task))
    }

    /// The answer about a position for which the time was too short.
    fn unsolved(&self, task: &Task) -> Answer {
        let sentence = format!("not solved within {} s", self.settings.time.as_secs_f64());
        Answer::refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&task.pos), &sentence)
    }

    /// The table of a board; `None` if there is no memory for it.
    fn table(&self, board: Board) -> Option<Arc<Table>> {
        let mut tables = lock(&self.tables);
        let table = if let Some(place) = tables.iter().position(|table| table.board() == board) {
            tables.remove(place)
        } else {
            // Before the new table is allocated. A table that another thread searches with lives on until that search ends.
            while tables.len() >= TABLES {
                tables.remove(0);
            }
            Arc::new(Table::new_on(board, self.settings.hash).ok()?)
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
        let Ok(_place) = self.places.try_acquire() else {
            let sentence = "too many positions are waiting; ask again later";
            return Answer::refusal(StatusCode::TOO_MANY_REQUESTS, Some(&task.pos), sentence);
        };
        self.solve(task, Some(Instant::now() + self.settings.time)).await
    }

    /// The answer to a question, one of many, which waits for its place in the queue.
    pub(super) fn pend(self: &Arc<Self>, question: Result<Question, String>) -> Pending {
        let own = Arc::clone(self);
        Pending(spawn_local(async move {
            match own.without_search(question) {
                Ok(answer) => answer,
                Err(task) => {
                    // Neither semaphore is ever closed.
                    let _bulk_place = own.bulk_places.acquire().await;
                    let _place = own.places.acquire().await;
                    own.solve(task, None).await
                }
            }
        }))
    }

    /// The answer that needs no search: a refusal, the end of a game, or scores from the book. `Err` is the task that needs
    /// one.
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
