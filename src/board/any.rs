//! Boards whose size is known only at run time.

use std::fmt::{self, Debug, Formatter};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use super::bits::Bits;
use super::geometry::Geometry;
use super::layout::Layout;
use super::size::{BoardSize, UnsupportedSize};

/// A board whose size is known only at run time, in words of type `B`: `u64` or `u128`.
///
/// Code for it is compiled once for all sizes, and looks the masks up in a table.
///
/// ```
/// use plumb::board::{AnyBoard, Position};
///
/// let board = AnyBoard::<u128>::new("10x10".parse()?)?;
/// let position = Position::from_digits_on(board, "5566")?;
/// assert_eq!(position.plies(), 4);
/// assert!(AnyBoard::<u64>::new("10x10".parse()?).is_err(), "it takes 110 bits");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnyBoard<B> {
    layout: &'static Layout,
    word: PhantomData<B>,
}

impl<B: Bits> AnyBoard<B> {
    /// The board of this size.
    ///
    /// # Errors
    /// [`UnsupportedSize`] if it has fewer than 4 columns or rows, or takes more bits than the word has.
    pub fn new(size: BoardSize) -> Result<Self, UnsupportedSize> {
        size.check(B::BITS)?;
        let fits = |layout: &&Layout| (layout.width, layout.height) == (size.width, size.height);
        let layout = LAYOUTS.iter().find(fits).ok_or(UnsupportedSize { size, bits: B::BITS })?;
        Ok(Self { layout, word: PhantomData })
    }
}

/// The standard board, 7x6.
impl<B: Bits> Default for AnyBoard<B> {
    fn default() -> Self {
        Self { layout: &LAYOUTS[STANDARD], word: PhantomData }
    }
}

impl<B: Bits> Geometry for AnyBoard<B> {
    type Bits = B;

    const FIXED_SIZE: Option<BoardSize> = None;

    #[inline(always)]
    fn layout(self) -> &'static Layout {
        self.layout
    }
}

impl<B> Clone for AnyBoard<B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for AnyBoard<B> {}

/// Each size has one layout.
impl<B> PartialEq for AnyBoard<B> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.layout, other.layout)
    }
}

impl<B> Eq for AnyBoard<B> {}

impl<B> Hash for AnyBoard<B> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.layout.width, self.layout.height).hash(state);
    }
}

impl<B> Debug for AnyBoard<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.layout.width, self.layout.height)
    }
}

/// Number of board sizes.
pub(super) const SIZES: usize = {
    let mut count = 0;
    let mut width = 4;
    while width * 5 <= u128::BITS {
        count += u128::BITS / width - 4;
        width += 1;
    }
    count as usize
};

/// The place of the standard board among them.
const STANDARD: usize = {
    let (mut index, mut width) = (BoardSize::STANDARD.height as usize - 4, 4);
    while width < BoardSize::STANDARD.width {
        index += (u128::BITS / width - 4) as usize;
        width += 1;
    }
    index
};

/// The layouts of all sizes: by width, then by height.
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

#[cfg(test)]
mod tests {
    use super::super::geometry::{Narrow, Standard, Wide};
    use super::*;

    fn any<B: Bits>(width: u32, height: u32) -> AnyBoard<B> {
        AnyBoard::new(BoardSize { width, height }).expect("a board of this word")
    }

    #[test]
    fn every_size_that_fits_exists() {
        let mut count = 0;
        for width in 0..130 {
            for height in 0..130 {
                let size = BoardSize { width, height };
                let fits = |bits| width >= 4 && height >= 4 && width * (height + 1) <= bits;
                assert_eq!(AnyBoard::<u64>::new(size).is_ok(), fits(64), "{size}");
                let board = AnyBoard::<u128>::new(size);
                assert_eq!(board.is_ok(), fits(128), "{size}");
                assert!(board.is_ok_and(|board| board.size() == size) == fits(128));
                count += usize::from(fits(128));
            }
        }
        assert_eq!(count, SIZES);
        assert!(AnyBoard::<u128>::new(BoardSize { width: u32::MAX, height: u32::MAX }).is_err());
    }

    #[test]
    fn the_masks_are_those_of_the_fixed_sizes() {
        fn check<F: Geometry>(fixed: F) {
            let board = any::<F::Bits>(fixed.width(), fixed.height());
            let numbers = |board: &Layout| {
                [board.width, board.height, board.cells, board.stride, board.key_bits, board.reciprocal]
            };
            assert_eq!(numbers(board.layout()), numbers(fixed.layout()));
            assert_eq!(
                [board.bottom(), board.spare_row(), board.board(), board.odd_rows(), board.even_rows()],
                [fixed.bottom(), fixed.spare_row(), fixed.board(), fixed.odd_rows(), fixed.even_rows()]
            );
            assert_eq!([board.middle(), board.column(1)], [fixed.middle(), fixed.column(1)]);
            for steps in 1..=3 {
                assert_eq!(board.shifts(steps), fixed.shifts(steps));
                assert_eq!(
                    board.shifts(steps),
                    fixed.directions().map(|shift| u64::from(shift) * steps as u64)
                );
            }
        }
        check(Standard::default());
        check(Narrow::<8, 7>);
        check(Wide::<9, 7>);
        check(Wide::<4, 31>);
    }

    #[test]
    fn equal_sizes_are_equal() {
        assert_eq!(any::<u64>(7, 6), any(7, 6));
        assert_ne!(any::<u64>(7, 6), any(6, 7));
        assert_eq!((any(7, 6), any(7, 6)), (AnyBoard::<u64>::default(), AnyBoard::<u128>::default()));
        assert_eq!(format!("{:?}", any::<u128>(25, 4)), "25x4");
    }
}
