//! Why a file is no book to play from.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::format::VERSION;

/// What is wrong with a file that should be a book; each is one sentence to follow the file's name and a colon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookError {
    /// It does not begin as books do.
    Foreign,
    /// It has this version of the format, which is not known here.
    Version(u16),
    /// It ends before it should.
    Truncated {
        /// Bytes that are there.
        found: usize,
        /// Bytes that should be.
        expected: usize,
    },
    /// It is not what was written.
    Damaged,
    /// It is for another board, of so many columns and rows.
    Board {
        /// The book's.
        found: (u32, u32),
        /// That which is played on.
        expected: (u32, u32),
    },
    /// It says of itself what cannot be.
    Absurd,
}

impl Display for BookError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign => f.write_str("this is no book"),
            Self::Version(version) => {
                write!(f, "the book has version {version} of the format, only {VERSION} is known")
            }
            Self::Truncated { found, expected } => {
                write!(f, "the book ends after {found} of {expected} bytes")
            }
            Self::Damaged => f.write_str("the book is damaged: its checksum is wrong"),
            Self::Board { found, expected } => {
                let (width, height) = expected;
                write!(f, "the book is for a board of {}x{}, not of {width}x{height}", found.0, found.1)
            }
            Self::Absurd => f.write_str("the book is no use: its layers cannot be"),
        }
    }
}

impl Error for BookError {}
