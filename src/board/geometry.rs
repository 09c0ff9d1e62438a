//! Board sizes as types, and the layout of the bits.
//!
//! A board of width `W` and height `H` takes `W * (H + 1)` bits: columns from the left, each from its bottom cell up, with
//! one spare bit on top that never holds a stone. The spare bit separates the top of a column from the bottom of the next,
//! so that a shift gives the neighbours of all cells in a direction. On 7x6:
//!
//! ```text
//!  .  .  .  .  .  .  .      spare bits
//!  5 12 19 26 33 40 47      row 6
//!  4 11 18 25 32 39 46      row 5     vertical    1
//!  3 10 17 24 31 38 45      row 4     horizontal  H + 1
//!  2  9 16 23 30 37 44      row 3     falling     H
//!  1  8 15 22 29 36 43      row 2     rising      H + 2
//!  0  7 14 21 28 35 42      row 1
//!  a  b  c  d  e  f  g
//! ```
//!
//! Source of the layout: John Tromp, "John's Connect Four Playground" and the Fhourstones benchmark.

use std::fmt::Debug;
use std::hash::Hash;

use super::bits::Bits;

/// A board size, implemented by [`Narrow`] and [`Wide`] for every width and height that fit their words.
///
/// ```
/// use plumb::board::{Geometry, Narrow, Position};
///
/// type Small = Narrow<5, 4>;
/// assert_eq!((Small::WIDTH, Small::HEIGHT, Small::CELLS), (5, 4, 20));
/// let position = Position::<Small>::new();
/// assert_eq!(position.legal_columns().count(), 5);
/// ```
pub trait Geometry: Copy + Debug + Default + Eq + Hash + Send + Sync + 'static {
    /// The word for one bit per cell and the spare row.
    type Bits: Bits;
    /// Number of columns, 4 to 25.
    const WIDTH: u32;
    /// Number of rows, 4 to 31.
    const HEIGHT: u32;

    /// Number of cells.
    const CELLS: u32 = Self::WIDTH * Self::HEIGHT;
    /// Distance between neighbours in a row: a column's cells and its spare bit.
    const STRIDE: u32 = Self::HEIGHT + 1;
    /// Length of [`Position::key`](super::Position::key) in bits.
    const KEY_BITS: u32 = Self::WIDTH * Self::STRIDE;
    /// Shifts to the neighbour up, to the right, below right and above right.
    const DIRECTIONS: [u32; 4] = [1, Self::STRIDE, Self::STRIDE - 1, Self::STRIDE + 1];
    /// The cells of the bottom row, as a wide word for constants.
    const BOTTOM: u128 = rows(Self::WIDTH, Self::HEIGHT, 1, 1);
    /// All cells, as a wide word for constants.
    const BOARD: u128 = rows(Self::WIDTH, Self::HEIGHT, 1, Self::HEIGHT);

    /// The cells of the bottom row.
    #[inline]
    #[must_use]
    fn bottom() -> Self::Bits {
        Self::Bits::from_wide(Self::BOTTOM)
    }

    /// All cells, without the spare row.
    #[inline]
    #[must_use]
    fn board() -> Self::Bits {
        Self::Bits::from_wide(Self::BOARD)
    }

    /// The cells of a column (from 0).
    #[inline]
    #[must_use]
    fn column(column: u32) -> Self::Bits {
        Self::Bits::from_wide((1_u128 << Self::HEIGHT) - 1) << (column * Self::STRIDE)
    }

    /// The cell in a column and a row, both from 0.
    #[inline]
    #[must_use]
    fn cell(column: u32, row: u32) -> Self::Bits {
        Self::Bits::bit(column * Self::STRIDE + row)
    }

    /// The column, from 0, of a set of one cell.
    #[inline]
    #[must_use]
    fn column_of(cell: Self::Bits) -> u32 {
        cell.lowest() / Self::STRIDE
    }

    /// The row, from 0, of a set of one cell.
    #[inline]
    #[must_use]
    fn row_of(cell: Self::Bits) -> u32 {
        cell.lowest() % Self::STRIDE
    }

    /// The cells of odd rank, counted from 1 at the bottom, as threats count them.
    #[inline]
    #[must_use]
    fn odd_rows() -> Self::Bits {
        Self::Bits::from_wide(const { parity_rows(Self::WIDTH, Self::HEIGHT, 1) })
    }

    /// The cells of even rank, counted from 1 at the bottom.
    #[inline]
    #[must_use]
    fn even_rows() -> Self::Bits {
        Self::Bits::from_wide(const { parity_rows(Self::WIDTH, Self::HEIGHT, 2) })
    }

    /// The cells of the middle columns: three on boards of odd width, two on others.
    #[inline]
    #[must_use]
    fn middle() -> Self::Bits {
        let columns = const { 2 + Self::WIDTH % 2 };
        let first = const { (Self::WIDTH - 1) / 2 - Self::WIDTH % 2 };
        let block = ((1_u128 << (columns * Self::STRIDE)) - 1) << (first * Self::STRIDE);
        Self::Bits::from_wide(block & Self::BOARD)
    }
}

/// The cells of rows `first` to `last` (from 1) as a wide word.
const fn rows(width: u32, height: u32, first: u32, last: u32) -> u128 {
    assert!(width >= 4 && height >= 4, "a line of four needs room on every board");
    assert!(width * (height + 1) <= 128, "the board must fit 128 bits");
    let mut set = 0;
    let mut column = 0;
    while column < width {
        let mut row = first;
        while row <= last {
            set |= 1 << (column * (height + 1) + row - 1);
            row += 1;
        }
        column += 1;
    }
    set
}

/// The cells of every second row from `first` (1 or 2) up, as a wide word.
const fn parity_rows(width: u32, height: u32, first: u32) -> u128 {
    let mut set = 0;
    let mut row = first;
    while row <= height {
        set |= rows(width, height, row, row);
        row += 2;
    }
    set
}

/// A board of `W` columns and `H` rows in 64 bits: `W * (H + 1)` must not exceed 64, or the build fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Narrow<const W: u32, const H: u32>;

impl<const W: u32, const H: u32> Geometry for Narrow<W, H> {
    type Bits = u64;
    const WIDTH: u32 = W;
    const HEIGHT: u32 = {
        assert!(W * (H + 1) <= 64, "this board needs `Wide`");
        H
    };
}

/// A board of `W` columns and `H` rows in 128 bits: `W * (H + 1)` must not exceed 128, or the build fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide<const W: u32, const H: u32>;

impl<const W: u32, const H: u32> Geometry for Wide<W, H> {
    type Bits = u128;
    const WIDTH: u32 = W;
    const HEIGHT: u32 = H;
}

/// The board of the standard game, 7 columns by 6 rows.
pub type Standard = Narrow<7, 6>;

/// The columns (from 0), the one nearest to the centre first, of two equally near ones the right one first.
pub(crate) fn centre_first<G: Geometry>() -> impl Iterator<Item = u32> {
    let middle = (G::WIDTH - 1) / 2;
    (0..G::WIDTH).map(move |index| {
        let step = index.div_ceil(2);
        if index % 2 == 1 { middle + step } else { middle - step }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_from_the_centre() {
        assert_eq!(centre_first::<Standard>().collect::<Vec<_>>(), [3, 4, 2, 5, 1, 6, 0]);
        assert_eq!(centre_first::<Narrow<4, 4>>().collect::<Vec<_>>(), [1, 2, 0, 3]);
    }

    #[test]
    fn the_standard_masks_match_the_picture() {
        assert_eq!(Standard::bottom(), (0..7).map(|column| 1 << (7 * column)).sum::<u64>());
        assert_eq!(Standard::board().count(), 42);
        assert_eq!(Standard::KEY_BITS, 49);
        assert_eq!(Standard::odd_rows() | Standard::even_rows(), Standard::board());
        assert!((Standard::odd_rows() & Standard::even_rows()).is_empty());
        assert_eq!(Standard::odd_rows() & Standard::column(0), 0b01_0101);
        assert_eq!(Standard::middle(), Standard::column(2) | Standard::column(3) | Standard::column(4));
        assert_eq!(Narrow::<4, 4>::middle(), Narrow::<4, 4>::column(1) | Narrow::<4, 4>::column(2));
    }

    #[test]
    fn cells_and_coordinates_are_inverse() {
        fn check<G: Geometry>() {
            for column in 0..G::WIDTH {
                for row in 0..G::HEIGHT {
                    let cell = G::cell(column, row);
                    assert_eq!((G::column_of(cell), G::row_of(cell)), (column, row));
                    assert!(!(cell & G::column(column)).is_empty());
                }
            }
        }
        check::<Standard>();
        check::<Narrow<8, 7>>();
        check::<Wide<9, 8>>();
    }
}
