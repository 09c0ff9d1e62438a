//! Random positions from fixed seeds.

use std::ops::RangeInclusive;

use crate::board::{Bits, Position, StaticGeometry, each_cell};

/// A stream of random numbers. Source: George Marsaglia, "Xorshift RNGs" (2003).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }

    fn cell<B: Bits>(&mut self, set: B) -> Option<B> {
        let count = set.count();
        if count == 0 { None } else { each_cell(set).nth(self.below(count) as usize) }
    }
}

/// An endless stream of positions that are not over, with numbers of empty cells drawn from `empty_cells`.
///
/// Half of the games are random. In the other half each side avoids to win and to lose at once as long as it can: such
/// positions are closer to those of a search, with threats that stand until columns fill up.
pub(in crate::search) fn positions<G: StaticGeometry>(
    seed: u64,
    empty_cells: RangeInclusive<u32>,
) -> impl Iterator<Item = Position<G>> {
    let mut random = Random::new(seed);
    let (fewest, most) = (*empty_cells.start(), *empty_cells.end());
    std::iter::repeat_with(move || {
        let empty_cells = fewest + random.below(most - fewest + 1);
        let careful = random.below(2) == 0;
        // Some boards cannot be filled that far by careful games.
        (0..1000).find_map(|_| playout(&mut random, empty_cells, careful))
    })
    .flatten()
}

fn playout<G: StaticGeometry>(random: &mut Random, empty_cells: u32, careful: bool) -> Option<Position<G>> {
    let mut position = Position::<G>::new();
    while position.empty_cells() > empty_cells {
        let mut cells = position.playable();
        if careful {
            cells &= !position.own_winning_cells();
            let safe = cells & position.non_losing_moves();
            if !safe.is_empty() {
                cells = safe;
            }
        }
        position = position.after(random.cell(cells)?);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}
