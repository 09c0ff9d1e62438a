//! What the tests of `plumb-lab book` share.

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

/// The sentence with which this is refused, with the end of its line.
pub(crate) fn refused(arguments: &[&str]) -> String {
    super::refused(&[&["book"], arguments].concat()) + "\n"
}
