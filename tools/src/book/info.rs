//! `plumb-lab book info`: what a book says of itself.

use std::path::PathBuf;

use anyhow::Result;
use plumb::board::Geometry;

use super::file;
use crate::board_size::{Size, Work};
use crate::output::print;

/// Tell what a book says of itself: its board and its layers.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The book.
    #[arg(value_name = "BOOK")]
    book: PathBuf,
}

/// Prints it.
///
/// # Errors
/// If the file is no book.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let board = file::board(&arguments.book)?;
    board.run(Task { arguments, board })
}

/// What has to be done on the book's board.
struct Task<'a> {
    arguments: &'a Arguments,
    board: Size,
}

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let book = file::open::<G>(&self.arguments.book)?;
        print(format_args!("board {}", self.board))?;
        file::rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))
    }
}
