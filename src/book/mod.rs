//! Opening books: the exact score of every position with a given number of stones, and best moves.
//!
//! A *layer* has the score of every [reachable](crate::board::Position::is_reachable) position with its number of
//! stones without an immediate win, once for a position and its mirror image. A layer may also have best moves. An
//! *extension* has moves past the last layer, for positions that arise by book moves of both sides.
//!
//! The built-in book has layers of 0 to 8 and of 12 stones. The last layer has 4,200,899 positions. The book
//! stores neither positions nor keys, so other positions would get an arbitrary score. [`BookProbe`] accepts
//! reachable positions only.
//!
//! ```
//! # #[cfg(feature = "book")] {
//! use plumb::board::Position;
//! use plumb::book::Book;
//!
//! let book = Book::embedded().expect("this build has a book");
//! let hit = book.look_up(&"44444".parse::<Position>().expect("legal moves")).expect("five stones are in the book");
//! println!("score {}, best column {:?}", hit.score, hit.best);
//! # }
//! ```
//! | file | contents |
//! |---|---|
//! | `static_function.rs` | maps keys to small values without storing the keys |
//! | `layer.rs` | scores and moves of a layer, the extension, and the ranked candidate moves of a position |
//! | `format.rs`, `write.rs` | the file format, its reader and writer |
//! | `mod.rs` | lookups in layers and extension; the built-in book |
//! | `probe.rs` | [`Book::look_up`], the search between two layers, and bounds past the last layer |

mod format;
mod layer;
mod probe;
mod static_function;
#[cfg(test)]
pub(crate) mod tests;
mod write;

pub use format::{BookBoard, BookError, board_of};
pub use layer::{BookExtension, Layer, candidate_columns};
pub use probe::{BookHit, BookProbe};
pub use write::{ExtensionEntries, LayerEntries, write_on};

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};

use crate::board::{Bits, Board, BoardSize, Geometry, Position, mirror};
use crate::score::{Score, immediate_score};

/// An opening book for one board size.
///
/// Most callers need [`score`](Self::score) or [`look_up`](Self::look_up), which search down to the next
/// layer. All lookups return `None` for a position on another board.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::book::{self, Book};
///
/// // A book of the empty board alone, whose score is 1.
/// let file = book::write_on(Standard::default(), vec![(0, vec![(0, 1)]).into()], None)?;
/// let book = Book::open(file.into())?;
/// assert_eq!(book.score(&Position::<Standard>::new()), Some(1));
/// assert_eq!(book.score(&Position::<Standard>::from_digits("4").unwrap()), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Book {
    file: Cow<'static, [u8]>,
    layers: Vec<Layer>,
    extension: Option<BookExtension>,
    board: BookBoard,
}

impl Book {
    /// Checks and opens a book; `file` is its whole contents.
    ///
    /// # Errors
    /// [`BookError`] if the file is invalid or has another version.
    pub fn open(file: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let (board, layers, extension) = format::read(&file)?;
        Ok(Self { file, layers, extension, board })
    }

    /// The board of the book.
    #[must_use]
    pub fn geometry(&self) -> BookBoard {
        self.board
    }

    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.board.size()
    }

    /// The layers (positions with one number of stones), by ascending number of stones. Never empty.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The moves past the last layer (the extension), if any.
    #[must_use]
    pub fn extension(&self) -> Option<&BookExtension> {
        self.extension.as_ref()
    }

    /// The numbers of stones of the layers, ascending.
    #[must_use]
    pub fn layer_plies(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.layers.iter().map(|layer| layer.plies)
    }

    /// The exact score from the position's layer (positions with so many stones). `None` if the book lacks
    /// the layer or the game is over.
    ///
    /// The score is arbitrary unless the position is [reachable](Position::is_reachable).
    #[must_use]
    pub fn layer_score<G: Geometry>(&self, position: &Position<G>) -> Option<Score> {
        let stored = self.stored_score(position)?;
        if position.outcome().is_some() {
            return None;
        }
        Some(immediate_score(position).unwrap_or(stored))
    }

    /// The column, from 0, of a move that keeps the score. `None` if the book has no moves for this number of
    /// stones, the game is over, or the side to move wins or loses immediately.
    ///
    /// The move is arbitrary unless the position is reachable.
    #[must_use]
    pub fn best_move<G: Geometry>(&self, position: &Position<G>) -> Option<u32> {
        let layer = self.layer_of(position)?;
        Self::in_canonical_image(position, |image| layer.best_move(&self.file, image))
    }

    /// The column, from 0, of the extension's move for a position with more stones than the last layer.
    ///
    /// On the standard board, 1 in 512 positions outside the extension gets an arbitrary move. Verify the
    /// move before you rely on it.
    #[must_use]
    pub fn extension_move<G: Geometry>(&self, position: &Position<G>) -> Option<u32> {
        if !self.is_for(position) || self.last_layer() >= position.plies() {
            return None;
        }
        let extension = self.extension.as_ref()?;
        Self::in_canonical_image(position, |image| extension.best_move(&self.file, image))
    }

    /// The stored score of a position. `None` if the book lacks its layer (positions with so many stones).
    /// Arbitrary if the position is unreachable or over, or if the side to move wins immediately.
    #[inline]
    #[must_use]
    pub fn stored_score<G: Geometry>(&self, position: &Position<G>) -> Option<Score> {
        let layer = self.layer_of(position)?;
        // Book boards have keys of up to 64 bits.
        Some(layer.score(&self.file, position.canonical_key().to_wide() as u64))
    }

    #[inline]
    fn is_for<G: Geometry>(&self, position: &Position<G>) -> bool {
        Board::of(self.board) == Board::of(position.geometry())
    }

    #[inline]
    fn layer_of<G: Geometry>(&self, position: &Position<G>) -> Option<&Layer> {
        if !self.is_for(position) {
            return None;
        }
        self.layers.iter().find(|layer| layer.plies == position.plies())
    }

    fn last_layer(&self) -> u32 {
        self.layers.last().map_or(0, |layer| layer.plies)
    }

    /// Calls `best` with the image of smaller key, and mirrors the column back.
    fn in_canonical_image<G: Geometry>(
        position: &Position<G>,
        best: impl Fn(&Position<G>) -> Option<u32>,
    ) -> Option<u32> {
        if position.outcome().is_some() || position.can_win_now() {
            return None;
        }
        let geometry = position.geometry();
        if mirror(geometry, position.key()) < position.key() {
            best(&position.mirrored()).map(|column| geometry.width() - 1 - column)
        } else {
            best(position)
        }
    }
}

impl Debug for Book {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("bytes", &self.file.len()).finish_non_exhaustive()
    }
}

/// A static, because a constant would be copied into each crate that uses it.
#[cfg(feature = "book")]
static FILE: [u8; include_bytes!("7x6.book").len()] = *include_bytes!("7x6.book");

/// The file of the built-in book (how it was made: `src/book/README.md`). `None` without the cargo
/// feature `book`.
#[cfg(feature = "book")]
pub const EMBEDDED: Option<&[u8]> = Some(&FILE);
/// `None` in a build without the book.
#[cfg(not(feature = "book"))]
pub const EMBEDDED: Option<&[u8]> = None;

impl Book {
    /// The built-in book. `None` without the cargo feature `book`.
    #[must_use]
    pub fn embedded() -> Option<Self> {
        match Self::open(EMBEDDED?.into()) {
            Ok(book) => Some(book),
            Err(error) => {
                log::error!("the book within the program: {error}; it is not used");
                None
            }
        }
    }
}
