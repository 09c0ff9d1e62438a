//! The checksum of a book file, fast enough to be verified at every start.

/// The prime of FNV-1a for 64 bits (Fowler, Noll and Vo), and its offset basis.
const PRIME: u64 = 0x0000_0100_0000_01B3;
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;

/// Independent sums, so that their multiplications overlap.
const LANES: usize = 4;
const BLOCK: usize = LANES * size_of::<u64>();

/// FNV-1a over little-endian words of eight bytes instead of bytes, word `i` in sum `i mod 4`; then over the four sums
/// and the length. The last block is padded with zeros.
///
/// Every step is invertible in the word and in the sum, so a change within one word always changes the checksum.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let mut sums = [BASIS; LANES];
    let mut blocks = bytes.chunks_exact(BLOCK);
    blocks.by_ref().for_each(|block| add(&mut sums, block));
    let mut last = [0; BLOCK];
    last[..blocks.remainder().len()].copy_from_slice(blocks.remainder());
    add(&mut sums, &last);
    sums.into_iter().chain([bytes.len() as u64]).fold(BASIS, step)
}

#[inline]
fn add(sums: &mut [u64; LANES], block: &[u8]) {
    let (words, _) = block.as_chunks();
    for (sum, &word) in sums.iter_mut().zip(words) {
        *sum = step(*sum, u64::from_le_bytes(word));
    }
}

#[inline]
fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::checksum;

    #[test]
    fn every_changed_bit_and_every_length_is_seen() {
        let bytes: Vec<u8> = (0..100).map(|n: u8| n.wrapping_mul(37)).collect();
        for length in 0..bytes.len() {
            let sum = checksum(&bytes[..length]);
            assert_ne!(sum, checksum(&bytes[..=length]));
            for bit in 0..8 * length {
                let mut changed = bytes[..length].to_vec();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(sum, checksum(&changed), "bit {bit} of {length} bytes");
            }
        }
        assert_ne!(checksum(&[]), checksum(&[0]));
    }
}
