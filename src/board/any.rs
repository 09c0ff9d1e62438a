//! Boards whose size is known only at run time.

use std::fmt::{self, Debug, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use super::bits::{Bits, LAYOUTS, Layout};
use super::geometry::{Geometry, Standard};
use super::size::{BoardError, BoardSize};

/// A board whose size is known at run time, with bitboards of type `B`: `u64` or `u128`.
///
/// ```
/// use plumb::board::{AnyBoard, Position};
///
/// let board: AnyBoard<u128> = "10x10".parse()?;
/// let position = Position::from_digits_on(board, "5566")?;
/// assert_eq!(position.plies(), 4);
/// assert!("10x10".parse::<AnyBoard<u64>>().is_err(), "it takes 110 bits");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyBoard<B> {
    layout: &'static Layout,
    word: PhantomData<B>,
}

impl<B: Bits> AnyBoard<B> {
    /// # Errors
    /// If `size` has fewer than 4 columns or rows, or needs more bits than `B` has.
    pub fn new(size: BoardSize) -> Result<Self, BoardError> {
        for layout in &LAYOUTS {
            if (layout.width, layout.height) == (size.width, size.height) && layout.key_bits <= B::BITS {
                return Ok(Self { layout, word: PhantomData });
            }
        }
        Err(BoardError::unsupported(size, B::BITS))
    }
}

impl Board {
    pub(crate) fn of(geometry: impl Geometry) -> Self {
        Self { layout: geometry.layout(), word: PhantomData }
    }
}

impl<B: Bits> Default for AnyBoard<B> {
    fn default() -> Self {
        Self { layout: Standard::default().layout(), word: PhantomData }
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

impl<B> PartialEq for AnyBoard<B> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        (self.layout.width, self.layout.height) == (other.layout.width, other.layout.height)
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
        Display::fmt(self, f)
    }
}

impl<B> Display for AnyBoard<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.layout.width, self.layout.height)
    }
}

impl<B: Bits> FromStr for AnyBoard<B> {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        Self::new(text.parse()?)
    }
}

/// A board of any size.
///
/// Solvers and searches convert its positions to the fastest board type that fits the size: standard, 64-bit or
/// 128-bit.
pub type Board = AnyBoard<u128>;

/// The board types that a search converts a [`Board`] to. The standard board has constant masks. Other boards look up
/// their masks, and have 64-bit bitboards if they fit. The lookup costs about a tenth of the speed, but code for each
/// size would cost much build time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<S, N, W> {
    Standard(S),
    Words64(N),
    Words128(W),
}

impl Kind<Standard, AnyBoard<u64>, Board> {
    pub(crate) fn of(board: Board) -> Self {
        if board == Board::default() {
            Self::Standard(Standard::default())
        } else if board.key_bits() <= u64::BITS {
            Self::Words64(AnyBoard { layout: board.layout, word: PhantomData })
        } else {
            Self::Words128(board)
        }
    }
}

macro_rules! each_kind {
    ($kind:expr, $name:ident => $value:expr) => {
        match $kind {
            $crate::board::Kind::Standard($name) => $value,
            $crate::board::Kind::Words64($name) => $value,
            $crate::board::Kind::Words128($name) => $value,
        }
    };
}

pub(crate) use each_kind;

#[cfg(test)]
mod tests {
    use super::super::bits::SIZES;
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
    fn each_board_has_the_fastest_kind_that_it_fits() {
        for size in BoardSize::all() {
            let expected = match size.width * (size.height + 1) {
                49 if size == BoardSize::STANDARD => "Standard",
                ..=64 => "Words64",
                _ => "Words128",
            };
            let kind = format!("{:?}", Kind::of(any(size.width, size.height)));
            assert_eq!(kind.split('(').next(), Some(expected), "{size}");
        }
    }

    #[test]
    fn equal_sizes_are_equal() {
        assert_eq!(any::<u64>(7, 6), any(7, 6));
        assert_ne!(any::<u64>(7, 6), any(6, 7));
        assert_eq!((any(7, 6), any(7, 6)), (AnyBoard::<u64>::default(), AnyBoard::<u128>::default()));
        assert_eq!("25x4".parse(), Ok(any::<u128>(25, 4)));
        let board = any::<u128>(25, 4);
        assert_eq!((board.to_string(), format!("{board:?}")), ("25x4".to_owned(), "25x4".to_owned()));
    }
}
