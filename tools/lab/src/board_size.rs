//! Board sizes that are known only when the program runs, for code in which they are types.

use std::fmt;
use std::str::FromStr;

use plumb::board::Board;
use plumb::board::{AnyBoard, BoardSize, Narrow, StaticGeometry, Wide};

/// Work that can be done on any board; a closure cannot be generic, so it takes a trait.
pub(crate) trait Work {
    /// The result.
    type Output;

    /// Does the work on board `G`.
    fn run<G: StaticGeometry>(self) -> Self::Output;
}

/// Defines a set of board sizes that is compiled into the program: the type of a size, the description of the set, and its
/// boards by kind, height and widths.
macro_rules! board_sizes {
    (
        $(#[$doc:meta])*
        $name:ident, $description:literal;
        $($kind:ident x $height:literal: $($width:literal)+;)+
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $name {
            width: u32,
            height: u32,
        }

        impl $name {
            /// Every size of the set as (width, height).
            const SIZES: &[(u32, u32)] = &[$($(($width, $height),)+)+];

            /// The set in words.
            pub(crate) const DESCRIPTION: &str = $description;

            /// Does `work` on the board of this size.
            pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
                match (self.width, self.height) {
                    $($(($width, $height) => work.run::<$kind<$width, $height>>(),)+)+
                    _ => unreachable!("parsing lets no other size pass"),
                }
            }

            /// Number of columns.
            pub(crate) fn width(self) -> u32 {
                self.width
            }

            /// Number of rows.
            pub(crate) fn height(self) -> u32 {
                self.height
            }
        }

        impl FromStr for $name {
            type Err = String;

            /// Reads `WxH`.
            ///
            /// # Errors
            /// The expected form, if the text has another or the set has no such board.
            fn from_str(text: &str) -> Result<Self, String> {
                let (width, height) = width_and_height(text)?;
                if Self::SIZES.contains(&(width, height)) {
                    Ok(Self { width, height })
                } else {
                    Err(format!("expected WxH: {}", Self::DESCRIPTION))
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}x{}", self.width, self.height)
            }
        }
    };
}

board_sizes! {
    /// The size of a board that positions are solved on: every one of at most 48 cells, which is what can be solved in
    /// reasonable time, and some larger ones that are played.
    Size, "any of at least 4 columns, 4 rows and at most 48 cells, or one of 7x7, 8x7, 8x8, 9x6 and 9x7";
    Narrow x 4: 4 5 6 7 8 9 10 11 12;
    Narrow x 5: 4 5 6 7 8 9;
    Narrow x 6: 4 5 6 7 8 9;
    Narrow x 7: 4 5 6 7 8;
    Wide x 7: 9;
    Narrow x 8: 4 5 6;
    Wide x 8: 8;
    Narrow x 9: 4 5;
    Narrow x 10: 4;
    Narrow x 11: 4;
    Narrow x 12: 4;
}

board_sizes! {
    /// The size of a board that opening books are made for. Each is compiled on its own and costs the build a second or two,
    /// so there are few.
    BookSize, "one of 5x4, 5x5, 6x5 and 7x6";
    Narrow x 4: 5;
    Narrow x 5: 5 6;
    Narrow x 6: 7;
}

/// Reads `WxH`, of whatever size.
///
/// # Errors
/// The form that was expected, if the text has another.
fn width_and_height(text: &str) -> Result<(u32, u32), String> {
    let parse = |(width, height): (&str, &str)| Some((width.parse().ok()?, height.parse().ok()?));
    text.split_once('x').and_then(parse).ok_or("expected columns and rows as WxH, such as 7x6".to_owned())
}

impl Size {
    /// 7x6.
    pub(crate) const STANDARD: Self =
        Self { width: BoardSize::STANDARD.width, height: BoardSize::STANDARD.height };

    /// Whether it is 7x6.
    pub(crate) fn is_standard(self) -> bool {
        self == Self::STANDARD
    }

    /// The same as a value of the library.
    pub(crate) fn size(self) -> BoardSize {
        BoardSize { width: self.width, height: self.height }
    }

    /// The board of this size.
    pub(crate) fn board(self) -> Board {
        let Ok(board) = AnyBoard::new(self.size()) else {
            unreachable!("every size of the set fits into 128 bits");
        };
        board
    }

    /// All boards, those of fewer cells first, and of as many the lower ones.
    pub(crate) fn all() -> Vec<Self> {
        let mut sizes: Vec<_> = Self::SIZES.iter().map(|&(width, height)| Self { width, height }).collect();
        sizes.sort_unstable_by_key(|size| (size.cells(), size.height));
        sizes
    }

    /// Number of cells.
    pub(crate) fn cells(self) -> u32 {
        self.width * self.height
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::board::Geometry;

    struct Measure;

    impl Work for Measure {
        type Output = (u32, u32, bool);

        fn run<G: StaticGeometry>(self) -> Self::Output {
            (G::WIDTH, G::HEIGHT, size_of::<G::Bits>() == 8)
        }
    }

    /// The boards that are known though they are not small.
    const LARGER: [&str; 5] = ["7x7", "8x7", "8x8", "9x6", "9x7"];

    #[test]
    fn every_size_is_there_in_the_smallest_word_it_fits() {
        assert!(LARGER.iter().all(|text| Size::DESCRIPTION.contains(text)), "the help names them");
        for width in 0..15 {
            for height in 0..15 {
                let text = format!("{width}x{height}");
                let small = width >= 4 && height >= 4 && width * height <= 48;
                let known = small || LARGER.contains(&text.as_str());
                let size = text.parse::<Size>();
                assert_eq!(size.is_ok(), known, "{text}");
                if let Ok(size) = size {
                    assert_eq!(size.run(Measure), (width, height, width * (height + 1) <= 64));
                    assert_eq!(size.to_string(), text);
                    assert_eq!(size.board().size().to_string(), text);
                }
            }
        }
    }

    #[test]
    fn the_boards_of_books_have_keys_of_64_bits() {
        struct KeyBits;
        impl Work for KeyBits {
            type Output = u32;
            fn run<G: StaticGeometry>(self) -> u32 {
                G::KEY_BITS
            }
        }
        for (width, height) in BookSize::SIZES {
            let text = format!("{width}x{height}");
            assert!(BookSize::DESCRIPTION.contains(&text), "the help names {text}");
            assert!(text.parse::<BookSize>().expect(&text).run(KeyBits) <= u64::BITS);
            assert!(text.parse::<Size>().is_ok(), "books are made by solving");
        }
    }

    #[test]
    fn what_is_no_size_is_told_what_was_expected() {
        for text in ["", "7", "7x", "x6", "7x6x5", "7X6", "-7x6", "seven"] {
            let error = text.parse::<Size>().expect_err(text);
            assert_eq!(error, "expected columns and rows as WxH, such as 7x6");
        }
    }

    #[test]
    fn the_list_is_in_the_order_of_the_cells() {
        let sizes = Size::all();
        assert_eq!(sizes.len(), Size::SIZES.len());
        assert!(sizes.is_sorted_by_key(|size| size.cells()));
        assert_eq!(sizes[..3].iter().map(Size::to_string).collect::<Vec<_>>(), ["4x4", "5x4", "4x5"]);
    }
}
