//! `plumb-lab solve`: the exact scores of positions, on any of many boards.

use std::fmt;
use std::io::{BufRead, IsTerminal, stdin};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, Result};
use plumb::board::{Board, Geometry, Player, Position, column_name};
use plumb::score::{Score, plies_to_end};
use plumb::search::{AnySolver, StopFlag};
use plumb::table::AnyTable;
use plumb_studies::cpu_time::{self, Taken};
use plumb_studies::scored_positions::refuse_lone_score;
use plumb_tools_common::lock;
use serde::{Deserialize, Serialize};

use crate::arguments::PositionFlags;
use crate::output::{OutputFile, check_overwrite, print};
use crate::progress;

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
    /// Write the result to this file as a JSON object; where standard input is read, as a list of objects, even of one.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
    /// Overwrite the file of `--json` if it exists.
    #[arg(long)]
    force: bool,
}

/// Solves one position, or those of standard input, and prints the solutions.
///
/// # Errors
/// A text that is no position; no memory for the table; a JSON file that cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let reader = arguments.positions.reader(arguments.board);
    let one = match arguments.position.as_deref() {
        Some("-") => None,
        None if !stdin().is_terminal() => None,
        text => Some(text.unwrap_or_default()),
    };
    let one = one.map(|text| Ok::<_, anyhow::Error>((text, reader.read(text)?.position))).transpose()?;
    let mut table = AnyTable::new(arguments.board, arguments.hash)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let mut answer =
        |text: &str, position: &Position<Board>| answer_one(text, position, arguments, &mut table);
    if let Some((text, position)) = one {
        let solution = answer(text, &position)?;
        return json.map_or(Ok(()), |json| json.write_json(&solution));
    }
    let mut solutions = Vec::new();
    let mut lines = stdin().lock().split(b'\n').zip(1..);
    let is_typed = stdin().is_terminal();
    let mut next = || {
        let mut next = || lines.next();
        if is_typed { next() } else { progress::live(|| "waiting for positions on standard input", next) }
    };
    let mut solve_all = || {
        while let Some((line, number)) = next() {
            let line = line.context("cannot read standard input")?;
            let place = || format!("standard input:{number}");
            let line = str::from_utf8(&line).with_context(place)?.trim_start_matches('\u{feff}');
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            refuse_lone_score(reader.geometry, line.trim_end()).with_context(place)?;
            let position = reader.read(text).with_context(place)?.position;
            if !solutions.is_empty() {
                print(format_args!(""))?;
            }
            print(format_args!("{:<10} {text}", "position"))?;
            solutions.push(answer(text, &position)?);
        }
        if solutions.is_empty() && arguments.position.is_none() {
            solutions.push(answer("", &Position::empty(reader.geometry))?);
        }
        Ok(())
    };
    let solved = solve_all();
    // A malformed line costs nothing of what was solved before it.
    solved.and(json.map_or(Ok(()), |json| json.write_json(&solutions)))
}

/// Solves a position with an empty table, and prints the solution.
fn answer_one(
    text: &str,
    position: &Position<Board>,
    arguments: &Arguments,
    table: &mut AnyTable,
) -> Result<Solution> {
    let Arguments { board, hash, weak, threads, .. } = *arguments;
    table.clear();
    let (table, signals, stage) = (&*table, StopFlag::new(), Mutex::default());
    // `stage` has the progress in words; `after` tells the move that led to the position.
    let result = |position: &Position<Board>, after: String| {
        *lock(&stage) = format!("{after}score unknown");
        let mut solver = AnySolver::new(table).threads(threads).stop_flag(&signals);
        let stage = &stage;
        solver.on_probe(Box::new(move |lower, upper| {
            *lock(stage) = format!("{after}score from {lower} to {upper}");
        }));
        let work = || if weak { solver.weak_score(position) } else { solver.score(position) };
        let (score, Taken { cpu, wall }) = cpu_time::measured(threads, work);
        let (nodes, cpu_seconds, wall_seconds) = (solver.nodes(), cpu.as_secs_f64(), wall.as_secs_f64());
        let nodes_per_second = (cpu_seconds > 0.0).then(|| (nodes as f64 / cpu_seconds).round());
        anyhow::Ok((score?, Cost { nodes, cpu_seconds, wall_seconds, nodes_per_second }, solver))
    };
    let name = |column| column_name(position.geometry().width(), column);
    let solve = || {
        let (score, cost, mut solver) = result(position, String::new())?;
        let line = if weak { Vec::new() } else { solver.best_line(position)? };
        let mut moves = Vec::new();
        let wanted = position.legal_columns().filter(|_| arguments.all_moves);
        for (column, next) in wanted.filter_map(|column| Some((column, position.play(column)?))) {
            let column = name(column);
            let (score, cost, _) = result(&next, format!("after {column}: "))?;
            // The verdict is one on the game; only the score changes sides.
            let verdict = Verdict { score: -score, ..Verdict::of(score, &next, weak) };
            moves.push(Move { column, verdict, cost });
        }
        anyhow::Ok(Solution {
            version: env!("CARGO_PKG_VERSION"),
            board: board.to_string(),
            position: text.to_owned(),
            hash,
            threads,
            weak,
            verdict: Verdict::of(score, position, weak),
            line: line.into_iter().map(name).collect(),
            cost,
            exact_table: table.is_exact(),
            all_moves: arguments.all_moves.then_some(moves),
        })
    };
    let solution = progress::live(|| format!("{} nodes, {}", signals.nodes(), lock(&stage)), solve)?;
    solution.print()?;
    Ok(solution)
}

/// The note on a table whose keys are not exact on the board.
pub(crate) fn inexact_table(megabytes: usize) -> String {
    format!("a table of {megabytes} MB on this board may take one position for another, though hardly ever")
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    First,
    Second,
    Nobody,
}

/// The result of perfect play from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    /// For the side to move; if solved weakly only its sign.
    pub score: Score,
    pub winner: Winner,
    /// The number, from 1, of the stone on which the game ends, unless solved weakly.
    pub last_stone: Option<u32>,
}

impl Verdict {
    /// What `score` for the side to move says; `weak` if only its sign counts.
    pub(crate) fn of<G: Geometry>(score: Score, position: &Position<G>, weak: bool) -> Self {
        let mover = position.side_to_move();
        let winner = match score.signum() {
            0 => Winner::Nobody,
            sign => match if sign > 0 { mover } else { mover.other() } {
                Player::First => Winner::First,
                Player::Second => Winner::Second,
            },
        };
        let last_stone = match winner {
            _ if weak => None,
            Winner::Nobody => Some(position.geometry().cells()),
            _ => Some(position.plies() + plies_to_end(position.geometry(), score, position.plies())),
        };
        Self { score, winner, last_stone }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = match self.winner {
            Winner::Nobody => return write!(f, "the game is a draw"),
            Winner::First => "first",
            Winner::Second => "second",
        };
        write!(f, "the {player} player wins")?;
        self.last_stone.map_or(Ok(()), |stone| write!(f, " with stone {stone}"))
    }
}

/// The cost of solving a position.
#[derive(Clone, Copy, Debug, Serialize)]
struct Cost {
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// By processor time; none where that is too short to be seen.
    nodes_per_second: Option<f64>,
}

/// A legal move; the score is that of the side that makes it.
#[derive(Debug, Serialize)]
struct Move {
    column: char,
    #[serde(flatten)]
    verdict: Verdict,
    #[serde(flatten)]
    cost: Cost,
}

/// All that is known about a position: its JSON object.
#[derive(Debug, Serialize)]
struct Solution {
    version: &'static str,
    board: String,
    /// The text of the position.
    position: String,
    /// The size of the table in MB.
    hash: usize,
    threads: NonZeroUsize,
    weak: bool,
    #[serde(flatten)]
    verdict: Verdict,
    /// A line of perfect play to the end of the game; empty if solved weakly.
    line: String,
    /// The cost of the score, without line and moves.
    #[serde(flatten)]
    cost: Cost,
    /// Whether the table's keys are exact on this board.
    exact_table: bool,
    /// Every legal move, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    all_moves: Option<Vec<Move>>,
}

impl Solution {
    /// Prints it, a line for each figure.
    fn print(&self) -> Result<()> {
        let row = |name: &str, value: &dyn fmt::Display| print(format_args!("{name:<10} {value}"));
        let Self { verdict, cost, hash, .. } = self;
        row("score", &format_args!("{}: {verdict}", verdict.score))?;
        if let Some(stone) = verdict.last_stone {
            row("ends with", &format_args!("stone {stone}"))?;
            row("line", &if self.line.is_empty() { "-" } else { &self.line })?;
        }
        row("nodes", &cost.nodes)?;
        row("CPU time", &format_args!("{:.3} s", cost.cpu_seconds))?;
        row("wall time", &format_args!("{:.3} s", cost.wall_seconds))?;
        row("nodes/s", &cost.nodes_per_second.map_or("-".to_owned(), |speed| format!("{speed:.0}")))?;
        for Move { column, verdict, cost } in self.all_moves.iter().flatten() {
            let Verdict { score, .. } = verdict;
            row(&format!("move {column}"), &format_args!("{score}: {verdict}; {} nodes", cost.nodes))?;
        }
        if !self.exact_table {
            row("note", &inexact_table(*hash))?;
        }
        Ok(())
    }
}
