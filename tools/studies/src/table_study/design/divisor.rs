//! Remainders of keys by a table's size without a division.

use plumb::board::{Standard, StaticGeometry};

/// A number by which keys of the standard board are divided.
///
/// A compiler turns a division by a constant into a multiplication; here the size is known only when the program runs,
/// so the same is done by hand. With F = b + ⌈log2 d⌉ for keys below 2^b and M = ⌈2^F / d⌉, which is (2^F + e) / d with
/// e < d, the product k · M / 2^F exceeds k / d by k · e / (d · 2^F) < 1 / d, so that ⌊k · M / 2^F⌋ = ⌊k / d⌋.
/// Source: T. Granlund, P. Montgomery, "Division by Invariant Integers using Multiplication", 1994.
pub(super) struct Divisor {
    number: u64,
    multiplier: u64,
    shift: u32,
}

impl Divisor {
    /// The `divisor`, from 1 to 2^60.
    pub(super) fn new(divisor: usize) -> Self {
        let number = divisor as u64;
        assert!((1..=1 << 60).contains(&number), "{divisor} is no size of a table");
        let shift = Standard::KEY_BITS + number.next_power_of_two().ilog2();
        let multiplier = (1_u128 << shift).div_ceil(u128::from(number)) as u64;
        Self { number, multiplier, shift }
    }

    /// What is left of `key`, which is one of the standard board.
    #[inline]
    pub(super) fn remainder(&self, key: u64) -> usize {
        debug_assert!(key < 1 << Standard::KEY_BITS);
        let quotient = ((u128::from(key) * u128::from(self.multiplier)) >> self.shift) as u64;
        (key - quotient * self.number) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_tools_common::random::Random;

    #[test]
    fn remainders_are_those_of_the_division() {
        let mut random = Random::new(1, 0);
        let last = (1_u64 << Standard::KEY_BITS) - 1;
        let large = [131_073_u64, (1 << 23) - 1, 1 << 23, 8_388_617, (1 << 31) + 11, 1 << 60];
        // Those above 2^32 are sizes of no table on a machine of 32 bits.
        for divisor in (1..200).chain(large.into_iter().filter_map(|large| usize::try_from(large).ok())) {
            let exact = Divisor::new(divisor);
            let divisor = divisor as u64;
            let near = [0, 1, divisor - 1, divisor, divisor + 1, last - 1, last, last / divisor * divisor];
            let beside = near.into_iter().chain([(last / divisor * divisor).saturating_sub(1)]);
            for key in beside.chain((0..1000).map(|_| random.next())).map(|key| key & last) {
                assert_eq!(exact.remainder(key) as u64, key % divisor, "{key} by {divisor}");
            }
        }
    }
}
