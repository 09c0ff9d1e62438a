//! Times in UTC as text.

use std::time::SystemTime;

use jiff::Timestamp;

/// The present time to the second: `2026-01-31T23:59:59Z`.
pub fn now() -> String {
    format!("{:.0}", Timestamp::now())
}

/// A time to the microsecond: `2026-01-31T23:59:59.123456Z`. A time outside the years -9999 to 9999 becomes 1970.
pub fn precise(time: SystemTime) -> String {
    format!("{:.6}", Timestamp::try_from(time).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn times_have_the_length_of_their_precision() {
        let time = UNIX_EPOCH + Duration::from_micros(951_782_399_000_042);
        assert_eq!(precise(time), "2000-02-28T23:59:59.000042Z");
        assert_eq!(precise(UNIX_EPOCH), "1970-01-01T00:00:00.000000Z");
        assert_eq!(now().len(), "2026-01-31T23:59:59Z".len());
    }
}
