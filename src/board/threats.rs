//! Four in a row: whether a player has it, and the empty cells that complete it.

use super::bits::Bits;
use super::geometry::Geometry;

/// Whether `stones` contain four in a row. They must be cells of the board: a spare bit would join two columns.
#[inline]
#[must_use]
pub fn has_four<G: Geometry>(geometry: G, stones: G::Bits) -> bool {
    geometry.directions().iter().any(|&shift| {
        let pairs = stones & (stones >> shift);
        !(pairs & (pairs >> (2 * shift))).is_empty()
    })
}

/// The empty cells, playable or not, that complete four in a row of `stones`; `mask` has the stones of both sides.
/// Both must be cells of the board: a spare bit would join two columns.
///
/// Source: Pascal Pons, "Solving Connect 4", part 9 (`compute_winning_position`); the shifts are explained at
/// [`Geometry`].
#[inline]
#[must_use]
pub fn winning_cells<G: Geometry>(geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits {
    // Vertical: the cell on top of three stones.
    let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
    let [_, slanted @ ..] = geometry.directions();
    for shift in slanted {
        // Two stones just before the cell and a third before those or just behind the cell; and the mirror image.
        let before = (stones << shift) & (stones << (2 * shift));
        cells |= before & ((stones << (3 * shift)) | (stones >> shift));
        let behind = (stones >> shift) & (stones >> (2 * shift));
        cells |= behind & ((stones >> (3 * shift)) | (stones << shift));
    }
    cells & (geometry.board() ^ mask)
}

#[cfg(test)]
mod tests {
    use super::super::any::AnyBoard;
    use super::super::bits::each_cell;
    use super::super::geometry::{Narrow, Standard, Wide};
    use super::super::size::BoardSize;
    use super::*;

    /// Every line of four cells as a set, from coordinates.
    fn lines<G: Geometry>(geometry: G) -> Vec<G::Bits> {
        let mut lines = Vec::new();
        for column in 0..geometry.width() as i32 {
            for row in 0..geometry.height() as i32 {
                for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let last = (column + 3 * right, row + 3 * up);
                    if last.0 < geometry.width() as i32 && (0..geometry.height() as i32).contains(&last.1) {
                        lines.push((0..4).fold(G::Bits::ZERO, |line, step| {
                            line | geometry.cell((column + step * right) as u32, (row + step * up) as u32)
                        }));
                    }
                }
            }
        }
        lines
    }

    fn compare_with_lines<G: Geometry>(geometry: G) {
        let lines = lines(geometry);
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for _ in 0..20_000 {
            // Random heights of the columns, random owners of the stones.
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
