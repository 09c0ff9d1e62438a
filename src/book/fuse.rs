//! A static function: it gives each of the keys it was made of a small value, and any other key some value.
//!
//! The keys are not stored. Each key names four slots of an array, and its value is what is in them, added bit by bit
//! without carry. The array is solved for: as long as some slot is named by one key only, that key can wait, because
//! whatever the others put into the rest of its slots, this one makes it right; with eight slots for seven keys, and
//! the slots of a key in neighbouring segments, nearly every hash function lets all keys be put aside like that.
//!
//! Sources: Thomas Mueller Graf and Daniel Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters" (2022),
//! for the segments and their sizes; Martin Dietzfelbinger and Rasmus Pagh, "Succinct Data Structures for Retrieval
//! and Approximate Membership" (2008), for the idea.

/// Slots a key.
const ARITY: usize = 4;

/// The most bits that a value may have, so that one that begins anywhere in a byte is within [`READ`] bytes.
pub(super) const MOST_BITS: u32 = 16;

/// How many bytes are read for a value.
const READ: usize = 4;

/// The most bits of a slot's number within its segment; three such numbers come of one hash.
const MOST_SEGMENT_BITS: u32 = 18;

/// The most slots of an array, so that even the number of a bit fits 32 bits.
const MOST_SLOTS: u64 = 1 << 28;

/// How many hash functions are tried. One is nearly always enough; among a few dozen keys it may take some more.
const SEEDS: u32 = 1000;

/// Where the slots of a key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Picks the hash function.
    pub seed: u32,
    /// Number of bits of a value, up to [`MOST_BITS`].
    pub bits: u32,
    /// A segment has two to this power slots; at most [`MOST_SEGMENT_BITS`].
    pub segment_bits: u32,
    /// Segments in which a key's first slot may be, at least one; three more follow.
    pub segments: u32,
}

impl Shape {
    /// The shape for so many keys. Sizes as in the paper's reference implementation, for four slots a key.
    fn new(keys: usize, bits: u32, seed: u32) -> Self {
        let count = keys.max(2) as f64;
        let segment_bits = ((count.ln() / 2.91_f64.ln() - 0.5).floor() as u32).min(MOST_SEGMENT_BITS);
        let slots_a_key = f64::max(1.075, 0.77 + 0.305 * 600_000_f64.ln() / count.ln());
        let slots = (count * slots_a_key).round() as usize;
        let segments = slots.div_ceil(1 << segment_bits).saturating_sub(ARITY - 1).max(1);
        Self { seed, bits, segment_bits, segments: segments as u32 }
    }

    /// Number of slots.
    fn slots(self) -> usize {
        (self.segments as usize + ARITY - 1) << self.segment_bits
    }

    /// Number of bytes of the array. The last ones are there so that four can be read where any value begins.
    pub(super) fn bytes(self) -> usize {
        (self.slots() * self.bits as usize).div_ceil(8) + READ
    }

    /// Whether it could be the shape of an array; if it is not, nothing else here may be called.
    pub(super) fn is_sound(self) -> bool {
        self.bits <= MOST_BITS
            && self.segment_bits <= MOST_SEGMENT_BITS
            && self.segments >= 1
            && (u64::from(self.segments) + ARITY as u64 - 1) << self.segment_bits <= MOST_SLOTS
    }

    /// The slots of a key: one in each of four neighbouring segments.
    #[inline]
    fn slots_of(self, key: u64) -> [usize; ARITY] {
        let hash = mix(key ^ u64::from(self.seed).wrapping_mul(GOLDEN));
        let within = (1_usize << self.segment_bits) - 1;
        let range = u64::from(self.segments) << self.segment_bits;
        let first = ((u128::from(hash) * u128::from(range)) >> 64) as usize;
        // The product's top bits have gone into the first slot, so the others come of a hash of their own.
        let hash = hash.wrapping_mul(GOLDEN) >> (u64::BITS - 3 * MOST_SEGMENT_BITS);
        let slot = |number: usize| {
            let other = (hash >> ((number - 1) * MOST_SEGMENT_BITS as usize)) as usize & within;
            (first + (number << self.segment_bits)) ^ other
        };
        [first, slot(1), slot(2), slot(3)]
    }

    /// The value of `key` in an array of this shape.
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

/// Builds the function that gives each key its value, of which only the low `bits` bits (at most [`MOST_BITS`]) count:
/// always the same for the same entries. `None` if a key comes up twice, or there are too many.
pub(super) fn build(entries: &[(u64, u16)], bits: u32) -> Option<(Shape, Vec<u8>)> {
    (0..SEEDS).find_map(|seed| {
        let shape = Some(Shape::new(entries.len(), bits, seed)).filter(|shape| shape.is_sound())?;
        let order = peel(entries, shape)?;
        Some((shape, assign(entries, shape, &order)))
    })
}

/// An entry that was put aside, and the slot that no entry put aside later names.
type Peeled = (u32, u32);

/// Puts the entries aside one by one; `None` if some hold each other fast.
fn peel(entries: &[(u64, u16)], shape: Shape) -> Option<Vec<Peeled>> {
    // Of each slot how many entries name it, and the sum without carry of their numbers: the number itself if it is one.
    let mut counts = vec![0_u32; shape.slots()];
    let mut sums = vec![0_u32; shape.slots()];
    for (number, &(key, _)) in (0..).zip(entries) {
        for slot in shape.slots_of(key) {
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
        for other in shape.slots_of(entries[number as usize].0) {
            counts[other] -= 1;
            sums[other] ^= number;
            if counts[other] == 1 {
                lone.push(other);
            }
        }
    }
    (order.len() == entries.len()).then_some(order)
}

/// Fills the array: the last entry put aside first, each by the slot that is its own.
fn assign(entries: &[(u64, u16)], shape: Shape, order: &[Peeled]) -> Vec<u8> {
    let mut array = vec![0; shape.bytes()];
    for &(number, slot) in order.iter().rev() {
        let (key, value) = entries[number as usize];
        let missing = u32::from(shape.value(&array, key) ^ value) & ((1 << shape.bits) - 1);
        let bit = slot as usize * shape.bits as usize;
        let bytes = (missing << (bit % 8)).to_le_bytes();
        array[bit / 8..].iter_mut().zip(bytes).for_each(|(there, added)| *there ^= added);
    }
    array
}

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A number that depends on the key alone, without regard to any slot.
pub(super) fn check(key: u64) -> u16 {
    mix(key.wrapping_add(GOLDEN)) as u16
}

/// The finisher of `SplitMix64` (Steele, Lea and Flood, 2014, with David Stafford's constants): invertible.
#[inline]
const fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys as unlike random ones as those of positions are.
    fn entries(count: u64, bits: u32) -> Vec<(u64, u16)> {
        (0..count).map(|n| (n * n + 7, (mix(n) & ((1 << bits) - 1)) as u16)).collect()
    }

    #[test]
    fn every_key_has_its_value() {
        for bits in 0..=MOST_BITS {
            for count in (0..40).chain([100, 1000, 30_000]) {
                let entries = entries(count, bits);
                let (shape, array) = build(&entries, bits).expect("no key comes twice");
                assert!(shape.is_sound() && array.len() == shape.bytes());
                for &(key, value) in &entries {
                    assert_eq!(shape.value(&array, key), value, "{bits} bits, {count} keys");
                }
                // Any other key has a value, too.
                let _some = shape.value(&array, u64::MAX);
            }
        }
    }

    #[test]
    fn many_keys_take_little_more_than_their_values() {
        let entries = entries(300_000, 5);
        let (shape, array) = build(&entries, 5).expect("no key comes twice");
        let bits = (array.len() * 8) as f64 / (5 * entries.len()) as f64;
        assert!(bits < 1.13, "{bits}");
        assert!(shape.seed < 5, "{shape:?}");
        assert_eq!(build(&entries, 5), Some((shape, array)), "always the same");
    }

    #[test]
    fn a_key_that_comes_twice_is_refused() {
        assert!(!Shape::new(300_000_000, 5, 0).is_sound(), "too many");
        assert_eq!(build(&[(1, 1), (2, 0), (1, 1)], 1), None);
    }

    #[test]
    fn slots_are_within_the_array_and_four() {
        for count in [0, 1, 3, 50, 5000] {
            let shape = Shape::new(count, 5, 3);
            for key in (0..5000).map(mix) {
                let slots = shape.slots_of(key);
                assert!(slots.is_sorted_by(|a, b| a < b) && slots[ARITY - 1] < shape.slots());
            }
        }
    }
}
