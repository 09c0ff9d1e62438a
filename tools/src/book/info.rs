//! `plumb-lab book info`: what a book says of itself.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use plumb::board::Geometry;
use plumb::book::Book;

use super::file::{self, Source};
use super::layer;
use crate::board_size::{Size, Work};
use crate::output::print;
use crate::random::Random;

/// How many scores are looked up to measure how long that takes.
const LOOKUPS: usize = 1_000_000;

/// Tell what a book says of itself: its board and its layers.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The book; the one within this program if not given.
    #[arg(value_name = "BOOK")]
    book: Option<PathBuf>,
    /// Also measure how long it takes to open it, and to look up the score of a position of the last layer.
    #[arg(long)]
    time: bool,
}

/// Prints it.
///
/// # Errors
/// If the file is no book.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let source = Source::from(arguments.book.as_ref());
    let board = source.board()?;
    board.run(Task { source, board, time: arguments.time })
}

/// What has to be done on the book's board.
struct Task<'a> {
    source: Source<'a>,
    board: Size,
    time: bool,
}

impl Work for Task<'_> {
    type Output = Result<()>;

    fn run<G: Geometry>(self) -> Result<()> {
        let before = Instant::now();
        let book = self.source.open::<G>()?;
        let opening = before.elapsed();
        print(format_args!("board {}", self.board))?;
        file::rows(&book).iter().try_for_each(|row| print(format_args!("{row}")))?;
        if self.time {
            let lookup = lookup_nanoseconds(&book)?;
            let opening = opening.as_secs_f64() * 1e3;
            print(format_args!("opened in {opening:.2} ms; {lookup:.0} ns for a score of the last layer"))?;
        }
        Ok(())
    }
}

/// The mean time that a score of the last layer takes, for positions in random order.
fn lookup_nanoseconds<G: Geometry>(book: &Book<G>) -> Result<f64> {
    let plies = book.layer_plies().next_back().context("a book has a layer")?;
    let keys = layer::positions::<G>(plies);
    let mut random = Random::new(1, 0);
    let drawn = (0..LOOKUPS).map(|_| {
        let key = *keys.get(random.below(keys.len().max(1) as u32) as usize)?;
        layer::position::<G>(key, plies)
    });
    let positions: Vec<_> = drawn.collect::<Option<_>>().context("the layer has no positions")?;
    let before = Instant::now();
    for position in &positions {
        black_box(book.probe(position.own(), position.mask(), plies));
    }
    Ok(before.elapsed().as_secs_f64() * 1e9 / LOOKUPS as f64)
}
