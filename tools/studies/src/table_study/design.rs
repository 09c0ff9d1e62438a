//! The interface of a transposition table design to the search, and the list of designs.
//!
//! A new design is a file beside the others that implements [`Design`], and a line in the table of [`Kind`]s.

mod bucketed;
mod crt;
mod divisor;
mod full_key;
mod lru;
mod none;
mod truncated;

use anyhow::{Context, Result};
use clap::ValueEnum;
use plumb::board::{Position, Standard, StaticGeometry};
use plumb::score::Score;
use serde::{Deserialize, Serialize};

use crate::table_size::{MEGABYTE, Size};
pub use bucketed::Bucketed;
pub use crt::Crt;
pub use full_key::FullKey;
pub use lru::Cache;
pub use none::NoTable;

/// Scores beyond every score there is, on either side: what is known of a position that is not in the table.
const BEYOND: Score = Standard::CELLS as Score / 2 + 1;

/// Bounds of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The greatest score that is proved to be a lower bound.
    pub lower: Score,
    /// The least score that is proved to be an upper bound.
    pub upper: Score,
}

impl Bounds {
    /// Nothing at all.
    pub const UNKNOWN: Self = Self { lower: -BEYOND, upper: BEYOND };

    /// The intersection with another bound.
    #[inline]
    #[must_use]
    pub fn and(self, bound: Bound) -> Self {
        match bound {
            Bound::Lower(score) => Self { lower: self.lower.max(score), ..self },
            Bound::Upper(score) => Self { upper: self.upper.min(score), ..self },
        }
    }
}

/// The result of a null-window search: a bound on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is this or more.
    Lower(Score),
    /// The score is this or less.
    Upper(Score),
}

/// The result of a search for a position; a design stores the part of it that it keeps.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// The proved bound.
    pub bound: Bound,
    /// The bounds from the table before the search.
    pub known: Bounds,
    /// Nodes of the search, this one included.
    pub nodes: u64,
}

/// A transposition table as the plain search uses it. The search is compiled anew for each design, so nothing of this
/// is a call through a pointer.
pub trait Design: Sized {
    /// Where a position lives, worked out once for the probe and the store.
    type Key: Copy;

    /// Whether lower bounds are kept as well. Where they are not, the search follows Pons's part 11, else his part 12.
    const KEEPS_LOWER: bool;

    /// Bytes of an entry, with its share of all lists and indices.
    const ENTRY_BYTES: usize;

    /// The default size: the published one, if there is one.
    const DEFAULT: Size;

    /// The number of entries that a table of `size` has.
    ///
    /// # Errors
    /// If the design cannot have that size.
    fn entries(size: Size) -> Result<usize>;

    /// An empty table of so many `entries`, a number that [`entries`](Self::entries) told.
    ///
    /// # Errors
    /// If there is no memory for it.
    fn new(entries: usize) -> Result<Self>;

    /// Removes all entries.
    fn clear(&mut self);

    /// Where `position` lives.
    fn key(position: &Position) -> Self::Key;

    /// The stored bounds of a position.
    fn probe(&mut self, key: Self::Key) -> Bounds;

    /// Takes note of what has been proved about a position.
    fn store(&mut self, key: Self::Key, proof: &Proof);
}

/// The names of the designs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// No table.
    None,
    /// Whole keys and one upper bound, always replaced (Marlin).
    FullKey,
    /// Truncated keys, exact by the Chinese remainder theorem, and one upper bound (Pons, part 11).
    CrtUpper,
    /// The same with an upper or a lower bound (Pons, part 12).
    CrtBounds,
    /// A small cache in which what was not used for longest is replaced.
    Lru,
    /// Plumb's own: buckets of four, both bounds, least work replaced.
    Bucketed,
}

crate::display_by_value_name!(Kind);

/// So many elements, all of them `value`.
///
/// # Errors
/// If there is no memory for them.
fn filled<T: Clone>(len: usize, value: T) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    let megabytes = len.saturating_mul(size_of::<T>()) / MEGABYTE;
    elements
        .try_reserve_exact(len)
        .with_context(|| format!("there is no memory for a table of {megabytes} MB"))?;
    elements.resize(len, value);
    Ok(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for kind in Kind::value_variants() {
            let name = kind.to_possible_value().expect("no variant is hidden");
            assert_eq!(kind.to_string(), name.get_name());
        }
    }
}
