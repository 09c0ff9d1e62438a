//! Random numbers and lines of four for tests.

use crate::board::{Bits, Geometry};
use crate::mix::Random;

pub(crate) fn random(seed: u64) -> impl Iterator<Item = u64> {
    let mut random = Random::new(seed, 0);
    std::iter::repeat_with(move || random.next())
}

pub(crate) fn lines<G: Geometry>(geometry: G) -> Vec<G::Bits> {
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
