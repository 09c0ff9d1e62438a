//! Opening books: the exact score of every position with a given number of stones.
//!
//! A book has one or more layers. A layer knows all positions with its number of stones that come up in play and in
//! which the side to move cannot win at once, one for a position and its mirror image. On the standard board that are
//! 4,200,899 positions with twelve stones, and a score takes a little more than five bits: the positions themselves are
//! not stored, as those that are looked up are known to be among them (`fuse.rs`). What is between two layers a search
//! of a few plies finds out (`opening.rs`). A layer may also know a move that keeps the score (`moves.rs`), and past the
//! last layer there may be the lines that the book's own play leads to, until they are easy (`lines.rs`).
//!
//! `format.rs` has the file byte by byte.

mod checksum;
mod embedded;
mod error;
mod format;
mod fuse;
mod lines;
mod moves;
mod opening;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

use crate::board::{Bits, Geometry, Position, Standard, mirror};
use crate::score::{Score, win_with_stone};
pub use embedded::EMBEDDED;
pub use error::BookError;
pub use format::{Entries, Layer, LineEntries, board_of, write};
pub use lines::Lines;
pub use moves::choices;
pub use opening::Opening;

/// A book for board `G`.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::book::{self, Book};
///
/// // A book of the empty board alone, whose score is 1.
/// let file = book::write::<Standard>(vec![(0, vec![(0, 1)]).into()], None).unwrap();
/// let book = Book::<Standard>::open(file.into())?;
/// assert_eq!(book.score(&Position::new()), Some(1));
/// assert_eq!(book.score(&Position::from_digits("4").unwrap()), None);
/// # Ok::<(), plumb::book::BookError>(())
/// ```
#[derive(Clone)]
pub struct Book<G: Geometry = Standard> {
    file: Cow<'static, [u8]>,
    /// Those of fewer stones first.
    layers: Vec<Layer>,
    lines: Option<Lines>,
    board: PhantomData<G>,
}

impl<G: Geometry> Book<G> {
    /// Checks a book and makes it ready; `file` is all that it holds.
    ///
    /// # Errors
    /// If it is no book, or one of another version or board, or not whole.
    pub fn open(file: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let (layers, lines) = format::read::<G>(&file)?;
        Ok(Self { file, layers, lines, board: PhantomData })
    }

    /// The layers, those of fewer stones first; there is at least one.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The lines past the last layer, if it has any.
    #[must_use]
    pub fn lines(&self) -> Option<&Lines> {
        self.lines.as_ref()
    }

    /// The numbers of stones of the layers, ascending.
    pub fn layer_plies(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.layers.iter().map(Layer::plies)
    }

    /// The exact score of a position for its side to move, or `None` if there is no layer of its number of stones or
    /// the game is over.
    ///
    /// The position must come up in play, so that it is among those that the book was made of: see
    /// [`Position::is_reachable`]. Any other gets some score.
    #[must_use]
    pub fn score(&self, position: &Position<G>) -> Option<Score> {
        if position.outcome().is_some() {
            return None;
        }
        let found = self.probe(position.own(), position.mask(), position.plies())?;
        Some(if position.can_win_now() { win_with_stone::<G>(position.plies() + 1) } else { found })
    }

    /// The column, from 0, of a move that keeps the score of a position, or `None` if there is no layer of its number of
    /// stones that knows moves, or there is nothing to choose: the game is over, the side to move wins at once, or every
    /// move loses at once.
    ///
    /// The position must come up in play, as for [`score`](Self::score). For any other there is some move.
    #[must_use]
    pub fn best_move(&self, position: &Position<G>) -> Option<u32> {
        let layer = self.layers.iter().find(|layer| layer.plies() == position.plies())?;
        Self::choose(position, |image| layer.best_move(&self.file, image))
    }

    /// The column, from 0, of the move on a line past the last layer: one that keeps the score, if the position is one of
    /// the lines'. Of all others one in 512 (on the standard board) has a move as well, which may be any; so what it is
    /// worth is to be proved, if there is time.
    #[must_use]
    pub fn line_move(&self, position: &Position<G>) -> Option<u32> {
        let is_past = self.layer_plies().next_back().is_some_and(|last| last < position.plies());
        let lines = self.lines.as_ref().filter(|_| is_past)?;
        Self::choose(position, |image| lines.best_move(&self.file, image, image.key().to_wide() as u64))
    }

    /// The column of a move that is known for the canonical image of a position, if there is something to choose: the game
    /// is not over, and the side to move does not win at once.
    fn choose(position: &Position<G>, known: impl Fn(&Position<G>) -> Option<u32>) -> Option<u32> {
        if position.outcome().is_some() || position.can_win_now() {
            return None;
        }
        let image = position.mirrored();
        if image.key() < position.key() {
            known(&image).map(|column| G::WIDTH - 1 - column)
        } else {
            known(position)
        }
    }

    /// The exact score of the position in which the side to move has the stones `own`, both sides have `mask` and these
    /// are `plies`; `None` if there is no layer of that number.
    ///
    /// The game must not be over, the side to move not be able to win at once, and the position must come up in play.
    /// Any other gets some score.
    #[inline]
    #[must_use]
    pub fn probe(&self, own: G::Bits, mask: G::Bits, plies: u32) -> Option<Score> {
        let layer = self.layers.iter().find(|layer| layer.plies() == plies)?;
        let key = own.plus(mask);
        let key = key.min(mirror::<G>(key));
        // No book is opened for a board whose keys are longer.
        Some(layer.score(&self.file, key.to_wide() as u64))
    }
}

/// The layers; not the scores, of which there are millions.
impl<G: Geometry> Debug for Book<G> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("bytes", &self.file.len()).finish_non_exhaustive()
    }
}
