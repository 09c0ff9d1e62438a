//! Positions on which a book and a file differ.

use anyhow::{Result, bail};
use plumb::board::Position;
use plumb::book::BookBoard;

use crate::failure::Failure;
use crate::output::print;

/// How many positions are shown: enough to see what they have in common.
const SHOWN: usize = 10;

/// The positions on which a book and a file differ.
#[derive(Default)]
pub(super) struct Differences {
    count: usize,
    /// The first of them, as lines for people.
    shown: Vec<String>,
}

impl Differences {
    /// Adds the position of a canonical key, or `None` if the key has none, with what the book and the file have for it.
    pub(super) fn add(
        &mut self,
        key: u64,
        position: Option<&Position<BookBoard>>,
        of_book: Option<i32>,
        of_file: &str,
    ) {
        self.count += 1;
        if self.shown.len() < SHOWN {
            let position = position.map_or_else(|| format!("key {key:x}"), Position::fen);
            let of_book = of_book.map_or_else(|| "nothing".to_owned(), |value| value.to_string());
            self.shown.push(format!("{position}: {of_book} in the book, {of_file} in the file"));
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Prints the first of them.
    ///
    /// # Errors
    /// [`Failure`] if there are any.
    pub(super) fn conclude(self, name: &str) -> Result<()> {
        self.shown.iter().try_for_each(|line| print(format_args!("{line}")))?;
        match self.count {
            0 => Ok(()),
            count if count > SHOWN => {
                bail!(Failure(format!(
                    "the book and `{name}` differ in {count} positions, of which the first {SHOWN} are shown"
                )))
            }
            count => bail!(Failure(format!("the book and `{name}` differ in {count} positions"))),
        }
    }
}
