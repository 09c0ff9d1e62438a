//! The book within the program.

use super::book::Book;

/// The bytes of the file. A static, as those of a constant would be in the program once for each crate that uses it.
#[cfg(feature = "book")]
static FILE: [u8; include_bytes!("7x6.book").len()] = *include_bytes!("7x6.book");

/// The file of the book within the program (its making: `src/book/README.md`); `None` without the cargo feature `book`.
#[cfg(feature = "book")]
pub const EMBEDDED: Option<&[u8]> = Some(&FILE);
/// The file of the book within the program; `None`, as it was built without the cargo feature `book`.
#[cfg(not(feature = "book"))]
pub const EMBEDDED: Option<&[u8]> = None;

impl Book {
    /// The book within the program; `None` without the cargo feature `book`.
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
