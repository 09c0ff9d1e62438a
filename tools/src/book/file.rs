//! A book in a file.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use plumb::board::Geometry;
use plumb::book::{Book, board_of};

use crate::board_size::Size;

/// The board that the book at `path` is for.
///
/// # Errors
/// If it cannot be read or is no book.
pub(super) fn board(path: &Path) -> Result<Size> {
    let found = board_of(&read(path)?).map_err(|error| named(path, error))?;
    let (width, height) = found;
    let size: Result<Size, _> = format!("{width}x{height}").parse();
    size.map_err(|error| anyhow!("`{}`: a board of {width}x{height} is not known: {error}", path.display()))
}

/// Opens the book at `path`.
///
/// # Errors
/// If it cannot be read, or is no book for this board.
pub(super) fn open<G: Geometry>(path: &Path) -> Result<Book<G>> {
    Book::open(read(path)?.into()).map_err(|error| named(path, error))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn named(path: &Path, error: plumb::book::BookError) -> anyhow::Error {
    anyhow!("`{}`: {error}", path.display())
}

/// A table of the layers, a row each below the headings.
pub(super) fn rows<G: Geometry>(book: &Book<G>) -> Vec<String> {
    let mut rows =
        vec![format!("{:>6} {:>10} {:>8} {:>9}  scores", "stones", "positions", "bytes", "bits each")];
    for layer in book.layers() {
        let (positions, bytes) = (layer.positions(), layer.bytes());
        let each = 8.0 * bytes as f64 / f64::from(positions.max(1));
        let range = match (layer.scores().next(), layer.scores().last()) {
            (Some(least), Some(greatest)) => format!("{least} to {greatest}"),
            _ => "none".to_owned(),
        };
        let count = layer.scores().count();
        rows.push(format!("{:>6} {positions:>10} {bytes:>8} {each:>9.3}  {count}: {range}", layer.plies()));
    }
    rows
}
