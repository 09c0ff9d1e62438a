//! Compares a book with parts and with books of other solvers.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{BoardSize, Geometry, Position};
use plumb::book::{Book, BookBoard, BookProbe};
use plumb::score::Score;

use super::foreign::{Foreign, Known};
use super::layer;
use super::lines::{Columns, steps};
use super::part::{Heading, What, Whole};
use crate::exit::Failure;
use crate::output::print;

/// Something to compare a book with.
pub(super) enum Reference {
    /// Scores or moves.
    Values(Heading, Vec<(u64, i32)>),
    Lines(Heading, Vec<(u64, Columns)>),
    Foreign(Foreign),
}

impl Reference {
    /// Reads the file at `path`, whichever of them it is.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let Some(part) = Whole::read(path)? else { return Foreign::read(path).map(Self::Foreign) };
        Ok(match part.heading.what {
            What::Scores | What::Moves => Self::Values(part.heading, part.content()?.0),
            What::Lines(_) => Self::Lines(part.heading, part.content()?.0),
        })
    }

    /// Compares every position of the file at `path` with the book.
    pub(super) fn compare(&self, book: &Book<BookBoard>, path: &Path) -> Result<()> {
        let name = path.display().to_string();
        let size = match self {
            Self::Values(heading, _) | Self::Lines(heading, _) => heading.board.size(),
            Self::Foreign(_) => BoardSize::STANDARD,
        };
        let is_same = book.geometry().size() == size;
        ensure!(is_same, "`{name}` is about the {size} board, which the book is not for");
        match self {
            Self::Values(heading, entries) => compare_part(book, &name, heading, entries),
            Self::Lines(Heading { plies, .. }, entries) => {
                print(format_args!("{name}: {}", same_lines(book, *plies, entries)?))
            }
            Self::Foreign(foreign) => compare_foreign(book, &name, foreign),
        }
    }
}

/// Compares every position of a part.
fn compare_part(book: &Book<BookBoard>, name: &str, heading: &Heading, entries: &[(u64, i32)]) -> Result<()> {
    let plies = heading.plies;
    let known = |position: &Position<BookBoard>| {
        if heading.what == What::Moves {
            return book.best_move(position).map(|column| column as i32);
        }
        BookProbe::new(book, position)?.score(position)
    };
    let mut differences = Differences::default();
    for &(key, value) in entries {
        let position = layer::position(book.geometry(), key, plies).ok();
        let of_book = position.as_ref().and_then(known);
        if of_book != Some(value) {
            differences.add(key, position.as_ref(), of_book, &value.to_string());
        }
    }
    let total = entries.len();
    let equal = total - differences.count;
    let what = if heading.what == What::Moves { "moves for " } else { "" };
    print(format_args!("{name}: {equal} of {total} {what}positions of {plies} stones equal"))?;
    differences.conclude(name)
}

/// Compares lines that begin in positions of `plies` stones, and tells of it. Where one ends may depend on how good the
/// search is, the moves do not.
pub(super) fn same_lines(book: &Book<BookBoard>, plies: u32, lines: &[(u64, Columns)]) -> Result<String> {
    let (mut moves, mut shorter) = (0, 0);
    for (key, line) in lines {
        let differs = || Failure(format!("the book has another line than `{line}` from key {key:x}"));
        let position = layer::position(book.geometry(), *key, plies).ok().with_context(differs)?;
        let first = line.0.first().copied();
        let steps =
            steps(position, line).filter(|_| book.best_move(&position) == first).with_context(differs)?;
        for (position, chosen) in steps {
            match book.extension_move(&position) {
                Some(column) if column == chosen => moves += 1,
                Some(_) => bail!(differs()),
                None => {
                    shorter += 1;
                    break;
                }
            }
        }
    }
    let shorter =
        if shorter > 0 { format!("; {shorter} of them end sooner in the book") } else { String::new() };
    Ok(format!("{} lines from {plies} stones with {moves} moves equal{shorter}", lines.len()))
}

/// Compares every position of a book of another solver that this one has a layer for.
fn compare_foreign(book: &Book<BookBoard>, name: &str, foreign: &Foreign) -> Result<()> {
    // A database says of what it leaves out what that is; the others just lack it.
    let Foreign { is_whole, most_stones, absent, .. } = *foreign;
    let layers: Vec<_> = if is_whole { vec![most_stones] } else { book.layer_plies().collect() };
    let (mut differences, mut found) = (Differences::default(), 0);
    for plies in layers {
        let (before, entries) = (differences.count, entries(book, plies)?);
        let mut present = 0;
        for &(key, score) in &entries {
            let position = layer::position(book.geometry(), key, plies)?;
            let record = foreign.record(&position);
            let known = record.or(absent);
            let is_equal = match known {
                Some(Known::Exact(known)) => known == score,
                Some(Known::Sign(known)) => known == score.signum(),
                None => !is_whole,
            };
            present += usize::from(record.is_some());
            if !is_equal {
                let of_file = known.map_or_else(|| "nothing".to_owned(), |known| known.to_string());
                differences.add(key, Some(&position), Some(score), &of_file);
            }
        }
        if present > 0 {
            let total = if is_whole { entries.len() } else { present };
            let equal = total - (differences.count - before);
            let absent = entries.len() - present;
            print(format_args!(
                "{name}: {equal} of {total} positions of {plies} stones equal; {absent} are not in the file"
            ))?;
        }
        found += present;
    }
    differences.conclude(name)?;
    let others = if is_whole { foreign.count() - found } else { 0 };
    ensure!(others == 0, Failure(format!("`{name}` has {others} positions that the book has not")));
    Ok(())
}

/// All positions of a layer, with the scores that the book has for them.
pub(super) fn entries(book: &Book<BookBoard>, plies: u32) -> Result<Vec<(u64, Score)>> {
    let keys = layer::positions(book.geometry(), plies);
    let layer = book.layers().iter().find(|layer| layer.plies() == plies);
    let count = layer.map_or(0, |layer| layer.positions() as usize);
    let expected = keys.len();
    ensure!(
        count == expected,
        Failure(format!("the layer of {plies} stones has {count} positions, but there are {expected}"))
    );
    let known =
        |key| book.stored_score(&layer::position(book.geometry(), key, plies)?).context("the layer is there");
    keys.into_iter().map(|key| Ok((key, known(key)?))).collect()
}

/// How many positions are shown: enough to see what they have in common.
const SHOWN: usize = 10;

/// The positions on which a book and a file differ.
#[derive(Default)]
struct Differences {
    count: usize,
    /// The first of them, as lines for people.
    shown: Vec<String>,
}

impl Differences {
    /// Adds the position of a canonical key, or `None` if the key has none, with what the book and the file have for it.
    fn add(&mut self, key: u64, position: Option<&Position<BookBoard>>, of_book: Option<i32>, of_file: &str) {
        self.count += 1;
        if self.shown.len() < SHOWN {
            let position = position.map_or_else(|| format!("key {key:x}"), Position::fen);
            let of_book = of_book.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            self.shown.push(format!("{position}: {of_book} in the book, {of_file} in the file"));
        }
    }

    /// Prints the first of them.
    ///
    /// # Errors
    /// [`Failure`] if there are any.
    fn conclude(self, name: &str) -> Result<()> {
        self.shown.iter().try_for_each(|line| print(format_args!("{line}")))?;
        let count = self.count;
        let shown =
            if count > SHOWN { format!(", of which the first {SHOWN} are shown") } else { String::new() };
        let differ = format!("the book and `{name}` differ in {count} positions{shown}");
        ensure!(count == 0, Failure(differ));
        Ok(())
    }
}
