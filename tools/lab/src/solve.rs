//! `plumb-lab solve`: the exact score of one position, on any of many boards.

pub(crate) mod solution;

use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use plumb::board::{Position, StaticGeometry};
use plumb::score::Score;
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_studies::cpu_time;
use serde::Serialize;

use crate::board_size::{Size, Work};
use crate::output::JsonFile;
use crate::progress;
use solution::{Cost, Move, Solution, Verdict, letter_or_digit};

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
    #[arg(long, value_name = "WxH", default_value = "7x6", help = format!("The board: {}", Size::DESCRIPTION))]
    board: Size,
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
    let (solution, json) = arguments.board.run(Task(arguments))?;
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

/// The task, for the board of the arguments.
struct Task<'a>(&'a Arguments);

impl Work for Task<'_> {
    type Output = Result<(Solution, Option<JsonFile>)>;

    fn run<G: StaticGeometry>(self) -> Self::Output {
        let Self(arguments) = self;
        let position = parse::<G>(&arguments.moves)?;
        let table = Table::new(arguments.hash).context("there is no memory for the table")?;
        let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
        let signals = StopFlag::new();
        let stage = SharedStage::default();
        let work = || solve(&position, arguments, &table, &signals, &stage);
        let solution = progress::live(|| format!("{} nodes, {}", signals.nodes(), *stage.get()), work)?;
        Ok((solution, json))
    }
}

/// The position after a list of moves.
///
/// # Errors
/// The first move that is illegal: the list, the number of the move and what is wrong with it.
pub(crate) fn parse<G: StaticGeometry>(moves: &str) -> Result<Position<G>> {
    let wrong = |index: usize, error: &dyn fmt::Display| format!("`{moves}`: move {}: {error}", index + 1);
    if G::WIDTH <= 9 {
        return match Position::from_digits(moves) {
            Ok(position) => Ok(position),
            Err(error) => bail!(wrong(error.offset, &error.fault)),
        };
    }
    let mut position = Position::new();
    for (index, found) in moves.chars().enumerate() {
        if !found.is_ascii_lowercase() {
            let last = letter_or_digit::<G>(G::WIDTH - 1);
            bail!(wrong(index, &format_args!("`{found}` is not a column letter from a to {last}")));
        }
        let column = u32::from(found) - u32::from('a');
        position = match position.try_play(column) {
            Ok(position) => position,
            Err(error) => bail!(wrong(index, &error)),
        };
    }
    Ok(position)
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

fn solve<G: StaticGeometry>(
    position: &Position<G>,
    arguments: &Arguments,
    table: &Table<G>,
    signals: &StopFlag,
    stage: &SharedStage,
) -> Result<Solution> {
    let weak = arguments.weak;
    let mut solver = Solver::new(table).stop_flag(signals).threads(arguments.threads);
    solver.on_probe(|lower, upper| stage.get().bounds = Some((lower, upper)));
    let (score, cost) = timed(&mut solver, position, arguments)?;
    let line = if weak { Vec::new() } else { solver.best_line(position)? };
    let mut moves = Vec::new();
    let wanted = position.legal_columns().filter(|_| arguments.all_moves);
    for (column, next) in wanted.filter_map(|column| Some((column, position.play(column)?))) {
        let name = letter_or_digit::<G>(column);
        *stage.get() = Stage { column: Some(name), bounds: None };
        let (score, cost) = timed(&mut solver, &next, arguments)?;
        // The verdict is one on the game; only the score changes sides.
        let verdict = Verdict { score: -score, ..Verdict::of(score, &next, weak) };
        moves.push(Move { column: name, verdict, cost });
    }
    Ok(Solution {
        verdict: Verdict::of(score, position, weak),
        line: line.into_iter().map(letter_or_digit::<G>).collect(),
        cost,
        exact_table: table.is_exact(),
        all_moves: arguments.all_moves.then_some(moves),
    })
}

/// The score of `position`, or only its sign if `weak`, and what it took.
fn timed<G: StaticGeometry>(
    solver: &mut Solver<'_, G>,
    position: &Position<G>,
    arguments: &Arguments,
) -> Result<(Score, Cost)> {
    let cpu_time = || cpu_time::of_solver(arguments.threads);
    let (wall, cpu, nodes) = (Instant::now(), cpu_time(), solver.nodes());
    let score = if arguments.weak { solver.weak_score(position) } else { solver.score(position) };
    let cost = Cost::new(solver.nodes() - nodes, cpu_time().saturating_sub(cpu), wall.elapsed());
    Ok((score?, cost))
}
