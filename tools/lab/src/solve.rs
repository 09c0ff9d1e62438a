//! `plumb-lab solve`: the exact scores of positions, on any of many boards.

use std::fmt;
use std::io::{BufRead, IsTerminal, stdin};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, Result};
use plumb::board::{Board, Geometry, Player, Position, PositionReader, column_name};
use plumb::score::{Score, plies_to_end};
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_arena::lock;
use serde::{Deserialize, Serialize};

use crate::arguments::PositionFlags;
use crate::cpu_time::{self, Taken};
use crate::output::{OutputFile, check_overwrite, print};
use crate::progress;
use crate::scored_positions::refuse_lone_score;

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
    let text = match arguments.position.as_deref() {
        Some("-") => return solve_input(arguments),
        None if !stdin().is_terminal() => return solve_input(arguments),
        text => text.unwrap_or_default(),
    };
    let position = arguments.positions.reader(arguments.board).read(text)?.position;
    let mut table = Table::new_on(arguments.board, arguments.hash)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let solution = solve(text, &position, arguments, &mut table)?;
    match json {
        Some(json) => json.write_json(&solution),
        None => Ok(()),
    }
}

fn solve_input(arguments: &Arguments) -> Result<()> {
    let mut table = Table::new_on(arguments.board, arguments.hash)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let mut solutions = Vec::new();
    let solved = solve_lines(arguments, &mut table, &mut solutions);
    // After a malformed line, the solutions before it are still written.
    let written = match json {
        Some(json) => json.write_json(&solutions),
        None => Ok(()),
    };
    solved.and(written)
}

/// Solves the lines of standard input; without any line and without `-`, the empty board.
fn solve_lines(arguments: &Arguments, table: &mut Table, solutions: &mut Vec<Solution>) -> Result<()> {
    let reader = arguments.positions.reader(arguments.board);
    let mut lines = stdin().lock().split(b'\n').zip(1..);
    while let Some((line, number)) = next_line(&mut lines) {
        let line = line.context("cannot read standard input")?;
        let read = read_line(&reader, &line).with_context(|| format!("standard input:{number}"))?;
        let Some((text, position)) = read else { continue };
        if !solutions.is_empty() {
            print(format_args!(""))?;
        }
        print(format_args!("{:<10} {text}", "position"))?;
        solutions.push(solve(text, &position, arguments, table)?);
    }
    if solutions.is_empty() && arguments.position.is_none() {
        solutions.push(solve("", &Position::empty(arguments.board), arguments, table)?);
    }
    Ok(())
}

/// The next line. While a program writes the lines, the wait for it is shown.
fn next_line<L>(lines: &mut impl Iterator<Item = L>) -> Option<L> {
    if stdin().is_terminal() {
        return lines.next();
    }
    progress::live(|| "waiting for positions on standard input", || lines.next())
}

/// The position of a line and its text; `None` for a blank line or a comment.
fn read_line<'a>(
    reader: &PositionReader<Board>,
    line: &'a [u8],
) -> Result<Option<(&'a str, Position<Board>)>> {
    let line = str::from_utf8(line)?.trim_start_matches('\u{feff}');
    let text = line.trim();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    refuse_lone_score(reader.geometry, line.trim_end())?;
    Ok(Some((text, reader.read(text)?.position)))
}

/// Solves a position with an empty table, and prints the solution.
fn solve(
    text: &str,
    position: &Position<Board>,
    arguments: &Arguments,
    table: &mut Table,
) -> Result<Solution> {
    table.clear();
    let search = Search { arguments, table, signals: StopFlag::new(), stage: Mutex::default() };
    let solution = progress::live(|| search.progress(), || search.solution(text, position))?;
    solution.print()?;
    Ok(solution)
}

/// The search for a solution, with its progress.
struct Search<'a> {
    arguments: &'a Arguments,
    table: &'a Table,
    signals: StopFlag,
    /// The bounds of the score, in words.
    stage: Mutex<String>,
}

impl Search<'_> {
    fn progress(&self) -> String {
        format!("{} nodes, {}", self.signals.nodes(), lock(&self.stage))
    }

    fn solution(&self, text: &str, position: &Position<Board>) -> Result<Solution> {
        let Arguments { board, hash, weak, threads, all_moves, .. } = *self.arguments;
        let width = board.width();
        let (score, cost) = self.score(position, "")?;
        let mut line = String::new();
        if !weak {
            let columns = self.solver().best_line(position)?;
            line.extend(columns.into_iter().map(|column| column_name(width, column)));
        }
        Ok(Solution {
            version: env!("CARGO_PKG_VERSION"),
            board: board.to_string(),
            position: text.to_owned(),
            hash,
            threads,
            weak,
            verdict: Verdict::of(score, position, weak),
            line,
            cost,
            exact_table: self.table.is_exact(),
            all_moves: if all_moves { Some(self.moves(position)?) } else { None },
        })
    }

    fn moves(&self, position: &Position<Board>) -> Result<Vec<Move>> {
        let mut moves = Vec::new();
        for column in position.legal_columns() {
            let Some(next) = position.play(column) else { continue };
            let column = column_name(position.geometry().width(), column);
            let (score, cost) = self.score(&next, &format!("after {column}: "))?;
            // The verdict is one on the game; only the score changes sides.
            let verdict = Verdict { score: -score, ..Verdict::of(score, &next, self.arguments.weak) };
            moves.push(Move { column, verdict, cost });
        }
        Ok(moves)
    }

    /// The score of a position; `after` tells the move that led to it.
    fn score(&self, position: &Position<Board>, after: &str) -> Result<(Score, Cost)> {
        let Arguments { weak, threads, .. } = *self.arguments;
        *lock(&self.stage) = format!("{after}score unknown");
        let mut solver = self.solver();
        solver.on_probe(Box::new(|lower, upper| {
            *lock(&self.stage) = format!("{after}score from {lower} to {upper}");
        }));
        let (score, Taken { cpu, wall }) = cpu_time::measured(threads, || {
            if weak { solver.weak_score(position) } else { solver.score(position) }
        });
        let (nodes, cpu_seconds, wall_seconds) = (solver.nodes(), cpu.as_secs_f64(), wall.as_secs_f64());
        let nodes_per_second =
            if cpu_seconds > 0.0 { Some((nodes as f64 / cpu_seconds).round()) } else { None };
        Ok((score?, Cost { nodes, cpu_seconds, wall_seconds, nodes_per_second }))
    }

    fn solver(&self) -> Solver<'_> {
        Solver::new(self.table).threads(self.arguments.threads).stop_flag(&self.signals)
    }
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
        if let Some(stone) = self.last_stone {
            write!(f, " with stone {stone}")?;
        }
        Ok(())
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
        let Self { verdict, cost, hash, .. } = self;
        print_row("score", &format_args!("{}: {verdict}", verdict.score))?;
        if let Some(stone) = verdict.last_stone {
            print_row("ends with", &format_args!("stone {stone}"))?;
            print_row("line", &if self.line.is_empty() { "-" } else { &self.line })?;
        }
        print_row("nodes", &cost.nodes)?;
        print_row("CPU time", &format_args!("{:.3} s", cost.cpu_seconds))?;
        print_row("wall time", &format_args!("{:.3} s", cost.wall_seconds))?;
        print_row("nodes/s", &cost.nodes_per_second.map_or("-".to_owned(), |speed| format!("{speed:.0}")))?;
        for Move { column, verdict, cost } in self.all_moves.iter().flatten() {
            let Verdict { score, .. } = verdict;
            print_row(&format!("move {column}"), &format_args!("{score}: {verdict}; {} nodes", cost.nodes))?;
        }
        if !self.exact_table {
            print_row("note", &inexact_table(*hash))?;
        }
        Ok(())
    }
}

fn print_row(name: &str, value: &dyn fmt::Display) -> Result<()> {
    print(format_args!("{name:<10} {value}"))
}
