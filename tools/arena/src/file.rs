//! Atomic replacement of files, and SHA-256.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};

/// Replaces a file atomically. The unfinished file has the suffix `.new`.
pub fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    replace_by(path, &with_suffix(path, ".new"), write)
}

/// Like [`replace`], but the unfinished file is at `new`. Concurrent processes need different paths.
pub(crate) fn replace_by(
    path: &Path,
    new: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let written = File::create(new).and_then(|file| {
        let mut out = BufWriter::with_capacity(1 << 16, file);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        rename(new, path)
    });
    if written.is_err() {
        let _left_behind = fs::remove_file(new);
    }
    written
}

/// Renames a file, and syncs its directory. Replaces `to`.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    // Only Unix can open a directory to sync it.
    #[cfg(unix)]
    {
        let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// Refuses binary data: a NUL byte among the first 4096 bytes.
pub fn ensure_text(path: &Path, bytes: &[u8]) -> Result<()> {
    let is_binary = bytes.iter().take(4096).any(|byte| *byte == 0);
    ensure!(!is_binary, "`{}` is not a text file; expected positions, one per line", path.display());
    Ok(())
}

/// Appends `suffix` to the file name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Incremental SHA-256.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Appends to the input.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Hash of the input so far, as hexadecimal digits.
    pub fn hex(&self) -> String {
        let mut text = String::new();
        for byte in self.0.clone().finalize() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

/// Hash of a file as hexadecimal digits.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let (mut input, mut hasher) = (File::open(path)?, Hasher::default());
    let mut bytes = vec![0; 1 << 16];
    loop {
        match input.read(&mut bytes)? {
            0 => return Ok(hasher.hex()),
            length => hasher.add(&bytes[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one_alone() {
        let path = std::env::temp_dir().join(format!("plumb-replace-{}", std::process::id()));
        replace(&path, |out| out.write_all(b"old")).expect("written");
        let failed = replace(&path, |out| {
            out.write_all(b"half of the ne")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.expect_err("it failed").to_string(), "no more");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        assert!(!fs::exists(with_suffix(&path, ".new")).expect("readable"));
        replace(&path, |out| out.write_all(b"new")).expect("written");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        fs::remove_file(&path).expect("it was there");
    }

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
        assert_eq!(sha256_of_file(&path).expect("readable"), hasher.hex());
        std::fs::remove_file(&path).expect("it was there");
    }
}
