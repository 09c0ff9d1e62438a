//! What the tests of `plumb-lab book` share.

use super::lab;

/// The lines of a part that are about positions: those below its header and the names of its columns.
pub(crate) fn entries(part: &str) -> Vec<&str> {
    part.lines().skip(2).collect()
}

/// This part with another value in each of its entries, without their processor times.
pub(crate) fn with_values(part: &str, value: impl Fn(&str) -> String) -> String {
    let heading = part.lines().take(2).map(str::to_owned);
    let changed = entries(part).into_iter().map(|entry| {
        let mut fields = entry.split(',');
        let mut field = || fields.next().expect("key and value");
        format!("{},{},", field(), value(field()))
    });
    heading.chain(changed).map(|line| line + "\n").collect()
}

/// What is said on standard error when this is refused.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let (code, out, err) = lab(&[&["book"], arguments].concat());
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert_eq!(err.matches('\n').count(), 1, "one sentence: {err}");
    err.trim_start_matches("plumb-lab: ").to_owned()
}
