//! Bit tricks on all columns at once. They use the spare bit that a board has on top of each column.

use crate::board::{Bits, Geometry};

/// The spare bits on top of the columns.
#[inline]
pub(super) fn spare_row<G: Geometry>() -> G::Bits {
    G::bottom() << G::HEIGHT
}

/// The top row and every second row below it: in a column with an even number of cells left, the cells of the player who
/// answers every stone there.
#[inline]
pub(super) fn follow_up_rows<G: Geometry>() -> G::Bits {
    if G::HEIGHT.is_multiple_of(2) { G::even_rows() } else { G::odd_rows() }
}

/// The rows below the [`follow_up_rows`].
#[inline]
pub(super) fn lead_rows<G: Geometry>() -> G::Bits {
    if G::HEIGHT.is_multiple_of(2) { G::odd_rows() } else { G::even_rows() }
}

/// The lowest cell of `set` in each column: the classic `x & -x`, as a column's spare bit minus the column's part of
/// the set negates that part.
#[inline]
pub(super) fn lowest_per_column<G: Geometry>(set: G::Bits) -> G::Bits {
    spare_row::<G>().minus(set) & set
}

/// The cells of `lowest`, which holds at most one a column, and all cells above them.
#[inline]
pub(super) fn from_there_up<G: Geometry>(lowest: G::Bits) -> G::Bits {
    spare_row::<G>().minus(lowest) & G::board()
}

/// The cells below those of `set`, which holds at most one a column.
#[inline]
pub(super) fn below<G: Geometry>(set: G::Bits) -> G::Bits {
    // Taking the set away from the spare row clears the spare bits of its columns.
    let spare = spare_row::<G>();
    let bottoms = (spare & !spare.minus(set)) >> G::HEIGHT;
    set.minus(bottoms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn below_leaves_other_columns_alone() {
        let cells = |cells: &[(u32, u32)]| {
            cells.iter().fold(0, |set, &(column, row)| set | Standard::cell(column, row))
        };
        let set = cells(&[(0, 2), (1, 0), (6, 5)]);
        let expected = cells(&[(0, 0), (0, 1), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4)]);
        assert_eq!(below::<Standard>(set), expected);
    }
}
