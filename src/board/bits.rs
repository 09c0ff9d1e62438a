//! The words of bitboards (`u64` up to 64 bits, `u128` for any board), and the dimensions and masks of every
//! board size.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// An unsigned machine word used as a set of cells.
pub trait Bits:
    Copy
    + Debug
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const ZERO: Self;
    /// Number of bits in the word.
    const BITS: u32;

    /// Truncates `wide` to its low bits.
    fn from_wide(wide: u128) -> Self;
    /// The word, zero-extended.
    fn to_wide(self) -> u128;
    /// Number of cells in the set.
    fn count(self) -> u32;
    /// Index of the lowest set bit, or [`Self::BITS`] for the empty set.
    fn lowest(self) -> u32;
    /// The wrapping sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The wrapping difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// Whether the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// The set of one cell, with bit `index`.
    #[inline]
    #[must_use]
    fn bit(index: u32) -> Self {
        Self::from_wide(1) << index
    }

    /// Only the lowest set bit. Empty for the empty set.
    #[inline]
    #[must_use]
    fn lowest_bit(self) -> Self {
        self & Self::ZERO.minus(self)
    }

    /// The set without its lowest set bit.
    #[inline]
    #[must_use]
    fn without_lowest(self) -> Self {
        self & self.minus(Self::from_wide(1))
    }

    /// Whether the set has two cells or more.
    #[inline]
    fn has_several(self) -> bool {
        !self.without_lowest().is_empty()
    }
}

macro_rules! implement_bits {
    ($($word:ty),*) => {$(
        impl Bits for $word {
            const ZERO: Self = 0;
            const BITS: u32 = <$word>::BITS;

            #[inline]
            fn from_wide(wide: u128) -> Self {
                wide as $word
            }
            #[inline]
            fn to_wide(self) -> u128 {
                u128::from(self)
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    )*};
}

implement_bits!(u64, u128);

/// Iterates over the cells of a set from the lowest bit up, each as a set of one cell.
pub fn each_cell<B: Bits>(set: B) -> impl Iterator<Item = B> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cell = rest.lowest_bit();
        rest = rest.without_lowest();
        Some(cell)
    })
}

/// The dimensions and masks of the board of a [`Geometry`](super::Geometry).
#[derive(Debug)]
pub struct Layout {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) cells: u32,
    pub(super) stride: u32,
    pub(super) key_bits: u32,
    /// 2^16 / `stride`, rounded up. A multiplication by it replaces a division by `stride`.
    pub(super) reciprocal: u32,
    pub(super) bottom: u128,
    pub(super) spare_row: u128,
    pub(super) board: u128,
    pub(super) first_column: u128,
    pub(super) follow_up_rows: u128,
    pub(super) lead_rows: u128,
    pub(super) middle: u128,
    /// Bit shifts to the cells one, two and three steps away, each in four directions.
    pub(super) shifts: [[u64; 4]; 3],
}

/// Bit shifts up, right, down right and up right.
const fn shifts(stride: u64, steps: u64) -> [u64; 4] {
    [steps, steps * stride, steps * (stride - 1), steps * (stride + 1)]
}

impl Layout {
    /// Requires at least 4 columns and rows, and at most 128 bits.
    pub(super) const fn new(width: u32, height: u32) -> Self {
        assert!(width >= 4 && height >= 4, "a line of four needs room on every board");
        assert!(width * (height + 1) <= 128, "the board must fit 128 bits");
        let stride = height + 1;
        let board = rows(width, height, 1, 1);
        let bottom = rows(width, height, 1, height);
        let columns = 2 + width % 2;
        let first = (width - 1) / 2 - width % 2;
        Self {
            width,
            height,
            cells: width * height,
            stride,
            key_bits: width * stride,
            reciprocal: (1_u32 << 16).div_ceil(stride),
            bottom,
            spare_row: bottom << height,
            board,
            first_column: (1 << height) - 1,
            follow_up_rows: rows(width, height, 2 - height % 2, 2),
            lead_rows: rows(width, height, 1 + height % 2, 2),
            middle: (((1 << (columns * stride)) - 1) << (first * stride)) & board,
            shifts: [shifts(stride as u64, 1), shifts(stride as u64, 2), shifts(stride as u64, 3)],
        }
    }

    /// The column, from 0, of a bit index below 128.
    #[inline(always)]
    pub(super) fn column_of_bit(&self, index: u32) -> u32 {
        // The reciprocal is rounded up by less than 1, so the quotient is too large by less than 128 / 2^16. This
        // is less than 1 / stride, so the rounded result is exact.
        (index * self.reciprocal) >> 16
    }
}

/// The cells of every `step`-th row from row `first` up. Rows count from 1 here.
const fn rows(width: u32, height: u32, first: u32, step: u32) -> u128 {
    let mut set = 0;
    let mut column = 0;
    while column < width {
        let mut row = first;
        while row <= height {
            set |= 1 << (column * (height + 1) + row - 1);
            row += step;
        }
        column += 1;
    }
    set
}

/// Number of board sizes that fit 128 bits. A greater number would not compile.
pub(super) const SIZES: usize = 157;

/// All board sizes, sorted by width, then by height.
pub(super) static LAYOUTS: [Layout; SIZES] = {
    let mut layouts = [const { Layout::new(4, 4) }; SIZES];
    let (mut index, mut width, mut height) = (0, 4, 4);
    while index < SIZES {
        layouts[index] = Layout::new(width, height);
        index += 1;
        height += 1;
        if width * (height + 1) > u128::BITS {
            (width, height) = (width + 1, 4);
        }
    }
    layouts
};
