//! Principal variations of proven scores.

use super::control::Halt;
use super::negamax::{Prover, table_move};
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::score::Score;

/// Appends to `line` the columns (from 0) of perfect play from `position`, whose exact score is `score`, to the end
/// of the game.
///
/// The table need not hold the line any more: each move is proved to keep the score, the likeliest first, which costs
/// little while the table remembers what the search has just seen.
///
/// Where the score is out of the book, nothing has been searched yet. What the side that made the last move before
/// `position` will have to know next is proved first then: its own move where the book ends, or an answer to every reply.
/// Past the book the line goes on with the move that the book has there, if that keeps the score.
///
/// # Errors
/// If the search was broken off; `line` then holds the moves found so far.
pub(crate) fn extend<G: Geometry>(
    prover: &mut Prover<'_, G>,
    mut position: Position<G>,
    mut score: Score,
    line: &mut Vec<u32>,
) -> Result<(), Halt> {
    let mut in_book = prover.opening.is_some();
    let mut asker_moves = false;
    while position.outcome().is_none() {
        if in_book && prover.opening.as_mut().is_none_or(|opening| opening.score(&position).is_none()) {
            in_book = false;
            if !asker_moves {
                prover.probe(&position, score + 1)?;
            }
        }
        asker_moves = !asker_moves;
        let cell = keeping_move(prover, &position, score)?;
        line.push(G::column_of(cell));
        position = position.after(cell);
        score = -score;
    }
    Ok(())
}

/// The cell of a move that keeps the score.
///
/// # Errors
/// If the search was broken off.
fn keeping_move<G: Geometry>(
    prover: &mut Prover<'_, G>,
    position: &Position<G>,
    score: Score,
) -> Result<G::Bits, Halt> {
    let playable = position.playable();
    let winning = position.own_winning_cells() & playable;
    if !winning.is_empty() {
        return Ok(winning.lowest_bit());
    }
    let safe = position.non_losing_moves();
    if safe.is_empty() {
        // Every move loses to the next stone; parrying one threat looks better than none.
        let threats = position.opponent_winning_cells() & playable;
        return Ok(if threats.is_empty() { playable.lowest_bit() } else { threats.lowest_bit() });
    }
    let booked = prover.opening.as_mut().and_then(|opening| opening.best_move(position));
    if let Some(column) = booked {
        return Ok(safe & G::column(column));
    }
    let mut rest = safe;
    let on_line = prover.opening.as_ref().and_then(|opening| opening.line_move(position));
    if let Some(column) = on_line {
        let cell = rest & G::column(column);
        if -prover.probe(&position.after(cell), 1 - score)? >= score {
            return Ok(cell);
        }
        rest &= !cell;
    }
    // The recursion has the better order, and leaves the move in the table.
    prover.probe(position, score)?;
    for column in table_move(prover.table(), position).into_iter().chain(centre_first::<G>()) {
        let cell = rest & G::column(column);
        if cell.is_empty() {
            continue;
        }
        rest &= !cell;
        // The last one left needs no proof: some move keeps the score.
        if rest.is_empty() || -prover.probe(&position.after(cell), 1 - score)? >= score {
            return Ok(cell);
        }
    }
    Ok(safe.lowest_bit())
}
