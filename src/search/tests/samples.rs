use std::ops::RangeInclusive;

use crate::board::{Bits, Position, StaticGeometry, each_cell};
use crate::testing::random;

/// Random positions. In half of the games each side avoids immediate wins and losses, as in a search.
pub(in crate::search) fn positions<G: StaticGeometry>(
    seed: u64,
    empty_cells: RangeInclusive<u32>,
) -> impl Iterator<Item = Position<G>> {
    let mut words = random(seed << 32);
    let mut below = move |end: u32| (words.next().expect("endless") % u64::from(end)) as u32;
    let (fewest, most) = (*empty_cells.start(), *empty_cells.end());
    std::iter::repeat_with(move || {
        let empty_cells = fewest + below(most - fewest + 1);
        let careful = below(2) == 0;
        (0..1000).find_map(|_| playout(&mut below, empty_cells, careful))
    })
    .flatten()
}

fn playout<G: StaticGeometry>(
    below: &mut impl FnMut(u32) -> u32,
    empty_cells: u32,
    careful: bool,
) -> Option<Position<G>> {
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
        if cells.is_empty() {
            return None;
        }
        position = position.after(each_cell(cells).nth(below(cells.count()) as usize)?);
        if position.outcome().is_some() {
            return None;
        }
    }
    Some(position)
}
