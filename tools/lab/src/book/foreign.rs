//! Books of other solvers, to compare with: those of [`BitBully`](super::bitbully) and two more.
//!
//! | book | bytes |
//! |---|---|
//! | Pascal Pons's `7x6.book` | width, height, greatest number of stones, bytes of a key, 1, b; then keys and values (score + 19; 0 for none, a byte each) of a hash table with as many places as the least prime above 2^b |
//! | connect-four-ai's `default-book.bin` | the number of records, 64 bits, the lowest byte first; then of each a key of 64 bits and the score as a byte |
//!
//! Pons's key has a digit to base 3 for each stone, 1 of the side to move and 2 of its opponent, column after column from the
//! bottom up, and a 0 after each column but the last; of a position and its mirror image the smaller one. Its place is the
//! key modulo their number, where its low bytes are. connect-four-ai's key is that of this project, not canonical.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Geometry, Position, Standard, StaticGeometry};
use plumb::score::{Score, max_score};

use super::bitbully::{Database, Known};
use super::layer;

/// A book of another solver, for 7x6.
pub(super) enum Foreign {
    BitBully(Database),
    Pons(HashedBook),
    /// connect-four-ai's: scores by canonical key, and the greatest number of stones.
    Listed(HashMap<u64, Score>, u32),
}

/// A hash table of scores, of whose keys only a part is stored.
pub(super) struct HashedBook {
    most_stones: u32,
    key_bytes: usize,
    keys: Vec<u8>,
    values: Vec<u8>,
}

impl Foreign {
    /// Reads the book at `path`, whichever it is.
    ///
    /// # Errors
    /// An unreadable file; a file in none of these formats.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
        let pons = HashedBook::read(&bytes).map(Self::Pons);
        match pons.or_else(|| listed(&bytes)).or_else(|| Database::of(&bytes).map(Self::BitBully)) {
            Some(book) => Ok(book),
            None => bail!("`{name}` is no book of BitBully, Pascal Pons or connect-four-ai for 7x6"),
        }
    }

    /// The book of another solver at `path`: any `.dat` file, and a `.book` or `.bin` file in one of these formats. `None` for
    /// other files, which may be books of this project.
    ///
    /// # Errors
    /// A `.dat` file that is unreadable or in none of these formats.
    pub(super) fn named(path: Option<&Path>) -> Result<Option<Self>> {
        let ends_in = |path: &&Path, end: &str| path.extension().is_some_and(|found| found == end);
        // A book of this project may have any name, too.
        let is_foreign = |path: &&Path| {
            ends_in(path, "dat")
                || (ends_in(path, "book") || ends_in(path, "bin")) && Self::read(path).is_ok()
        };
        path.filter(is_foreign).map(Self::read).transpose()
    }

    /// Solver, number of positions, number of stones and kind of values, as one line for the user.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::BitBully(database) => database.describe(),
            Self::Pons(book) => {
                let count = book.values.iter().filter(|&&value| value != 0).count();
                let (most, places) = (book.most_stones, book.values.len());
                format!(
                    "a book of Pascal Pons's solver for the 7x6 board: {count} positions of up to {most} stones in {places} places, exact scores"
                )
            }
            Self::Listed(scores, most) => {
                format!(
                    "a book of connect-four-ai for the 7x6 board: {} positions of up to {most} stones, exact scores",
                    scores.len()
                )
            }
        }
    }

    /// The value of a position; `None` without a record of the position, unless the format implies a value.
    pub(super) fn get<G: Geometry<Bits = u64>>(&self, position: &Position<G>) -> Option<Known> {
        let score = match self {
            Self::BitBully(database) => return database.get(layer::word(position)),
            Self::Pons(book) => book.get(position)?,
            Self::Listed(scores, _) => *scores.get(&layer::word(position))?,
        };
        Some(Known::Exact(score))
    }

    /// Whether the file has a record of a position.
    pub(super) fn has<G: Geometry<Bits = u64>>(&self, position: &Position<G>) -> bool {
        match self {
            Self::BitBully(database) => database.has(layer::word(position)),
            _ => self.get(position).is_some(),
        }
    }

    /// The value of a position for `book query`.
    ///
    /// # Errors
    /// A position without a value: the reason, with the number of stones.
    pub(super) fn query(&self, position: &Position) -> Result<Known> {
        let stones = position.plies();
        if let Self::BitBully(Database { plies, .. }) = self {
            ensure!(stones == *plies, "a position of {stones} stones; the database has those of {plies}");
            ensure!(
                !position.can_win_now(),
                "the side to move wins with the next stone; the database leaves those out"
            );
        }
        self.get(position).with_context(|| format!("the book has no such position of {stones} stones"))
    }
}

/// The records of connect-four-ai's book, if all bytes are such.
fn listed(bytes: &[u8]) -> Option<Foreign> {
    let (count, records) = bytes.split_first_chunk::<8>()?;
    let (records, rest) = records.as_chunks::<9>();
    if !rest.is_empty() || records.len() as u64 != u64::from_le_bytes(*count) {
        return None;
    }
    let mut most = 0;
    let scores = records.iter().map(|record| {
        let (key, score) = record.split_first_chunk::<8>()?;
        let position: Position = Position::from_key(u64::from_le_bytes(*key))?;
        most = most.max(position.plies());
        Some((layer::word(&position), Score::from(score[0] as i8)))
    });
    let scores = scores.collect::<Option<_>>()?;
    Some(Foreign::Listed(scores, most))
}

impl HashedBook {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (&[width, height, most, key_bytes, 1, log_size], rest) = bytes.split_first_chunk()? else {
            return None;
        };
        let is_standard = (u32::from(width), u32::from(height)) == (Standard::WIDTH, Standard::HEIGHT);
        if !is_standard || !(1..=8).contains(&key_bytes) || log_size > 30 {
            return None;
        }
        let places = next_prime(1 << log_size) as usize;
        let key_bytes = usize::from(key_bytes);
        let (keys, values) = rest.split_at_checked(places * key_bytes)?;
        let book =
            || Self { most_stones: most.into(), key_bytes, keys: keys.to_vec(), values: values.to_vec() };
        (values.len() == places).then(book)
    }

    fn get<G: Geometry<Bits = u64>>(&self, position: &Position<G>) -> Option<Score> {
        let key = key_of_digits(position);
        let place = (key % self.values.len() as u64) as usize;
        let stored = self.keys.chunks(self.key_bytes).nth(place)?;
        let value = self.values[place];
        let is_same = key.to_le_bytes().starts_with(stored) && position.plies() <= self.most_stones;
        (is_same && value != 0).then(|| Score::from(value) - max_score(Standard::default()) - 1)
    }
}

/// The key to base 3 of a position or its mirror image.
fn key_of_digits<G: Geometry<Bits = u64>>(position: &Position<G>) -> u64 {
    let board = position.geometry();
    let (own, mask) = (position.own(), position.mask());
    let key = |key: u64, column: u32| {
        let cells =
            (0..board.height()).map(|row| board.cell(column, row)).take_while(|cell| mask & cell != 0);
        3 * cells.fold(key, |key, cell| 3 * key + if own & cell != 0 { 1 } else { 2 })
    };
    let (left, right) = ((0..board.width()).fold(0, key), (0..board.width()).rev().fold(0, key));
    left.min(right) / 3
}

/// The least prime of at least `least`, which is 2 or more.
fn next_prime(least: u64) -> u64 {
    let is_prime = |n: u64| (2..=n.isqrt()).all(|d| !n.is_multiple_of(d));
    // There is one below twice any number.
    (least..2 * least).find(|&n| is_prime(n)).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_of_other_solvers_are_read() {
        let position: Position = "4453".parse().expect("legal");
        let mirrored: Position = "4435".parse().expect("legal");
        // A book of Pons with 2^4 places: 17, the least prime above.
        let (key, size) = (key_of_digits(&position), 17);
        assert_eq!(key, key_of_digits(&mirrored));
        let mut bytes = vec![7, 6, 8, 1, 1, 4];
        let place = (key % size) as usize;
        let mut keys = vec![0; size as usize];
        keys[place] = key as u8;
        let mut values = vec![0; size as usize];
        values[place] = (-2 + 18 + 1) as u8;
        bytes.extend(keys.iter().chain(&values));
        let pons = HashedBook::read(&bytes).map(Foreign::Pons).expect("a book");
        let key = position.own() + position.mask();
        let record = [&1_u64.to_le_bytes()[..], &key.to_le_bytes(), &[-2_i8 as u8]].concat();
        let listed = listed(&record).expect("a book");
        let other: Position = "44".parse().expect("legal");
        for book in [pons, listed] {
            assert_eq!(book.query(&position).ok(), Some(Known::Exact(-2)));
            assert_eq!(book.query(&mirrored).ok(), Some(Known::Exact(-2)));
            assert!(book.query(&other).is_err());
            assert!(book.describe().contains(": 1 positions of up to "), "{}", book.describe());
        }
        assert!(HashedBook::read(&bytes[1..]).is_none() && super::listed(&record[1..]).is_none());
    }
}
