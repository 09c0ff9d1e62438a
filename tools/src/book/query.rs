//! `plumb-lab book query`: what a book knows of a position.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use plumb::board::Geometry;
use plumb::book::Opening;
use plumb::score::Score;

use super::file;
use crate::board_size::Work;
use crate::output::print;
use crate::solve::parse;
use crate::solve::solution::{Verdict, letter_or_digit};

/// Tell the score of a position and of each of its moves from a book alone.
///
/// Between the layers of the book they follow from those of the next one; past the last nothing is known.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The moves from the empty board: column digits, or column letters on a board of more than 9 columns.
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// The book.
    #[arg(long, value_name = "F")]
    book: PathBuf,
}

/// Prints the scores.
///
/// # Errors
/// If the file is no book, a move is illegal, or the book knows nothing of the position.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    file::board(&arguments.book)?.run(Task(arguments))
}

/// What has to be done on the book's board.
struct Task<'a>(&'a Arguments);

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let Arguments { moves, book } = self.0;
        let book = file::open::<G>(book)?;
        let position = parse::<G>(moves)?;
        let stones = position.plies();
        let last = book.layer_plies().next_back().context("a book has a layer")?;
        let Some(mut opening) = Opening::new(&book, &position) else {
            bail!("`{moves}` has {stones} stones, and the book knows nothing past {last}");
        };
        let Some(score) = opening.score(&position) else {
            bail!("`{moves}` has {stones} stones, and the book's next layer is too far away from that");
        };
        let row = |name: &str, score: Score| {
            let verdict = Verdict::of(score, &position, false);
            print(format_args!("{name:<10} {score}: {verdict}"))
        };
        row("score", score)?;
        for column in position.legal_columns() {
            let name = format!("move {}", letter_or_digit::<G>(column));
            // A position of the last layer is known without its moves.
            if let Some(score) = position.play(column).and_then(|next| opening.score(&next)) {
                row(&name, -score)?;
            }
        }
        Ok(())
    }
}
