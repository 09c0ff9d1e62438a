//! The opening books of a session: the built-in one, and one from a file.

use std::cell::OnceCell;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::book::Book;

/// The book that searches play from, if it has been opened. The session reads it for an answer without a search.
pub(crate) type SharedBook = Arc<Mutex<Option<Arc<Book>>>>;

/// The opening books.
#[derive(Default)]
pub(crate) struct Books {
    /// The built-in book; opened when it is first needed.
    embedded: OnceCell<Option<Arc<Book>>>,
    /// The book from a file, which takes precedence.
    file: Option<Arc<Book>>,
    shared: SharedBook,
}

impl Books {
    /// The book to play from.
    pub(crate) fn chosen(&self) -> Option<&Arc<Book>> {
        let embedded = || self.embedded.get_or_init(|| Book::embedded().map(Arc::new)).as_ref();
        self.file.as_ref().or_else(embedded)
    }

    /// Opens the book to play from, unless it is open, and shares it.
    pub(crate) fn share(&self) {
        *self.shared.lock().unwrap_or_else(PoisonError::into_inner) = self.chosen().cloned();
    }

    /// Sets the book to use as the built-in one, unless that has been opened already; returns whether it was set.
    pub(crate) fn set_built_in(&mut self, book: Book) -> bool {
        self.embedded.set(Some(Arc::new(book))).is_ok()
    }

    /// A handle on the book that is open.
    pub(crate) fn shared(&self) -> SharedBook {
        Arc::clone(&self.shared)
    }

    /// Opens the book in the file at `path`; an empty path closes it, so that the built-in book is used again.
    ///
    /// # Errors
    /// If the file cannot be read or is not a book; the previous book then stays in use.
    pub(crate) fn open(&mut self, path: &Path) -> Result<(), String> {
        if path.as_os_str().is_empty() {
            self.file = None;
        } else {
            let file = std::fs::read(path).map_err(|error| error.to_string())?;
            let book = Book::open(file.into()).map_err(|error| error.to_string())?;
            log::debug!("book: {book:?} from {}", path.display());
            self.file = Some(Arc::new(book));
        }
        self.share();
        Ok(())
    }
}
