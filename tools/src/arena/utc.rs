//! The time of day, as the record of a match has it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// The time now in UTC: `2026-01-31T23:59:59Z`.
pub(super) fn now() -> String {
    format!("{}Z", text(since_1970(SystemTime::now()).as_secs()))
}

/// A time in UTC with microseconds: `2026-01-31T23:59:59.123456Z`.
pub(super) fn precise(time: SystemTime) -> String {
    let time = since_1970(time);
    format!("{}.{:06}Z", text(time.as_secs()), time.subsec_micros())
}

/// The time since 1970. A clock from before that is wrong; it need not stop a match.
fn since_1970(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The time so many seconds after the beginning of 1970: `2026-01-31T23:59:59`.
fn text(seconds: u64) -> String {
    let (year, month, day) = civil(seconds / DAY);
    let time = seconds % DAY;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
}

/// Year, month and day of the month, so many days after 1 January 1970.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
/// (<https://howardhinnant.github.io/date_algorithms.html>). Years begin with March there, so that the leap day is the last.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(text(seconds), expected.trim_end_matches('Z'));
        }
        let time = UNIX_EPOCH + Duration::from_micros(951_782_399_000_042);
        assert_eq!(precise(time), "2000-02-28T23:59:59.000042Z");
    }
}
