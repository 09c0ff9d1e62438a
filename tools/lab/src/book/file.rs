//! Files of books, `plumb-lab book info` and `plumb-lab book query`.

use std::borrow::Cow;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use plumb::board::{Geometry, column_name};
use plumb::book::{Book, BookProbe, EMBEDDED};
use plumb::mix::Random;
use plumb::score::{Score, immediate_score};

use super::layer::{self, BookPosition};
use crate::arguments;
use crate::output::{or_dash, print, table};
use crate::solve::Verdict;

pub(super) fn name(path: Option<&Path>) -> String {
    path.map_or("the book within this program".to_owned(), |path| format!("`{}`", path.display()))
}

pub(super) fn open(path: Option<&Path>) -> Result<Book> {
    let name = name(path);
    let bytes: Cow<'static, [u8]> = match path {
        Some(path) => fs::read(path).with_context(|| format!("cannot read {name}"))?.into(),
        None => EMBEDDED.context("this program was built without a book: name one")?.into(),
    };
    Book::open(bytes).map_err(|error| anyhow!("{name}: {error}"))
}

fn bits_each(bytes: usize, positions: u32) -> String {
    format!("{:.3}", 8.0 * bytes as f64 / f64::from(positions.max(1)))
}

pub(super) fn rows(book: &Book) -> Vec<String> {
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

const LOOKUPS: usize = 1_000_000;

/// Print the board and the layers of a book.
#[derive(clap::Args)]
pub(crate) struct InfoArguments {
    /// Book. [default: the embedded book]
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Also measure opening the book and looking up scores.
    #[arg(long)]
    time: bool,
}

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

/// Mean time to look up a score of the last layer, in random order.
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
/// Scores between two layers follow from the next layer. Beyond the last layer the book may have a line of play, whose move is
/// printed. Verify that move before use: for a position on no line, check bits can match by chance (1 in 512 on 7x6).
#[derive(clap::Args)]
pub(crate) struct QueryArguments {
    /// Position: moves or a FEN.
    #[arg(value_name = "POSITION", default_value = "", hide_default_value = true)]
    position: String,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP)]
    first_column: Option<u32>,
    /// Book. [default: the embedded book]
    #[arg(long, value_name = "F")]
    book: Option<PathBuf>,
}

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
        bail!("`{text}` has {stones} stones, and the next layer of the book is too far away");
    };
    print_score("score", score, &position)?;
    for column in position.legal_columns() {
        let name = format!("move {}", column_name(width, column));
        if let Some(score) = position.play(column).and_then(|next| known(&next)) {
            print_score(&name, -score, &position)?;
        } else if book.best_move(&position) == Some(column) {
            // For the last layer the book has best moves, but no score of each move.
            print_score(&name, score, &position)?;
        }
    }
    Ok(())
}

fn print_score(name: &str, score: Score, position: &BookPosition) -> Result<()> {
    print(format_args!("{name:<10} {score}: {}", Verdict::of(score, position, false)))
}
