//! `plumb-lab book info`: what a book says of itself.

use std::path::PathBuf;

use anyhow::Result;
use plumb::board::Geometry;

use super::file::{self, Source};
use crate::board_size::{Size, Work};
use crate::output::print;

/// Tell what a book says of itself: its board and its layers.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The book; the one within this program if not given.
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
}

/// Prints it.
///
/// # Errors
/// If the file is no book.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let source = Source::from(arguments.book.as_ref());
    let board = source.board()?;
    board.run(Task { source, board })
}

/// What has to be done on the book's board.
struct Task<'a> {
    source: Source<'a>,
    board: Size,
}

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let book = self.source.open::<G>()?;
        print(format_args!("board {}", self.board))?;
        file::rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))
    }
}
