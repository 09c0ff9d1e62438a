//! A book in a file, or the one within the program: opened, `plumb-lab book info` and `plumb-lab book query`.

use std::borrow::Cow;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::board::{Geometry, column_name};
use plumb::book::{Book, BookProbe, EMBEDDED};
use plumb::score::{Score, immediate_score};
use plumb_arena::random::Random;

use super::layer::{self, BookPosition};
use crate::arguments;
use crate::output::{or_dash, print, table};
use crate::solve::Verdict;

/// The words for the book in a file, or for the one within this program.
pub(super) fn name(path: Option<&Path>) -> String {
    path.map_or("the book within this program".to_owned(), |path| format!("`{}`", path.display()))
}

/// Opens the book in a file, or the one within this program, for whichever board it is.
///
/// # Errors
/// A file that cannot be read or is no book; without a path, a program that was built without a book.
pub(super) fn open(path: Option<&Path>) -> Result<Book> {
    let name = name(path);
    let bytes: Cow<'static, [u8]> = match path {
        Some(path) => fs::read(path).with_context(|| format!("cannot read {name}"))?.into(),
        None => EMBEDDED.context("this program was built without a book: name one")?.into(),
    };
    Book::open(bytes).map_err(|error| anyhow!("{name}: {error}"))
}

/// A table of the layers, a row each below the headings.
pub(super) fn rows(book: &Book) -> Vec<String> {
    let bits_each =
        |bytes: usize, positions: u32| format!("{:.3}", 8.0 * bytes as f64 / f64::from(positions.max(1)));
    let layers = book.layers().iter().map(|layer| {
        let (positions, bytes) = (layer.positions, layer.score_bytes());
        let range = match (layer.scores().next(), layer.scores().last()) {
            (Some(least), Some(greatest)) => format!("{least} to {greatest}"),
            _ => "none".to_owned(),
        };
        let counts = [layer.plies, positions, bytes as u32].map(|count| count.to_string());
        let moves = or_dash(layer.move_bytes(), |bytes| bytes.to_string());
        let scores = format!(" {}: {range}", layer.scores().count());
        [&counts[..], &[bits_each(bytes, positions), moves, scores]].concat()
    });
    let extension = book.extension().map(|extension| {
        let (positions, bytes) = (extension.positions, extension.bytes());
        let lines = format!(" lines from {}", extension.from);
        let each = bits_each(bytes, positions);
        vec!["past".to_owned(), positions.to_string(), "-".to_owned(), each, bytes.to_string(), lines]
    });
    table("stones| positions|   bytes|bits each|   moves| scores", layers.chain(extension))
}

/// Scores that are looked up in the measurement.
const LOOKUPS: usize = 1_000_000;

/// Print the board and the layers of a book.
#[derive(clap::Args)]
pub(super) struct InfoArguments {
    /// The book. [default: the embedded book]
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Also measure the time to open the book, and to look up a score of the last layer.
    #[arg(long)]
    time: bool,
}

/// Prints it.
///
/// # Errors
/// If the file is not a book.
pub(super) fn info(arguments: &InfoArguments) -> Result<()> {
    let before = Instant::now();
    let book = open(arguments.book.as_deref())?;
    let opening = before.elapsed();
    print(format_args!("board {}", book.geometry()))?;
    rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))?;
    if arguments.time {
        let lookup = lookup_nanoseconds(&book)?;
        let opening = opening.as_secs_f64() * 1e3;
        print(format_args!("opened in {opening:.2} ms; {lookup:.0} ns for a score of the last layer"))?;
    }
    Ok(())
}

/// The mean time to look up a score of the last layer, for positions in random order.
fn lookup_nanoseconds(book: &Book) -> Result<f64> {
    let plies = book.layer_plies().next_back().context("a book has a layer")?;
    let all = layer::positions(book.geometry(), plies);
    ensure!(!all.is_empty(), "the layer has no positions");
    let mut random = Random::new(1, 0);
    let positions: Vec<_> = (0..LOOKUPS).map(|_| all[random.below(all.len() as u32) as usize]).collect();
    let before = Instant::now();
    for position in &positions {
        black_box(book.stored_score(position));
    }
    Ok(before.elapsed().as_secs_f64() * 1e9 / LOOKUPS as f64)
}

/// Look up the score of a position and of each of its moves in a book, without a search.
///
/// Between the layers of the book scores follow from those of the next layer. Beyond the last one the book may
/// contain a line; its move is printed, which keeps the score unless the position is on no line and its check bits
/// match by chance (1 in 512 on 7x6): verify the move before use.
#[derive(clap::Args)]
pub(super) struct QueryArguments {
    /// Moves from the empty board, as 4455, "4 4 5 5", ddee or "d1 d2 e1 e2", or a FEN.
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP)]
    first_column: Option<u32>,
    /// The book. [default: the embedded book]
    #[arg(long, value_name = "F")]
    book: Option<PathBuf>,
}

/// Prints the scores.
///
/// # Errors
/// If the file is no book, the text no position, or the book knows nothing of the position.
pub(super) fn query(arguments: &QueryArguments) -> Result<()> {
    let QueryArguments { position: text, first_column, book } = arguments;
    let book = open(book.as_deref())?;
    let position = arguments::reader(*first_column, book.geometry(), "").read(text)?.position;
    let (stones, width) = (position.plies(), position.geometry().width());
    let last = book.layer_plies().next_back().context("a book has a layer")?;
    let mut probe = BookProbe::new(&book, &position);
    let mut known =
        |position: &BookPosition| immediate_score(position).or_else(|| probe.as_mut()?.score(position));
    let Some(score) = known(&position) else {
        if let Some(column) = book.extension_move(&position) {
            return print(format_args!("move {:<5} the book's line", column_name(width, column)));
        }
        if stones > last {
            bail!("`{text}` has {stones} stones, and the book has no line through it");
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
