//! Sizes of transposition tables on the command line.

use std::fmt;
use std::str::FromStr;

/// Bytes per megabyte.
pub const MEGABYTE: usize = 1 << 20;

/// A size on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A number of entries.
    Entries(usize),
    /// Megabytes of 2^20 bytes, filled with entries.
    Megabytes(usize),
}

impl Size {
    /// Number of entries of `bytes` each.
    pub fn entries(self, bytes: usize) -> usize {
        match self {
            Self::Entries(entries) => entries,
            Self::Megabytes(megabytes) => megabytes.saturating_mul(MEGABYTE) / bytes.max(1),
        }
    }
}

/// `8388617`, `2^23` or `64MB`.
impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = match (text.strip_suffix("MB"), text.strip_prefix("2^")) {
            (Some(megabytes), _) => megabytes.parse().ok().map(Self::Megabytes),
            (_, Some(power)) => power.parse().ok().and_then(|n| 1_usize.checked_shl(n)).map(Self::Entries),
            _ => text.parse().ok().map(Self::Entries),
        };
        // Sizes over the engine's largest `Hash` are typing errors.
        let found = found.filter(|size| (1..=1 << 45).contains(&(size.entries(1) as u64)));
        found.ok_or_else(|| "expected entries, as in 8388617 or 2^23, or megabytes, as in 64MB".to_owned())
    }
}

/// Reads a size in megabytes, with or without the unit: `64` or `64MB`.
pub fn megabytes(text: &str) -> Result<usize, String> {
    let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
    let with_unit = if is_bare { format!("{text}MB") } else { text.to_owned() };
    match with_unit.parse() {
        Ok(Size::Megabytes(megabytes)) => Ok(megabytes),
        _ => Err("expected megabytes from 1 to 33554432, as in 64 or 64MB".to_owned()),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entries(entries) => write!(f, "{entries}"),
            Self::Megabytes(megabytes) => write!(f, "{megabytes}MB"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_entries_or_megabytes_which_may_stand_without_their_unit() {
        let size = |text: &str| text.parse::<Size>();
        assert_eq!(size("8388617"), Ok(Size::Entries(8_388_617)));
        assert_eq!(size("2^23"), Ok(Size::Entries(1 << 23)));
        assert_eq!(size("40MB"), Ok(Size::Megabytes(40)));
        assert_eq!(Size::Megabytes(40).entries(5), 1 << 23);
        for wrong in
            ["", "MB", "0", "0MB", "2^", "2^99", "-1", "64 MB", "1e6", "2^63", "18446744073709551615"]
        {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(["16", "16MB", "33554432"].map(megabytes), [Ok(16), Ok(16), Ok(1 << 25)]);
        for wrong in ["", "0", "0MB", "2^4", "16 MB", "16GB", "-1", "33554433"] {
            assert!(megabytes(wrong).is_err(), "{wrong}");
        }
    }
}
