//! Principal variations of proven scores.

use super::node_key::table_move;
use super::state::ExactSearch;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::score::Score;
use crate::search::control::Aborted;

/// Appends to `line` the columns (from 0) of perfect play from `position`, whose exact score is `score`, to the end
/// of the game.
///
/// Each move is proved to keep the score, the likeliest first. The table need not hold the line any more, but the proof
/// costs little while it still holds most of the search that found the score.
///
/// A score from the book has not been searched. At the end of the book, the side that moved last before `position` is
/// then served first: either its own move is proved, or an answer to every reply of the other side. Past the book's
/// last layer the line follows the book's extension as far as its moves keep the score.
///
/// # Errors
/// If the search was aborted; `line` then holds the moves found so far.
pub(crate) fn extend_line<G: Geometry>(
    search: &mut ExactSearch<'_, G>,
    mut position: Position<G>,
    mut score: Score,
    line: &mut Vec<u32>,
) -> Result<(), Aborted> {
    let geometry = position.geometry();
    let mut in_book = search.book.is_some();
    let mut last_mover_is_next = false;
    while position.outcome().is_none() {
        if in_book && search.book.as_mut().is_none_or(|book| book.score(&position).is_none()) {
            in_book = false;
            if !last_mover_is_next {
                search.probe(&position, score + 1)?;
            }
        }
        last_mover_is_next = !last_mover_is_next;
        let cell = score_keeping_move(search, &position, score)?;
        line.push(geometry.column_of(cell));
        position = position.after(cell);
        score = -score;
    }
    Ok(())
}

/// The cell of a move that keeps the exact score.
///
/// # Errors
/// If the search was aborted.
fn score_keeping_move<G: Geometry>(
    search: &mut ExactSearch<'_, G>,
    position: &Position<G>,
    score: Score,
) -> Result<G::Bits, Aborted> {
    let geometry = position.geometry();
    let playable = position.playable();
    let winning = position.own_winning_cells() & playable;
    if !winning.is_empty() {
        return Ok(winning.lowest_bit());
    }
    let safe = position.non_losing_moves();
    if safe.is_empty() {
        // Every move loses to the next stone; parrying one of several threats is the natural one to show.
        let threats = position.opponent_winning_cells() & playable;
        return Ok(if threats.is_empty() { playable.lowest_bit() } else { threats.lowest_bit() });
    }
    let from_layer = search.book.as_mut().and_then(|book| book.best_move(position));
    if let Some(column) = from_layer {
        return Ok(safe & geometry.column(column));
    }
    let mut rest = safe;
    let from_extension = search.book.as_ref().and_then(|book| book.extension_move(position));
    if let Some(column) = from_extension {
        let cell = rest & geometry.column(column);
        if -search.probe(&position.after(cell), 1 - score)? >= score {
            return Ok(cell);
        }
        rest &= !cell;
    }
    // The recursion orders moves better than this loop, and leaves its best one in the table.
    search.probe(position, score)?;
    for column in table_move(search.table(), position).into_iter().chain(centre_first(geometry)) {
        let cell = rest & geometry.column(column);
        if cell.is_empty() {
            continue;
        }
        rest &= !cell;
        // The last move left needs no proof, as some move keeps the score.
        if rest.is_empty() || -search.probe(&position.after(cell), 1 - score)? >= score {
            return Ok(cell);
        }
    }
    Ok(safe.lowest_bit())
}
