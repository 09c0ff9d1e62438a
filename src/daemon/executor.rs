//! The executor of jobs, which owns the transposition table and the opening books.
//!
//! The table is changed by jobs and between them, never under a running search, as there is one job at a time.

use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::job::{Event, Job, JobId, SearchJob};
use super::options::DEFAULT_HASH;
use crate::board::{Board, Geometry, Kind, Position, each_kind, perft};
use crate::book::{AnyBook, Book};
use crate::clock::Instant;
use crate::search::{AnySearchMemory, Limits, Search, SearchError, SearchResult, StopFlag, Strength};
use crate::table::{AnyTable, TableError};

/// Longest time that making the table ready, that is the first writing of its memory pages (prefaulting) and the clearing
/// of old entries, may delay a `readyok`, or an infinite or pondering search without a limit of time: short enough for
/// an arena that waits a second. The daemon makes the rest ready while there is no job.
const READY_TIME: Duration = Duration::from_millis(700);

/// Making the table ready may take the time for a move divided by this: a share too small to cost a move. The search does
/// without the rest of the table.
const READY_DIVISOR: u32 = 20;

/// Shortest time in which several threads make more of the table ready than one, as threads take a while to start.
const WORTH_THREADS: Duration = Duration::from_millis(2);

/// With less time for it a search makes no more of the table ready, unless nothing of the table is ready yet: the first
/// touch of a huge page can take as long.
const WORTH_PREPARING: Duration = Duration::from_millis(1);

/// The receiver of events.
pub(crate) type Emit<'a> = &'a mut dyn FnMut(Event);

/// Carries out jobs, one at a time, on the caller's thread.
#[derive(Default)]
pub(crate) struct Executor {
    /// The size that the table has or is to have. The session's option is what was asked for; it may not have fitted.
    megabytes: usize,
    /// The board that is played on.
    board: Board,
    /// Allocated by the first job that needs it.
    table: Option<AnyTable>,
    /// State kept from one search of a game to the next, beside the table: the heuristic search's table, the expected
    /// score and the estimate of the opponent.
    search_memory: AnySearchMemory,
    /// The built-in book; opened when it is first needed.
    embedded_book: OnceCell<Option<Arc<AnyBook>>>,
    /// The book from a file, which takes precedence on its board.
    book_from_file: Option<Arc<AnyBook>>,
    pub(super) shared_book: SharedBook,
}

impl Executor {
    /// An executor whose table will have the default size, unless a [`Job::Resize`] changes that first. The table is
    /// allocated by the first job that needs it.
    pub(crate) fn new() -> Self {
        Self { megabytes: DEFAULT_HASH, ..Self::default() }
    }

    /// Sets the book to use as the built-in one, unless that has been opened already; returns whether it was set.
    pub(crate) fn set_book(&mut self, book: Book) -> bool {
        self.embedded_book.set(Some(Arc::new(AnyBook::from(book)))).is_ok()
    }

    /// Makes a chunk of the table ready; returns whether it did one, `false` if all of it was ready or there is no
    /// table. For idle time: each call takes about a millisecond.
    pub(crate) fn prepare_some(&mut self) -> bool {
        let Some(table) = self.unready_table() else { return false };
        // One chunk is done before it asks whether that is enough.
        table.prepare(1, &|| true);
        true
    }

    /// Carries out `job` and hands its results to `emit`. `has_next_job` returns whether another job waits, for which
    /// [`Job::Ready`] leaves the rest of the table to idle time.
    ///
    /// # Errors
    /// If there is no memory even for the smallest table, so that nothing can be searched.
    pub(crate) fn execute(
        &mut self,
        job: Job,
        has_next_job: &(dyn Fn() -> bool + Sync),
        emit: Emit<'_>,
    ) -> Result<(), TableError> {
        match job {
            Job::Search(job) => self.search(&job, emit)?,
            Job::Ready => {
                self.publish_book();
                self.allocate_table(emit)?;
                self.search_memory.prepare(self.board);
                let since = Instant::now();
                // An arena that waits for `readyok` sends nothing meanwhile; one that does not wait wants the next job done.
                self.prepare(processors(), &|| since.elapsed() >= READY_TIME || has_next_job());
                emit(Event::Ready);
            }
            Job::Resize(megabytes) => self.resize(megabytes, emit),
            Job::SetBoard(board) => self.set_board(board),
            Job::OpenBook(path) => self.open_book(&path, emit),
            Job::ForgetSearches => {
                if let Some(table) = &mut self.table {
                    // Empty at once. Its old entries are overwritten later, as new pages are: see `prepare`.
                    table.forget();
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

    /// The table, if some buckets of it are not ready: pages not written yet, or old entries not yet cleared.
    fn unready_table(&mut self) -> Option<&mut AnyTable> {
        self.table.as_mut().filter(|table| !table.is_ready())
    }

    /// Makes more of the table ready, that is writes new pages and clears old entries, with up to `threads` threads,
    /// until all of it is or `enough` returns true.
    fn prepare(&mut self, threads: usize, enough: &(dyn Fn() -> bool + Sync)) {
        if let Some(table) = self.unready_table() {
            table.prepare(threads, enough);
            log::debug!("the table is {}ready", if table.is_ready() { "" } else { "not yet all " });
        }
    }

    /// Whether the book alone decides the move of this search: one with a time limit, without `searchmoves` and further
    /// lines (`MultiPV`), and without the choice of `Swindle` among moves that keep the theoretical result. Then the
    /// table is not made ready for it: all that the search adds, under `movetime`, is the line to the end of the game,
    /// for which the part of the table that is ready has to do.
    fn is_decided_by_book(&self, job: &SearchJob) -> bool {
        let SearchJob { limits, settings, position, .. } = job;
        let score = || self.book()?.score(position);
        job.budget.hard.is_some()
            && settings.multi_pv == NonZeroUsize::MIN
            && limits.search_moves.is_empty()
            && settings.plays_book(limits, position.empty_cells())
            && score().is_some_and(|score| score > 0 || !settings.swindle)
    }

    /// Makes as much of the table ready as the limits of a search leave time for: all of it if nothing depends on time
    /// (`depth`, `nodes` or `mate` alone), so that such a search is the same on every machine.
    fn prepare_for(&mut self, job: &SearchJob) {
        // A search below full strength does not use the table, and a book answer hardly does.
        let is_of_use = job.settings.strength == Strength::Full && !self.is_decided_by_book(job);
        if self.unready_table().is_none() || !is_of_use {
            return;
        }
        let Limits { infinite, ponder, .. } = job.limits;
        let stop_flag = &job.stop_flag;
        let time = match job.budget.hard {
            Some(hard) => Some(hard / READY_DIVISOR),
            None if infinite || ponder => Some(READY_TIME),
            None => None,
        };
        let is_short = time.is_some_and(|time| time < WORTH_PREPARING);
        if is_short && self.table.as_ref().is_some_and(AnyTable::is_partly_ready) {
            return;
        }
        let since = Instant::now();
        let threads = if time.is_some_and(|time| time < WORTH_THREADS) { 1 } else { processors() };
        self.prepare(threads, &|| {
            stop_flag.is_stopped()
                || stop_flag.ponder_hit_time().is_some()
                || time.is_some_and(|time| since.elapsed() >= time)
        });
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

    /// Allocates the table if there is none yet. If memory is short, the lesser of the default size and half of what was
    /// asked for is tried, then half of that, and so on.
    fn allocate_table(&mut self, emit: Emit<'_>) -> Result<(), TableError> {
        while self.table.is_none() {
            match AnyTable::reserve(self.board, self.megabytes) {
                Ok(table) => self.table = Some(table),
                Err(error) => {
                    // The default at most, as the error need not say what fits (`available` may be `None`).
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

    /// Empties the table for another board, if it is another.
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
        self.prepare_for(job);
        if let Some(table) = &self.table {
            let book = self.book().cloned();
            let memory = &mut self.search_memory;
            search_guarded(job, emit, |search| search.run_any(table, book.as_deref(), Some(memory)));
        }
        Ok(())
    }

    /// The book for the board, if there is one, whatever `OwnBook` says: a search that plays no book ignores it.
    fn book(&self) -> Option<&Arc<AnyBook>> {
        let embedded = || {
            let open = || AnyBook::embedded().map(Arc::new);
            let is_standard = self.board == Board::default();
            is_standard.then(|| self.embedded_book.get_or_init(open).as_ref()).flatten()
        };
        self.book_from_file.as_ref().filter(|book| book.size() == self.board.size()).or_else(embedded)
    }

    /// Publishes the book to play from to the session, and opens the built-in one if that is it.
    fn publish_book(&self) {
        *self.shared_book.lock().unwrap_or_else(PoisonError::into_inner) = self.book().cloned();
    }
}

/// Does a search, which `run` starts. If that panics any legal move is the answer, as a fault of the search must not
/// cost the game.
fn search_guarded(
    job: &SearchJob,
    emit: Emit<'_>,
    run: impl FnOnce(Search<'_, Board>) -> Result<SearchResult, SearchError>,
) {
    let id = job.id;
    let answered = catch_unwind(AssertUnwindSafe(|| {
        let search = Search::new(&job.position)
            .limits(job.limits.clone())
            .settings(job.settings.clone())
            .time_budget(job.budget)
            .started_at(job.clock_start)
            .stop_flag(&job.stop_flag)
            .on_info(|info| emit(Event::Info(id, info)));
        run(search)
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

/// Counts the sequences of `depth` plies, one line for each first move and one for all, or that it was stopped.
fn count(id: JobId, position: &Position<Board>, depth: u32, stop_flag: &StopFlag, emit: Emit<'_>) {
    let mut total = u64::from(depth == 0);
    for column in position.legal_columns() {
        let Some(next) = position.play(column).filter(|_| depth > 0) else { break };
        let is_stopped = || stop_flag.is_stopped();
        let count = each_kind!(Kind::of(next.geometry()), on => perft(&next.on(on), depth - 1, &is_stopped));
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

/// Number of threads that make the table ready: one for each processor, whatever the option `Threads` says.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The book for the board, if it has been opened. The session reads it for an answer without a search.
pub(crate) type SharedBook = Arc<Mutex<Option<Arc<AnyBook>>>>;

/// Opens the book in the file at `path`; `None` for an empty path, which stands for the built-in book.
fn read_book(path: &Path) -> Result<Option<Arc<AnyBook>>, String> {
    if path.as_os_str().is_empty() {
        return Ok(None);
    }
    // A pipe that nobody writes to would block the thread for good.
    if path.exists() && !path.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let file = std::fs::read(path).map_err(|error| error.to_string())?;
    let book = AnyBook::open(file.into()).map_err(|error| error.to_string())?;
    log::debug!("book: {book:?} from {}", path.display());
    Ok(Some(Arc::new(book)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use crate::book::write_on;
    use crate::daemon::testing::played;
    use crate::search::{Settings, TimeBudget};

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
        let table = AnyTable::new(Board::default(), 1).expect("one megabyte");
        // Column a is full.
        let job = job("111111");
        let events = |run: &dyn Fn(Search<'_, Board>) -> Result<SearchResult, SearchError>| {
            let mut events = Vec::new();
            search_guarded(&job, &mut |event| events.push(event), run);
            events
        };
        let found = events(&|_| panic!("this panic belongs to the test"));
        let done = |best| Event::BestMove { id: 7, best, ponder: None };
        assert_eq!(found, [done(Some(1))]);
        // The next search is not affected.
        let next = events(&|search| search.run_any(&table, None, None));
        assert!(matches!(next.last(), Some(Event::BestMove { id: 7, best: Some(_), .. })));
        assert!(next.len() > 1, "{next:?}");
    }

    #[test]
    fn a_book_answer_under_a_time_limit_waits_for_no_page_of_the_table() {
        for (score, swindle, mate, search_moves, lines, is_written) in [
            (1, true, None, vec![], 1, false),
            (-2, false, None, vec![], 1, false),
            (-2, true, None, vec![], 1, true),
            (1, true, Some(3), vec![], 1, true),
            (1, true, None, vec![6], 1, true),
            (1, true, None, vec![], 7, true),
        ] {
            let limits = Limits { mate, search_moves, nodes: Some(100), ..Limits::default() };
            let mut executor = Executor { megabytes: 1, ..Executor::new() };
            let book =
                write_on(Standard::default(), vec![(0, vec![(0, score)]).into()], None).expect("a book");
            assert!(executor.set_book(Book::open(book.into()).expect("a book")));
            let hard = Some(Duration::from_secs(9));
            let budget = TimeBudget { hard, ..TimeBudget::default() };
            let mut search = SearchJob { limits, budget, ..job("") };
            search.settings.swindle = swindle;
            search.settings.multi_pv = NonZeroUsize::new(lines).expect("a line at least");
            let job = Job::Search(Arc::new(search));
            executor.execute(job, &|| true, &mut |_| ()).expect("1 MB can be allocated");
            assert_eq!(executor.unready_table().is_none(), is_written, "{score} {swindle}");
        }
    }
}
