//! The solver behind `/solve`, with a queue.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::locked;
use hyper::StatusCode;
use hyper::header::HeaderValue;
use plumb::board::{Board, Position};
use plumb::book::Book;
use plumb::score::Score;
use plumb::search::{self, StopFlag, Stopped};
use plumb::table::Table;
use serde::Serialize;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::timeout_at;

use super::question::{Answer, Question, Task};

/// Number of tables that are kept, usually for 7x6 and another board.
const TABLES: usize = 2;
/// Maximum bytes read ahead, over all requests. Many clients send all questions before they read an answer.
const READ_AHEAD: usize = 64 << 20;

/// The settings of the solver.
#[derive(Clone, Debug)]
pub struct SolverSettings {
    /// Positions solved concurrently.
    pub threads: NonZeroUsize,
    /// Table size in MB. Two tables are kept, and more while other boards are being solved.
    pub hash: usize,
    /// Maximum number of waiting positions; more are refused.
    pub queue: usize,
    /// Time for a position from its arrival. In JSON Lines it counts from the beginning of the search.
    pub time: Duration,
    /// Origin whose pages may read the answers.
    pub origin: Option<Origin>,
}

/// Origin such as `https://example.org`, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(pub(super) HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_origin = text.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '*', ' '])
        });
        match HeaderValue::from_str(text) {
            Ok(value) if is_origin || text == "*" || text == "null" => Ok(Self(value)),
            _ => Err(format!(
                "`{text}`: expected *, null (pages from files), or an origin such as https://example.org"
            )),
        }
    }
}

pub(super) struct Solver {
    pub settings: SolverSettings,
    book: Option<Book>,
    /// The most recently used table is last.
    tables: Mutex<Vec<Arc<Table>>>,
    threads: Arc<Semaphore>,
    /// Thread numbers of the search that are free for reuse.
    free_numbers: Mutex<Vec<usize>>,
    numbers: AtomicUsize,
    capacity: usize,
    /// Places for positions that are being solved or waiting.
    places: Semaphore,
    /// Places for JSON Lines: half of all places, which leaves places for single questions.
    bulk_places: Semaphore,
    pub read_ahead: Arc<Semaphore>,
}

/// A search for an answer. Dropping it stops the search.
pub(super) struct Pending(JoinSet<Answer>);

impl Pending {
    pub(super) async fn answer(mut self) -> Answer {
        match self.0.join_next().await {
            Some(Ok(answer)) => answer,
            _ => unanswered(),
        }
    }
}

fn unanswered() -> Answer {
    Answer::refusal(StatusCode::INTERNAL_SERVER_ERROR, None, "the search has ended without an answer")
}

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
            let number = locked(&own.free_numbers).pop();
            let number = number.unwrap_or_else(|| own.numbers.fetch_add(1, Ordering::Relaxed));
            let answer = own.search(&task, deadline, &flag, number);
            locked(&own.free_numbers).push(number);
            drop(permit);
            // The client may have gone.
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
            let line = if task.line { Some(solver.best_line(&task.position)?) } else { None };
            Ok(task.answer(&moves, line))
        });
        answer.unwrap_or_else(|Stopped| self.unsolved(task))
    }

    fn unsolved(&self, task: &Task) -> Answer {
        let sentence = format!("not solved within {} s", self.settings.time.as_secs_f64());
        Answer::refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&task.pos), &sentence)
    }

    fn table(&self, board: Board) -> Option<Arc<Table>> {
        let mut tables = locked(&self.tables);
        let table = if let Some(place) = tables.iter().position(|table| table.board() == board) {
            tables.remove(place)
        } else {
            // Old tables are freed before the new table is allocated.
            while tables.len() >= TABLES {
                tables.remove(0);
            }
            Arc::new(Table::new_on(board, self.settings.hash).ok()?)
        };
        tables.push(Arc::clone(&table));
        Some(table)
    }

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

    pub(super) fn pend(self: &Arc<Self>, question: Result<Question, String>) -> Pending {
        let own = Arc::clone(self);
        let mut search = JoinSet::new();
        search.spawn_local(async move {
            match own.without_search(question) {
                Ok(answer) => answer,
                Err(task) => {
                    // `acquire` cannot fail: neither semaphore is ever closed.
                    let _bulk_place = own.bulk_places.acquire().await;
                    let _place = own.places.acquire().await;
                    own.solve(task, None).await
                }
            }
        });
        Pending(search)
    }

    fn without_search(&self, question: Result<Question, String>) -> Result<Answer, Task> {
        let question = match question {
            Ok(question) => question,
            Err(sentence) => return Ok(Answer::refusal(StatusCode::BAD_REQUEST, None, &sentence)),
        };
        let task = match question.task() {
            Ok(task) => task,
            Err(refusal) => return Ok(refusal),
        };
        if task.position.outcome().is_some() {
            let line = if task.line { Some(Vec::new()) } else { None };
            return Ok(task.answer(&[], line));
        }
        if task.line {
            return Err(task);
        }
        match self.book_scores(&task.position) {
            Some(moves) => Ok(task.answer(&moves, None)),
            None => Err(task),
        }
    }

    fn book_scores(&self, position: &Position<Board>) -> Option<Vec<(u32, Score)>> {
        let book = self.book.as_ref()?;
        let mut scores = Vec::new();
        for column in position.legal_columns() {
            scores.push((column, -book.score(&position.play(column)?)?));
        }
        Some(scores)
    }

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
