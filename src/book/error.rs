//! The errors of reading and writing books.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use crate::board::{BoardSize, UnsupportedSize};
use crate::score::Score;

/// Why a file cannot be used as a book. Each message is a clause to follow the file's name and a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookError {
    /// The file does not start with the magic number of books.
    NotABook,
    /// The file has a version of the format that this library does not read.
    UnsupportedVersion {
        /// The version of the file.
        found: u16,
        /// The version that this library reads.
        expected: u16,
    },
    /// The file is shorter than its header says.
    Truncated {
        /// Length of the file in bytes.
        found: usize,
        /// Length that the header gives, in bytes.
        expected: usize,
    },
    /// The checksum does not match the contents.
    Damaged,
    /// The book is for another board.
    WrongBoard {
        /// The board of the book.
        found: BoardSize,
        /// The board that it was opened for.
        expected: BoardSize,
    },
    /// The book is for a board of more than 64 bits, or none.
    UnsupportedBoard(UnsupportedSize),
    /// The checksum matches, but the headers of the layers contradict each other or the format.
    InvalidLayers,
}

impl Display for BookError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotABook => f.write_str("this is no book"),
            Self::UnsupportedVersion { found, expected } => {
                write!(f, "the book has version {found} of the format, only {expected} is known")
            }
            Self::Truncated { found, expected } => {
                write!(f, "the book ends after {found} of {expected} bytes")
            }
            Self::Damaged => f.write_str("the book is damaged: its checksum is wrong"),
            Self::WrongBoard { found, expected } => {
                write!(f, "the book is for a board of {found}, not of {expected}")
            }
            Self::UnsupportedBoard(error) => write!(f, "a book for {}: {error}", error.size),
            Self::InvalidLayers => f.write_str("the book has an invalid layer table"),
        }
    }
}

impl Error for BookError {}

/// Why a book cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BookWriteError {
    /// There are no layers, more than 255, two with as many stones, or one with more stones than the board has cells.
    Layers,
    /// A score is outside -128 to 127.
    Score(Score),
    /// A key occurs twice in the layer of this number of stones, or it has too many keys.
    Keys {
        /// Number of stones of the layer.
        plies: u32,
    },
    /// The moves of the layer of this number of stones are not exactly one candidate for each position with a choice.
    Moves {
        /// Number of stones of the layer.
        plies: u32,
    },
    /// The extension starts past the last layer, or has a position that is within the layers, is no position, has fewer
    /// than two candidates, occurs twice, or a move that is none of its candidates.
    Extension,
    /// The keys of the board have more than 64 bits.
    Board(BoardSize),
    /// The file would be larger than 4 GB.
    TooLarge,
}

impl Display for BookWriteError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layers => f.write_str("a book needs 1 to 255 layers of different numbers of stones"),
            Self::Score(score) => write!(f, "a book cannot store the score {score}"),
            Self::Keys { plies } => {
                write!(f, "the layer of {plies} stones has a key twice, or too many keys")
            }
            Self::Moves { plies } => {
                write!(
                    f,
                    "the layer of {plies} stones needs one candidate move for each position with a choice"
                )
            }
            Self::Extension => f.write_str("the extension does not fit the layers"),
            Self::Board(size) => write!(f, "a board of {size} has keys of more than 64 bits"),
            Self::TooLarge => f.write_str("the book is larger than 4 GB"),
        }
    }
}

impl Error for BookWriteError {}
