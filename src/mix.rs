//! The mixing of words, for hashes and random numbers.

/// 2^64 divided by the golden ratio, made odd: multiples spread evenly (Knuth, vol. 3, 6.4).
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The first factor of [`mix`], by David Stafford.
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
