//! The lines that an engine prints, read from its standard output or error.

use std::io::{BufRead, BufReader, Read};
use std::iter;

/// The longest line that is read, in bytes; the rest of a longer one is dropped.
const MAX_LINE: u64 = 1 << 20;

/// The lines of `output` without their ends, until it is closed.
///
/// An engine is untrusted: bytes that are no UTF-8 become U+FFFD, a line longer than 1 MiB is cut there, and reading
/// continues after both. A last line without an end is left out, as it may be broken off.
pub(super) fn lines(output: impl Read) -> impl Iterator<Item = String> {
    read(output).map_while(|line| line.is_whole.then_some(line.text))
}

/// The same with a last line without an end, as in the last words of a process that crashes.
pub(super) fn lines_and_rest(output: impl Read) -> impl Iterator<Item = String> {
    read(output).map(|line| line.text)
}

struct Line {
    text: String,
    /// Whether its end was there.
    is_whole: bool,
}

fn read(output: impl Read) -> impl Iterator<Item = Line> {
    let mut output = BufReader::new(output);
    iter::from_fn(move || next_line(&mut output))
}

/// The next line; `None` at the end of the output, or if it cannot be read.
fn next_line(output: &mut impl BufRead) -> Option<Line> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
    let is_whole = match line.last()? {
        b'\n' => line.pop().is_some(),
        _ => line.len() as u64 == MAX_LINE && skip_line(output).is_some(),
    };
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Some(Line { text: String::from_utf8_lossy(&line).into_owned(), is_whole })
}

/// Reads up to the end of the line and drops what it reads, in constant memory; `None` if the output ends before.
fn skip_line(output: &mut impl BufRead) -> Option<()> {
    let mut last = None;
    while last != Some(b'\n') {
        let mut part = Vec::new();
        output.take(MAX_LINE).read_until(b'\n', &mut part).ok()?;
        last = Some(*part.last()?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_do_not_end_the_reading() {
        let text = &b"id name Caf\xe9\r\n\n\xff\xfe\nuciok\nbroken off"[..];
        let whole = ["id name Caf\u{fffd}", "", "\u{fffd}\u{fffd}", "uciok"];
        assert_eq!(lines(text).collect::<Vec<_>>(), whole);
        assert_eq!(lines_and_rest(text).collect::<Vec<_>>(), [&whole[..], &["broken off"]].concat());
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let most = MAX_LINE as usize;
        for extra in [0, 1, most - 1, most, 2 * most + 7] {
            let text = format!("{}\nreadyok\n", "x".repeat(most + extra));
            let found: Vec<_> = lines(text.as_bytes()).collect();
            assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [most, 7], "{extra}");
        }
        let endless = "x".repeat(3 * most);
        assert_eq!(lines(endless.as_bytes()).count(), 0);
        assert_eq!(lines_and_rest(endless.as_bytes()).map(|line| line.len()).collect::<Vec<_>>(), [most]);
    }
}
