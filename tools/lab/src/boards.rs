//! `plumb-lab boards`: who wins on the empty boards, beside what is published.

mod grid;
mod published;
mod record;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result};
use plumb::board::{Position, StaticGeometry};
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_studies::cpu_time;
use serde::Serialize;

use crate::board_size::{Size, Work};
use crate::line_file::LineFile;
use crate::output::{JsonFile, print};
use crate::progress;
use crate::solve::solution::Verdict;
use record::{Record, Row};

/// Solve the empty boards of all sizes, and compare the results with published ones.
///
/// Each result says who wins, and with which stone the game ends in perfect play. The boards are solved in the order
/// of their numbers of cells, each on one thread with an empty table; progress is on standard error. A result that
/// differs from the published one (John Tromp; Christophe Steininger) is marked, and the exit code is then 1. At the
/// end all results are drawn as a table, width across and height up: + for a win of the first player, - for a win of
/// the second, = for a draw.
///
/// With `--csv` each result is written as soon as it is known; the same command resumes an interrupted run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Solve only boards of at most this many cells.
    #[arg(long, value_name = "N", default_value_t = 36)]
    max_cells: u32,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// Write each result as a line of comma-separated values to this file. Boards that it contains are not solved
    /// again.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Write all results to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    max_cells: u32,
    boards: &'a [Row],
}

/// Solves the boards and prints what comes out.
///
/// # Errors
/// If there is no memory for the table, or a file cannot be written, or one that is to be continued holds anything
/// else.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (mut csv, mut known) = match &arguments.csv {
        Some(path) => continued(path).map(|(file, known)| (Some(file), known))?,
        None => (None, Vec::new()),
    };
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    let all = Size::all();
    let wanted: Vec<_> = all.iter().filter(|size| size.cells() <= arguments.max_cells).collect();

    print(format_args!("{}", Row::HEADINGS))?;
    let mut rows: Vec<Row> = Vec::new();
    for (&size, number) in wanted.iter().copied().zip(1..) {
        let record = if let Some(index) = known.iter().position(|(found, _)| *found == size) {
            known.swap_remove(index).1
        } else {
            let record = solve(size, arguments.hash, &format!("board {number} of {}: {size}", wanted.len()))?;
            csv.as_mut().map_or(Ok(()), |csv| csv.append(&record.line()?))?;
            record
        };
        let row = Row::new(size, record);
        print(format_args!("{row}"))?;
        rows.push(row);
    }
    if let Some(json) = json {
        let max_cells = arguments.max_cells;
        json.write(&Document { version: env!("CARGO_PKG_VERSION"), max_cells, boards: &rows })?;
    }

    print(format_args!(""))?;
    let signs = rows.iter().map(|row| ((row.size.width(), row.size.height()), row.record.sign())).collect();
    grid::lines(&all, &signs).iter().try_for_each(|line| print(format_args!("{line}")))?;
    let published = rows.iter().filter(|row| row.agrees.is_some()).count();
    let differing = rows.iter().filter(|row| row.agrees == Some(false)).count();
    print(format_args!("\n{published} boards compared with published results, {differing} of them differ"))?;
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Opens the file of results, or makes it, and reads those that it has.
fn continued(path: &std::path::Path) -> Result<(LineFile, Vec<(Size, Record)>)> {
    let (file, lines) = LineFile::open(path, Record::HEADING)?;
    let records = lines
        .iter()
        .zip(2..)
        .map(|(line, number)| Record::parse(line).with_context(|| format!("{}:{number}", path.display())));
    let records = records.collect::<Result<_>>()?;
    Ok((file, records))
}

/// Solves the empty board of this size and prints progress; `place` names the board.
fn solve(size: Size, hash: usize, place: &str) -> Result<Record> {
    let signals = StopFlag::new();
    let bounds = Mutex::new(None);
    let state = || {
        let bounds = *bounds.lock().unwrap_or_else(PoisonError::into_inner);
        let bounds = bounds.map_or("unknown".to_owned(), |(lower, upper)| format!("from {lower} to {upper}"));
        format!("{place}: {} nodes, score {bounds}", signals.nodes())
    };
    let task = Task { size, hash, signals: &signals, bounds: &bounds };
    progress::live(state, || size.run(task))
}

/// An empty board to be solved.
struct Task<'a> {
    size: Size,
    /// Table size in MB.
    hash: usize,
    signals: &'a StopFlag,
    /// The bounds of the score that are proved so far.
    bounds: &'a Mutex<Option<(i32, i32)>>,
}

impl Work for Task<'_> {
    type Output = Result<Record>;

    fn run<G: StaticGeometry>(self) -> Self::Output {
        let position = Position::<G>::new();
        let table = Table::new(self.hash).context("there is no memory for the table")?;
        let mut solver = Solver::new(&table).stop_flag(self.signals);
        solver.on_probe(|lower, upper| {
            *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = Some((lower, upper));
        });
        let (wall, cpu) = (Instant::now(), cpu_time::now());
        let score = solver.score(&position)?;
        let cpu_seconds = cpu_time::now().saturating_sub(cpu).as_secs_f64();
        let verdict = Verdict::of(score, &position, false);
        Ok(Record {
            board: self.size.to_string(),
            winner: verdict.winner,
            score,
            last_stone: verdict.last_stone.unwrap_or(G::CELLS),
            nodes: solver.nodes(),
            cpu_seconds,
            wall_seconds: wall.elapsed().as_secs_f64(),
            hash: table.megabytes(),
        })
    }
}
