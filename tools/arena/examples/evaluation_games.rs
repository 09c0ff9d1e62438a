//! Positions from self-play games, as text for `tools/research/fit_evaluation.py`.
//!
//! ```sh
//! cargo run --release -p plumb-arena --example evaluation_games -- 8x8 5000 >8x8.txt    # board and number of games
//! ```
//!
//! A game begins with random moves, and some later moves are random, too. A row is a quiet position: number of the
//! game, result for the first player (0, 1 for a draw, 2), stones, cells of the board, then the features.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Geometry, Outcome, Player, Position};
use plumb::mix::Random;
use plumb::search::evaluation::Features;
use plumb::search::{Limits, Search};
use plumb::table::Table;

const DEPTH: u32 = 6;
const FEWEST_RANDOM_MOVES: u32 = 2;
const MOST_RANDOM_MOVES: u32 = 14;
/// In the first half of a game, one move in this many is random.
const RANDOM_MOVE: u32 = 25;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ensure!(arguments.len() == 2, "expected a board and a number of games, such as `8x8 5000`");
    let board: Board = arguments[0].parse().with_context(|| format!("`{}` is not a board", arguments[0]))?;
    let games: u32 = arguments[1].parse().with_context(|| format!("`{}` is not a number", arguments[1]))?;
    let mut out = BufWriter::new(io::stdout().lock());
    let table = Table::new_on(board, 1)?;
    for game in 0..games {
        let mut random = Random::new(1, game);
        let (positions, outcome) = play(board, &table, &mut random)?;
        let result = match outcome {
            Outcome::Win(Player::First) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Player::Second) => 0,
        };
        for position in positions {
            write!(out, "{game} {result} {} {}", position.plies(), board.cells())?;
            let features = Features::of(&position);
            for count in features.patterns.as_flattened() {
                write!(out, " {count}")?;
            }
            writeln!(out, " {}", features.zugzwang)?;
        }
    }
    out.flush().context("cannot write the positions")
}

fn play(board: Board, table: &Table, random: &mut Random) -> Result<(Vec<Position<Board>>, Outcome)> {
    let mut limits = Limits::default();
    limits.depth = Some(DEPTH);
    let mut position = opening(board, random);
    let mut positions = Vec::new();
    loop {
        if let Some(outcome) = position.outcome() {
            return Ok((positions, outcome));
        }
        if is_quiet(&position) {
            positions.push(position);
        }
        let safe: Vec<u32> = position.legal_columns().filter(|&column| is_safe(&position, column)).collect();
        let is_random = 2 * position.plies() < board.cells() && random.below(RANDOM_MOVE) == 0;
        let column = if is_random && !safe.is_empty() {
            safe[random.below(safe.len() as u32) as usize]
        } else {
            Search::new(&position).limits(limits.clone()).run(table)?.best.context("the game is not over")?
        };
        position = position.play(column).context("the move is legal")?;
    }
}

fn opening(board: Board, random: &mut Random) -> Position<Board> {
    loop {
        let plies = FEWEST_RANDOM_MOVES + random.below(MOST_RANDOM_MOVES - FEWEST_RANDOM_MOVES + 1);
        let mut position = Position::empty(board);
        while position.plies() < plies && position.outcome().is_none() {
            position = position.play(random.below(board.width())).unwrap_or(position);
        }
        if position.outcome().is_none() && is_quiet(&position) {
            return position;
        }
    }
}

/// Whether neither side can win immediately, and some move does not lose immediately.
fn is_quiet(position: &Position<Board>) -> bool {
    let wins = position.own_winning_cells() | position.opponent_winning_cells();
    wins & position.playable() == 0 && position.non_losing_moves() != 0
}

fn is_safe(position: &Position<Board>, column: u32) -> bool {
    position.landing(column).is_some_and(|cell| cell & position.non_losing_moves() != 0)
}
