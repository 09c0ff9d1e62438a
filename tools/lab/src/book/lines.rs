//! Lines: best moves in an opening book after its last layer.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use plumb::board::Geometry;
use plumb::book::{Book, BookBoard, BookProbe, candidate_columns};
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;

use super::layer::{self, BookPosition};

/// Nodes in which a search with an empty table must prove that an easy position has at least its known score. The
/// engine searches ten times as many nodes in 4 ms.
const EASY_NODES: u64 = 2_000;

const HASH: usize = 64;

pub(super) fn table(board: BookBoard) -> Result<Table> {
    Ok(Table::new_on(board, HASH)?)
}

/// Columns of a line, from 0, written as digits of base 36.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns(pub Vec<u32>);

/// Base of the digits of [`Columns`]. Every board has fewer columns.
const BASE: u32 = 36;

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.iter().filter_map(|&column| char::from_digit(column, BASE));
        f.write_str(&digits.collect::<String>())
    }
}

impl FromStr for Columns {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.chars().map(|digit| digit.to_digit(BASE)).collect::<Option<_>>().map(Self).ok_or(())
    }
}

/// Positions of the book's last layer, with `last` stones, that book moves reach from positions with `from` stones.
/// Only positions with a choice of moves count, as canonical images.
pub(super) fn beginnings(book: &Book, from: u32, last: u32) -> Result<Vec<BookPosition>> {
    let mut seen = HashSet::new();
    let all = layer::all_positions(book.geometry(), from);
    // If several moves keep the score, the book may choose another move in the mirror image.
    let ends = all.iter().flat_map(|position| [*position, position.mirrored()]).filter_map(|mut position| {
        while position.plies() < last {
            let mut probe = BookProbe::new(book, &position)?;
            let score = probe.score(&position)?;
            position = position.play(probe.move_with_score(&position, score)?)?;
        }
        Some(position)
    });
    let ends = ends.filter(|end| book.best_move(end).is_some() && seen.insert(end.canonical_key()));
    let ends: Vec<_> = ends.map(|end| layer::canonical(&end)).collect();
    ensure!(
        !ends.is_empty(),
        "no line begins: the book leads from no position of {from} stones to one of {last} with a choice of moves"
    );
    Ok(ends)
}

/// The line from a position of the book's last layer: the book's move, then the first of the [`candidate_columns`]
/// that keeps the score. The line ends with the last position that needs more than [`EASY_NODES`] nodes.
pub(super) fn line(book: &Book, table: &mut Table, mut position: BookPosition) -> Result<Columns> {
    let mut score = book.layer_score(&position).context("the book has a score")?;
    let mut columns = vec![book.best_move(&position).context("the book has a move")?];
    let mut kept = 1;
    position = position.play(columns[0]).context("the book's move is legal")?;
    while position.outcome().is_none() && !position.can_win_now() {
        score = -score;
        let Some((column, is_easy)) = keeping_move(table, &layer::canonical(&position), score)? else {
            break;
        };
        let column = in_canonical(&position, column);
        columns.push(column);
        if !is_easy {
            kept = columns.len();
        }
        position = position.play(column).context("a choice is legal")?;
    }
    columns.truncate(kept);
    Ok(Columns(columns))
}

/// Converts a column between a position and its canonical image.
fn in_canonical(position: &BookPosition, column: u32) -> u32 {
    let is_canonical = position.key() == position.canonical_key();
    if is_canonical { column } else { position.geometry().width() - 1 - column }
}

/// The first of the [`candidate_columns`] that keeps the score, and whether a search of [`EASY_NODES`] nodes finds it.
fn keeping_move(table: &mut Table, position: &BookPosition, score: Score) -> Result<Option<(u32, bool)>> {
    let columns = candidate_columns(position);
    if columns.len() < 2 {
        return Ok(columns.first().map(|&only| (only, true)));
    }
    table.clear();
    let mut solver = Solver::new(table);
    ensure!(
        solver.is_at_least(position, score)?,
        "the solver finds a score of less than {score} for\n{position}"
    );
    let is_easy = solver.nodes() <= EASY_NODES;
    Ok(first_keeping(&mut solver, position, score, |_| true).map(|column| (column, is_easy)))
}

/// The first of the [`candidate_columns`] that keeps the score. `may_keep` excludes moves without a search.
pub(super) fn first_keeping(
    solver: &mut Solver<'_>,
    position: &BookPosition,
    score: Score,
    may_keep: impl Fn(&BookPosition) -> bool,
) -> Option<u32> {
    let columns = candidate_columns(position).into_iter();
    let moves = columns.filter_map(|column| Some((column, position.play(column)?)));
    let mut moves = moves.filter(|(_, next)| may_keep(next)).peekable();
    loop {
        let (column, next) = moves.next()?;
        // Some move keeps the score, so the last candidate needs no proof.
        if moves.peek().is_none() || solver.is_at_least(&next, 1 - score) == Ok(false) {
            return Some(column);
        }
    }
}

/// The canonical key of a position, and the column in the canonical image.
pub(super) fn entry(position: &BookPosition, column: u32) -> (u64, u32) {
    (position.canonical_key(), in_canonical(position, column))
}

/// Positions of a line that have a choice of moves, with the chosen columns. The first position is on the book's last
/// layer and is left out. `None` if a move is illegal.
pub(super) fn steps(mut position: BookPosition, line: &Columns) -> Option<Vec<(BookPosition, u32)>> {
    let mut steps = Vec::new();
    for (number, &column) in line.0.iter().enumerate() {
        if number > 0 && candidate_columns(&position).len() > 1 {
            steps.push((position, column));
        }
        position = position.play(column)?;
    }
    Some(steps)
}
