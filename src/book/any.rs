//! A book for a board whose size is known at run time.

use std::any::Any;
use std::borrow::Cow;

use super::book::Book;
use super::error::BookError;
use super::format::board_size;
use super::probe::{BookHit, BookProbe};
use crate::board::{AnyBoard, BoardSize, Geometry, Position, Standard};
use crate::score::Score;

/// A board of any size that books exist for: one of up to 64 bits.
pub type BookBoard = AnyBoard<u64>;

/// A [`Book`] for a board of any size that books exist for.
#[derive(Clone, Debug)]
pub struct AnyBook(Contents);

/// The fastest kind of code for the board; no book is for a board of more than 64 bits.
#[derive(Clone, Debug)]
enum Contents {
    Standard(Book<Standard>),
    Words64(Book<BookBoard>),
}

impl AnyBook {
    /// Checks and opens a book for whichever board it is; `file` is its whole contents.
    ///
    /// # Errors
    /// [`BookError`] if the file is no book, is for another version or for a board that has none, or is damaged.
    pub fn open(file: Cow<'static, [u8]>) -> Result<Self, BookError> {
        let size = board_size(&file)?;
        Ok(Self(if size == BoardSize::STANDARD {
            Contents::Standard(Book::open(file)?)
        } else {
            let board = BookBoard::new(size).map_err(BookError::UnsupportedBoard)?;
            Contents::Words64(Book::open_on(board, file)?)
        }))
    }

    /// The book within the program; `None` without the cargo feature `book`.
    #[must_use]
    pub fn embedded() -> Option<Self> {
        Book::embedded().map(Self::from)
    }

    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        match &self.0 {
            Contents::Standard(_) => BoardSize::STANDARD,
            Contents::Words64(book) => book.geometry().size(),
        }
    }

    /// The exact score and a best move of a position, as [`Book::look_up`] has them; `None` also for a position on another
    /// board.
    #[must_use]
    pub fn look_up<G: Geometry>(&self, position: &Position<G>) -> Option<BookHit> {
        match &self.0 {
            Contents::Standard(book) => book.look_up(&position.with_geometry(book.geometry())?),
            Contents::Words64(book) => book.look_up(&position.with_geometry(book.geometry())?),
        }
    }

    /// The exact score of a position, as [`BookProbe::score`] has it; `None` also for a position on another board.
    #[must_use]
    pub fn score<G: Geometry>(&self, position: &Position<G>) -> Option<Score> {
        match &self.0 {
            Contents::Standard(book) => score(book, position),
            Contents::Words64(book) => score(book, position),
        }
    }

    /// The book, if it is for the board of a geometry and this is the kind of code that it takes.
    pub(crate) fn on<G: Geometry>(&self, geometry: G) -> Option<&Book<G>> {
        let book: &dyn Any = match &self.0 {
            Contents::Standard(book) => book,
            Contents::Words64(book) => book,
        };
        book.downcast_ref::<Book<G>>().filter(|book| book.geometry() == geometry)
    }
}

/// A book for the standard board.
impl From<Book> for AnyBook {
    fn from(book: Book) -> Self {
        Self(Contents::Standard(book))
    }
}

fn score<G: Geometry>(book: &Book<G>, position: &Position<impl Geometry>) -> Option<Score> {
    let position = position.with_geometry(book.geometry())?;
    BookProbe::new(book, &position)?.score(&position)
}

#[cfg(test)]
mod tests {
    use super::super::write_on;
    use super::*;
    use crate::board::Board;

    #[test]
    fn a_book_answers_on_its_own_board() {
        for size in ["7x6", "5x4", "8x7"] {
            let board = size.parse::<BookBoard>().expect(size);
            let file = write_on(board, vec![(0, vec![(0, 2)]).into()], None).expect(size);
            let book = AnyBook::open(file.into()).expect(size);
            assert_eq!(book.size().to_string(), size);
            let empty = |size: &str| Position::empty(size.parse::<Board>().expect(size));
            assert_eq!(book.score(&empty(size)), Some(2), "{size}");
            assert_eq!(book.look_up(&empty(size)).map(|hit| hit.score), Some(2), "{size}");
            assert_eq!((book.score(&empty("6x6")), book.look_up(&empty("6x6"))), (None, None));
            assert_eq!(book.on(Standard::default()).is_some(), size == "7x6");
            assert_eq!(book.on(board).is_some(), size != "7x6");
        }
    }

    #[test]
    fn a_board_without_books_is_named() {
        let board = BookBoard::default();
        let mut file = write_on(board, vec![(0, vec![(0, 0)]).into()], None).expect("a book");
        file[10..12].copy_from_slice(&[9, 7]);
        let error = AnyBook::open(file.into()).expect_err("no book").to_string();
        assert_eq!(error.split(" with ").next(), Some("a book for 9x7: a board"), "{error}");
    }
}
