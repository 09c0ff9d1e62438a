//! The databases of `BitBully` (Markus Thill; the Python package `bitbully-databases`), to compare with.
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
use std::fmt;

use plumb::board::{Bits, Geometry, Position, Standard, StaticGeometry};
use plumb::score::{Score, win_with_stone};

use super::layer;

/// What a database knows of a position for its side to move, which is the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Exact(Score),
    /// Only who wins: 1, 0 or -1.
    Sign(Score),
}

/// For people: the score, or who wins.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(score) => score.fmt(f),
            Self::Sign(1) => f.write_str("a win"),
            Self::Sign(0) => f.write_str("a draw"),
            Self::Sign(_) => f.write_str("a loss"),
        }
    }
}

/// One of the databases.
pub(super) struct Database {
    /// Stones of its positions.
    pub plies: u32,
    /// What stands for positions that are not there; none if all are.
    absent: Option<Known>,
    positions: HashMap<u64, Known>,
}

/// The layout of a file.
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

impl Database {
    /// Solver, number of positions, number of stones and kind of values, as one line for the user.
    pub(super) fn describe(&self) -> String {
        let Self { plies, absent, positions } = self;
        let values = if absent.is_some() { "draws and losses, all others are wins" } else { "exact scores" };
        format!(
            "a database of BitBully for the 7x6 board: {} positions of {plies} stones, {values}",
            positions.len()
        )
    }

    /// The database of these bytes, whichever of the three it is.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        // Nothing but its records tells which one it is.
        let layout = || LAYOUTS.iter().find_map(|layout| layout.read(bytes));
        if bytes.is_empty() { None } else { layout() }
    }

    /// How many positions there are in the file.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether the position with this canonical key is in the file.
    pub(super) fn has(&self, key: u64) -> bool {
        self.positions.contains_key(&key)
    }

    /// What is known of the position with this canonical key.
    pub(super) fn get(&self, key: u64) -> Option<Known> {
        self.positions.get(&key).copied().or(self.absent)
    }
}

impl Layout {
    /// Reads all records, if all are of this layout.
    fn read(&self, bytes: &[u8]) -> Option<Database> {
        let records = bytes.chunks(self.position_bytes + usize::from(self.has_distance));
        let positions = records.map(|record| self.read_record(record)).collect::<Option<HashMap<_, _>>>()?;
        let absent = (!self.has_distance).then_some(Known::Sign(1));
        Some(Database { plies: self.plies, absent, positions })
    }

    fn read_record(&self, record: &[u8]) -> Option<(u64, Known)> {
        let (code, distance) = record.split_at_checked(self.position_bytes)?;
        let code = code.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
        let value = code & 3;
        let position = decode(code & !3, self.position_bytes)?;
        let known = match distance {
            &[distance] if value == 0 => Known::Exact(score(distance as i8, self.plies)?),
            [] => Known::Sign(*[0, -1].get(value as usize)?),
            _ => return None,
        };
        (position.plies() == self.plies).then(|| (layer::word(&position), known))
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
    fn records_read_as_published() {
        let layout = &LAYOUTS[0];
        let read = |record: &[u8]| layout.read_record(record).map(|(_, known)| known);
        // The first three of the file.
        let win = |stone| Known::Exact(win_with_stone(Standard::default(), stone));
        assert_eq!(read(&[0x81, 0x57, 0x3e, 0xfc, 0x4b]), Some(win(37)));
        assert_eq!(read(&[0x81, 0x57, 0x3f, 0xbc, 0x4f]), Some(win(33)));
        let lost = -win_with_stone(Standard::default(), 38);
        assert_eq!(read(&[0x81, 0x57, 0x6e, 0xfc, 0xb6]), Some(Known::Exact(lost)));
        assert_eq!(
            LAYOUTS[1].read_record(&[0x81, 0x57, 0x6e, 0xfd]).map(|(_, known)| known),
            Some(Known::Sign(-1))
        );
        assert_eq!(LAYOUTS[2].read_record(&[0x05, 0x5c, 0xfc]).map(|(_, known)| known), Some(Known::Sign(0)));
    }

    #[test]
    fn other_bytes_are_no_records() {
        for record in
            [&[][..], &[0; 5], &[0xff; 5], &[0x81, 0x57, 0x3e, 0xfc, 0x4c], &[0x81, 0x57, 0x3e, 0xff, 0x4b]]
        {
            assert_eq!(LAYOUTS[0].read_record(record), None, "{record:?}");
        }
    }
}
