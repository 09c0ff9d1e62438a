//! `plumb-lab solve`: exact scores of positions.

use std::fmt;
use std::io::{IsTerminal, stdin};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use plumb::VERSION;
use plumb::board::{Board, Geometry, Player, Position, column_name};
use plumb::score::{Score, plies_to_end};
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_arena::locked;
use serde::{Deserialize, Serialize};

use crate::arguments::{PositionFlags, megabytes};
use crate::measurement::{Taken, measured};
use crate::output::{OutputFile, check_overwrite, print, write_json};
use crate::progress;
use crate::rows::input::{Format, InputFormat};
use crate::rows::row::{POSITION, Row};
use crate::rows::{Rows, STDIN};

const EXAMPLES: &str = "\
Examples:
  plumb-lab solve 4455
  plumb-lab solve \"d1 d2 e1 e2\" --all-moves
  plumb-lab solve - --json scores.json < positions.txt";

/// Solve a position: exact score, end of the game, best line.
///
/// The score is for the side to move: 1 is a win with the last stone of that side, 2 with the stone before. Negative scores are
/// losses, 0 is a draw. The search starts with an empty table. Standard error shows the progress.
///
/// `solve -` reads positions from standard input, one per line, and answers each immediately. Blank lines and lines that start
/// with `#` are skipped. Without a position, `solve` also reads standard input, unless it is a terminal or empty: then it solves
/// the empty board.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Position: moves or a FEN. - reads standard input.
    ///
    /// Moves are columns, as 4455, "4 4 5 5" or ddee, or squares, as "d1 d2 e1 e2".
    #[arg(value_name = "POSITION")]
    position: Option<String>,
    /// Board of the position: columns by rows.
    ///
    /// The smallest board is 4x4. The largest boards have 128 bits, which are columns times (rows + 1).
    #[arg(long, value_name = "WxH", default_value = "7x6", help_heading = "Positions")]
    board: Board,
    #[command(flatten)]
    positions: PositionFlags,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value = "256", value_parser = megabytes, help_heading = "Solver")]
    hash: usize,
    /// Threads of the search.
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Solver")]
    threads: NonZeroUsize,
    /// Solve only win, draw or loss.
    #[arg(long, help_heading = "Solver")]
    weak: bool,
    /// Also solve every legal move.
    #[arg(long, help_heading = "Solver")]
    all_moves: bool,
    /// Write the result to this JSON file.
    ///
    /// Results of standard input are a list.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Overwrite the file of `--json`.
    #[arg(long, help_heading = "Output")]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let text = match arguments.position.as_deref() {
        Some(STDIN) => return solve_input(arguments),
        None if !stdin().is_terminal() => return solve_input(arguments),
        text => text.unwrap_or_default(),
    };
    let read = arguments.positions.reader(arguments.board).read(text);
    if read.is_err() && Path::new(text).extension().is_some() {
        bail!("`{text}` is not a position; `plumb-lab solve - <FILE` solves the positions of a file");
    }
    let position = read?.position;
    let mut table = Table::new_on(arguments.board, arguments.hash)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    write_json(json, &solve(text, &position, arguments, &mut table)?)
}

fn solve_input(arguments: &Arguments) -> Result<()> {
    let mut table = Table::new_on(arguments.board, arguments.hash)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let mut solutions = Vec::new();
    let solved = solve_lines(arguments, &mut table, &mut solutions);
    // After a malformed line, the solutions of earlier lines are still written.
    solved.and(write_json(json, &solutions))
}

/// Solves the lines of standard input. Without any line and without `-`, solves the empty board.
fn solve_lines(arguments: &Arguments, table: &mut Table, solutions: &mut Vec<Solution>) -> Result<()> {
    let reader = arguments.positions.reader(arguments.board);
    let format = InputFormat { format: Format::Text, delimiter: b',' };
    let mut rows = Rows::open(Path::new(STDIN), format, None, reader)?;
    let mut row = Row::default();
    loop {
        // Shows progress while the reader waits for lines from another program.
        let block = if stdin().is_terminal() {
            rows.block(1)?
        } else {
            progress::live(|| "waiting for positions on standard input", || rows.block(1))?
        };
        if block.len() == 0 {
            break;
        }
        let position = rows.reader.read(block.get(0), &mut row).and_then(|position| position);
        let position = position.with_context(|| rows.reader.place(block.get(0)))?;
        let text = String::from_utf8_lossy(row.value(POSITION).unwrap_or_default());
        let text = text.trim_start_matches('\u{feff}');
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

struct Search<'a> {
    arguments: &'a Arguments,
    table: &'a Table,
    signals: StopFlag,
    stage: Mutex<String>,
}

impl Search<'_> {
    fn progress(&self) -> String {
        format!("{} nodes, {}", self.signals.nodes(), locked(&self.stage))
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
            version: VERSION,
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
            // The score is for the side that moves. Winner and last stone do not depend on the side.
            let verdict = Verdict { score: -score, ..Verdict::of(score, &next, self.arguments.weak) };
            moves.push(Move { column, verdict, cost });
        }
        Ok(moves)
    }

    /// Solves a position. `after` names the move that led to it, for the progress.
    fn score(&self, position: &Position<Board>, after: &str) -> Result<(Score, Cost)> {
        let Arguments { weak, threads, .. } = *self.arguments;
        *locked(&self.stage) = format!("{after}score unknown");
        let mut solver = self.solver();
        solver.on_bounds(Box::new(|lower, upper| {
            *locked(&self.stage) = format!("{after}score from {lower} to {upper}");
        }));
        let (score, Taken { cpu, wall }) =
            measured(threads, || if weak { solver.weak_score(position) } else { solver.score(position) });
        let (nodes, cpu_seconds, wall_seconds) = (solver.nodes(), cpu.as_secs_f64(), wall.as_secs_f64());
        let nodes_per_second =
            if cpu_seconds > 0.0 { Some((nodes as f64 / cpu_seconds).round()) } else { None };
        Ok((score?, Cost { nodes, cpu_seconds, wall_seconds, nodes_per_second }))
    }

    fn solver(&self) -> Solver<'_> {
        Solver::new(self.table).threads(self.arguments.threads).stop_flag(&self.signals)
    }
}

/// Warning about a table in which different positions may have equal keys.
pub(crate) fn inexact_table(megabytes: usize) -> String {
    format!("a table of {megabytes} MB may in rare cases confuse positions of this board")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Winner {
    First,
    Second,
    Nobody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdict {
    /// The score for the side to move. With `--weak`, only the sign.
    pub score: Score,
    pub winner: Winner,
    /// Number, from 1, of the stone that ends the game. `None` with `--weak`.
    pub last_stone: Option<u32>,
}

impl Verdict {
    /// The verdict of a score for the side to move. If `weak`, only its sign counts.
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

#[derive(Clone, Copy, Debug, Serialize)]
struct Cost {
    nodes: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// Nodes per second of processor time, unless that time is too short to measure.
    nodes_per_second: Option<f64>,
}

/// A legal move. The score is for the side that moves.
#[derive(Debug, Serialize)]
struct Move {
    column: char,
    #[serde(flatten)]
    verdict: Verdict,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Debug, Serialize)]
struct Solution {
    version: &'static str,
    board: String,
    position: String,
    hash: usize,
    threads: NonZeroUsize,
    weak: bool,
    #[serde(flatten)]
    verdict: Verdict,
    /// Perfect play to the end of the game. Empty with `--weak`.
    line: String,
    #[serde(flatten)]
    cost: Cost,
    exact_table: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_moves: Option<Vec<Move>>,
}

impl Solution {
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
