//! The solver by HTTP: threads of its own, and the queue before them.

use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, unbounded};
use hyper::StatusCode;
use hyper::header::HeaderValue;
use plumb::board::Board;
use plumb::book::AnyBook;
use plumb::search::{AnySolver, StopFlag, Stopped};
use plumb::table::AnyTable;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::question::{Answer, Question, Task};
use crate::engine::process::lock;

/// Boards with a table at the same time: one for those who play 7x6, and one for another board.
const TABLES: usize = 2;

/// The settings of the solver by HTTP.
#[derive(Clone, Debug)]
pub struct SolverSettings {
    /// Positions that are solved at the same time.
    pub threads: NonZeroUsize,
    /// Table size in MB; there are up to two tables, for two boards.
    pub hash: usize,
    /// Positions that wait for a thread; more are refused.
    pub queue: usize,
    /// The time for a position, from its arrival on.
    pub time: Duration,
    /// The origin of pages of other sites that may read the answers.
    pub origin: Option<Origin>,
}

/// An origin of pages, such as `https://example.org`, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_origin = text.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '*', ' '])
        });
        let value = HeaderValue::from_str(text).ok().filter(|_| is_origin || text == "*" || text == "null");
        value
            .map(Self)
            .ok_or_else(|| format!("`{text}`: expected *, or an origin such as https://example.org"))
    }
}

impl Origin {
    /// Whether it is that of any page.
    pub(super) fn is_any(&self) -> bool {
        self.0 == "*"
    }

    pub(super) fn header(&self) -> &HeaderValue {
        &self.0
    }
}

/// The solver.
pub(super) struct Solver {
    pub settings: SolverSettings,
    book: Option<Arc<AnyBook>>,
    jobs: Sender<Job>,
    /// The places of the queue and of the threads.
    places: Arc<Semaphore>,
}

/// A position for a thread.
struct Job {
    task: Task,
    deadline: Instant,
    stop: Arc<StopFlag>,
    answer: oneshot::Sender<Answer>,
    _place: OwnedSemaphorePermit,
}

/// An answer to come. Without it the search for it ends.
pub(super) struct Pending {
    answer: oneshot::Receiver<Answer>,
    stop: Arc<StopFlag>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.stop.stop();
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
        let (jobs, received) = unbounded();
        let book = AnyBook::embedded().map(Arc::new);
        let threads = settings.threads.get();
        let worker = Worker {
            jobs: received,
            hash: settings.hash,
            time: settings.time,
            book: book.clone(),
            tables: Arc::default(),
        };
        for number in 0..threads {
            let worker = worker.clone();
            let run = move || worker.jobs.iter().for_each(|job| worker.work(job, number));
            thread::Builder::new().name("solver".to_owned()).spawn(run).context("cannot solve")?;
        }
        let places = Arc::new(Semaphore::new((threads + settings.queue).min(Semaphore::MAX_PERMITS)));
        Ok(Self { settings, book, jobs, places })
    }

    /// The answer to a question: from the book at once, from a thread, or that there is no place in the queue.
    pub(super) async fn ask(&self, question: Question) -> Answer {
        let task = match self.without_search(question) {
            Ok(answer) => return answer,
            Err(task) => task,
        };
        match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => self.submit(task, place).await,
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
            Ok(Err(task)) => match Arc::clone(&self.places).acquire_owned().await {
                Ok(place) => return self.submit(task, place),
                Err(_) => task.refusal(StatusCode::INTERNAL_SERVER_ERROR, "the solver has ended"),
            },
        };
        let (sender, receiver) = oneshot::channel();
        // The receiver is here.
        let _ = sender.send(answer);
        Pending { answer: receiver, stop: Arc::default() }
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
            Some((column, -self.book.as_deref()?.score(&next)?))
        };
        let columns = task.position.legal_columns().filter(|_| task.position.outcome().is_none());
        match columns.map(score).collect::<Option<Vec<_>>>() {
            Some(moves) => Ok(task.answer(&moves, task.line.then(Vec::new))),
            None => Err(task),
        }
    }

    fn submit(&self, task: Task, place: OwnedSemaphorePermit) -> Pending {
        let (sender, receiver) = oneshot::channel();
        let stop = Arc::new(StopFlag::new());
        let deadline = Instant::now() + self.settings.time;
        let job = Job { task, deadline, stop: Arc::clone(&stop), answer: sender, _place: place };
        // If the threads have ended, the answer says so.
        let _ = self.jobs.send(job);
        Pending { answer: receiver, stop }
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
        let taken = (threads + self.settings.queue).saturating_sub(self.places.available_permits());
        let (solving, waiting) = (taken.min(threads), taken.saturating_sub(threads));
        Answer::new(StatusCode::OK, &Health { status: "ok", threads, solving, waiting })
    }
}

/// What a thread works with.
#[derive(Clone)]
struct Worker {
    jobs: Receiver<Job>,
    hash: usize,
    time: Duration,
    book: Option<Arc<AnyBook>>,
    /// The tables, that of the last position last.
    tables: Arc<Mutex<Vec<Arc<AnyTable>>>>,
}

impl Worker {
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
        let mut solver = AnySolver::new(table).thread_number(number).stop_flag(stop);
        if let Some(book) = &self.book {
            solver = solver.book(book);
        }
        solver.set_deadline(Some(*deadline));
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
            // Before the new one is made, so that there is seldom memory for three.
            while tables.len() >= TABLES {
                tables.remove(0);
            }
            Arc::new(AnyTable::new(board, self.hash).ok()?)
        };
        tables.push(Arc::clone(&table));
        Some(table)
    }
}
