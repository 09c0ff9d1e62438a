//! Opening books: the exact score of every position with a given number of stones, and best moves.
//!
//! A book has one or more *layers*. A layer has the score of every [reachable](crate::board::Position::is_reachable)
//! position with its number of stones in which the side to move has no immediate win, one for a position and its mirror
//! image; it may also have a best move of each. An *extension* may hold best moves of some later positions, those that
//! the book's own play leads to.
//!
//! The book within the program has layers of 0 to 8 and of 12 stones; the last one has 4,200,899 positions. Scores take
//! 5.4 bits each, because neither positions nor keys are stored: a lookup of a position outside the set gives an
//! arbitrary result, which is why [`BookProbe`] accepts reachable positions only.
//!
//! ```
//! # #[cfg(feature = "book")] {
//! use plumb::board::Position;
//! use plumb::book::Book;
//!
//! let book = Book::embedded().expect("this build has a book");
//! let hit = book.look_up(&Position::from_digits("44444").expect("legal moves")).expect("five stones are in the book");
//! println!("score {}, best column {:?}", hit.score, hit.best);
//! # }
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `static_function.rs` | maps keys to small values without storing the keys |
//! | `layer.rs` | the contents: scores and moves of a layer, the extension, and the ranked candidate moves of a position |
//! | `format.rs`, `write.rs` | the file format, its reader and writer |
//! | `book.rs` | an opened book |
//! | `probe.rs` | [`Book::look_up`], the search between two layers, and the book for a board known at run time |

#[expect(clippy::module_inception, reason = "the file of the type `Book`")]
mod book;
mod format;
mod layer;
mod probe;
mod static_function;
#[cfg(test)]
pub(crate) mod tests;
mod write;

pub use book::{Book, EMBEDDED};
pub use format::{BookBoard, BookError, board_of};
pub use layer::{BookExtension, Layer, candidate_columns};
pub use probe::{AnyBook, BookHit, BookProbe};
pub use write::{ExtensionEntries, LayerEntries, write_on};
