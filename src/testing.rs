//! Random numbers for tests.

use crate::mix::{GOLDEN, mix};

/// An endless stream of random words, always the same ones for a seed.
pub(crate) fn random(seed: u64) -> impl Iterator<Item = u64> {
    (1..).map(move |n: u64| mix(seed.wrapping_add(n).wrapping_mul(GOLDEN)))
}
