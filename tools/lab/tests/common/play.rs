//! Matches for the tests of `plumb-lab match`.

use super::lab;

/// Plays a match, without a line for each game; returns what it printed.
pub(crate) fn play(arguments: &[&str]) -> String {
    let is_match = arguments.first().is_some_and(|first| first.starts_with("--"));
    let quiet: &[&str] = if is_match { &["--report-every", "0"] } else { &[] };
    let (code, out, err) = lab(&[&["match"], arguments, quiet].concat());
    assert_eq!(code, Some(0), "{err}");
    out
}
