//! SHA-256 as text: whether two files, or two lists, have the same contents.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use sha2::{Digest, Sha256};

/// A hash that grows with its input.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Appends bytes to the input.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of the input so far, in hexadecimal digits.
    pub fn hex(&self) -> String {
        let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
        self.0.clone().finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

/// The hash of the contents of a file, in hexadecimal digits.
///
/// # Errors
/// Those of reading.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut hasher = Hasher::default();
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hasher.hex());
        }
        hasher.add(bytes);
        let length = bytes.len();
        input.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: FIPS 180-2, appendix B.1.
    #[test]
    fn published_hashes_are_found() {
        let mut hasher = Hasher::default();
        assert!(hasher.hex().starts_with("e3b0c44298fc1c14"));
        hasher.add(b"a");
        hasher.add(b"bc");
        assert_eq!(hasher.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let path = std::env::temp_dir().join(format!("plumb-sha256-{}", std::process::id()));
        std::fs::write(&path, "abc").expect("written");
        assert_eq!(of_file(&path).expect("readable"), hasher.hex());
        std::fs::remove_file(&path).expect("it was there");
    }
}
