//! Board sizes, the bitboard layout, and lines of four.
//!
//! A board of `w` columns and `h` rows takes `w * (h + 1)` bits: columns from the left, each from the bottom up, with
//! one spare bit on top that never holds a stone. The spare bit separates columns, so a shift gives the neighbours of
//! all cells in a direction. On 7x6:
//!
//! ```text
//!  .  .  .  .  .  .  .      spare bits
//!  5 12 19 26 33 40 47      row 6
//!  4 11 18 25 32 39 46      row 5     vertical    1
//!  3 10 17 24 31 38 45      row 4     horizontal  h + 1
//!  2  9 16 23 30 37 44      row 3     falling     h
//!  1  8 15 22 29 36 43      row 2     rising      h + 2
//!  0  7 14 21 28 35 42      row 1
//!  a  b  c  d  e  f  g
//! ```
//!
//! Source of the layout: John Tromp, "John's Connect Four Playground" and the Fhourstones benchmark.

use std::fmt::Debug;
use std::hash::Hash;

use super::bits::{Bits, Layout};
use super::size::BoardSize;

macro_rules! numbers {
    ($($(#[$doc:meta])+ $name:ident)+) => {$(
        $(#[$doc])+
        #[inline(always)]
        #[must_use]
        fn $name(self) -> u32 {
            self.layout().$name
        }
    )+};
}

macro_rules! masks {
    ($($(#[$doc:meta])+ $name:ident)+) => {$(
        $(#[$doc])+
        #[inline(always)]
        #[must_use]
        fn $name(self) -> Self::Bits {
            Self::Bits::from_wide(self.layout().$name)
        }
    )+};
}

/// The size of a board and the layout of its bits, as a value that positions and searches carry.
///
/// Only this crate implements it. Types of a fixed size ([`Narrow`], [`Wide`]) take no space and have constant masks.
/// [`AnyBoard`](super::AnyBoard) has a size that is known at run time.
///
/// ```
/// use plumb::board::{AnyBoard, Geometry, Position};
///
/// fn moves<G: Geometry>(geometry: G) -> usize {
///     Position::empty(geometry).legal_columns().count()
/// }
/// assert_eq!(moves(plumb::board::Narrow::<5, 4>), 5);
/// assert_eq!(moves("8x7".parse::<AnyBoard<u64>>()?), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Geometry: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// The word of a bitboard: one bit for each cell, and a spare bit for each column.
    type Bits: Bits;

    /// The size, if the type determines it.
    const FIXED_SIZE: Option<BoardSize>;

    /// The dimensions and masks of the board.
    #[must_use]
    fn layout(self) -> &'static Layout;

    /// Number of columns and rows.
    #[must_use]
    fn size(self) -> BoardSize {
        BoardSize { width: self.width(), height: self.height() }
    }

    numbers! {
        /// Number of columns, 4 to 25.
        width
        /// Number of rows, 4 to 31.
        height
        /// Number of cells.
        cells
        /// Bits per column: its cells and one spare bit. Also the bit shift to the next column.
        stride
        /// Length of [`Position::key`](super::Position::key) in bits.
        key_bits
    }

    masks! {
        /// The cells of the bottom row.
        bottom
        /// The spare bits on top of the columns.
        spare_row
        /// All cells, without the spare row.
        board
        /// The top row and every second row below it. A player gets these cells by answering every stone in
        /// the same column (follow-up), if that column has an even number of empty cells.
        follow_up_rows
        /// The rows that are not [follow-up rows](Self::follow_up_rows).
        lead_rows
        /// The middle columns: three on boards of odd width, otherwise two.
        middle
    }

    /// Bit shifts to the neighbours above, right, below right and above right.
    #[inline(always)]
    #[must_use]
    fn directions(self) -> [u32; 4] {
        let stride = self.stride();
        [1, stride, stride - 1, stride + 1]
    }

    /// Bit shifts to the cells `steps` away in each of the [directions](Self::directions), for SIMD registers.
    ///
    /// # Panics
    /// If `steps` is not 1, 2 or 3.
    #[inline(always)]
    #[must_use]
    fn shifts(self, steps: usize) -> [u64; 4] {
        self.layout().shifts[steps - 1]
    }

    /// The cells of a column, from 0 and below [`width`](Self::width). Other columns give wrong cells or overflow.
    #[inline(always)]
    #[must_use]
    fn column(self, column: u32) -> Self::Bits {
        Self::Bits::from_wide(self.layout().first_column) << (column * self.stride())
    }

    /// The cell in a column below [`width`](Self::width) and a row below [`height`](Self::height), both from 0. Other
    /// values give a wrong cell or overflow.
    #[inline(always)]
    #[must_use]
    fn cell(self, column: u32, row: u32) -> Self::Bits {
        Self::Bits::bit(column * self.stride() + row)
    }

    /// The column, from 0, of a set of one cell.
    #[inline(always)]
    #[must_use]
    fn column_of(self, cell: Self::Bits) -> u32 {
        self.layout().column_of_bit(cell.lowest())
    }

    /// The row, from 0, of a set of one cell.
    #[inline(always)]
    #[must_use]
    fn row_of(self, cell: Self::Bits) -> u32 {
        cell.lowest() - self.column_of(cell) * self.stride()
    }
}

/// A geometry whose type determines the size: [`Narrow`] and [`Wide`] with width and height from 4.
///
/// ```
/// use plumb::board::{Narrow, Position, StaticGeometry};
///
/// type Small = Narrow<5, 4>;
/// assert_eq!((Small::WIDTH, Small::HEIGHT, Small::CELLS), (5, 4, 20));
/// let position = Position::<Small>::new();
/// assert_eq!(position.legal_columns().count(), 5);
/// ```
pub trait StaticGeometry: Geometry + Default {
    /// Number of columns, 4 to 25.
    const WIDTH: u32;
    /// Number of rows, 4 to 31.
    const HEIGHT: u32;
    /// Number of cells.
    const CELLS: u32 = Self::WIDTH * Self::HEIGHT;
    /// Length of [`Position::key`](super::Position::key) in bits.
    const KEY_BITS: u32 = Self::WIDTH * (Self::HEIGHT + 1);
}

/// A board of `W` columns and `H` rows, with 64-bit bitboards. The build fails if `W * (H + 1)` exceeds 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Narrow<const W: u32, const H: u32>;

/// A board of `W` columns and `H` rows, with 128-bit bitboards. The build fails if `W * (H + 1)` exceeds 128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wide<const W: u32, const H: u32>;

macro_rules! fixed_sizes {
    ($($name:ident: $word:ty, $too_large:literal;)+) => {$(
        impl<const W: u32, const H: u32> $name<W, H> {
            const LAYOUT: &'static Layout = {
                assert!(W * (H + 1) <= <$word>::BITS, $too_large);
                &Layout::new(W, H)
            };
        }

        impl<const W: u32, const H: u32> Geometry for $name<W, H> {
            type Bits = $word;

            const FIXED_SIZE: Option<BoardSize> = Some(BoardSize { width: W, height: H });

            #[inline(always)]
            fn layout(self) -> &'static Layout {
                Self::LAYOUT
            }
        }

        impl<const W: u32, const H: u32> StaticGeometry for $name<W, H> {
            const WIDTH: u32 = W;
            const HEIGHT: u32 = H;
        }
    )+};
}

fixed_sizes! {
    Narrow: u64, "this board needs `Wide`";
    Wide: u128, "the board must fit 128 bits";
}

/// The board of the standard game, 7 columns by 6 rows.
pub type Standard = Narrow<7, 6>;

/// The columns (from 0), nearest to the centre first. Of two equally near columns the right one comes first if the
/// width is odd, otherwise the left column.
pub(crate) fn centre_first(geometry: impl Geometry) -> impl Iterator<Item = u32> {
    let middle = (geometry.width() - 1) / 2;
    (0..geometry.width()).map(move |index| {
        let step = index.div_ceil(2);
        if index % 2 == 1 { middle + step } else { middle - step }
    })
}

/// Whether `stones` contain four in a row. Spare bits must be clear: they would join two columns.
#[inline]
#[must_use]
pub fn has_four<G: Geometry>(geometry: G, stones: G::Bits) -> bool {
    geometry.directions().iter().any(|&shift| {
        let pairs = stones & (stones >> shift);
        !(pairs & (pairs >> (2 * shift))).is_empty()
    })
}

/// The empty cells, playable or not, that complete four in a row of `stones`. `mask` has the stones of both sides.
/// Spare bits must be clear.
///
/// Source: Pascal Pons, "Solving Connect 4", part 9 (`compute_winning_position`).
#[inline]
#[must_use]
pub fn winning_cells<G: Geometry>(geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits {
    // Vertical: the cell on top of three stones.
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    let [_, others @ ..] = geometry.directions();
    for shift in others {
        // The cell `_` in the patterns `XXX_` and `XX_X`, then in `_XXX` and `X_XX`.
        let before = (stones << shift) & (stones << (2 * shift));
        cells |= before & ((stones << (3 * shift)) | (stones >> shift));
        let behind = (stones >> shift) & (stones >> (2 * shift));
        cells |= behind & ((stones >> (3 * shift)) | (stones << shift));
    }
    cells & (geometry.board() ^ mask)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::any::AnyBoard;
    use crate::board::bits::each_cell;
    use crate::testing::{lines, random};

    #[test]
    fn columns_come_from_the_centre() {
        assert_eq!(centre_first(Standard::default()).collect::<Vec<_>>(), [3, 4, 2, 5, 1, 6, 0]);
        assert_eq!(centre_first(Narrow::<4, 4>).collect::<Vec<_>>(), [1, 2, 0, 3]);
    }

    #[test]
    fn the_standard_masks_match_the_picture() {
        let board = Standard::default();
        assert_eq!(board.bottom(), (0..7).map(|column| 1 << (7 * column)).sum::<u64>());
        assert_eq!(board.board().count(), 42);
        assert_eq!(board.spare_row(), board.bottom() << 6);
        assert_eq!((board.key_bits(), Standard::KEY_BITS, board.cells(), Standard::CELLS), (49, 49, 42, 42));
        assert_eq!(board.follow_up_rows() | board.lead_rows(), board.board());
        assert!((board.follow_up_rows() & board.lead_rows()).is_empty());
        assert_eq!(board.lead_rows() & board.column(0), 0b01_0101);
        let odd = Narrow::<6, 7>;
        assert_eq!(odd.follow_up_rows() & odd.column(0), 0b101_0101);
        assert_eq!(odd.follow_up_rows() ^ odd.lead_rows(), odd.board());
        assert_eq!(board.middle(), board.column(2) | board.column(3) | board.column(4));
        let small = Narrow::<4, 4>;
        assert_eq!(small.middle(), small.column(1) | small.column(2));
    }

    #[test]
    fn cells_and_coordinates_are_inverse() {
        fn check(geometry: impl Geometry) {
            for column in 0..geometry.width() {
                for row in 0..geometry.height() {
                    let cell = geometry.cell(column, row);
                    assert_eq!((geometry.column_of(cell), geometry.row_of(cell)), (column, row));
                    assert!(!(cell & geometry.column(column)).is_empty());
                }
            }
        }
        check(Standard::default());
        check(Narrow::<8, 7>);
        check(Wide::<9, 8>);
        for size in BoardSize::all() {
            let board = AnyBoard::<u128>::new(size).expect("all fit");
            check(board);
            for steps in 1..=3 {
                let shifts = board.directions().map(|shift| u64::from(shift) * steps as u64);
                assert_eq!(board.shifts(steps), shifts);
            }
        }
    }

    fn compare_with_lines<G: Geometry>(geometry: G) {
        let lines = lines(geometry);
        let mut random = random(1);
        let mut next = || random.next().expect("endless");
        for _ in 0..20_000 {
            let mut mask = G::Bits::ZERO;
            for column in 0..geometry.width() {
                for row in 0..next() as u32 % (geometry.height() + 1) {
                    mask |= geometry.cell(column, row);
                }
            }
            let stones = mask & G::Bits::from_wide(u128::from(next()) << 64 | u128::from(next()));
            assert_eq!(has_four(geometry, stones), lines.iter().any(|&line| line & stones == line));
            let expected = each_cell(geometry.board() & !mask)
                .filter(|&cell| {
                    lines
                        .iter()
                        .any(|&line| !(line & cell).is_empty() && line & !cell & !stones == G::Bits::ZERO)
                })
                .fold(G::Bits::ZERO, |set, cell| set | cell);
            assert_eq!(winning_cells(geometry, stones, mask), expected, "stones {stones:?} mask {mask:?}");
        }
    }

    #[test]
    fn shifts_find_exactly_the_lines_of_coordinates() {
        assert_eq!(lines(Standard::default()).len(), 69);
        compare_with_lines(Standard::default());
        compare_with_lines(Narrow::<4, 4>);
        compare_with_lines(Narrow::<8, 7>);
        compare_with_lines(Wide::<9, 8>);
        let size = BoardSize { width: 8, height: 7 };
        compare_with_lines(AnyBoard::<u64>::new(size).expect("it takes 64 bits"));
        compare_with_lines(AnyBoard::<u128>::new(size).expect("it takes 64 bits"));
    }
}
