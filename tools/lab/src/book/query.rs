//! `plumb-lab book query`: what a book knows of a position.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use plumb::board::{Geometry, Position, Standard, column_name};
use plumb::book::{BookBoard, BookProbe};
use plumb::score::{Score, immediate_score};

use super::file::Source;
use super::foreign::Foreign;
use crate::output::print;
use crate::position_flags::{self, FirstColumn};
use crate::solve::solution::Verdict;

/// Look up the score of a position and of each of its moves in a book, without a search.
///
/// Between the layers of the book scores follow from those of the next layer. Beyond the last one the book may
/// contain a line; its move is printed, which keeps the score unless the position only shares the key of one on a
/// line: verify it before use.
///
/// Of a book of another solver (`BitBully`'s `.dat`, Pascal Pons's `.book`, connect-four-ai's `.bin`) the value of the position
/// is printed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Moves from the empty board, as 4455, "4 4 5 5", ddee or "d1 d2 e1 e2", or a FEN.
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,
    #[arg(long, value_enum, value_name = "N", help = position_flags::HELP)]
    first_column: Option<FirstColumn>,
    /// The book. [default: the embedded book]
    #[arg(long, value_name = "F")]
    book: Option<PathBuf>,
}

/// Prints the scores.
///
/// # Errors
/// If the file is no book, the text no position, or the book knows nothing of the position.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { position: text, first_column, book } = arguments;
    if let Some(foreign) = Foreign::named(book.as_deref())? {
        let position = position_flags::reader(*first_column, Standard::default(), "").read(text)?.position;
        return print(format_args!("score      {}", foreign.query(&position)?));
    }
    let book = Source::from(book.as_ref()).open()?;
    let position = position_flags::reader(*first_column, book.geometry(), "").read(text)?.position;
    let (stones, width) = (position.plies(), position.geometry().width());
    let last = book.layer_plies().next_back().context("a book has a layer")?;
    let mut probe = BookProbe::new(&book, &position);
    let mut known = |position: &Position<BookBoard>| {
        immediate_score(position).or_else(|| probe.as_mut()?.score(position))
    };
    let Some(score) = known(&position) else {
        if let Some(column) = book.extension_move(&position) {
            return print(format_args!("move {:<5} the book's line", column_name(width, column)));
        }
        if stones > last {
            bail!("`{text}` has {stones} stones, and the book knows nothing past {last}");
        }
        bail!("`{text}` has {stones} stones, and the book's next layer is too far away from that");
    };
    let row = |name: &str, score: Score| {
        let verdict = Verdict::of(score, &position, false);
        print(format_args!("{name:<10} {score}: {verdict}"))
    };
    row("score", score)?;
    for column in position.legal_columns() {
        let name = format!("move {}", column_name(width, column));
        // Of a position of the last layer one move is known, if any.
        if let Some(score) = position.play(column).and_then(|next| known(&next)) {
            row(&name, -score)?;
        } else if book.best_move(&position) == Some(column) {
            row(&name, score)?;
        }
    }
    Ok(())
}
