//! Book lookups that search down to the next layer (number of stones with stored scores).

use super::Book;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::score::{Score, immediate_score, win_with_stone};

/// Most plies from a position to the next layer (stored number of stones). More would take too long.
const MAX_DISTANCE: u32 = 6;

/// The result of [`Book::look_up`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookHit {
    /// The exact score for the side to move (see [`crate::score`]).
    pub score: Score,
    /// The column, from 0, of a move that keeps the score. `None` if the game is over or the book has no best
    /// move.
    pub best: Option<u32>,
}

impl Book {
    /// The exact score of a position, like [`BookProbe::score`].
    #[must_use]
    pub fn score<G: Geometry>(&self, position: &Position<G>) -> Option<Score> {
        BookProbe::new(self, position)?.score(position)
    }

    /// The exact score and a best move of a position. Searches up to six plies down to the next layer (number
    /// of stones with stored scores). `None` if that is too far, past the last layer, for an
    /// [unreachable](Position::is_reachable) position, or on another board.
    ///
    /// ```
    /// # #[cfg(feature = "book")] {
    /// use plumb::board::Position;
    /// use plumb::book::Book;
    ///
    /// let book = Book::embedded().expect("this build has a book");
    /// let empty: Position = Position::new();
    /// let start = book.look_up(&empty).expect("the built-in book has it");
    /// assert_eq!((start.score, start.best), (1, Some(3))); // The first player wins, from the centre.
    /// # }
    /// ```
    #[must_use]
    pub fn look_up<G: Geometry>(&self, position: &Position<G>) -> Option<BookHit> {
        let mut probe = BookProbe::new(self, position)?;
        let score = probe.score(position)?;
        let best = probe.best_move(position).or_else(|| probe.move_with_score(position, score));
        Some(BookHit { score, best })
    }

    /// Lower and upper bound of the score, one stone past the last layer (the book's largest number of
    /// stones). `None` for any other position.
    ///
    /// The score is at least the negated score of each predecessor, and equal if the book's move there leads
    /// to the position. Otherwise the upper bound is [`Score::MAX`].
    #[must_use]
    pub fn bounds_past_last_layer<G: Geometry>(&self, position: &Position<G>) -> Option<(Score, Score)> {
        if self.last_layer() + 1 != position.plies() || position.outcome().is_some() {
            return None;
        }
        let mut bounds = None;
        for before in position.predecessors() {
            let Some(score) = self.score(&before).map(|score| -score) else { continue };
            let best = self.best_move(&before).and_then(|column| before.play(column));
            let is_best = best.is_some_and(|next| next.key() == position.key());
            let (lower, upper) = bounds.unwrap_or((Score::MIN, Score::MAX));
            bounds = Some((lower.max(score), if is_best { upper.min(score) } else { upper }));
        }
        bounds
    }

    /// An upper bound of the score of the move from `position`, one stone past the last layer, to `next`.
    /// `None` if the book has no other predecessor of `next`.
    ///
    /// The score of a move depends only on `next`, so bounds of other predecessors hold too.
    #[must_use]
    pub fn upper_bound_of_move<G: Geometry>(
        &self,
        position: &Position<G>,
        next: &Position<G>,
    ) -> Option<Score> {
        let others = next.predecessors().filter(|before| before.key() != position.key());
        others.filter_map(|before| self.bounds_past_last_layer(&before)).map(|(_, upper)| upper).min()
    }
}

/// Reads scores and moves of one position and its successors from a book, and counts them.
#[derive(Clone, Debug)]
pub struct BookProbe<'a> {
    pub(crate) book: &'a Book,
    probes: u64,
}

impl<'a> BookProbe<'a> {
    /// A probe for `position` and its successors. `None` past the book's largest number of stones, for an
    /// [unreachable](Position::is_reachable) position, or on another board.
    #[must_use]
    pub fn new<G: Geometry>(book: &'a Book, position: &Position<G>) -> Option<Self> {
        if position.plies() > book.last_layer() || !book.is_for(position) || !position.is_reachable() {
            return None;
        }
        Some(Self { book, probes: 0 })
    }

    /// Number of scores and moves read from the layers.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// The exact score of a position. `None` if the next stored number of stones is more than six plies away.
    pub fn score<G: Geometry>(&mut self, position: &Position<G>) -> Option<Score> {
        self.score_between(position, -Score::MAX, Score::MAX)
    }

    pub(crate) fn score_between<G: Geometry>(
        &mut self,
        position: &Position<G>,
        lower: Score,
        upper: Score,
    ) -> Option<Score> {
        let immediate = immediate_score(position);
        if immediate.is_some() {
            return immediate;
        }
        let layer = self.book.layer_plies().find(|&layer| layer >= position.plies())?;
        if layer - position.plies() > MAX_DISTANCE {
            return None;
        }
        // Negated bounds must not overflow.
        let lower = lower.max(-Score::MAX);
        Some(self.search(position, layer, lower, upper)?.max(lower).min(upper))
    }

    /// Like [`Book::best_move`], but counted.
    pub fn best_move<G: Geometry>(&mut self, position: &Position<G>) -> Option<u32> {
        let column = self.book.best_move(position);
        self.probes += u64::from(column.is_some());
        column
    }

    fn search<G: Geometry>(
        &mut self,
        position: &Position<G>,
        layer: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let immediate = immediate_score(position);
        if immediate.is_some() {
            return immediate;
        }
        let (geometry, plies) = (position.geometry(), position.plies());
        if plies == layer {
            self.probes += 1;
            return self.book.stored_score(position);
        }
        let moves = position.non_losing_moves();
        if moves.is_empty() {
            return Some(-win_with_stone(geometry, plies + 2));
        }
        let mut best = -Score::MAX;
        for column in centre_first(geometry) {
            let cell = moves & geometry.column(column);
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

    /// The column, from 0, of a move after which the score is `-score`, nearest to the centre. `None` if the book
    /// lacks the scores.
    pub fn move_with_score<G: Geometry>(&mut self, position: &Position<G>, score: Score) -> Option<u32> {
        for column in centre_first(position.geometry()) {
            if let Some(next) = position.play(column)
                && self.score(&next) == Some(-score)
            {
                return Some(column);
            }
        }
        None
    }

    /// The columns, from 0, of a line of best play, as far as the book goes.
    pub fn best_line<G: Geometry>(&mut self, mut position: Position<G>, mut score: Score) -> Vec<u32> {
        let mut line = Vec::new();
        while position.outcome().is_none()
            && let Some(column) = self.move_with_score(&position, score)
            && let Some(next) = position.play(column)
        {
            line.push(column);
            (position, score) = (next, -score);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Standard};
    use crate::book::{BookBoard, write_on};

    #[test]
    fn a_book_answers_on_its_own_board() {
        for size in ["7x6", "5x4", "8x7"] {
            let board = size.parse::<BookBoard>().expect(size);
            let file = write_on(board, vec![(0, vec![(0, 2)]).into()], None).expect(size);
            let book = Book::open(file.into()).expect(size);
            assert_eq!(book.size().to_string(), size);
            let empty = |size: &str| Position::empty(size.parse::<Board>().expect(size));
            assert_eq!(book.score(&empty(size)), Some(2), "{size}");
            assert_eq!(book.score(&Position::empty(board)), Some(2), "{size}");
            assert_eq!((book.score(&empty("6x6")), book.stored_score(&empty("6x6"))), (None, None));
            assert_eq!(book.score(&Position::<Standard>::new()).is_some(), size == "7x6");
        }
    }

    #[test]
    fn a_board_without_books_is_named() {
        let board = BookBoard::default();
        let mut file = write_on(board, vec![(0, vec![(0, 0)]).into()], None).expect("a book");
        file[10..12].copy_from_slice(&[9, 7]);
        let error = Book::open(file.into()).expect_err("no book").to_string();
        assert_eq!(error.split(" with ").next(), Some("a book for 9x7: a board"), "{error}");
    }
}
