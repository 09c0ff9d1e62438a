//! Solves an empty board, and keeps on disk how far it is.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use anyhow::{Context, Result};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use plumb::board::{Board, Geometry, Position};
use plumb::score::{Score, max_score};
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_arena::interrupt::Interrupt;
use plumb_studies::cpu_time;

use super::result::Record;
use super::saved_state::{self, Progress};
use crate::exit::Interrupted;
use crate::results::Header;
use crate::solve::Verdict;
use crate::{measurement, progress};

/// How often Ctrl-C is looked for.
const POLL: Duration = Duration::from_millis(50);

/// Saving may take this share of the time: a table of many gigabytes is saved less often than asked for.
const MOST_SAVING: u32 = 20;

/// An empty board to be solved.
pub(super) struct Task<'a> {
    pub board: Board,
    /// Table size in MB.
    pub hash: usize,
    pub threads: NonZeroUsize,
    /// The file of the state, if there is one.
    pub state: Option<&'a Path>,
    /// Time between two saved states; `None` to save only at an interrupt.
    pub interval: Option<Duration>,
    pub interrupt: &'a Interrupt,
    /// The name of the board among the others, in the lines of progress.
    pub place: &'a str,
}

impl Task<'_> {
    /// Solves the board, or goes on where a state was saved.
    ///
    /// # Errors
    /// If there is no memory for the table, or the state is foreign or cannot be read or written; [`Interrupted`] after
    /// Ctrl-C.
    pub(super) fn run(self) -> Result<Record> {
        measurement::reset_peak();
        let mut table = AnyTable::new(self.board, self.hash).context("there is no memory for the table")?;
        let limit = max_score(self.board);
        let fingerprint = saved_state::fingerprint(self.board)?;
        let header = saved_state::header(self.board, table.megabytes(), &fingerprint)?;
        let mut before = Progress { lower: -limit, upper: limit, ..Progress::default() };
        if let Some(path) = self.state {
            match saved_state::load(path, &header, &mut table)? {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let Progress { lower, upper, cpu_seconds, .. } = &found;
                    self.say(format_args!(
                        "resumed after {cpu_seconds:.0} s of CPU, score from {lower} to {upper}"
                    ));
                    before = found;
                }
                Err(fault) => {
                    let name = path.display();
                    self.say(format_args!("`{name}` is damaged, {fault}: the board is begun anew"));
                }
            }
        }
        let run = Run {
            task: &self,
            table: &table,
            header,
            bounds: Mutex::new((before.lower, before.upper)),
            before,
            stop: StopFlag::new(),
            start: Instant::now(),
            cpu: process_time(),
        };
        run.solve()
    }

    /// Says something on standard error that is not a result.
    fn say(&self, what: impl Display) {
        progress::say(format_args!("{}: {what}", self.place));
    }
}

/// A search under way, and all that was found out before it.
struct Run<'a> {
    task: &'a Task<'a>,
    table: &'a AnyTable,
    header: Header,
    before: Progress,
    stop: StopFlag,
    /// The proved bounds of the score.
    bounds: Mutex<(Score, Score)>,
    start: Instant,
    cpu: Duration,
}

impl Run<'_> {
    fn solve(&self) -> Result<Record> {
        let position = Position::empty(self.task.board);
        let mut solver = AnySolver::new(self.table).stop_flag(&self.stop).threads(self.task.threads);
        solver.on_probe(Box::new(|lower, upper| {
            *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = (lower, upper);
        }));
        let state = || {
            let Progress { nodes, lower, upper, .. } = self.progress(self.stop.nodes());
            format!("{}: {nodes} nodes, score from {lower} to {upper}", self.task.place)
        };
        let Progress { lower, upper, .. } = self.before;
        let score = thread::scope(|scope| {
            let (_until_done, done) = bounded::<()>(0);
            thread::Builder::new().spawn_scoped(scope, move || self.watch(&done))?;
            io::Result::Ok(progress::live(state, || solver.score_between(&position, lower, upper)))
        });
        let score = score.context("cannot start a thread that saves the state")?;
        let progress = self.progress(solver.nodes());
        let Ok(score) = score else { return Err(self.interrupted(&progress)) };
        let verdict = Verdict::of(score, &position, false);
        Ok(Record {
            board: self.task.board.to_string(),
            winner: verdict.winner,
            score,
            last_stone: verdict.last_stone.unwrap_or(self.task.board.cells()),
            nodes: progress.nodes,
            cpu_seconds: progress.cpu_seconds,
            wall_seconds: progress.wall_seconds,
            hash: self.table.megabytes(),
            threads: self.task.threads,
            peak_mb: progress.peak_mb,
        })
    }

    /// Saves the state now and then, and stops the search at Ctrl-C, until it is done.
    fn watch(&self, done: &Receiver<()>) {
        let mut saved = Instant::now();
        let mut interval = self.task.interval;
        let mut is_told = false;
        // Nothing is ever sent: the channel closes when the search is done.
        while done.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
            if self.task.interrupt.is_requested() {
                self.stop.stop();
            } else if let (Some(path), Some(due)) = (self.task.state, interval)
                && saved.elapsed() >= due
            {
                let begun = Instant::now();
                if let Err(error) = self.save(path, &self.progress(self.stop.nodes()))
                    && !is_told
                {
                    // The search itself is well, and the disk may have room again later.
                    self.task.say(format_args!("{error:#}; an interrupt would lose the work since"));
                    is_told = true;
                }
                saved = Instant::now();
                interval = self.task.interval.map(|interval| interval.max(MOST_SAVING * (saved - begun)));
            }
        }
    }

    /// The end by Ctrl-C, with the state saved.
    fn interrupted(&self, progress: &Progress) -> anyhow::Error {
        let state = match self.task.state.map(|path| self.save(path, progress)) {
            None => "without `--csv` nothing is kept of it",
            Some(Ok(())) => "the same command goes on there",
            Some(Err(error)) => return error,
        };
        Interrupted(format!("interrupted in {}: {state}", self.task.place)).into()
    }

    fn save(&self, path: &Path, progress: &Progress) -> Result<()> {
        saved_state::save(path, &self.header, progress, self.table)
    }

    /// What is known by now, `nodes` of this run included. The bounds are read before the table is: so whatever is in
    /// them is also in the past of the table.
    fn progress(&self, nodes: u64) -> Progress {
        let (lower, upper) = *self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
        Progress {
            lower,
            upper,
            nodes: self.before.nodes + nodes,
            cpu_seconds: self.before.cpu_seconds + process_time().saturating_sub(self.cpu).as_secs_f64(),
            wall_seconds: self.before.wall_seconds + self.start.elapsed().as_secs_f64(),
            peak_mb: self.before.peak_mb.max(measurement::peak_megabytes()),
        }
    }
}

/// Processor time of the whole process, that of saving included; of this thread, or the time of day, where the system does
/// not tell.
fn process_time() -> Duration {
    cpu_time::of_process(std::process::id()).unwrap_or_else(cpu_time::now)
}
