//! `plumb-lab book build`: solves a layer, or a shard of it.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use crossbeam_channel::{Receiver, Sender, bounded};
use plumb::board::{Geometry, Position};
use plumb::book::choices;
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;

use super::derive::{Scores, may_keep};
use super::file::Source;
use super::layer;
use super::part::{Heading, Part};
use crate::board_size::{Size, Work};
use crate::cpu_time;
use crate::output::print;
use crate::progress::Counter;
use crate::shard::Shard;

/// The most stones that the positions may have: there are 158,000,000 of them on the standard board.
const MOST_PLIES: i64 = 16;

/// How often the processor time is written down.
const TIME_INTERVAL: Duration = Duration::from_secs(30);

/// How many successive positions a thread takes at a time. Neighbours should not be solved at the same moment: what is
/// found out about one helps with the next.
const CHUNK: usize = 64;

/// Solve all positions with a number of stones, or a shard of them, into a part file.
///
/// All that come up in play are meant, one for a position and its mirror image, but those in which the side to move can
/// win at once. The table is kept from one to the next. Each score is written as soon as it is known; the same
/// command resumes where it was broken off.
///
/// With `--moves` a move that keeps the score is looked for instead, for each of these positions that has a choice
/// between moves that do not lose at once: the first in the order of the book's format. The scores are then those of a
/// book.
///
/// Shards depend on their number and count alone, and share nothing: run them wherever you like, and `merge` the files.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// How many stones the positions have.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=MOST_PLIES))]
    plies: u32,
    #[arg(long, value_name = "WxH", default_value = "7x6", help = format!("The board: {}", crate::board_size::ALL))]
    board: Size,
    /// Which shard to solve of how many.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads, which solve different positions over one table.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
    /// Look for moves instead of scores.
    #[arg(long)]
    moves: bool,
    /// The book that has the scores; the one within this program if not given.
    #[arg(long, value_name = "F", requires = "moves")]
    book: Option<PathBuf>,
    /// The part file; one that is there is continued.
    #[arg(long, value_name = "F")]
    out: PathBuf,
}

/// Solves what is not there yet.
///
/// # Errors
/// If the board is too large, there is no memory for the table, or the file cannot be written or is another shard's.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    arguments.board.run(Task(arguments))
}

/// What has to be done on the board of the arguments.
struct Task<'a>(&'a Arguments);

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let Arguments { plies, board, shard, threads, hash, moves, ref book, ref out } = *self.0;
        layer::check_board::<G>(board)?;
        let start = Instant::now();
        let mut layer = layer::positions::<G>(plies);
        let scores = moves.then(|| scores::<G>(Source::from(book.as_ref()), plies, &layer)).transpose()?;
        if moves {
            layer.retain(|&key| layer::has_choice::<G>(key, plies));
        }
        let mine = shard.of(&layer);
        let heading = Heading { board, plies, shard, moves, count: mine.len() };
        let (mut part, content) = Part::open(out, &heading)?;
        let known: HashSet<_> = content.entries.into_iter().map(|(key, _)| key).collect();
        let open: Vec<_> = mine.iter().copied().filter(|key| !known.contains(key)).collect();
        if open.len() + known.len() != mine.len() {
            bail!("`{}` holds positions of another shard", out.display());
        }
        let what = if moves { ", moves" } else { "" };
        let name = format!("{board}, {plies} stones{what}, shard {shard}");
        let mut clock = CpuClock::start();
        if !open.is_empty() {
            let table = Table::new(hash, threads.get()).context("the table cannot be had")?;
            let mut counter = Counter::resumed(&name, known.len(), mine.len());
            let work = Open { keys: &open, plies, table: &table, scores: scores.as_ref() };
            work.solve::<G>(threads, |key, value| {
                counter.advance();
                part.append(key, value)?;
                clock.lap_after(TIME_INTERVAL).map_or(Ok(()), |time| part.append_time(time))
            })?;
            clock.lap_after(Duration::ZERO).map_or(Ok(()), |time| part.append_time(time))?;
            part.sync()?;
        }
        let (count, new, wall) = (mine.len(), open.len(), start.elapsed().as_secs_f64());
        let cpu = (content.time + clock.told).as_secs_f64();
        print(format_args!(
            "{name}: {count} positions, {new} of them new in {wall:.1} s, all in {cpu:.1} s of CPU"
        ))
    }
}

/// The processor time of this process, in laps.
struct CpuClock {
    lap: Instant,
    /// What had been spent at the start, and has been told of since.
    before: Duration,
    told: Duration,
}

impl CpuClock {
    fn start() -> Self {
        Self { lap: Instant::now(), before: Self::now(), told: Duration::ZERO }
    }

    /// Zero where the system does not tell.
    fn now() -> Duration {
        cpu_time::of_process(std::process::id()).unwrap_or_default()
    }

    /// What was spent since the last lap, if that was so long ago, by the time of day.
    fn lap_after(&mut self, interval: Duration) -> Option<Duration> {
        if self.lap.elapsed() < interval {
            return None;
        }
        let spent = Self::now().saturating_sub(self.before + self.told);
        self.lap = Instant::now();
        self.told += spent;
        Some(spent)
    }
}

/// What the book in `source` knows of the positions of a layer.
///
/// # Errors
/// If it has no such layer, or cannot be opened.
fn scores<G: Geometry>(source: Source<'_>, plies: u32, layer: &[u64]) -> Result<Scores> {
    let book = source.open::<G>()?;
    ensure!(book.layer_plies().any(|layer| layer == plies), "{source} has no layer of {plies} stones");
    Ok(layer.iter().filter_map(|&key| Some((key, book.score(&layer::position::<G>(key, plies)?)?))).collect())
}

/// What is to be solved.
struct Open<'a> {
    keys: &'a [u64],
    plies: u32,
    table: &'a Table,
    /// The scores of the whole layer, if it is moves that are wanted.
    scores: Option<&'a Scores>,
}

impl Open<'_> {
    /// Solves them, and hands each score or column to `take` on this thread, in whatever order.
    fn solve<G: Geometry>(
        &self,
        threads: NonZeroUsize,
        mut take: impl FnMut(u64, i32) -> Result<()>,
    ) -> Result<()> {
        let chunks = Mutex::new(self.keys.chunks(CHUNK));
        let (sender, receiver): (Sender<(u64, i32)>, Receiver<_>) = bounded(2 * CHUNK);
        thread::scope(|scope| {
            for number in 0..threads.get() {
                let (sender, chunks) = (sender.clone(), &chunks);
                scope.spawn(move || {
                    let mut solver = Solver::<G>::new(self.table).numbered(number);
                    let next = || chunks.lock().ok()?.next();
                    // Neighbours often have the same score: 1.27 times the positions in the same time.
                    let mut guess = 0;
                    while let Some(chunk) = next() {
                        for &key in chunk {
                            let Some(value) = self.value(&mut solver, key, &mut guess) else { return };
                            // Nobody takes it any more if an earlier one could not be written.
                            if sender.send((key, value)).is_err() {
                                return;
                            }
                        }
                    }
                });
            }
            drop(sender);
            // Dropped as soon as something fails, so that the threads end.
            let results = receiver;
            results.iter().try_for_each(|(key, value)| take(key, value))
        })
    }

    /// The score of a position, or the column of a move that keeps it.
    fn value<G: Geometry>(&self, solver: &mut Solver<'_, G>, key: u64, guess: &mut Score) -> Option<i32> {
        let position = layer::position::<G>(key, self.plies)?;
        if let Some(scores) = self.scores {
            return keeping_move(solver, scores, &position).map(|column| column as i32);
        }
        *guess = solver.score_near(&position, *guess);
        Some(*guess)
    }
}

/// The first of the [choices] in a position that keeps its score. Many of those that do not are found out
/// without a search.
fn keeping_move<G: Geometry>(
    solver: &mut Solver<'_, G>,
    scores: &Scores,
    position: &Position<G>,
) -> Option<u32> {
    let score = *scores.get(&layer::word(position))?;
    let after = choices(position).filter_map(|column| Some((column, position.play(column)?)));
    let mut open = after.filter(|(_, next)| may_keep(scores, next, score)).peekable();
    loop {
        let (column, next) = open.next()?;
        // The last one left needs no proof: some move keeps the score.
        if open.peek().is_none() || !solver.is_worth_at_least(&next, 1 - score)? {
            return Some(column);
        }
    }
}
