//! The words of bit boards: `u64` for boards of up to 64 bits, `u128` for larger ones.

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

    /// The low bits of `wide`.
    fn from_wide(wide: u128) -> Self;
    /// The word, zero-extended.
    fn to_wide(self) -> u128;
    /// Number of cells in the set.
    fn count(self) -> u32;
    /// Index of the lowest cell, or [`Self::BITS`] for the empty set.
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

    /// The set of the single cell with bit `index`.
    #[inline]
    #[must_use]
    fn bit(index: u32) -> Self {
        Self::from_wide(1) << index
    }

    /// The lowest cell as a set; empty for the empty set.
    #[inline]
    #[must_use]
    fn lowest_bit(self) -> Self {
        self & Self::ZERO.minus(self)
    }

    /// The set without its lowest cell.
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

/// The cells of a set, lowest first, each as a set of one cell.
pub fn each_cell<B: Bits>(set: B) -> impl Iterator<Item = B> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (!rest.is_empty()).then(|| {
            let cell = rest.lowest_bit();
            rest = rest.without_lowest();
            cell
        })
    })
}
