//! A hash of 64-bit words, and pseudorandom numbers that are equal in every version.

/// 2^64 divided by the golden ratio, made odd: multiples spread evenly (Knuth, vol. 3, 6.4).
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The first multiplier of [`mix`], by David Stafford.
pub const STAFFORD: u64 = 0xBF58_476D_1CE4_E5B9;

/// The finisher of `SplitMix64`: an invertible hash. Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators" (2014).
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(STAFFORD);
    let word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// The generator `SplitMix64`: [`mix`] of a counter, with the constants of S. Vigna's `splitmix64.c`.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Generator of an independent stream of random numbers. Its seed is the `stream`-th number (from 0) of the
    /// generator with seed `seed`.
    #[must_use]
    pub fn new(seed: u64, stream: u32) -> Self {
        let mut seeds = Self { state: seed.wrapping_add(GOLDEN.wrapping_mul(stream.into())) };
        Self { state: seeds.next() }
    }

    /// The next random number, of 64 bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "the numbers never end, so an `Option` would only be in the way"
    )]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A random number below `count`, which must not be 0. The bias is at most `count` / 2^64.
    pub fn below(&mut self, count: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u32
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut random = Random { state: 1_234_567 };
        let drawn = [(); 3].map(|()| random.next());
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn streams_of_a_seed_differ_and_draws_stay_in_range() {
        let first = |seed, stream| Random::new(seed, stream).next();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        let mut random = Random::new(1, 0);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[random.below(7) as usize] += 1);
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }
}
