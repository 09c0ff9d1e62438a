//! The search thread: jobs in, events out, one after the other.
//!
//! The worker owns the transposition table. Everything that touches it comes as a job, in order, so the table is
//! never resized or cleared under a running search, and the session never waits.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TryRecvError, unbounded};

use super::carried::Carried;
use super::clock::Allowance;
use super::driver::{self, Answer, Task};
use super::event::{SearchEvent, SearchId};
use super::limits::{Limits, Settings};
use super::signals::Signals;
use crate::bench;
use crate::board::{Position, Standard, perft};
use crate::book::Book;
use crate::table::Table;

/// How long making the table ready may hold up a `readyok`, or a search whose time is not limited; the rest follows while
/// there is nothing to do.
const READY_TIME: Duration = Duration::from_millis(700);

/// Part of the time for a move, as a divisor, that making the table ready may take of it.
const READY_SHARE: u32 = 20;

/// The least time in which making the table ready goes faster with several threads.
const WORTH_THREADS: Duration = Duration::from_millis(2);

/// Something for the worker to do.
#[derive(Debug)]
pub enum Job {
    /// Search a position; answered by [`WorkerEvent::Search`] events, the last of them `Done`.
    Search(Box<SearchJob>),
    /// Have the table ready, or as much of it as can be in a time that nobody minds; answered by [`WorkerEvent::Ready`].
    Ready,
    /// Give the table this size in megabytes; takes effect at once if there is a table already, else with the
    /// first [`Job::Ready`] or [`Job::Search`]. A failure is a [`WorkerEvent::Note`], and the old table stays.
    Resize(usize),
    /// Play from the opening book in this file; from the one within the program, if there is one, if it is empty. If
    /// it cannot be had, that is a [`WorkerEvent::Note`], and nothing changes.
    OpenBook(PathBuf),
    /// Forget everything in the table.
    Clear,
    /// Count move sequences; answered by [`WorkerEvent::Line`] lines and [`WorkerEvent::Finished`].
    Perft {
        /// The number that the answers carry.
        id: SearchId,
        /// Where to count from.
        position: Position,
        /// Length of the sequences in plies.
        depth: u32,
        /// For stopping early.
        signals: Arc<Signals>,
    },
    /// Run the benchmark with a table of its own; answered by [`WorkerEvent::Line`]s and [`WorkerEvent::Finished`].
    Bench {
        /// The number that the answers carry.
        id: SearchId,
        /// For stopping early.
        signals: Arc<Signals>,
    },
}

/// A search to be done.
#[derive(Debug)]
pub struct SearchJob {
    /// The number that its events carry.
    pub id: SearchId,
    /// The root position.
    pub position: Position,
    /// When to end.
    pub limits: Limits,
    /// How long it may take, counted from `received` or from the ponder hit.
    pub allowance: Allowance,
    /// How to play.
    pub settings: Settings,
    /// For stopping it; new for each search.
    pub signals: Arc<Signals>,
    /// When the order came: the time limits count from here.
    pub received: Instant,
}

/// What the worker reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerEvent {
    /// An event of the search with this number.
    Search(SearchId, SearchEvent),
    /// Every job before the [`Job::Ready`] is done, and there is a table.
    Ready,
    /// One line of a benchmark's or count's output.
    Line(SearchId, String),
    /// That benchmark or count is over.
    Finished(SearchId),
    /// Something that a person should know, such as a table that could not be had.
    Note(String),
}

/// The search thread and the channels to it. Dropping it ends the thread once its present job is done.
#[derive(Debug)]
pub struct Worker {
    /// Jobs to do, in order.
    pub jobs: Sender<Job>,
    /// What comes of them.
    pub events: Receiver<WorkerEvent>,
}

impl Worker {
    /// Starts the thread. Nothing is allocated before the first job that needs it; the table will then have
    /// `megabytes`, unless a [`Job::Resize`] says otherwise before that.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn spawn(megabytes: usize) -> std::io::Result<Self> {
        let (jobs, todo) = unbounded();
        let (report, events) = unbounded();
        let state = State {
            todo,
            report,
            megabytes,
            spare_megabytes: megabytes,
            table: None,
            carried: None,
            books: Books::default(),
        };
        std::thread::Builder::new().name("search".into()).spawn(move || state.run())?;
        Ok(Self { jobs, events })
    }
}

/// The session has gone away; nobody is left to work for.
struct Gone;

/// What the worker owns.
struct State {
    todo: Receiver<Job>,
    report: Sender<WorkerEvent>,
    /// The size that the table should have.
    megabytes: usize,
    /// The size to fall back on where the first table cannot be had as large as that.
    spare_megabytes: usize,
    table: Option<Table>,
    carried: Option<Carried<Standard>>,
    books: Books,
}

/// The opening books.
#[derive(Default)]
struct Books {
    /// The one that is part of the program, once it is needed.
    embedded: OnceCell<Option<Book>>,
    /// One from a file, which takes its place.
    file: Option<Book>,
}

impl Books {
    /// The book to play from.
    fn chosen(&self) -> Option<&Book> {
        self.file.as_ref().or_else(|| self.embedded.get_or_init(Book::embedded).as_ref())
    }
}

impl State {
    fn run(mut self) {
        while let Some(job) = self.next_job() {
            if self.do_job(job).is_err() {
                break;
            }
        }
        log::debug!("search thread ends");
    }

    /// The next job; `None` if there will be none. As long as there is nothing to do, the table is made ready.
    fn next_job(&mut self) -> Option<Job> {
        while let Some(table) = self.table.as_mut().filter(|table| !table.is_ready()) {
            match self.todo.try_recv() {
                Ok(job) => return Some(job),
                Err(TryRecvError::Empty) => table.prepare(1, &|| true),
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        self.todo.recv().ok()
    }

    /// Makes the table ready, with up to `threads` threads, until it is or `enough` says so.
    fn prepare(&mut self, threads: usize, enough: &(impl Fn() -> bool + Sync)) {
        if let Some(table) = self.table.as_mut().filter(|table| !table.is_ready()) {
            table.prepare(threads, enough);
            log::debug!("the table is {}ready", if table.is_ready() { "" } else { "not yet all " });
        }
    }

    /// Makes the table ready for a search, as far as its limits leave time for that. Where they do not speak of time, the
    /// search is the same on every machine, and so is the table.
    fn prepare_for(&mut self, job: &SearchJob) {
        let Limits { infinite, ponder, .. } = job.limits;
        let signals = &job.signals;
        let time = match job.allowance.hard {
            Some(hard) => Some(hard / READY_SHARE),
            None if infinite || ponder => Some(READY_TIME),
            None => None,
        };
        let since = Instant::now();
        // Other threads take a while to start.
        let threads = if time.is_some_and(|time| time < WORTH_THREADS) { 1 } else { threads() };
        self.prepare(threads, &|| {
            signals.stopped()
                || signals.hit_at().is_some()
                || time.is_some_and(|time| since.elapsed() >= time)
        });
    }

    fn send(&self, event: WorkerEvent) -> Result<(), Gone> {
        self.report.send(event).map_err(|_| Gone)
    }

    fn do_job(&mut self, job: Job) -> Result<(), Gone> {
        match job {
            Job::Search(job) => self.search(&job),
            Job::Ready => {
                self.allocate()?;
                let since = Instant::now();
                // An arena that waits for `readyok` has sent nothing else; one that does not wait has no time for this.
                let todo = self.todo.clone();
                self.prepare(threads(), &|| since.elapsed() >= READY_TIME || !todo.is_empty());
                self.send(WorkerEvent::Ready)
            }
            Job::Resize(megabytes) => self.resize(megabytes),
            Job::OpenBook(path) => self.open_book(&path),
            Job::Clear => {
                if let Some(table) = &mut self.table {
                    table.forget();
                }
                if let Some(carried) = &mut self.carried {
                    carried.clear();
                }
                Ok(())
            }
            Job::Perft { id, position, depth, signals } => self.perft(id, &position, depth, &signals),
            Job::Bench { id, signals } => {
                let report = self.report.clone();
                let outcome = bench::run(&signals, &mut |line| {
                    // A session that is gone is noticed below.
                    let _gone = report.send(WorkerEvent::Line(id, line));
                });
                if let Err(error) = outcome {
                    self.send(WorkerEvent::Note(error.to_string()))?;
                }
                self.send(WorkerEvent::Finished(id))
            }
        }
    }

    fn resize(&mut self, megabytes: usize) -> Result<(), Gone> {
        let Some(table) = &mut self.table else {
            self.megabytes = megabytes;
            return Ok(());
        };
        log::debug!("table: from {} to {megabytes} MB", table.megabytes());
        let result = table.resize(megabytes);
        self.megabytes = table.megabytes();
        let kept = self.megabytes;
        result
            .or_else(|error| self.send(WorkerEvent::Note(format!("{error}; the table keeps its {kept} MB"))))
    }

    fn open_book(&mut self, path: &Path) -> Result<(), Gone> {
        if path.as_os_str().is_empty() {
            self.books.file = None;
            return Ok(());
        }
        let file = std::fs::read(path).map_err(|error| error.to_string());
        match file.and_then(|file| Book::open(file.into()).map_err(|error| error.to_string())) {
            Ok(book) => {
                log::debug!("book: {book:?} from {}", path.display());
                self.books.file = Some(book);
                Ok(())
            }
            Err(error) => {
                self.send(WorkerEvent::Note(format!("book `{}`: {error}; nothing changes", path.display())))
            }
        }
    }

    /// Opens the book, and makes the table if there is none yet; if it cannot be had, one of the default size or the
    /// largest half, quarter and so on of that.
    fn allocate(&mut self) -> Result<(), Gone> {
        self.books.chosen();
        self.carried.get_or_insert_with(Carried::new);
        while self.table.is_none() {
            let error = match Table::reserve(self.megabytes) {
                Ok(table) => {
                    self.table = Some(table);
                    return Ok(());
                }
                Err(error) => error,
            };
            let smaller = self.spare_megabytes.min(self.megabytes / 2);
            if smaller == 0 {
                // Not a single megabyte: nothing can be searched, and nothing else would work either.
                self.send(WorkerEvent::Note(error.to_string()))?;
                return Err(Gone);
            }
            self.send(WorkerEvent::Note(format!("{error}; trying {smaller} MB instead")))?;
            self.megabytes = smaller;
        }
        Ok(())
    }

    fn search(&mut self, job: &SearchJob) -> Result<(), Gone> {
        let id = job.id;
        self.allocate()?;
        self.prepare_for(job);
        let Some(table) = &self.table else { return Err(Gone) };
        let carried = self.carried.get_or_insert_with(Carried::new);
        let task = Task {
            position: job.position,
            limits: &job.limits,
            allowance: job.allowance,
            settings: &job.settings,
            signals: &job.signals,
            book: if job.settings.own_book { self.books.chosen() } else { None },
            received: job.received,
        };
        let report = &self.report;
        let mut tell = |info| {
            // A session that is gone is noticed when the answer is sent.
            let _gone = report.send(WorkerEvent::Search(id, SearchEvent::Info(info)));
        };
        // A fault of the search must not cost the game: whatever happens, a legal move is given.
        let run = std::panic::AssertUnwindSafe(|| driver::run(&task, table, carried, &mut tell));
        let answer = std::panic::catch_unwind(run).unwrap_or_else(|_| {
            log::error!("the search of {} panicked; any legal move is played", job.position.fen());
            Answer { best: job.position.legal_columns().next(), ponder: None }
        });
        let done = SearchEvent::Done { best: answer.best, ponder: answer.ponder };
        self.send(WorkerEvent::Search(id, done))
    }

    fn perft(&self, id: SearchId, position: &Position, depth: u32, signals: &Signals) -> Result<(), Gone> {
        let mut total = u64::from(depth == 0);
        for column in position.legal_columns() {
            let Some(next) = position.play(column).filter(|_| depth > 0) else { break };
            let Some(count) = perft(&next, depth - 1, &|| signals.stopped()) else { break };
            total += count;
            let letter = char::from(b'a' + column as u8);
            self.send(WorkerEvent::Line(id, format!("{letter}: {count}")))?;
        }
        self.send(WorkerEvent::Line(id, String::new()))?;
        self.send(WorkerEvent::Line(id, format!("Nodes searched: {total}")))?;
        self.send(WorkerEvent::Finished(id))
    }
}

/// Threads to make the table ready with.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
