//! What the tests of `plumb-lab book` share.

use super::lab;

/// The lines of a part that are about positions.
pub(crate) fn entries(part: &str) -> Vec<&str> {
    part.lines().filter(|line| !line.starts_with('#')).collect()
}

/// What is said on standard error when this is refused.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let (code, out, err) = lab(&[&["book"], arguments].concat());
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert_eq!(err.matches('\n').count(), 1, "one sentence: {err}");
    err.trim_start_matches("plumb-lab: ").to_owned()
}
