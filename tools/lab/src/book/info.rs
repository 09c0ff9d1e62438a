//! `plumb-lab book info`: board and layers of a book.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use plumb::book::{Book, BookBoard};
use plumb_tools_common::random::Random;

use super::file::{self, Source};
use super::foreign::Foreign;
use super::layer;
use crate::output::print;

/// Scores that are looked up in the measurement.
const LOOKUPS: usize = 1_000_000;

/// Print the board and the layers of a book; of a book of another solver (`BitBully`'s
/// `.dat`, Pascal Pons's `.book`, connect-four-ai's `.bin`) what it has.
#[derive(clap::Args)]
pub(super) struct Arguments {
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
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if let Some(foreign) = Foreign::named(arguments.book.as_deref())? {
        return print(format_args!("{}", foreign.describe()));
    }
    let before = Instant::now();
    let book = Source::from(arguments.book.as_ref()).open()?;
    let opening = before.elapsed();
    print(format_args!("board {}", book.geometry()))?;
    file::rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))?;
    if arguments.time {
        let lookup = lookup_nanoseconds(&book)?;
        let opening = opening.as_secs_f64() * 1e3;
        print(format_args!("opened in {opening:.2} ms; {lookup:.0} ns for a score of the last layer"))?;
    }
    Ok(())
}

/// The mean time to look up a score of the last layer, for positions in random order.
fn lookup_nanoseconds(book: &Book<BookBoard>) -> Result<f64> {
    let plies = book.layer_plies().next_back().context("a book has a layer")?;
    let keys = layer::positions(book.geometry(), plies);
    let mut random = Random::new(1, 0);
    let drawn = (0..LOOKUPS).map(|_| {
        let key = *keys.get(random.below(keys.len().max(1) as u32) as usize)?;
        layer::position(book.geometry(), key, plies)
    });
    let positions: Vec<_> = drawn.collect::<Option<_>>().context("the layer has no positions")?;
    let before = Instant::now();
    for position in &positions {
        black_box(book.stored_score(position));
    }
    Ok(before.elapsed().as_secs_f64() * 1e9 / LOOKUPS as f64)
}
