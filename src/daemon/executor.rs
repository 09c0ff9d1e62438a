//! The jobs of the engine and their executor, which owns the transposition table and the opening books.

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::bench::Bench;
use super::options::DEFAULT_HASH;
use crate::board::{Board, Geometry, Kind, Position, each_kind, perft};
use crate::book::Book;
use crate::clock::Instant;
use crate::search::{
    Limits, Search, SearchInfo, SearchMemory, SearchResult, Settings, StopFlag, SwindleInfo, TimeBudget,
};
use crate::table::{Table, TableError};

/// The number of a job. The session drops events of earlier searches by this number.
pub(crate) type JobId = u64;

#[derive(Debug)]
pub(crate) enum Job {
    /// Runs a search. Emits reports and notes, then one [`Event::BestMove`].
    Search(Arc<SearchJob>),
    /// Opens the book, allocates the table and the search memory, then emits [`Event::Ready`].
    Ready,
    /// Sets the size of the table in megabytes. Another size clears an existing table. If memory is short, emits an
    /// [`Event::Note`].
    Resize(usize),
    /// Clears the table and sets its board size. A search on another board does this itself.
    SetBoard(Board),
    /// Opens a book file; an empty path means the built-in book. On failure the old book stays.
    OpenBook(PathBuf),
    ForgetSearches,
    /// Counts move sequences. Emits [`Event::Line`]s, then [`Event::Finished`].
    Perft {
        id: JobId,
        position: Position<Board>,
        depth: u32,
        stop_flag: Arc<StopFlag>,
    },
    Bench {
        id: JobId,
        bench: Bench,
        stop_flag: Arc<StopFlag>,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct SearchJob {
    pub id: JobId,
    pub position: Position<Board>,
    pub limits: Limits,
    /// Times count from `clock_start`, or from `ponderhit`.
    pub budget: TimeBudget,
    pub settings: Settings,
    pub stop_flag: Arc<StopFlag>,
    /// When the `go` arrived, or when a busy session read it. The clock also runs while the search waits for
    /// earlier jobs.
    pub clock_start: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Info(JobId, SearchInfo),
    Swindle(JobId, SwindleInfo),
    /// The last event of every search.
    BestMove {
        id: JobId,
        /// `None` only if the game is over.
        best: Option<u32>,
        ponder: Option<u32>,
    },
    Ready,
    Line(String),
    Finished(JobId),
    Note(String),
}

pub(crate) type Emit<'a> = &'a mut dyn FnMut(Event);

#[derive(Default)]
pub(crate) struct Executor {
    megabytes: usize,
    board: Board,
    table: Option<Table>,
    search_memory: SearchMemory,
    embedded_book: OnceCell<Option<Arc<Book>>>,
    book_from_file: Option<Arc<Book>>,
    pub(super) shared_book: SharedBook,
}

impl Executor {
    pub(crate) fn new() -> Self {
        Self { megabytes: DEFAULT_HASH, ..Self::default() }
    }

    pub(crate) fn set_book(&mut self, book: Book) -> bool {
        self.embedded_book.set(Some(Arc::new(book))).is_ok()
    }

    pub(crate) fn execute(&mut self, job: Job, emit: Emit<'_>) -> Result<(), TableError> {
        match job {
            Job::Search(job) => self.search(&job, emit)?,
            Job::Ready => {
                self.publish_book();
                self.allocate_table(emit)?;
                self.search_memory.prepare(self.board);
                emit(Event::Ready);
            }
            Job::Resize(megabytes) => self.resize(megabytes, emit),
            Job::SetBoard(board) => self.set_board(board),
            Job::OpenBook(path) => self.open_book(&path, emit),
            Job::ForgetSearches => {
                if let Some(table) = &mut self.table {
                    table.clear();
                }
                self.search_memory.clear();
            }
            Job::Perft { id, position, depth, stop_flag } => count(id, &position, depth, &stop_flag, emit),
            Job::Bench { id, bench, stop_flag } => {
                if let Err(error) = bench.run(&stop_flag, &mut |line| emit(Event::Line(line))) {
                    emit(Event::Note(error.to_string()));
                }
                emit(Event::Finished(id));
            }
        }
        Ok(())
    }

    fn resize(&mut self, megabytes: usize, emit: Emit<'_>) {
        let Some(table) = &mut self.table else {
            self.megabytes = megabytes;
            return;
        };
        log::debug!("table: from {} to {megabytes} MB", table.megabytes());
        let result = table.resize(megabytes);
        self.megabytes = table.megabytes();
        if let Err(error) = result {
            emit(Event::Note(format!("{error}; the table has {} MB instead", self.megabytes)));
        }
    }

    /// Allocates the table if there is none. If memory is short, tries smaller sizes.
    fn allocate_table(&mut self, emit: Emit<'_>) -> Result<(), TableError> {
        while self.table.is_none() {
            match Table::new_on(self.board, self.megabytes) {
                Ok(table) => self.table = Some(table),
                Err(error) => {
                    // The retry takes at most the default size, because the free memory may be unknown.
                    let smaller = DEFAULT_HASH.min(self.megabytes / 2);
                    if smaller == 0 {
                        emit(Event::Note(error.to_string()));
                        return Err(error);
                    }
                    emit(Event::Note(format!("{error}; trying {smaller} MB instead")));
                    self.megabytes = smaller;
                }
            }
        }
        Ok(())
    }

    fn set_board(&mut self, board: Board) {
        if self.board != board {
            log::debug!("board: {}", board.size());
            self.board = board;
            self.table = self.table.take().map(|table| table.for_board(board));
            self.publish_book();
        }
    }

    fn open_book(&mut self, path: &Path, emit: Emit<'_>) {
        let name = path.display();
        match read_book(path) {
            Ok(book) => self.book_from_file = book,
            Err(error) => return emit(Event::Note(format!("book `{name}`: {error}; nothing changes"))),
        }
        self.publish_book();
        let (book, board) = (self.book_from_file.as_ref().map(|book| book.size()), self.board.size());
        if let Some(other) = book.filter(|&size| size != board) {
            emit(Event::Note(format!("book `{name}` is for {other}: it is not used on {board}")));
        }
    }

    fn search(&mut self, job: &SearchJob, emit: Emit<'_>) -> Result<(), TableError> {
        self.set_board(job.position.geometry());
        self.publish_book();
        self.allocate_table(emit)?;
        if let Some(table) = &self.table {
            let book = self.book().cloned();
            search_guarded(job, table, book.as_deref(), &mut self.search_memory, emit);
            log::debug!("table: {} of {} MB in use", table.megabytes_in_use(), table.megabytes());
        }
        Ok(())
    }

    fn book(&self) -> Option<&Arc<Book>> {
        if let Some(book) = &self.book_from_file
            && book.size() == self.board.size()
        {
            return Some(book);
        }
        if self.board != Board::default() {
            return None;
        }
        self.embedded_book.get_or_init(|| Book::embedded().map(Arc::new)).as_ref()
    }

    fn publish_book(&self) {
        *self.shared_book.lock().unwrap_or_else(PoisonError::into_inner) = self.book().cloned();
    }
}

/// Runs a search. If it fails or panics, answers with any legal move, to save the game.
fn search_guarded(
    job: &SearchJob,
    table: &Table,
    book: Option<&Book>,
    memory: &mut SearchMemory,
    emit: Emit<'_>,
) {
    let id = job.id;
    let answered = catch_unwind(AssertUnwindSafe(|| {
        Search::new(&job.position)
            .limits(job.limits.clone())
            .settings(job.settings.clone())
            .time_budget(job.budget)
            .started_at(job.clock_start)
            .stop_flag(&job.stop_flag)
            .book(book)
            .memory(memory)
            .on_info(|info| emit(Event::Info(id, info)))
            .run(table)
    }));
    let failure = match answered {
        Ok(Ok(SearchResult { best, ponder, swindle, .. })) => {
            if let Some(swindle) = swindle {
                emit(Event::Swindle(id, swindle));
            }
            emit(Event::BestMove { id, best, ponder });
            return;
        }
        Ok(Err(error)) => error.to_string(),
        Err(_) => "it panicked".to_owned(),
    };
    log::error!("the search of {} failed, and any legal move is played: {failure}", job.position.fen());
    let best = job.position.legal_columns().next();
    emit(Event::BestMove { id, best, ponder: None });
}

fn count(id: JobId, position: &Position<Board>, depth: u32, stop_flag: &StopFlag, emit: Emit<'_>) {
    let mut total = u64::from(depth == 0);
    let columns = if depth > 0 { 0..position.geometry().width() } else { 0..0 };
    for column in columns {
        let Some(next) = position.play(column) else { continue };
        let count = each_kind!(Kind::of(next.geometry()), on => {
            perft(&next.on(on), depth - 1, &|| stop_flag.is_stopped())
        });
        let Some(count) = count else {
            emit(Event::Line("perft: stopped".to_owned()));
            return emit(Event::Finished(id));
        };
        total += count;
        let letter = char::from(b'a' + column as u8);
        emit(Event::Line(format!("{letter}: {count}")));
    }
    emit(Event::Line(String::new()));
    emit(Event::Line(format!("Nodes searched: {total}")));
    emit(Event::Finished(id));
}

/// The open book. The session needs it to answer for a late search.
pub(crate) type SharedBook = Arc<Mutex<Option<Arc<Book>>>>;

fn read_book(path: &Path) -> Result<Option<Arc<Book>>, String> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    // A pipe that nobody writes to would block the thread.
    if path.exists() && !path.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = std::fs::read(path).map_err(|error| error.to_string())?;
    let book = Book::open(file.into()).map_err(|error| error.to_string())?;
    log::debug!("book: {book:?} from {}", path.display());
    Ok(Some(Arc::new(book)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daemon::testing::played;

    fn job(digits: &str) -> SearchJob {
        SearchJob {
            id: 7,
            position: played(digits),
            limits: Limits { depth: Some(4), ..Limits::default() },
            budget: TimeBudget::default(),
            settings: Settings::default(),
            stop_flag: Arc::new(StopFlag::new()),
            clock_start: Instant::now(),
        }
    }

    #[test]
    fn a_search_that_panics_is_answered_with_a_legal_move() {
        let table = Table::new(1).expect("one megabyte");
        let mut memory = SearchMemory::default();
        // Column a is full.
        let job = job("111111");
        let mut events = Vec::new();
        search_guarded(&job, &table, None, &mut memory, &mut |event| match event {
            Event::Info(..) => panic!("this panic belongs to the test"),
            event => events.push(event),
        });
        assert_eq!(events, [Event::BestMove { id: 7, best: Some(1), ponder: None }]);
        let mut next = Vec::new();
        search_guarded(&job, &table, None, &mut memory, &mut |event| next.push(event));
        assert!(matches!(next.last(), Some(Event::BestMove { id: 7, best: Some(_), .. })));
        assert!(next.len() > 1, "{next:?}");
    }
}
