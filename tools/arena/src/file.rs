//! Atomic replacement of files, and SHA-256 as text.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Replaces the file at `path` atomically and durably. Until the new file is complete, its name ends with `.new`.
///
/// # Errors
/// The errors of [`replace_by`].
pub fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    replace_by(path, &with_suffix(path, ".new"), write)
}

/// Like [`replace`], but with a path for the unfinished file. Processes that write one file need different paths,
/// because one would rename the unfinished file of another.
///
/// # Errors
/// If the new file cannot be written or renamed, it is removed, and the old file remains. If the directory cannot be
/// synchronised, the new file is in place, but a crash of the machine may restore the old file.
pub fn replace_by(
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
        // An unfinished file is useless. The first error is the one to report.
        let _left_behind = fs::remove_file(new);
    }
    written
}

/// Renames a file durably, and replaces a file at `to`.
///
/// # Errors
/// The error of the system call.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    // Other systems have no such call.
    #[cfg(unix)]
    {
        let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty());
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

/// `path` with a suffix at the end of its name.
pub fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// An incremental SHA-256.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Appends bytes to the input.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash of the input so far as hexadecimal digits.
    pub fn hex(&self) -> String {
        let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or_default();
        self.0.clone().finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

/// SHA-256 of a file as hexadecimal digits.
///
/// # Errors
/// The error of reading.
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
