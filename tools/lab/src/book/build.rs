//! `plumb-lab book build`: solves a layer, or a shard of it.

use std::collections::HashSet;
use std::fmt::Display;
use std::iter;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use crossbeam_channel::bounded;
use plumb::board::Bits;
use plumb::book::{Book, BookBoard};
use plumb::search::Solver;
use plumb::table::Table;

use super::file;
use super::layer::{self, BookPosition, Scores, may_keep};
use super::lines;
use super::part::{Entry, Heading, KIND, MAX_PLIES, What, content};
use crate::cpu_time;
use crate::output::print;
use crate::progress::Counter;
use crate::result_files::{Header, Lock, ResultFile, Shard, take_lock};
use crate::solve::inexact_table;

/// How often the processor time is written down.
const TIME_INTERVAL: Duration = Duration::from_secs(30);

/// How many successive keys a thread takes at a time, at most. Neighbours should not be solved at the same moment: what is
/// found out about one helps with the next.
const CHUNK: usize = 64;

/// Solve all positions with a number of stones, or a shard of them, into a part file.
///
/// These are the positions that can occur in play, one for each pair of mirror images, without those in which the
/// side to move wins at once. The table is kept from one to the next. Each score is written as soon as it is known;
/// the same command resumes an interrupted run.
///
/// With `--moves` the part has a move that keeps the score for each of these positions with a choice between moves
/// that do not lose at once: the first in the order of the book's format. The scores come from a book.
///
/// With `--lines N` the part has the book's own play beyond this layer, its last, from every position of N stones, up
/// to where the rest is easy: each line begins in a position of the layer, and continues with the first move, in the
/// order of the format, that keeps the score, for both sides.
///
/// Shards depend on their number and count alone and share nothing: run them on any machine, and `merge` the files.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Number of stones of the positions.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    plies: u32,
    /// The board: columns by rows, of up to 64 bits, which are columns times (rows + 1).
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: BookBoard,
    /// The shard to solve, as I/N.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads, which solve different positions with one table.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 1024, conflicts_with = "lines")]
    hash: usize,
    /// Find moves instead of scores.
    #[arg(long, group = "more")]
    moves: bool,
    /// Find the lines from the positions of N stones instead.
    #[arg(long, value_name = "N", group = "more", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    lines: Option<u32>,
    /// The book with the scores, and for lines the moves. [default: the embedded book]
    #[arg(long, value_name = "F", requires = "more")]
    book: Option<PathBuf>,
    /// The part file; an existing one is continued.
    #[arg(long, value_name = "F")]
    out: PathBuf,
}

/// Solves the positions that the part does not contain yet.
///
/// # Errors
/// If there is no memory or no thread, or the file cannot be written or is another shard's; with a book, if it cannot be read or
/// has not the layer or lines asked for.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { plies, board, hash, moves, lines, ref book, .. } = *arguments;
    let lock = take_lock(&arguments.out, "--out")?;
    // Of the book that is opened below, not of one that takes its place while positions are listed.
    let header = Header::new(KIND).with_inputs(arguments.book.as_ref())?;
    if let Some(from) = lines {
        let (name, book) = (file::name(book.as_deref()), arguments.with_layer()?);
        ensure!(from <= plies, "lines from {from} stones do not begin before the {plies} of the layer");
        ensure!(book.layer_plies().next_back() == Some(plies), "the last layer of {name} is another one");
        let beginnings = lines::beginnings(&book, from, plies)?;
        note_if_inexact(&lines::table(board)?)?;
        return arguments.fill(header, lock, What::Lines(from), &beginnings, |_| {
            let mut table = lines::table(board).ok();
            let book = &book;
            move |position| {
                let table = table.as_mut().context("there is no memory for the table")?;
                lines::line(book, table, position)
            }
        });
    }
    // A wrong book is refused before the positions are listed, which takes minutes.
    let book = moves.then(|| arguments.with_layer()).transpose()?;
    let table = Table::new_on(board, hash)?.at_full_size();
    note_if_inexact(&table)?;
    let mut layer = layer::positions(board, plies);
    if let Some(book) = book {
        let score = |position: &BookPosition| Some((position.key(), book.layer_score(position)?));
        let scores: Scores = layer.iter().filter_map(score).collect();
        layer.retain(|position| position.non_losing_moves().has_several());
        return arguments.fill(header, lock, What::Moves, &layer, |number| {
            let mut solver = Solver::new(&table).thread_number(number);
            let scores = &scores;
            move |position: BookPosition| {
                let score = *scores.get(&position.key()).context("the book has a score")?;
                // Many of the moves that do not keep it are found out without a search.
                let may_keep = |next: &BookPosition| may_keep(scores, next, score);
                let column = lines::first_keeping(&mut solver, &position, score, may_keep);
                Ok(column.context("some move keeps the score")? as i32)
            }
        });
    }
    arguments.fill(header, lock, What::Scores, &layer, |number| {
        let mut solver = Solver::new(&table).thread_number(number);
        // Neighbours often have the same score: 1.27 times the positions in the same time.
        let mut guess = 0;
        move |position| {
            guess = solver.score_near(&position, guess)?;
            Ok(guess)
        }
    })
}

/// Prints a note if the keys of this table are not exact on its board.
fn note_if_inexact(table: &Table) -> Result<()> {
    if table.is_exact() { Ok(()) } else { print(format_args!("note: {}", inexact_table(table.megabytes()))) }
}

impl Arguments {
    /// The book with the scores.
    ///
    /// # Errors
    /// If it cannot be opened, or is for another board or has no layer of so many stones.
    fn with_layer(&self) -> Result<Book> {
        let (name, plies) = (file::name(self.book.as_deref()), self.plies);
        let book = file::open(self.book.as_deref())?;
        let (found, expected) = (book.geometry(), self.board);
        ensure!(found == expected, "{name}: the book is for a board of {found}, not of {expected}");
        ensure!(book.layer_plies().any(|layer| layer == plies), "{name} has no layer of {plies} stones");
        Ok(book)
    }

    /// Fills the part of a shard of these positions with what the workers find out. Its header comes from `header`.
    fn fill<V: FromStr + Display + Send, W: FnMut(BookPosition) -> Result<V>>(
        &self,
        header: Header,
        lock: Lock,
        what: What,
        positions: &[BookPosition],
        workers: impl Fn(usize) -> W + Sync,
    ) -> Result<()> {
        let Self { plies, board, shard, threads, ref out, .. } = *self;
        let start = Instant::now();
        let mine = shard.of(positions);
        let heading = Heading { board, plies, shard, what, count: mine.len() };
        let (mut part, rows) = ResultFile::open(out, "--out", &heading.header(header)?, lock)?;
        let (entries, time) = content::<V>(out, &rows)?;
        let known: HashSet<_> = entries.into_iter().map(|(key, _)| key).collect();
        let open: Vec<_> = mine.iter().copied().filter(|position| !known.contains(&position.key())).collect();
        if open.len() + known.len() != mine.len() {
            bail!("`{}` holds positions of another shard", out.display());
        }
        let what = if what == What::Scores { String::new() } else { format!(", {what}") };
        let name = format!("{board}, {plies} stones{what}, shard {shard}");
        let (before, mut told, mut lap) = (process_time(), Duration::ZERO, Instant::now());
        if !open.is_empty() {
            let mut counter = Counter::new(&name, "position", known.len(), mine.len());
            let mut left = open.len();
            on_threads(&open, threads, 1, workers, |position, value| {
                counter.advance();
                left -= 1;
                let is_due = left == 0 || lap.elapsed() >= TIME_INTERVAL;
                let spent = is_due.then(|| process_time().saturating_sub(before + told));
                if let Some(spent) = spent {
                    (lap, told) = (Instant::now(), told + spent);
                }
                part.append(&Entry::new(position.key(), value, spent))
            })?;
            part.sync()?;
        }
        let (count, new, wall) = (mine.len(), open.len(), start.elapsed().as_secs_f64());
        let cpu = time.saturating_add(told).as_secs_f64();
        print(format_args!(
            "{name}: {count} positions, {new} of them new in {wall:.1} s, all in {cpu:.1} s of CPU"
        ))
    }
}

/// The processor time of this process; zero on systems that do not report it.
fn process_time() -> Duration {
    cpu_time::of_process(std::process::id()).unwrap_or_default()
}

/// Finds the value of each key on `threads` threads, and hands the values to `take` on the calling thread, in any order.
/// `workers` makes the worker of a thread from its number, from 0; a worker finds the values of keys, one after the other.
/// Where the system refuses some of the threads, `least` or more do all of the work.
///
/// # Errors
/// The first one of a worker or of `take`; if fewer than `least` threads, 1 or more, can be started.
pub(crate) fn on_threads<K: Copy + Send + Sync, V: Send, W: FnMut(K) -> Result<V>>(
    keys: &[K],
    threads: NonZeroUsize,
    least: usize,
    workers: impl Fn(usize) -> W + Sync,
    mut take: impl FnMut(K, V) -> Result<()>,
) -> Result<()> {
    let chunks = Mutex::new(keys.chunks((keys.len() / threads).clamp(1, CHUNK)));
    let (sender, receiver) = bounded::<(K, Result<V>)>(2 * CHUNK);
    thread::scope(|scope| {
        for number in 0..threads.get() {
            let (sender, chunks, workers) = (sender.clone(), &chunks, &workers);
            let work = move || {
                let mut worker = workers(number);
                let mine = iter::from_fn(|| chunks.lock().ok()?.next()).flatten();
                for &key in mine {
                    let value = worker(key);
                    let is_failure = value.is_err();
                    // Nobody takes it any more if an earlier one failed or could not be written.
                    if sender.send((key, value)).is_err() || is_failure {
                        return;
                    }
                }
            };
            match thread::Builder::new().spawn_scoped(scope, work) {
                Ok(_) => {}
                // The others do its share.
                Err(_) if number >= least => break,
                Err(error) => return Err(error).context("cannot start a thread"),
            }
        }
        drop(sender);
        // Dropped as soon as something fails, so that the threads end.
        let results = receiver;
        results.iter().try_for_each(|(key, value)| take(key, value?))
    })
}
