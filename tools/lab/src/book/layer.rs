//! Layers of a book: all positions with a given number of stones, and their scores.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result};
use plumb::board::{Bits, Geometry, Player, Position, each_cell};
use plumb::book::{Book, BookBoard};
use plumb::score::{Score, immediate_score};

pub(super) type BookPosition = Position<BookBoard>;

/// Reachable positions with this number of stones and without four in a row. A position and its mirror image count as one.
///
/// Positions are in the order of their parents. Consecutive positions share most of their stones, so a search reuses
/// table entries.
pub(crate) fn all_positions<G: Geometry>(board: G, plies: u32) -> Vec<Position<G>> {
    let mut layer = vec![Position::empty(board)];
    for _ in 0..plies {
        let mut seen = HashSet::with_capacity(2 * layer.len());
        layer = layer.iter().flat_map(successors).filter(|next| seen.insert(next.canonical_key())).collect();
    }
    layer
}

/// Canonical images of [`all_positions`] in which the side to move has no immediate win: the positions of a book's layer.
pub(super) fn positions(board: BookBoard, plies: u32) -> Vec<BookPosition> {
    let mut positions = all_positions(board, plies);
    positions.retain(|position| !position.can_win_now());
    for position in &mut positions {
        *position = canonical(position);
    }
    positions.shrink_to_fit();
    positions
}

pub(crate) fn canonical<G: Geometry>(position: &Position<G>) -> Position<G> {
    if position.key() == position.canonical_key() { *position } else { position.mirrored() }
}

fn successors<G: Geometry>(position: &Position<G>) -> impl Iterator<Item = Position<G>> + use<G> {
    let position = *position;
    each_cell(position.playable() & !position.own_winning_cells()).map(move |cell| position.after(cell))
}

pub(super) fn position(board: BookBoard, key: u64, plies: u32) -> Option<BookPosition> {
    let position = Position::from_key_on(board, key);
    position.filter(|position| position.plies() == plies && position.canonical_key() == key)
}

pub(super) type Scores = HashMap<u64, Score>;

pub(super) fn layer_before(board: BookBoard, plies: u32, next: &Scores) -> Result<Scores> {
    let mut scores = Scores::new();
    for position in positions(board, plies) {
        let score = best(&position, next)
            .with_context(|| format!("the layer of {} stones is not complete", plies + 1))?;
        scores.insert(position.key(), score);
    }
    Ok(scores)
}

/// The score of a position without an immediate win, from the `scores` of all positions with one stone more.
fn best(position: &BookPosition, scores: &Scores) -> Option<Score> {
    if position.playable().is_empty() {
        return Some(0);
    }
    each_cell(position.playable()).map(|cell| position.after(cell)).try_fold(Score::MIN, |best, next| {
        let score = immediate_score(&next).or_else(|| scores.get(&next.canonical_key()).copied());
        Some(best.max(-score?))
    })
}

/// Whether a move that leads to `next` may keep `score`.
///
/// Other positions also lead to `next`. If another such position has a lower score, `next` is worth at most that
/// score.
pub(super) fn may_keep(scores: &Scores, next: &BookPosition, score: Score) -> bool {
    let mut before = next.predecessors().filter_map(|position| scores.get(&position.canonical_key()));
    before.all(|&other| other >= score)
}

/// Counts a layer's positions by the first player's result, in two ways, to compare with two published counts.
///
/// John Tromp counts all reachable positions, including won games and mirror images. The data set of the UC
/// Irvine repository has one position of each mirrored pair, and none in which a side has an immediate win.
pub(super) fn tallies(book: &Book, plies: u32) -> Result<[String; 2]> {
    let [mut all, mut quiet] = [[0; 3]; 2];
    for position in all_positions(book.geometry(), plies) {
        // Nobody has four in these positions, so a finished game is a draw.
        let score = if position.outcome().is_some() { Some(0) } else { book.layer_score(&position) };
        let score = score.with_context(|| format!("the book has no layer of {plies} stones"))?;
        all[result(&position, score)] += images(&position);
        let threats = position.opponent_winning_cells() & position.playable();
        if !position.can_win_now() && threats.is_empty() {
            quiet[result(&position, score)] += 1;
        }
    }
    let mut seen = HashSet::new();
    for before in if plies == 0 { Vec::new() } else { all_positions(book.geometry(), plies - 1) } {
        for cell in each_cell(before.own_winning_cells() & before.playable()) {
            let won = before.after(cell);
            if seen.insert(won.canonical_key()) {
                all[result(&won, -1)] += images(&won);
            }
        }
    }
    Ok([all, quiet].map(|[won, drawn, lost]| {
        format!("{} positions: {won} won, {drawn} drawn, {lost} lost", won + drawn + lost)
    }))
}

/// Index of the first player's result in a list of wins, draws and losses.
pub(crate) fn result<G: Geometry>(position: &Position<G>, score: Score) -> usize {
    let score = if position.side_to_move() == Player::First { score } else { -score };
    (1 - score.signum()) as usize
}

/// Number of different images of a position: 1 if it is symmetric, else 2.
pub(crate) fn images<G: Geometry>(position: &Position<G>) -> u64 {
    if position.key() == position.mirrored().key() { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use plumb::book::candidate_columns;
    use plumb::search::Solver;
    use plumb::table::Table;

    use super::*;

    /// Mirror images count once. Positions with an immediate win do not count.
    #[test]
    fn the_standard_board_has_as_many_positions_as_is_known() {
        let counts: Vec<_> = (0..=8).map(|plies| positions(BookBoard::default(), plies).len()).collect();
        assert_eq!(counts[..3], [1, 4, 25]);
        assert_eq!(counts[8], 77_715);
    }

    #[test]
    fn every_position_is_there_once_and_can_be_told_by_its_key() {
        let board = "5x4".parse().expect("a board");
        for plies in 0..=9 {
            let all = positions(board, plies);
            assert_eq!(all.iter().map(Position::key).collect::<HashSet<_>>().len(), all.len());
            for found in all {
                assert_eq!(position(board, found.key(), plies), Some(found));
                assert!(!found.can_win_now() && found.mirrored().canonical_key() == found.key());
            }
        }
        assert_eq!(position(BookBoard::default(), 0, 1), None);
    }

    fn table(size: &str) -> Table {
        Table::new_on(size.parse::<BookBoard>().expect(size), 1).expect("one megabyte")
    }

    fn score(solver: &mut Solver<'_>, position: &BookPosition) -> Score {
        solver.score(position).expect("not stopped")
    }

    #[test]
    fn every_layer_follows_from_the_next() {
        let board = "4x4".parse().expect("a board");
        let table = table("4x4");
        let mut solver = Solver::new(&table);
        let mut next: Scores = positions(board, 16).iter().map(|full| (full.key(), 0)).collect();
        for plies in (0..16).rev() {
            let scores = layer_before(board, plies, &next).expect("complete");
            for (&key, &score) in &scores {
                let position = position(board, key, plies).expect("it is one");
                assert_eq!(score, self::score(&mut solver, &position), "{plies} stones, key {key:x}");
            }
            next = scores;
        }
        assert_eq!(next, Scores::from([(0, 0)]), "the game on 4x4 is a draw");
        assert!(layer_before(board, 3, &Scores::new()).is_err());
    }

    #[test]
    fn a_move_that_others_contradict_gives_something_away() {
        let board = "5x4".parse().expect("a board");
        let table = table("5x4");
        let mut solver = Solver::new(&table);
        let positions = positions(board, 7);
        let scores: Scores =
            positions.iter().map(|position| (position.key(), score(&mut solver, position))).collect();
        let (mut contradicted, mut missed) = (0, 0);
        for position in positions {
            let score = scores[&position.key()];
            for next in candidate_columns(&position).into_iter().filter_map(|column| position.play(column)) {
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
