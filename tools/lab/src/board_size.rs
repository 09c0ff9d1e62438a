//! Board sizes that are known only when the program runs, for code in which they are types.

use std::fmt;
use std::str::FromStr;

use plumb::board::{BoardSize, Narrow, StaticGeometry};

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
        }

        impl PartialEq<BoardSize> for $name {
            fn eq(&self, other: &BoardSize) -> bool {
                (self.width, self.height) == (other.width, other.height)
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

#[cfg(test)]
mod tests {
    use super::*;
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
        }
    }

    #[test]
    fn what_is_no_size_is_told_what_was_expected() {
        for text in ["", "7", "7x", "x6", "7x6x5", "7X6", "-7x6", "seven"] {
            let error = text.parse::<BookSize>().expect_err(text);
            assert_eq!(error, "expected columns and rows as WxH, such as 7x6");
        }
    }
}
