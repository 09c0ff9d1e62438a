//! What a book says of a position, with a small search where it lies between the book's layers.

use super::Book;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::score::{Score, decided, win_with_stone};

/// Layers further below a position than this are not searched for: it would take too long.
const MOST_PLIES: u32 = 6;

/// A book that is asked about a position and what follows from it.
#[derive(Clone, Debug)]
pub struct Opening<'a, G: Geometry> {
    book: &'a Book<G>,
    probes: u64,
}

impl<'a, G: Geometry> Opening<'a, G> {
    /// The book, if it has a word to say about `position` or what follows: if that comes up in play, and the last layer
    /// is not behind it.
    #[must_use]
    pub fn new(book: &'a Book<G>, position: &Position<G>) -> Option<Self> {
        let reaches = book.layer_plies().next_back().is_some_and(|last| last >= position.plies());
        (reaches && position.is_reachable()).then_some(Self { book, probes: 0 })
    }

    /// How many scores were read so far.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// The exact score of the position that this was made for or of one that follows from it, for its side to move.
    /// `None` if it can be neither read off the board nor found in a layer of as many stones or up to 6 more.
    pub fn score(&mut self, position: &Position<G>) -> Option<Score> {
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

    /// The column, from 0, of a move that keeps the score of such a position, if the book has a move for it.
    pub fn best_move(&mut self, position: &Position<G>) -> Option<u32> {
        let column = self.book.best_move(position);
        self.probes += u64::from(column.is_some());
        column
    }

    /// The column, from 0, of the move that the book has for a position past its last layer: see [`Book::line_move`].
    #[must_use]
    pub fn line_move(&self, position: &Position<G>) -> Option<u32> {
        self.book.line_move(position)
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

    /// Bounds of the score of a position one stone past the last layer of `book`: whoever moved last could have moved from
    /// any of its predecessors, whose scores the book has; and if the book has this move for one of them, the bounds meet.
    /// `None` for any other position, or one that does not come up in play.
    ///
    /// In two positions of five, drawn at random, the lower bound is the score itself.
    #[must_use]
    pub fn bounds_past(book: &'a Book<G>, position: &Position<G>) -> Option<(Score, Score)> {
        if book.layer_plies().next_back()? + 1 != position.plies() || position.outcome().is_some() {
            return None;
        }
        let bounds = |before: Position<G>| {
            let score = -Self::new(book, &before)?.score(&before)?;
            let best = book.best_move(&before).and_then(|column| before.play(column));
            let is_kept = best.is_some_and(|next| next.key() == position.key());
            Some((score, if is_kept { score } else { Score::MAX }))
        };
        let meet = |one: (Score, Score), other: (Score, Score)| (one.0.max(other.0), one.1.min(other.1));
        position.predecessors().filter_map(bounds).reduce(meet)
    }

    /// An upper bound of the score of the move from `position`, one stone past the last layer of `book`, to `next`, if it can
    /// be told from the others that lead there: nowhere is the same move worth more than the score.
    #[must_use]
    pub fn bound_of_move(book: &'a Book<G>, position: &Position<G>, next: &Position<G>) -> Option<Score> {
        let others = next.predecessors().filter(|before| before.key() != position.key());
        others.filter_map(|before| Self::bounds_past(book, &before)).map(|(_, upper)| upper).min()
    }

    /// The column, from 0, of the first move from the centre that keeps this score of a position, if the book tells: what
    /// is played.
    pub fn keeping_move(&mut self, position: &Position<G>, score: Score) -> Option<u32> {
        let mut keeps = |&column: &u32| {
            let next = position.play(column)?;
            (self.score(&next)? == -score).then_some(())
        };
        centre_first::<G>().find(|column| keeps(column).is_some())
    }

    /// The columns, from 0, of perfect play from a position with this score: as far as the scores in the book go or to the
    /// end of the game.
    pub fn line(&mut self, mut position: Position<G>, mut score: Score) -> Vec<u32> {
        let mut line = Vec::new();
        while position.outcome().is_none()
            && let Some(column) = self.keeping_move(&position, score)
            && let Some(next) = position.play(column)
        {
            line.push(column);
            (position, score) = (next, -score);
        }
        line
    }
}
