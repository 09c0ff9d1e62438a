//! What a book says of a position, with a small search where it lies above one of the book's layers.

use super::heuristic::centre_first;
use crate::board::{Bits, Geometry, Outcome, Position};
use crate::book::Book;
use crate::score::{Score, win_with_stone};

/// Layers further below a position than this are not searched for: it would take too long.
const MOST_PLIES: u32 = 6;

/// A book that is asked about one position after the other. All of them must come up in play, as
/// [`Position::is_reachable`] tells.
#[derive(Debug)]
pub(crate) struct Opening<'a, G: Geometry> {
    book: &'a Book<G>,
    /// How many scores were read so far.
    pub(crate) probes: u64,
}

impl<'a, G: Geometry> Opening<'a, G> {
    /// The book, if it has a word to say about `position` and what follows.
    pub(crate) fn new(book: &'a Book<G>, position: &Position<G>) -> Option<Self> {
        let reaches = book.layer_plies().next_back().is_some_and(|last| last >= position.plies());
        (reaches && position.is_reachable()).then_some(Self { book, probes: 0 })
    }

    /// The exact score of a position for its side to move; `None` if it can be neither read off the board nor found in
    /// a layer of as many stones or up to [`MOST_PLIES`] more.
    pub(crate) fn score(&mut self, position: &Position<G>) -> Option<Score> {
        let decided = decided(position);
        if decided.is_some() {
            return decided;
        }
        let layer = self.book.layer_plies().find(|&layer| layer >= position.plies())?;
        if layer - position.plies() > MOST_PLIES {
            return None;
        }
        self.search(position, layer, -Score::MAX, Score::MAX)
    }

    /// Fail-soft alpha-beta down to the layer of `layer` stones.
    fn search(&mut self, position: &Position<G>, layer: u32, mut alpha: Score, beta: Score) -> Option<Score> {
        let decided = decided(position);
        if decided.is_some() {
            return decided;
        }
        let plies = position.plies();
        if plies == layer {
            self.probes += 1;
            return self.book.probe(position.own(), position.mask(), plies);
        }
        let moves = position.non_losing_moves();
        if moves.is_empty() {
            return Some(-win_with_stone::<G>(plies + 2));
        }
        let mut best = -Score::MAX;
        for column in centre_first::<G>() {
            let cell = moves & G::column(column);
            if cell.is_empty() {
                continue;
            }
            best = best.max(-self.search(&position.after(cell), layer, -beta, -alpha)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The columns, from 0, of perfect play from a position with this score: as far as the book goes or to the end of
    /// the game.
    pub(crate) fn line(&mut self, mut position: Position<G>, mut score: Score) -> Vec<u32> {
        let mut line = Vec::new();
        while position.outcome().is_none() {
            let kept = centre_first::<G>().find_map(|column| {
                let next = position.play(column)?;
                (self.score(&next)? == -score).then_some((column, next))
            });
            let Some((column, next)) = kept else { break };
            line.push(column);
            (position, score) = (next, -score);
        }
        line
    }
}

/// The score of a position that is over, or that the side to move wins with its next stone.
fn decided<G: Geometry>(position: &Position<G>) -> Option<Score> {
    match position.outcome() {
        Some(Outcome::Win(_)) => Some(-win_with_stone::<G>(position.plies())),
        Some(Outcome::Draw) => Some(0),
        None => position.can_win_now().then(|| win_with_stone::<G>(position.plies() + 1)),
    }
}
