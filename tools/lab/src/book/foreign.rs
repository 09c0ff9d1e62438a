//! Books of other solvers, to compare with.
//!
//! # Pascal Pons's `7x6.book` and connect-four-ai's `default-book.bin`
//!
//! | book | bytes |
//! |---|---|
//! | Pascal Pons's `7x6.book` | width, height, greatest number of stones, bytes of a key, 1, b; then keys and values (score + 19; 0 for none, a byte each) of a hash table with as many places as the least prime above 2^b |
//! | connect-four-ai's `default-book.bin` | the number of records, 64 bits, the lowest byte first; then of each a key of 64 bits and the score as a byte |
//!
//! Pons's key has a digit to base 3 for each stone, 1 of the side to move and 2 of its opponent, column after column from the
//! bottom up, and a 0 after each column but the last; of a position and its mirror image the smaller one. Its place is the
//! key modulo their number, where its low bytes are. connect-four-ai's key is that of this project, not canonical.
//!
//! # `BitBully`'s databases (Markus Thill; the Python package `bitbully-databases`)
//!
//! A record begins with a position, its bits from the highest: column after column, in each the stones from the bottom
//! up, `10` for one of the first player and `11` for one of the second, then `0` for its end; zeros fill the bytes up.
//! Records are in ascending order. There are three files:
//!
//! | file                      | stones | bytes | value                                                              |
//! |---------------------------|--------|-------|--------------------------------------------------------------------|
//! | `book_8ply.dat`           | 8      | 3     | the two low bits: 0 for a draw, 1 if the first player loses        |
//! | `book_12ply.dat`          | 12     | 4     | the same                                                           |
//! | `book_12ply_distances.dat`| 12     | 4 + 1 | 100 - n if the first player wins in n plies, n - 100 if it loses   |
//!
//! The first two leave out positions that the first player wins, and all three those that it wins with the next stone.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use plumb::board::{Bits, Geometry, Position, Standard, StaticGeometry};
use plumb::score::{Score, max_score, win_with_stone};
use plumb_studies::table_study::design::next_prime;

/// A book of another solver, for 7x6.
pub(super) struct Foreign {
    /// What it is, with its solver.
    name: &'static str,
    /// The greatest number of stones.
    pub most_stones: u32,
    /// Whether it is about all positions of so many stones, and no others.
    pub is_whole: bool,
    /// Whether the values are only the signs of the scores. Positions without a record are then wins.
    pub is_by_sign: bool,
    records: Records,
}

enum Records {
    /// Values by canonical key.
    Listed(HashMap<u64, Score>),
    /// A hash table of scores, of whose keys only a part is stored.
    Hashed { key_bytes: usize, keys: Vec<u8>, values: Vec<u8> },
}

impl Foreign {
    /// Reads the file at `path`; `None` if it is in none of these formats. Its contents tell, as any book may have any name.
    ///
    /// # Errors
    /// An unreadable file.
    pub(super) fn read(path: &Path) -> Result<Option<Self>> {
        let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        // Nothing but its records tells which of BitBully's databases it is.
        let database = || LAYOUTS.iter().filter(|_| !bytes.is_empty()).find_map(|layout| layout.read(&bytes));
        Ok(hashed(&bytes).or_else(|| listed(&bytes)).or_else(database))
    }

    /// Solver, number of positions, number of stones and kind of values, as one line for the user.
    pub(super) fn describe(&self) -> String {
        let Self { name, most_stones, is_whole, is_by_sign, records } = self;
        let up_to = if *is_whole { "" } else { "up to " };
        let places = match records {
            Records::Listed(_) => String::new(),
            Records::Hashed { values, .. } => format!(" in {} places", values.len()),
        };
        let values = if *is_by_sign { "draws and losses, all others are wins" } else { "exact scores" };
        let count = self.count();
        format!(
            "{name} for the 7x6 board: {count} positions of {up_to}{most_stones} stones{places}, {values}"
        )
    }

    /// The number of positions with a record.
    pub(super) fn count(&self) -> usize {
        match &self.records {
            Records::Listed(values) => values.len(),
            Records::Hashed { values, .. } => values.iter().filter(|&&value| value != 0).count(),
        }
    }

    /// The value in the record of a position, for its side to move.
    pub(super) fn record<G: Geometry<Bits = u64>>(&self, position: &Position<G>) -> Option<Score> {
        let (key_bytes, keys, values) = match &self.records {
            Records::Listed(values) => return values.get(&position.canonical_key()).copied(),
            Records::Hashed { key_bytes, keys, values } => (key_bytes, keys, values),
        };
        let key = key_of_digits(position);
        let place = (key % values.len() as u64) as usize;
        let stored = keys.chunks(*key_bytes).nth(place)?;
        let value = values[place];
        let is_same = key.to_le_bytes().starts_with(stored) && position.plies() <= self.most_stones;
        let score = Score::from(value) - max_score(Standard::default()) - 1;
        (is_same && value != 0).then_some(score)
    }

    /// The value of positions without a record, if the format implies one.
    pub(super) fn absent(&self) -> Option<Score> {
        self.is_by_sign.then_some(1)
    }

    /// A value for people: the score, or who wins.
    pub(super) fn words(&self, value: Score) -> String {
        match value {
            score if !self.is_by_sign => score.to_string(),
            0 => "a draw".to_owned(),
            sign => if sign > 0 { "a win" } else { "a loss" }.to_owned(),
        }
    }

    /// The value of a position for `book query`.
    ///
    /// # Errors
    /// A position without a value: the reason, with the number of stones.
    pub(super) fn query(&self, position: &Position) -> Result<String> {
        let (stones, plies) = (position.plies(), self.most_stones);
        if self.is_whole {
            ensure!(stones == plies, "a position of {stones} stones; the database has those of {plies}");
            ensure!(position.outcome().is_none(), "the game is over; the database has no such positions");
            ensure!(
                !position.can_win_now(),
                "the side to move wins with the next stone; the database leaves those out"
            );
        }
        let value = self.record(position).or(self.absent()).map(|value| self.words(value));
        value.with_context(|| format!("the book has no such position of {stones} stones"))
    }
}

/// The records of connect-four-ai's book, if all bytes are such.
fn listed(bytes: &[u8]) -> Option<Foreign> {
    let (count, records) = bytes.split_first_chunk::<8>()?;
    let (records, rest) = records.as_chunks::<9>();
    if !rest.is_empty() || records.len() as u64 != u64::from_le_bytes(*count) {
        return None;
    }
    let mut most_stones = 0;
    let scores = records.iter().map(|record| {
        let (key, score) = record.split_first_chunk::<8>()?;
        let position: Position = Position::from_key(u64::from_le_bytes(*key))?;
        most_stones = most_stones.max(position.plies());
        Some((position.canonical_key(), Score::from(score[0] as i8)))
    });
    let records = Records::Listed(scores.collect::<Option<_>>()?);
    let name = "a book of connect-four-ai";
    Some(Foreign { name, most_stones, is_whole: false, is_by_sign: false, records })
}

/// The hash table of Pascal Pons's book, if all bytes are such.
fn hashed(bytes: &[u8]) -> Option<Foreign> {
    let (&[width, height, most, key_bytes, 1, log_size], rest) = bytes.split_first_chunk()? else {
        return None;
    };
    let is_standard = (u32::from(width), u32::from(height)) == (Standard::WIDTH, Standard::HEIGHT);
    if !is_standard || !(1..=8).contains(&key_bytes) || log_size > 30 {
        return None;
    }
    let (places, key_bytes) = (next_prime(1 << log_size), usize::from(key_bytes));
    let (keys, values) = rest.split_at_checked(places * key_bytes)?;
    let records = Records::Hashed { key_bytes, keys: keys.to_vec(), values: values.to_vec() };
    let (name, is_fitting) = ("a book of Pascal Pons's solver", values.len() == places);
    let book = Foreign { name, most_stones: most.into(), is_whole: false, is_by_sign: false, records };
    is_fitting.then_some(book)
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

/// The layout of one of `BitBully`'s databases.
struct Layout {
    plies: u32,
    position_bytes: usize,
    has_distance: bool,
}

const LAYOUTS: [Layout; 3] = [
    Layout { plies: 12, position_bytes: 4, has_distance: true },
    Layout { plies: 12, position_bytes: 4, has_distance: false },
    Layout { plies: 8, position_bytes: 3, has_distance: false },
];

impl Layout {
    /// Reads all records, if all are of this layout.
    fn read(&self, bytes: &[u8]) -> Option<Foreign> {
        let records = bytes.chunks(self.position_bytes + usize::from(self.has_distance));
        let positions = records.map(|record| self.read_record(record)).collect::<Option<HashMap<_, _>>>()?;
        let (name, records) = ("a database of BitBully", Records::Listed(positions));
        let is_by_sign = !self.has_distance;
        Some(Foreign { name, most_stones: self.plies, is_whole: true, is_by_sign, records })
    }

    fn read_record(&self, record: &[u8]) -> Option<(u64, Score)> {
        let (code, distance) = record.split_at_checked(self.position_bytes)?;
        let code = code.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
        let value = code & 3;
        let position = decode(code & !3, self.position_bytes)?;
        let value = match distance {
            &[distance] if value == 0 => score(distance as i8, self.plies)?,
            // The last record of a file with distances may be cut off.
            [] if !self.has_distance => *[0, -1].get(value as usize)?,
            _ => return None,
        };
        (position.plies() == self.plies).then(|| (position.canonical_key(), value))
    }
}

/// The position of a code of so many bytes.
fn decode(code: u32, bytes: usize) -> Option<Position> {
    let mut bits = (0..8 * bytes).rev().map(|bit| code >> bit & 1 == 1);
    let (mut own, mut mask) = (0, 0);
    for column in 0..Standard::WIDTH {
        let mut row = 0;
        while bits.next()? {
            if row == Standard::HEIGHT {
                return None;
            }
            let cell = Standard::default().cell(column, row);
            mask |= cell;
            own |= if bits.next()? { 0 } else { cell };
            row += 1;
        }
    }
    Position::from_key(own.plus(mask))
}

/// The score that a value of the file with distances stands for.
fn score(value: i8, plies: u32) -> Option<Score> {
    if value == 0 {
        return Some(0);
    }
    let distance = 100_u32.checked_sub(u32::from(value.unsigned_abs()))?;
    let stone = plies + distance;
    let whole = (1..=Standard::CELLS - plies).contains(&distance) && (distance % 2 == 1) == (value > 0);
    whole.then(|| win_with_stone(Standard::default(), stone) * Score::from(value.signum()))
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
        let pons = hashed(&bytes).expect("a book");
        let key = position.own() + position.mask();
        let record = [&1_u64.to_le_bytes()[..], &key.to_le_bytes(), &[-2_i8 as u8]].concat();
        let listed = listed(&record).expect("a book");
        let other: Position = "44".parse().expect("legal");
        for book in [pons, listed] {
            assert_eq!(book.query(&position).expect("a score"), "-2");
            assert_eq!(book.query(&mirrored).expect("a score"), "-2");
            assert!(book.query(&other).is_err());
            assert!(book.describe().contains(": 1 positions of up to "), "{}", book.describe());
        }
        assert!(hashed(&bytes[1..]).is_none() && super::listed(&record[1..]).is_none());
    }

    #[test]
    fn records_read_as_published() {
        let layout = &LAYOUTS[0];
        let read = |record: &[u8]| layout.read_record(record).map(|(_, value)| value);
        // The first three of the file.
        let win = |stone| win_with_stone(Standard::default(), stone);
        assert_eq!(read(&[0x81, 0x57, 0x3e, 0xfc, 0x4b]), Some(win(37)));
        assert_eq!(read(&[0x81, 0x57, 0x3f, 0xbc, 0x4f]), Some(win(33)));
        let lost = -win_with_stone(Standard::default(), 38);
        assert_eq!(read(&[0x81, 0x57, 0x6e, 0xfc, 0xb6]), Some(lost));
        assert_eq!(LAYOUTS[1].read_record(&[0x81, 0x57, 0x6e, 0xfd]).map(|(_, value)| value), Some(-1));
        assert_eq!(LAYOUTS[2].read_record(&[0x05, 0x5c, 0xfc]).map(|(_, value)| value), Some(0));
    }

    #[test]
    fn other_bytes_are_no_records() {
        for record in [
            &[][..],
            &[0; 5],
            &[0xff; 5],
            &[0x81, 0x57, 0x3e, 0xfc, 0x4c],
            &[0x81, 0x57, 0x3e, 0xff, 0x4b],
            &[0x81, 0x57, 0x3e, 0xfc],
        ] {
            assert_eq!(LAYOUTS[0].read_record(record), None, "{record:?}");
        }
    }
}
