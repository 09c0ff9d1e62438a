//! Scores from those of positions with more stones.

use std::collections::HashMap;

use anyhow::{Context, Result};
use plumb::board::{Bits, Position, each_cell};
use plumb::book::BookBoard;
use plumb::score::{Score, win_with_stone};

use super::layer;

/// The scores of a layer by canonical key.
pub(super) type Scores = HashMap<u64, Score>;

/// The scores of the layer of `plies` stones from those of the one with a stone more.
///
/// # Errors
/// If one is missing there.
pub(super) fn layer_above(board: BookBoard, plies: u32, next: &Scores) -> Result<Scores> {
    layer::positions(board, plies)
        .into_iter()
        .map(|key| {
            let position = layer::position(board, key, plies);
            let score =
                position.and_then(|position| best(&position, |next_key| next.get(&next_key).copied()));
            Ok((key, score.with_context(|| format!("the layer of {} stones is not complete", plies + 1))?))
        })
        .collect()
}

/// The score of a position in which the side to move cannot win at once, from those of the positions that follow, whose
/// score `known` tells by canonical key where the side to move cannot win at once in them either.
fn best(position: &Position<BookBoard>, known: impl Fn(u64) -> Option<Score>) -> Option<Score> {
    if position.playable().is_empty() {
        return Some(0);
    }
    each_cell(position.playable())
        .map(|cell| position.after(cell))
        .map(|next| {
            let won = next.can_win_now().then(|| win_with_stone(next.geometry(), next.plies() + 1));
            won.or_else(|| known(layer::word(&next))).map(|score| -score)
        })
        .try_fold(Score::MIN, |best, score| Some(best.max(score?)))
}

/// Whether the move to `next` may keep a `score`, for all that the `scores` of its layer say.
///
/// Others of the layer lead to `next` too. If one of these is worth less, the move gives something away, or it would be
/// worth more there as well.
pub(super) fn may_keep(scores: &Scores, next: &Position<BookBoard>, score: Score) -> bool {
    let mut before = next.predecessors().filter_map(|position| scores.get(&layer::word(&position)));
    before.all(|&other| other >= score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::book::candidate_columns;
    use plumb::search::AnySolver;
    use plumb::table::AnyTable;

    fn table(size: &str) -> AnyTable {
        AnyTable::new(size.parse().expect(size), 1).expect("one megabyte")
    }

    fn score(solver: &mut AnySolver<'_>, position: &Position<BookBoard>) -> Score {
        solver.score(&layer::solvable(position)).expect("not stopped")
    }

    /// On a board small enough to come to its end: layer by layer from the full board to the empty one.
    #[test]
    fn every_layer_follows_from_the_next() {
        let board = "4x4".parse().expect("a board");
        let table = table("4x4");
        let mut solver = AnySolver::new(&table);
        let mut next: Scores = layer::positions(board, 16).into_iter().map(|key| (key, 0)).collect();
        for plies in (0..16).rev() {
            let scores = layer_above(board, plies, &next).expect("complete");
            for (&key, &score) in &scores {
                let position = layer::position(board, key, plies).expect("it is one");
                assert_eq!(score, self::score(&mut solver, &position), "{plies} stones, key {key:x}");
            }
            next = scores;
        }
        assert_eq!(next, Scores::from([(0, 0)]), "the game on 4x4 is a draw");
        assert!(layer_above(board, 3, &Scores::new()).is_err());
    }

    #[test]
    fn a_move_that_others_contradict_gives_something_away() {
        let board = "5x4".parse().expect("a board");
        let table = table("5x4");
        let mut solver = AnySolver::new(&table);
        let positions = layer::positions(board, 7);
        let position = |key| layer::position(board, key, 7).expect("it is one");
        let scores: Scores =
            positions.iter().map(|&key| (key, self::score(&mut solver, &position(key)))).collect();
        let (mut contradicted, mut missed) = (0, 0);
        for (&key, &score) in &scores {
            for next in candidate_columns(&position(key)).filter_map(|column| position(key).play(column)) {
                let keeps = self::score(&mut solver, &next) == -score;
                let may_keep = may_keep(&scores, &next, score);
                assert!(may_keep || !keeps, "{next}");
                contradicted += u32::from(!may_keep);
                missed += u32::from(may_keep && !keeps);
            }
        }
        assert!(contradicted > 0 && missed > 0, "{contradicted} contradicted, {missed} not");
    }
}
