//! The lines of play that a book leads to past its last layer.

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

/// A position is easy if it takes no more nodes than this, with an empty table, to prove that some move keeps its score: a
/// tenth of what the engine has time for in 4 ms. Where a line is not followed any more, and the sides choose other moves
/// that keep the score, nothing harder than 15,000 nodes came up in 400 lines.
const EASY_NODES: u64 = 2_000;

/// The size of the table of [`line()`] in MB.
const HASH: usize = 64;

/// The table of [`line()`].
pub(super) fn table(board: BookBoard) -> Result<Table> {
    Ok(Table::new_on(board, HASH)?)
}

/// The columns of a line, from 0, written as digits of base 36.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns(pub Vec<u32>);

/// Base of the digits; no board is as wide as that.
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

/// The canonical images of the positions with a choice of moves in the last layer, with `last` stones, that the book's play
/// of both sides leads to from any position of `from` stones, each once, in the order in which they come up.
///
/// # Errors
/// If there are none, as where the layers are so far apart that the book's play does not reach the last one.
pub(super) fn beginnings(book: &Book, from: u32, last: u32) -> Result<Vec<BookPosition>> {
    let mut seen = HashSet::new();
    let all = layer::all_positions(book.geometry(), from);
    // What is played is not the same in the mirror image, where several moves keep the score.
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

/// The line from a position of the last layer: the book's move, then for each side the first of the
/// [`candidate_columns`] in the canonical image that keeps the score, up to the last position that is not easy.
///
/// # Errors
/// If the book lacks a score or a move, or the solver finds a lower score.
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

/// A column of a position in its canonical image, or the other way round.
fn in_canonical(position: &BookPosition, column: u32) -> u32 {
    let is_canonical = position.key() == position.canonical_key();
    if is_canonical { column } else { position.geometry().width() - 1 - column }
}

/// The first of the [`candidate_columns`] that keeps the score of a position, if there are any, and whether that is
/// easy to find.
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

/// The first of the [`candidate_columns`] that keeps the score of a position, among those whose next position `may_keep` it;
/// some move does.
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
        // The last one left needs no proof.
        if moves.peek().is_none() || solver.is_at_least(&next, 1 - score) == Ok(false) {
            return Some(column);
        }
    }
}

/// The canonical key of a position, and a column in that image.
pub(super) fn entry(position: &BookPosition, column: u32) -> (u64, u32) {
    (position.canonical_key(), in_canonical(position, column))
}

/// Follows a line from a position of the last layer; the positions past that where there is a choice, each with the column that
/// is chosen. `None` if a move is illegal.
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
