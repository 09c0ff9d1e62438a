//! The book that is part of the program.

use super::Book;

/// The file of the book that is part of the program; `None` if it was built without one (the cargo feature `book`).
/// `README.md` beside it tells how it was made.
#[cfg(feature = "book")]
pub const EMBEDDED: Option<&[u8]> = Some(include_bytes!("7x6.book"));
/// The file of the book that is part of the program; `None`, as it was built without one (the cargo feature `book`).
#[cfg(not(feature = "book"))]
pub const EMBEDDED: Option<&[u8]> = None;

impl Book {
    /// The book that is part of the program, if it has one.
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
