//! A static function (retrieval data structure): a map from a fixed set of keys to small values that does not
//! store the keys. A key outside the set gets an arbitrary value.
//!
//! A hash function gives each key four slots of an array. Its value is their XOR. Peeling finds the array: a
//! key with a slot of its own can be assigned after all others, because that slot makes its value right.
//! Removing the key may free the slots of other keys. With 1.075 slots a key (more for few keys), and slots
//! in neighbouring segments, peeling succeeds with nearly every hash function.
//!
//! Sources: Thomas Mueller Graf and Daniel Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters"
//! (2022); Martin Dietzfelbinger and Rasmus Pagh, "Succinct Data Structures for Retrieval and Approximate
//! Membership" (2008).

use crate::mix::{GOLDEN, mix};

const ARITY: usize = 4;

/// Greatest width of a value in bits. It lies within [`READ`] bytes at any bit offset.
pub(super) const MAX_BITS: u32 = 16;

const READ: usize = 4;

/// Greatest width of an index in a segment, in bits. A 64-bit hash has room for three indices.
const MAX_SEGMENT_BITS: u32 = 18;

const MAX_SLOTS: u64 = 1 << 28;

/// Number of hash functions to try. Mostly the first succeeds, but a few dozen keys may need several.
const SEEDS: u32 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    pub seed: u32,
    pub bits: u32,
    pub segment_bits: u32,
    /// Number of segments that may hold a key's first slot. The array has three more segments.
    pub segments: u32,
}

impl Parameters {
    /// Sizes as in the reference implementation of binary fuse filters.
    fn new(keys: usize, bits: u32, seed: u32) -> Self {
        let count = keys.max(2) as f64;
        let segment_bits = ((count.ln() / 2.91_f64.ln() - 0.5).floor() as u32).min(MAX_SEGMENT_BITS);
        let slots_a_key = f64::max(1.075, 0.77 + 0.305 * 600_000_f64.ln() / count.ln());
        let slots = (count * slots_a_key).round() as usize;
        let segments = slots.div_ceil(1 << segment_bits).saturating_sub(ARITY - 1).max(1);
        Self { seed, bits, segment_bits, segments: segments as u32 }
    }

    fn slots(self) -> usize {
        (self.segments as usize + ARITY - 1) << self.segment_bits
    }

    /// Size of the array, padded for reads of [`READ`] bytes.
    pub(super) fn bytes(self) -> usize {
        (self.slots() * self.bits as usize).div_ceil(8) + READ
    }

    pub(super) fn is_sound(self) -> bool {
        self.bits <= MAX_BITS
            && self.segment_bits <= MAX_SEGMENT_BITS
            && self.segments >= 1
            && (u64::from(self.segments) + ARITY as u64 - 1) << self.segment_bits <= MAX_SLOTS
    }

    #[inline]
    fn slots_of(self, key: u64) -> [usize; ARITY] {
        let hash = mix(key ^ u64::from(self.seed).wrapping_mul(GOLDEN));
        let within = (1_usize << self.segment_bits) - 1;
        let range = u64::from(self.segments) << self.segment_bits;
        let first = ((u128::from(hash) * u128::from(range)) >> 64) as usize;
        // The top bits determine the first slot. Another multiplication makes the other slots independent of
        // it.
        let hash = hash.wrapping_mul(GOLDEN) >> (u64::BITS - 3 * MAX_SEGMENT_BITS);
        // Segments are aligned, so the XOR keeps each slot in its segment.
        let slot = |number: usize| {
            let other = (hash >> ((number - 1) * MAX_SEGMENT_BITS as usize)) as usize & within;
            (first + (number << self.segment_bits)) ^ other
        };
        [first, slot(1), slot(2), slot(3)]
    }

    #[inline]
    pub(super) fn value(self, array: &[u8], key: u64) -> u16 {
        let sum = self.slots_of(key).iter().fold(0, |sum, &slot| {
            let bit = slot * self.bits as usize;
            let bytes = array[bit / 8..].first_chunk::<READ>().expect("the array has some bytes more");
            sum ^ (u32::from_le_bytes(*bytes) >> (bit % 8))
        });
        (sum & ((1 << self.bits) - 1)) as u16
    }
}

/// Deterministic. Returns `None` for equal keys or too many keys.
pub(super) fn build(entries: &[(u64, u16)], bits: u32) -> Option<(Parameters, Vec<u8>)> {
    (0..SEEDS).find_map(|seed| {
        let parameters =
            Some(Parameters::new(entries.len(), bits, seed)).filter(|parameters| parameters.is_sound())?;
        let order = peel(entries, parameters)?;
        Some((parameters, assign(entries, parameters, &order)))
    })
}

/// A peeling step: the index of the removed entry, and a slot that no entry removed later uses.
type Peeled = (u32, u32);

/// The order to remove all entries. `None` if the remaining entries share all slots (a 2-core).
fn peel(entries: &[(u64, u16)], parameters: Parameters) -> Option<Vec<Peeled>> {
    let mut counts = vec![0_u32; parameters.slots()];
    let mut sums = vec![0_u32; parameters.slots()];
    for (number, &(key, _)) in (0..).zip(entries) {
        for slot in parameters.slots_of(key) {
            counts[slot] += 1;
            sums[slot] ^= number;
        }
    }
    let mut lone: Vec<usize> = (0..counts.len()).filter(|&slot| counts[slot] == 1).collect();
    let mut order = Vec::with_capacity(entries.len());
    while let Some(slot) = lone.pop() {
        if counts[slot] != 1 {
            continue;
        }
        let number = sums[slot];
        order.push((number, slot as u32));
        for other in parameters.slots_of(entries[number as usize].0) {
            counts[other] -= 1;
            sums[other] ^= number;
            if counts[other] == 1 {
                lone.push(other);
            }
        }
    }
    if order.len() == entries.len() { Some(order) } else { None }
}

fn assign(entries: &[(u64, u16)], parameters: Parameters, order: &[Peeled]) -> Vec<u8> {
    let mut array = vec![0; parameters.bytes()];
    for &(number, slot) in order.iter().rev() {
        let (key, value) = entries[number as usize];
        let missing = u32::from(parameters.value(&array, key) ^ value) & ((1 << parameters.bits) - 1);
        let bit = slot as usize * parameters.bits as usize;
        let bytes = (missing << (bit % 8)).to_le_bytes();
        array[bit / 8..].iter_mut().zip(bytes).for_each(|(there, added)| *there ^= added);
    }
    array
}

pub(super) fn fingerprint(key: u64) -> u16 {
    mix(key.wrapping_add(GOLDEN)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(count: u64, bits: u32) -> Vec<(u64, u16)> {
        (0..count).map(|n| (n * n + 7, (mix(n) & ((1 << bits) - 1)) as u16)).collect()
    }

    #[test]
    fn every_key_has_its_value() {
        for bits in 0..=MAX_BITS {
            for count in (0..40).chain([100, 1000, 30_000]) {
                let entries = entries(count, bits);
                let (parameters, array) = build(&entries, bits).expect("no key comes twice");
                assert!(parameters.is_sound() && array.len() == parameters.bytes());
                for &(key, value) in &entries {
                    assert_eq!(parameters.value(&array, key), value, "{bits} bits, {count} keys");
                }
                let _some = parameters.value(&array, u64::MAX);
            }
        }
    }

    #[test]
    fn many_keys_take_little_more_than_their_values() {
        let entries = entries(300_000, 5);
        let (parameters, array) = build(&entries, 5).expect("no key comes twice");
        let bits = (array.len() * 8) as f64 / (5 * entries.len()) as f64;
        assert!(bits < 1.13, "{bits}");
        assert!(parameters.seed < 5, "{parameters:?}");
        assert_eq!(build(&entries, 5), Some((parameters, array)), "always the same");
    }

    #[test]
    fn a_key_that_comes_twice_is_refused() {
        assert!(!Parameters::new(300_000_000, 5, 0).is_sound(), "too many");
        assert_eq!(build(&[(1, 1), (2, 0), (1, 1)], 1), None);
    }

    #[test]
    fn slots_are_within_the_array_and_four() {
        for count in [0, 1, 3, 50, 5000] {
            let parameters = Parameters::new(count, 5, 3);
            for key in (0..5000).map(mix) {
                let slots = parameters.slots_of(key);
                assert!(slots.is_sorted_by(|a, b| a < b) && slots[ARITY - 1] < parameters.slots());
            }
        }
    }
}
