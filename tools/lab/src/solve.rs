//! `plumb-lab solve`: the exact scores of positions, on any of many boards.

pub(crate) mod solution;

use std::fmt;
use std::io::{BufRead, IsTerminal, stdin};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use plumb::board::{Board, Geometry, Position, column_name};
use plumb::score::Score;
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_studies::cpu_time;
use serde::Serialize;

use crate::output::{JsonFile, print};
use crate::position_flags::PositionFlags;
use crate::progress;
use solution::{Cost, Move, Solution, Verdict};

/// Solve a position: exact score, end of the game, and a line of perfect play.
///
/// The search begins with an empty table; progress (time, nodes, bounds of the score) is on standard error. A score
/// counts from the side to move: 1 is a win with the last stone of that side, 2 with the one before; negative is a
/// loss, 0 a draw.
///
/// `solve -` reads positions from standard input, one a line, and answers each as soon as it is solved; blank lines and
/// lines that begin with # are skipped. So does `solve` without a position if standard input is no terminal; if nothing
/// comes from there, it solves the empty board.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Moves from the empty board, as 4455, "4 4 5 5", ddee or "d1 d2 e1 e2", or a FEN; - reads standard input.
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    positions: PositionFlags,
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
    /// Write the result to this file as a JSON object; of positions from standard input as a list of objects.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// The JSON object of a position.
#[derive(Serialize)]
struct Document {
    version: &'static str,
    board: String,
    /// The text of the position.
    position: String,
    hash: usize,
    threads: usize,
    weak: bool,
    #[serde(flatten)]
    solution: Solution,
}

/// Solves one position, or those of standard input, and prints the solutions.
///
/// # Errors
/// A text that is no position; no memory for the table; a JSON file that cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let reader = arguments.positions.reader(arguments.board);
    let one = match arguments.position.as_deref() {
        Some("-") => None,
        None if !stdin().is_terminal() => None,
        text => Some(text.unwrap_or_default()),
    };
    let one = one.map(|text| Ok::<_, anyhow::Error>((text, reader.read(text)?.position))).transpose()?;
    let mut table =
        AnyTable::new(arguments.board, arguments.hash).context("there is no memory for the table")?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    let mut answer = |text: &str, position: &Position<Board>| -> Result<Document> {
        table.clear(1);
        let signals = StopFlag::new();
        let stage = SharedStage::default();
        let work = || solve(position, arguments, &table, &signals, &stage);
        let solution = progress::live(|| format!("{} nodes, {}", signals.nodes(), *stage.get()), work)?;
        solution.print(arguments.hash)?;
        Ok(Document {
            version: env!("CARGO_PKG_VERSION"),
            board: arguments.board.to_string(),
            position: text.to_owned(),
            hash: arguments.hash,
            threads: arguments.threads.get(),
            weak: arguments.weak,
            solution,
        })
    };
    if let Some((text, position)) = one {
        let document = answer(text, &position)?;
        return json.map_or(Ok(()), |json| json.write(&document));
    }
    let mut documents = Vec::new();
    let mut lines = stdin().lock().split(b'\n').zip(1..);
    let is_typed = stdin().is_terminal();
    let mut next = || {
        let mut next = || lines.next();
        if is_typed { next() } else { progress::live(|| "waiting for positions on standard input", next) }
    };
    while let Some((line, number)) = next() {
        let line = line.context("cannot read standard input")?;
        let place = || format!("standard input:{number}");
        let text = str::from_utf8(&line).with_context(place)?.trim_start_matches('\u{feff}').trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let position = reader.read(text).with_context(place)?.position;
        if !documents.is_empty() {
            print(format_args!(""))?;
        }
        print(format_args!("{:<10} {text}", "position"))?;
        documents.push(answer(text, &position)?);
    }
    if documents.is_empty() && arguments.position.is_none() {
        documents.push(answer("", &Position::empty(reader.geometry))?);
    }
    json.map_or(Ok(()), |json| json.write(&documents))
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
