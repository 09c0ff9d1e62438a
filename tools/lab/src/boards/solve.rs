//! Solves an empty board, and keeps on disk how far it is.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use plumb::board::{Board, Geometry, Position};
use plumb::score::max_score;
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_studies::cpu_time;
use plumb_tools_common::lock;

use super::result::Record;
use super::saved_state::{self, Progress};
use crate::exit::{self, Interrupted};
use crate::result_files::Header;
use crate::solve::Verdict;
use crate::{measurement, progress};

/// Saving may take this share of the time: a table of many gigabytes is saved less often than asked for.
const MOST_SAVING: u32 = 20;

/// Solves `board`, empty, with a table of `hash` MB, from where a state was saved on, if one was. `place` is the name of the
/// board among the others in the lines of progress, `state` the file of the state, if there is one, and `save_every` the time
/// between two saved states; zero to save only at an interrupt.
///
/// # Errors
/// If there is no memory for the table or no thread, the state is foreign or cannot be read, or cannot be written at an
/// interrupt; [`Interrupted`] after Ctrl-C.
pub(super) fn solve(
    board: Board,
    hash: usize,
    threads: NonZeroUsize,
    save_every: Duration,
    place: &str,
    state: Option<&Path>,
) -> Result<Record> {
    let interrupt = exit::interrupt()?;
    measurement::reset_peak();
    let mut table = AnyTable::new(board, hash)?.at_full_size();
    let header = saved_state::header(board, table.megabytes(), &saved_state::fingerprint(board)?)?;
    let before = state.map(|path| resumed(path, place, &header, &mut table)).transpose()?.flatten();
    let limit = max_score(board);
    let before = before.unwrap_or_else(|| Progress { lower: -limit, upper: limit, ..Progress::default() });
    let Progress { lower, upper, .. } = before;
    let proved = Mutex::new((lower, upper));
    let (start, cpu) = (Instant::now(), process_time());
    // With the `nodes` of this run. The bounds are read before the table is: so whatever is in them is also in the past of
    // the table.
    let so_far = |nodes: u64| {
        let (lower, upper) = *lock(&proved);
        Progress {
            lower,
            upper,
            nodes: before.nodes + nodes,
            cpu_seconds: before.cpu_seconds + process_time().saturating_sub(cpu).as_secs_f64(),
            wall_seconds: before.wall_seconds + start.elapsed().as_secs_f64(),
            peak_mb: before.peak_mb.max(measurement::peak_megabytes()),
        }
    };
    let save = |progress: &Progress| Some(saved_state::save(state?, &header, progress, &table));
    let stop = StopFlag::with_signal(Arc::new(move || interrupt.is_requested()));
    let mut is_told = false;
    let save_again = || {
        let begun = Instant::now();
        if let Some(Err(error)) = save(&so_far(stop.nodes()))
            && !is_told
        {
            // The search itself is well, and the disk may have room again later.
            progress::say(format_args!("{place}: {error:#}; an interrupt would lose the work since"));
            is_told = true;
        }
        save_every.max(MOST_SAVING * begun.elapsed())
    };
    let shown = || {
        let Progress { nodes, lower, upper, .. } = so_far(stop.nodes());
        format!("{place}: {nodes} nodes, score from {lower} to {upper}")
    };
    let position = Position::empty(board);
    let mut solver = AnySolver::new(&table).stop_flag(&stop).threads(threads);
    solver.on_probe(Box::new(|lower, upper| {
        *lock(&proved) = (lower, upper);
    }));
    let first = if save_every.is_zero() { Duration::MAX } else { save_every };
    let score = progress::beside(first, save_again, |started| {
        started.context("cannot start a thread that saves the state")?;
        anyhow::Ok(progress::live(shown, || solver.score_between(&position, lower, upper)))
    })?;
    let progress = so_far(solver.nodes());
    let Ok(score) = score else {
        let kept = match save(&progress) {
            None => "without `--csv` nothing is kept of it",
            Some(Ok(())) => "the same command goes on there",
            Some(Err(error)) => return Err(error),
        };
        return Err(Interrupted(format!("interrupted in {place}: {kept}")).into());
    };
    let verdict = Verdict::of(score, &position, false);
    Ok(Record {
        board: board.to_string(),
        winner: verdict.winner,
        score,
        last_stone: verdict.last_stone.unwrap_or(board.cells()),
        nodes: progress.nodes,
        cpu_seconds: progress.cpu_seconds,
        wall_seconds: progress.wall_seconds,
        hash: table.megabytes(),
        threads,
        peak_mb: progress.peak_mb,
    })
}

/// The progress of the state at `path`, whose table is loaded into `table`; none without a state, or if it is damaged.
fn resumed(path: &Path, place: &str, header: &Header, table: &mut AnyTable) -> Result<Option<Progress>> {
    let found = saved_state::load(path, header, table)?;
    let told = match &found {
        Ok(None) => return Ok(None),
        Ok(Some(Progress { lower, upper, cpu_seconds, .. })) => {
            format!("resumed after {cpu_seconds:.0} s of CPU, score from {lower} to {upper}")
        }
        Err(fault) => format!("`{}` is damaged, {fault}: the board is begun anew", path.display()),
    };
    progress::say(format_args!("{place}: {told}"));
    Ok(found.unwrap_or_default())
}

/// Processor time of the whole process, that of saving included; of this thread, or the time of day, where the system does
/// not tell.
fn process_time() -> Duration {
    cpu_time::of_process(std::process::id()).unwrap_or_else(cpu_time::now)
}
