//! `plumb-lab book build`: solves all positions with a number of stones, or a shard of them.

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
use super::part::{Entry, KIND, MAX_PLIES, Settings, What, content};
use crate::measurement::process_cpu_time;
use crate::output::print;
use crate::progress::Counter;
use crate::result_files::{Header, Lock, ResultFile, Shard, take_lock};
use crate::solve::inexact_table;

/// Interval at which rows of the part file also record the CPU time.
const TIME_INTERVAL: Duration = Duration::from_secs(30);

/// Maximum number of positions that a thread takes at a time. Consecutive positions share table entries.
const CHUNK: usize = 64;

/// Solve all positions with a number of stones, or a shard of them.
///
/// The positions occur in play. Mirror images count once, and positions with an immediate win are left out. Each score is written
/// as soon as it is known. The same command resumes an interrupted run.
///
/// `--moves` finds the first move that keeps the score, for positions with a choice of moves. `--lines N` finds the book's play
/// beyond this layer, which is its last, from every position with N stones. Both take the scores from a book.
///
/// Shards are independent: run them on any machine, and `merge` the files.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of stones of the positions.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    plies: u32,
    /// Board: columns by rows.
    ///
    /// The largest boards have 64 bits, which are columns times (rows + 1).
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: BookBoard,
    /// Solve part I of N.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads, which share one table.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value = "1024", conflicts_with = "lines", value_parser = crate::arguments::megabytes)]
    hash: usize,
    /// Find moves instead of scores.
    #[arg(long, group = "more")]
    moves: bool,
    /// Find lines from the positions with N stones instead.
    #[arg(long, value_name = "N", group = "more", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLIES)))]
    lines: Option<u32>,
    /// Book with the scores. [default: the embedded book]
    #[arg(long, value_name = "F", requires = "more")]
    book: Option<PathBuf>,
    /// Part file. An existing file is resumed.
    #[arg(long, value_name = "F")]
    out: PathBuf,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { plies, board, hash, moves, lines, ref book, .. } = *arguments;
    let lock = take_lock(&arguments.out, "--out")?;
    // Hash the book first: listing the positions takes minutes, in which the book may be replaced.
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
    // Refuse an unsuitable book before the positions are listed, which takes minutes.
    let book = if moves { Some(arguments.with_layer()?) } else { None };
    let table = Table::new_on(board, hash)?.at_full_size();
    note_if_inexact(&table)?;
    let mut layer = layer::positions(board, plies);
    if let Some(book) = book {
        let mut scores = Scores::new();
        for position in &layer {
            if let Some(score) = book.layer_score(position) {
                scores.insert(position.key(), score);
            }
        }
        layer.retain(|position| position.non_losing_moves().has_several());
        return arguments.fill(header, lock, What::Moves, &layer, |number| {
            let mut solver = Solver::new(&table).thread_number(number);
            let scores = &scores;
            move |position: BookPosition| {
                let score = *scores.get(&position.key()).context("the book has a score")?;
                // Other positions of this layer reach `next`, too. Their scores exclude many moves without a search.
                let column =
                    lines::first_keeping(&mut solver, &position, score, |next| may_keep(scores, next, score));
                Ok(column.context("some move keeps the score")? as i32)
            }
        });
    }
    arguments.fill(header, lock, What::Scores, &layer, |number| {
        let mut solver = Solver::new(&table).thread_number(number);
        // A search near the previous position's score solves 1.27 times as many positions per second.
        let mut guess = 0;
        move |position| {
            guess = solver.score_near(&position, guess)?;
            Ok(guess)
        }
    })
}

fn note_if_inexact(table: &Table) -> Result<()> {
    if table.is_exact() { Ok(()) } else { print(format_args!("note: {}", inexact_table(table.megabytes()))) }
}

impl Arguments {
    fn with_layer(&self) -> Result<Book> {
        let (name, plies) = (file::name(self.book.as_deref()), self.plies);
        let book = file::open(self.book.as_deref())?;
        let (found, expected) = (book.geometry(), self.board);
        ensure!(found == expected, "{name}: the book is for a board of {found}, not of {expected}");
        ensure!(book.layer_plies().any(|layer| layer == plies), "{name} has no layer of {plies} stones");
        Ok(book)
    }

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
        let header = header.on_board(board).of_shard(shard, mine.len());
        let header = header.with_settings(&Settings { plies, what })?;
        let (mut part, rows) = ResultFile::open(out, "--out", &header, lock)?;
        let (entries, time) = content::<V>(out, &rows)?;
        let known: HashSet<_> = entries.into_iter().map(|(key, _)| key).collect();
        let open: Vec<_> = mine.iter().copied().filter(|position| !known.contains(&position.key())).collect();
        if open.len() + known.len() != mine.len() {
            bail!("`{}` has positions of another shard", out.display());
        }
        let what = if what == What::Scores { String::new() } else { format!(", {what}") };
        let name = format!("{board}, {plies} stones{what}, shard {shard}");
        // CPU time before the start, CPU time in the rows so far, and the time at which a row last recorded it.
        let (before, mut recorded, mut lap) = (process_time(), Duration::ZERO, Instant::now());
        if !open.is_empty() {
            let mut counter = Counter::new(&name, "position", known.len(), mine.len());
            let mut left = open.len();
            on_threads(&open, threads, 1, workers, |position, value| {
                counter.advance();
                left -= 1;
                let mut spent = None;
                if left == 0 || lap.elapsed() >= TIME_INTERVAL {
                    let time = process_time().saturating_sub(before + recorded);
                    (lap, recorded, spent) = (Instant::now(), recorded + time, Some(time));
                }
                part.append(&Entry::new(position.key(), value, spent))
            })?;
            part.sync()?;
        }
        let (count, new, wall) = (mine.len(), open.len(), start.elapsed().as_secs_f64());
        let cpu = time.saturating_add(recorded).as_secs_f64();
        print(format_args!(
            "{name}: {count} positions, {new} of them new in {wall:.1} s, all in {cpu:.1} s of CPU"
        ))
    }
}

fn process_time() -> Duration {
    process_cpu_time(std::process::id()).unwrap_or_default()
}

/// Computes a value for each key on several threads, and passes the results to `take` on this thread, in any order.
/// `workers` makes the worker of a thread. At least `least` threads must start.
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
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                let mut worker = workers(number);
                let mine = iter::from_fn(|| chunks.lock().ok()?.next()).flatten();
                for &key in mine {
                    let value = worker(key);
                    let is_failure = value.is_err();
                    // The receiver is gone after a failure on another thread.
                    if sender.send((key, value)).is_err() || is_failure {
                        return;
                    }
                }
            });
            match started {
                Ok(_) => {}
                Err(_) if number >= least => break,
                Err(error) => return Err(error).context("cannot start a thread"),
            }
        }
        drop(sender);
        // This scope owns the receiver, so a failure drops it, which ends the threads.
        let results = receiver;
        results.iter().try_for_each(|(key, value)| take(key, value?))
    })
}
