//! Texts for people: suggestions for misspelled words, long texts cut, control characters escaped.

/// Length of the longest word that is compared; longer ones resemble nothing.
const LONGEST: usize = 40;

/// The word of `known` with the least edit distance from `word`: insertions, deletions and replacements of a letter and
/// exchanges of two neighbours; case is ignored. `None` if the distance is more than a third of the length of `word`.
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
    let word = letters(word);
    if word.len() > LONGEST {
        return None;
    }
    let distance = |other: &str| distance(&word, &letters(other));
    let (closest, least) =
        known.into_iter().map(|other| (other, distance(other))).min_by_key(|&(_, distance)| distance)?;
    (least <= word.len().max(3) / 3).then_some(closest)
}

fn letters(word: &str) -> Vec<char> {
    word.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect()
}

/// The distance of Damerau and Levenshtein in its restricted form (optimal string alignment), row by row.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut two_above: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(two_above[j - 2] + 1);
            }
            row.push(least);
        }
        two_above = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

/// The text itself, or its beginning and `…`, in at most `length` characters.
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

/// The text with its control characters escaped, so that input can be repeated on a line of output.
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
    fn distances_count_single_slips() {
        let between = |a: &str, b: &str| distance(&letters(a), &letters(b));
        for (a, b, expected) in [
            ("depth", "depth", 0),
            ("Depth", "dePTH", 0),
            ("dpeth", "depth", 1),
            ("deph", "depth", 1),
            ("depthh", "depth", 1),
            ("", "go", 2),
            ("movtime", "movetime", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((between(a, b), between(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn what_resembles_nothing_finds_nothing() {
        let known = ["movetime", "depth", "nodes"];
        for word in ["fast", "xyzzy", "", "x", &"depth".repeat(1000)] {
            assert_eq!(most_similar(word, known), None, "{word:.20}");
        }
        assert_eq!(most_similar("node", known), Some("nodes"));
        assert_eq!(most_similar("MOVETIMES", known), Some("movetime"));
    }
}
