//! Bit tricks on all columns at once. They use the spare bit that a board has on top of each column.

use crate::board::{Bits, Geometry};

/// The lowest cell of `set` in each column: the classic `x & -x`, as a column's spare bit minus the column's part of
/// the set negates that part.
#[inline]
pub(super) fn lowest_per_column<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    geometry.spare_row().minus(set) & set
}

/// The cells of `lowest`, which holds at most one a column, and all cells above them.
#[inline]
pub(super) fn from_there_up<G: Geometry>(geometry: G, lowest: G::Bits) -> G::Bits {
    geometry.spare_row().minus(lowest) & geometry.board()
}

/// The cells below those of `set`, which holds at most one a column.
#[inline]
pub(super) fn below<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    // Taking the set away from the spare row clears the spare bits of its columns.
    let spare = geometry.spare_row();
    let bottoms = (spare & !spare.minus(set)) >> geometry.height();
    set.minus(bottoms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    #[test]
    fn below_leaves_other_columns_alone() {
        let cells = |cells: &[(u32, u32)]| {
            cells.iter().fold(0, |set, &(column, row)| set | Standard::default().cell(column, row))
        };
        let set = cells(&[(0, 2), (1, 0), (6, 5)]);
        let expected = cells(&[(0, 0), (0, 1), (6, 0), (6, 1), (6, 2), (6, 3), (6, 4)]);
        assert_eq!(below(Standard::default(), set), expected);
    }
}
