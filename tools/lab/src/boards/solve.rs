//! Solves an empty board, and keeps on disk how far it is.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
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

/// Saving may take this share of the time: a table of many gigabytes is saved less often than asked for.
const MOST_SAVING: u32 = 20;

/// The search of an empty board, and all that was found out before it.
pub(super) struct Run<'a> {
    board: Board,
    threads: NonZeroUsize,
    /// Time between two saved states; zero to save only at an interrupt.
    save_every: Duration,
    /// The name of the board among the others, in the lines of progress.
    place: &'a str,
    /// The file of the state, if there is one, with its header.
    state: Option<&'a Path>,
    header: Header,
    table: AnyTable,
    before: Progress,
    stop: StopFlag,
    /// The proved bounds of the score.
    bounds: Mutex<(Score, Score)>,
    start: Instant,
    cpu: Duration,
}

impl<'a> Run<'a> {
    /// The search of `board` with a table of `hash` MB, from where a state was saved on, if one was.
    ///
    /// # Errors
    /// If there is no memory for the table, or the state is foreign or cannot be read.
    pub(super) fn begin(
        board: Board,
        hash: usize,
        threads: NonZeroUsize,
        save_every: Duration,
        place: &'a str,
        state: Option<&'a Path>,
        interrupt: &'static Interrupt,
    ) -> Result<Self> {
        measurement::reset_peak();
        let mut table = AnyTable::new(board, hash)?;
        let limit = max_score(board);
        let header = saved_state::header(board, table.megabytes(), &saved_state::fingerprint(board)?)?;
        let mut before = Progress { lower: -limit, upper: limit, ..Progress::default() };
        if let Some(path) = state {
            match saved_state::load(path, &header, &mut table)? {
                Ok(None) => {}
                Ok(Some(found)) => {
                    let Progress { lower, upper, cpu_seconds, .. } = &found;
                    let spent = format!("resumed after {cpu_seconds:.0} s of CPU");
                    say(place, format_args!("{spent}, score from {lower} to {upper}"));
                    before = found;
                }
                Err(fault) => {
                    let name = path.display();
                    say(place, format_args!("`{name}` is damaged, {fault}: the board is begun anew"));
                }
            }
        }
        Ok(Self {
            board,
            threads,
            save_every,
            place,
            state,
            header,
            table,
            bounds: Mutex::new((before.lower, before.upper)),
            before,
            stop: StopFlag::with_signal(Arc::new(move || interrupt.is_requested())),
            start: Instant::now(),
            cpu: process_time(),
        })
    }

    /// Solves the board.
    ///
    /// # Errors
    /// If the state cannot be written; [`Interrupted`] after Ctrl-C.
    pub(super) fn solve(&self) -> Result<Record> {
        let position = Position::empty(self.board);
        let mut solver = AnySolver::new(&self.table).stop_flag(&self.stop).threads(self.threads);
        solver.on_probe(Box::new(|lower, upper| {
            *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = (lower, upper);
        }));
        let state = || {
            let Progress { nodes, lower, upper, .. } = self.progress(self.stop.nodes());
            format!("{}: {nodes} nodes, score from {lower} to {upper}", self.place)
        };
        let Progress { lower, upper, .. } = self.before;
        let first = if self.save_every.is_zero() { Duration::MAX } else { self.save_every };
        let mut is_told = false;
        let save = || {
            let begun = Instant::now();
            if let Some(Err(error)) = self.save(&self.progress(self.stop.nodes()))
                && !is_told
            {
                // The search itself is well, and the disk may have room again later.
                say(self.place, format_args!("{error:#}; an interrupt would lose the work since"));
                is_told = true;
            }
            self.save_every.max(MOST_SAVING * begun.elapsed())
        };
        let score = progress::beside(first, save, |started| {
            started.context("cannot start a thread that saves the state")?;
            anyhow::Ok(progress::live(state, || solver.score_between(&position, lower, upper)))
        })?;
        let progress = self.progress(solver.nodes());
        let Ok(score) = score else { return Err(self.interrupted(&progress)) };
        let verdict = Verdict::of(score, &position, false);
        Ok(Record {
            board: self.board.to_string(),
            winner: verdict.winner,
            score,
            last_stone: verdict.last_stone.unwrap_or(self.board.cells()),
            nodes: progress.nodes,
            cpu_seconds: progress.cpu_seconds,
            wall_seconds: progress.wall_seconds,
            hash: self.table.megabytes(),
            threads: self.threads,
            peak_mb: progress.peak_mb,
        })
    }

    /// The end by Ctrl-C, with the state saved.
    fn interrupted(&self, progress: &Progress) -> anyhow::Error {
        let state = match self.save(progress) {
            None => "without `--csv` nothing is kept of it",
            Some(Ok(())) => "the same command goes on there",
            Some(Err(error)) => return error,
        };
        Interrupted(format!("interrupted in {}: {state}", self.place)).into()
    }

    /// Saves the state, if there is a file for it.
    fn save(&self, progress: &Progress) -> Option<Result<()>> {
        Some(saved_state::save(self.state?, &self.header, progress, &self.table))
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

/// Says something about the board at `place` on standard error.
fn say(place: &str, what: impl Display) {
    progress::say(format_args!("{place}: {what}"));
}

/// Processor time of the whole process, that of saving included; of this thread, or the time of day, where the system does
/// not tell.
fn process_time() -> Duration {
    cpu_time::of_process(std::process::id()).unwrap_or_else(cpu_time::now)
}
