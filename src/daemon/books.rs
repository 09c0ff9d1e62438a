//! The opening books of a session: the built-in one, and one from a file.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::board::BoardSize;
use crate::book::{AnyBook, Book};

/// The book that searches play from, if it has been opened. The session reads it for an answer without a search.
pub(crate) type SharedBook = Arc<Mutex<Option<Arc<AnyBook>>>>;

/// The opening books.
pub(crate) struct Books {
    /// The built-in book; opened when it is first needed.
    embedded: OnceCell<Option<Arc<AnyBook>>>,
    /// The book from a file, which takes precedence on its board.
    file: Option<Arc<AnyBook>>,
    /// The board of the session.
    board: BoardSize,
    shared: SharedBook,
}

impl Default for Books {
    fn default() -> Self {
        Self {
            embedded: OnceCell::new(),
            file: None,
            board: BoardSize::STANDARD,
            shared: SharedBook::default(),
        }
    }
}

impl Books {
    /// The book to play from, if there is one for the board.
    pub(crate) fn chosen(&self) -> Option<&Arc<AnyBook>> {
        let embedded = || {
            let open = || AnyBook::embedded().map(Arc::new);
            let is_standard = self.board == BoardSize::STANDARD;
            is_standard.then(|| self.embedded.get_or_init(open).as_ref()).flatten()
        };
        self.file.as_ref().filter(|book| book.size() == self.board).or_else(embedded)
    }

    /// Opens the book to play from, unless it is open, and shares it.
    pub(crate) fn share(&self) {
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = self.chosen().cloned();
    }

    /// Sets the book to use as the built-in one, unless that has been opened already; returns whether it was set.
    pub(crate) fn set_built_in(&mut self, book: Book) -> bool {
        self.embedded.set(Some(Arc::new(book.into()))).is_ok()
    }

    /// A handle on the book that is open.
    pub(crate) fn shared(&self) -> SharedBook {
        Arc::clone(&self.shared)
    }

    /// Sets the size of the board that is played on; returns whether it is another one than before.
    pub(crate) fn set_board(&mut self, board: BoardSize) -> bool {
        let is_new = board != self.board;
        self.board = board;
        if is_new {
            self.share();
        }
        is_new
    }

    /// Opens the book in the file at `path`; an empty path closes it, so that the built-in book is used again. Returns the
    /// size of the book's board, if that is not the board of the session, so that the book is not used there.
    ///
    /// # Errors
    /// If the file cannot be read or is not a book; the previous book then stays in use.
    pub(crate) fn open(&mut self, path: &Path) -> Result<Option<BoardSize>, String> {
        if path.as_os_str().is_empty() {
            self.file = None;
        } else {
            let file = std::fs::read(path).map_err(|error| error.to_string())?;
            let book = AnyBook::open(file.into()).map_err(|error| error.to_string())?;
            log::debug!("book: {book:?} from {}", path.display());
            self.file = Some(Arc::new(book));
        }
        self.share();
        Ok(self.file.as_ref().map(|book| book.size()).filter(|&size| size != self.board))
    }
}
