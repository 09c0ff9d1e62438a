//! `plumb-lab solve`: the exact score of one position, on any of many boards.

pub(crate) mod solution;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use plumb::board::{Board, Geometry, Position};
use plumb::score::Score;
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_studies::cpu_time;
use plumb_tools_common::notation::{column_name, position_after};
use serde::Serialize;

use crate::output::JsonFile;
use crate::progress;
use solution::{Cost, Move, Solution, Verdict};

/// Solve one position: exact score, end of the game, and a line of perfect play.
///
/// The search begins with an empty table; progress (time, nodes, bounds of the score) is on standard error. A score
/// counts from the side to move: 1 is a win with the last stone of that side, 2 with the one before; negative is a
/// loss, 0 a draw.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The moves from the empty board: column digits, or column letters on a board of more than 9 columns.
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// The board: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// Threads to solve it on.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Solve only win, draw or loss.
    #[arg(long)]
    weak: bool,
    /// Solve every legal move as well, with the table that the position leaves.
    #[arg(long)]
    all_moves: bool,
    /// Write the result to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    board: String,
    moves: &'a str,
    hash: usize,
    threads: usize,
    weak: bool,
    #[serde(flatten)]
    solution: &'a Solution,
}

/// Solves the position and prints what comes out.
///
/// # Errors
/// If a move is illegal, there is no memory for the table, or the JSON file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let position = parse(arguments.board, &arguments.moves)?;
    let table = AnyTable::new(arguments.board, arguments.hash).context("there is no memory for the table")?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    let signals = StopFlag::new();
    let stage = SharedStage::default();
    let work = || solve(&position, arguments, &table, &signals, &stage);
    let solution = progress::live(|| format!("{} nodes, {}", signals.nodes(), *stage.get()), work)?;
    solution.print(arguments.hash)?;
    let Some(json) = json else { return Ok(()) };
    json.write(&Document {
        version: env!("CARGO_PKG_VERSION"),
        board: arguments.board.to_string(),
        moves: &arguments.moves,
        hash: arguments.hash,
        threads: arguments.threads.get(),
        weak: arguments.weak,
        solution: &solution,
    })
}

/// The position after a list of moves.
///
/// # Errors
/// The first move that is illegal: the list, the number of the move and what is wrong with it.
pub(crate) fn parse<G: Geometry>(board: G, moves: &str) -> Result<Position<G>> {
    match position_after(board, moves) {
        Ok(position) => Ok(position),
        Err(error) => bail!("`{moves}`: move {}: {}", error.number, error.fault),
    }
}

/// How far the work is.
#[derive(Clone, Copy, Default)]
struct Stage {
    /// The move it is at; none for the position itself.
    column: Option<char>,
    /// The bounds of the score that are proved.
    bounds: Option<(Score, Score)>,
}

/// The stage, written by the solver's thread and read by the one that prints progress.
#[derive(Default)]
struct SharedStage(Mutex<Stage>);

impl SharedStage {
    fn get(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = self.column {
            write!(f, "after {column}: ")?;
        }
        match self.bounds {
            Some((lower, upper)) => write!(f, "score from {lower} to {upper}"),
            None => write!(f, "score unknown"),
        }
    }
}

fn solve(
    position: &Position<Board>,
    arguments: &Arguments,
    table: &AnyTable,
    signals: &StopFlag,
    stage: &SharedStage,
) -> Result<Solution> {
    let Arguments { weak, threads, .. } = *arguments;
    let result = |position: &Position<Board>| {
        let mut solver = AnySolver::new(table).threads(threads).stop_flag(signals);
        solver.on_probe(Box::new(|lower, upper| stage.get().bounds = Some((lower, upper))));
        let work = || if weak { solver.weak_score(position) } else { solver.score(position) };
        let (score, taken) = cpu_time::measured(threads, work);
        anyhow::Ok((score?, Cost::new(solver.nodes(), taken), solver))
    };
    let name = |column| column_name(position.geometry().width(), column);
    let (score, cost, mut solver) = result(position)?;
    let line = if weak { Vec::new() } else { solver.best_line(position)? };
    let mut moves = Vec::new();
    let wanted = position.legal_columns().filter(|_| arguments.all_moves);
    for (column, next) in wanted.filter_map(|column| Some((column, position.play(column)?))) {
        let column = name(column);
        *stage.get() = Stage { column: Some(column), bounds: None };
        let (score, cost, _) = result(&next)?;
        // The verdict is one on the game; only the score changes sides.
        let verdict = Verdict { score: -score, ..Verdict::of(score, &next, weak) };
        moves.push(Move { column, verdict, cost });
    }
    Ok(Solution {
        verdict: Verdict::of(score, position, weak),
        line: line.into_iter().map(name).collect(),
        cost,
        exact_table: table.is_exact(),
        all_moves: arguments.all_moves.then_some(moves),
    })
}
