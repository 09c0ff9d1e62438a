//! The settings of a match from the header of its record, beside its board.

use anyhow::{Result, anyhow};
use plumb_arena::record::MatchHeader;
use plumb_arena::statistics::sprt::Sprt;

use super::sprt_settings::SprtSettings;
use crate::results::Shard;

/// The key of the test in the settings of the header.
pub(super) const TEST: &str = "sprt";
/// The key of the shard.
pub(super) const SHARD: &str = "shard";

/// The test of a recorded match.
///
/// # Errors
/// If the header has something else in its place.
pub(in super::super) fn test_of(header: &MatchHeader) -> Result<Option<Sprt>> {
    let Some(numbers) = header.settings.get(TEST) else { return Ok(None) };
    let test: SprtSettings = numbers.parse().map_err(|error| anyhow!("`{numbers}`: {error}"))?;
    test.sprt().map(Some)
}

/// The shard that a header is of; `None` if it is that of a whole match.
pub(in super::super) fn shard_of(header: &MatchHeader) -> Option<Shard> {
    header.settings.get(SHARD)?.parse().ok()
}

/// The header of the whole match of which `header` is a shard's.
pub(in super::super) fn header_of_all(header: &MatchHeader) -> MatchHeader {
    let mut header = header.clone();
    header.settings.remove(SHARD);
    header.arguments.remove(SHARD);
    header
}
