//! A number that tells one list of texts from another.

/// The 64-bit hash FNV-1a over texts, each with an end.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash Algorithm".
#[must_use]
pub fn fingerprint(texts: impl IntoIterator<Item = String>) -> u64 {
    let bytes = texts.into_iter().flat_map(|text| text.into_bytes().into_iter().chain([b'\n']));
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_apart() {
        let of = |texts: &[&str]| fingerprint(texts.iter().map(|&text| text.to_owned()));
        assert_eq!(of(&[]), 0xCBF2_9CE4_8422_2325);
        assert!(of(&["a", "b"]) != of(&["ab"]) && of(&["a", "b"]) != of(&["b", "a"]));
    }
}
