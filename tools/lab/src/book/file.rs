//! A book in a file, or the one within the program.

use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use plumb::book::{Book, BookBoard, BookError, EMBEDDED, board_size};

/// Where a book is.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    File(&'a Path),
    /// Within this program.
    Embedded,
}

impl<'a> From<Option<&'a PathBuf>> for Source<'a> {
    fn from(path: Option<&'a PathBuf>) -> Self {
        path.map_or(Self::Embedded, |path| Self::File(path))
    }
}

impl Source<'_> {
    /// Opens the book, for whichever board it is.
    ///
    /// # Errors
    /// If it cannot be read or is no book.
    pub(super) fn open(self) -> Result<Book<BookBoard>> {
        let file = self.read()?;
        let size = board_size(&file).map_err(|error| self.named(error))?;
        let board = BookBoard::new(size).map_err(|error| self.named(BookError::UnsupportedBoard(error)))?;
        Book::open_on(board, file).map_err(|error| self.named(error))
    }

    fn read(self) -> Result<Cow<'static, [u8]>> {
        match self {
            Self::File(path) => Ok(fs::read(path).with_context(|| format!("cannot read {self}"))?.into()),
            Self::Embedded => Ok(EMBEDDED.context("this program was built without a book: name one")?.into()),
        }
    }

    fn named(self, error: BookError) -> anyhow::Error {
        anyhow!("{self}: {error}")
    }
}

impl fmt::Display for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.display()),
            Self::Embedded => f.write_str("the book within this program"),
        }
    }
}

/// A table of the layers, a row each below the headings.
pub(super) fn rows(book: &Book<BookBoard>) -> Vec<String> {
    let mut rows = vec![format!(
        "{:>6} {:>10} {:>8} {:>9} {:>8}  scores",
        "stones", "positions", "bytes", "bits each", "moves"
    )];
    for layer in book.layers() {
        let (positions, bytes) = (layer.positions(), layer.score_bytes());
        let each = 8.0 * bytes as f64 / f64::from(positions.max(1));
        let range = match (layer.scores().next(), layer.scores().last()) {
            (Some(least), Some(greatest)) => format!("{least} to {greatest}"),
            _ => "none".to_owned(),
        };
        let moves = layer.move_bytes().map_or("-".to_owned(), |bytes| bytes.to_string());
        let (plies, count) = (layer.plies(), layer.scores().count());
        rows.push(format!("{plies:>6} {positions:>10} {bytes:>8} {each:>9.3} {moves:>8}  {count}: {range}"));
    }
    if let Some(extension) = book.extension() {
        let (positions, bytes) = (extension.positions(), extension.bytes());
        let each = 8.0 * bytes as f64 / f64::from(positions.max(1));
        rows.push(format!(
            "{:>6} {positions:>10} {:>8} {each:>9.3} {bytes:>8}  lines from {}",
            "past",
            "-",
            extension.from()
        ));
    }
    rows
}
