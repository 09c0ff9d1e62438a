//! Texts for people: suggestions for misspelled words, shortening, escaping.

const LONGEST: usize = 40;

/// The word of `known` with the least edit distance from `word`, ignoring case (optimal string alignment: insertions,
/// deletions, replacements, exchanges of neighbours). `None` if the distance is more than a third of the length and
/// more than 1, or `word` has more than 40 characters.
///
/// ```
/// use plumb_protocol::most_similar;
///
/// let known = ["Hash", "Clear Hash", "Threads"];
/// assert_eq!(most_similar("hsah", known), Some("Hash"));
/// assert_eq!(most_similar("Contempt", known), None);
/// ```
#[must_use]
pub fn most_similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let (mut closest, mut least) = (None, length.max(3) / 3 + 1);
    for other in known {
        let distance = strsim::osa_distance(&word, &other.to_lowercase());
        if distance < least {
            (closest, least) = (Some(other), distance);
        }
    }
    closest
}

/// The text, or its beginning and `…`, in at most `length` characters (at least 1).
///
/// ```
/// assert_eq!(plumb_protocol::shortened("searchmoves", 6), "searc…");
/// ```
#[must_use]
pub fn shortened(text: &str, length: usize) -> String {
    if text.chars().nth(length).is_none() {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['…']).collect()
}

/// The text with its control characters escaped, so that a line of output can repeat it.
///
/// ```
/// assert_eq!(plumb_protocol::escaped("a\u{1b}[2J\n"), "a\\u{1b}[2J\\n");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { result.extend(c.escape_default()) } else { result.push(c) }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_resembles_nothing_finds_nothing() {
        let known = ["movetime", "depth", "nodes"];
        for word in ["fast", "xyzzy", "", "x", &"depth".repeat(1000)] {
            assert_eq!(most_similar(word, known), None, "{word:.20}");
        }
        assert_eq!(most_similar("node", known), Some("nodes"));
        assert_eq!(most_similar("dapth", known), Some("depth"));
        assert_eq!(most_similar("MOVETIMES", known), Some("movetime"));
    }
}
