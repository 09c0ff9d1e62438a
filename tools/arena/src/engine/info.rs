//! `info` lines: scores, and objections to options.

use plumb_protocol::{Info, Reply, Score, escaped, parse_reply, shortened};

/// Maximum length of a remark before control characters are escaped.
const MAX_LENGTH: usize = 300;

const FAILURES: &str =
    "cannot couldn unable fail failed failure error invalid illegal refused refuses insufficient";
const OBJECTIONS: &str = "not no unknown unsupported ignored instead warning";
const TABLE: &str = "hash table tt memory ram allocate";

/// Objection to an option, in an `info string` between `setoption` and `readyok`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The engine's words.
    pub text: String,
    /// Whether the engine refuses its table size.
    pub refuses_size: bool,
}

impl Remark {
    /// The remark in the text of an `info string`. `hash` is the requested `Hash` in MB.
    ///
    /// UCI has no reply for a refused option, so engines use words:
    ///
    /// - A line refuses the size if it names another size in MB or GB ("trying 64 MB instead"), and also the requested
    ///   size or a word for the table.
    /// - It also refuses the size if it names the requested size with a word of failure, such as "cannot".
    /// - Any other line with a word of failure or objection is a remark.
    pub fn of(text: &str, hash: Option<usize>) -> Option<Self> {
        let words: Vec<_> = words(text).collect();
        let sizes = megabytes(&words);
        let is_failure = has_one(&words, FAILURES);
        let refuses_size = hash.is_some_and(|asked| {
            let is_named = sizes.contains(&asked);
            let is_other = sizes.iter().any(|&size| size != asked) && (is_named || has_one(&words, TABLE));
            is_other || is_named && is_failure
        });
        if !refuses_size && !is_failure && !has_one(&words, OBJECTIONS) {
            return None;
        }
        Some(Self { text: escaped(&shortened(text, MAX_LENGTH)), refuses_size })
    }
}

fn has_one(words: &[String], known: &str) -> bool {
    known.split(' ').any(|known| words.iter().any(|word| word == known))
}

/// Words in lower case, without the commas that separate thousands.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '.' | ','));
    let words = words.map(|word| word.trim_matches(['.', ',']).replace(',', "").to_lowercase());
    words.filter(|word| !word.is_empty())
}

/// Sizes in MB from words such as `64MB`, `64 MiB` and `1.5 GB`.
fn megabytes(words: &[String]) -> Vec<usize> {
    let mut sizes = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let digits =
            word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(word.len());
        let (number, unit) = word.split_at(digits);
        let next = words.get(index + 1).map_or("", String::as_str);
        let factor = match if unit.is_empty() { next } else { unit } {
            "m" | "mb" | "mib" | "mbytes" | "megabytes" => 1.0,
            "g" | "gb" | "gib" | "gbytes" | "gigabytes" => 1024.0,
            _ => continue,
        };
        if let Ok(number) = number.parse::<f64>() {
            sizes.push((number * factor).round() as usize);
        }
    }
    sizes
}

/// Last `info` lines of a search. An engine may print thousands, so they are parsed after the move.
#[derive(Default)]
pub(super) struct Reports {
    exact: Option<String>,
    lower: Option<String>,
    upper: Option<String>,
    last: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchReport {
    /// Last report with an exact score, or else last bound. Nodes, time, hashfull and tbhits are the latest values.
    pub info: Option<Info>,
    /// Last bounds after an exact score.
    pub lower: Option<Score>,
    pub upper: Option<Score>,
}

impl Reports {
    pub(super) fn keep(&mut self, line: &str) {
        let is_report =
            line.starts_with("info ") && !line.starts_with("info string ") && line.contains(" score ");
        let mut after = line.split(" multipv ").skip(1);
        if !is_report || after.next().is_some_and(|text| text.split(' ').next() != Some("1")) {
            return;
        }
        let kept = Some(line.to_owned());
        if line.contains(" lowerbound") {
            self.lower.clone_from(&kept);
        } else if line.contains(" upperbound") {
            self.upper.clone_from(&kept);
        } else {
            *self = Self { exact: kept.clone(), ..Self::default() };
        }
        self.last = kept;
    }

    pub(super) fn finish(self) -> SearchReport {
        let last = info(self.last);
        let Some(mut exact) = info(self.exact) else {
            return SearchReport { info: last, ..SearchReport::default() };
        };
        if let Some(Info { nodes: nodes @ Some(_), time, hash_full, tb_hits, .. }) = last {
            exact = Info { nodes, time, hash_full, tb_hits, ..exact };
        }
        SearchReport { info: Some(exact), lower: score(self.lower), upper: score(self.upper) }
    }
}

fn info(line: Option<String>) -> Option<Info> {
    match parse_reply(&line?) {
        Ok(Reply::Info(info)) => Some(info),
        _ => None,
    }
}

fn score(line: Option<String>) -> Option<Score> {
    Some(info(line)?.score?.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_engines_are_sorted_as_the_table_says() {
        for row in include_str!("remarks.tsv").lines().filter(|row| !row.starts_with('#')) {
            let (expected, rest) = row.split_once('\t').expect(row);
            let (hash, text) = rest.split_once('\t').expect(row);
            let found = Remark::of(text, hash.parse().ok());
            assert!(found.as_ref().is_none_or(|remark| remark.text == text), "{found:?}");
            let found = match found {
                None => "none",
                Some(Remark { refuses_size: true, .. }) => "refusal of the size",
                Some(_) => "remark",
            };
            assert_eq!(found, expected, "{row}");
        }
        let hostile = Remark::of("error \u{1b}[2J", None).expect("a remark");
        assert_eq!(hostile.text, "error \\u{1b}[2J");
    }

    fn report(lines: &[&str]) -> SearchReport {
        let mut reports = Reports::default();
        for line in lines {
            reports.keep(line);
        }
        reports.finish()
    }

    #[test]
    fn the_report_is_the_last_one_without_a_bound_of_the_first_line() {
        for (lines, expected) in [
            (
                &[
                    "info depth 4 multipv 1 score cp 30 nodes 9 time 1 pv P@d1",
                    "info depth 4 multipv 2 score mate -26 nodes 9 pv P@a1",
                    "info string the last score is no report",
                    "info depth 5 score cp 90 lowerbound nodes 12 hashfull 7 tbhits 2 time 3",
                    "info depth 6 nodes 20",
                ][..],
                "info depth 4 multipv 1 score cp 30 nodes 12 hashfull 7 tbhits 2 time 3 pv P@d1",
            ),
            (&["info depth 5 score cp 9 lowerbound"], "info depth 5 score cp 9 lowerbound"),
            (
                &["info depth 5 score cp 9 lowerbound", "info depth 5 score mate 3"],
                "info depth 5 score mate 3",
            ),
        ] {
            let Ok(Reply::Info(expected)) = parse_reply(expected) else { panic!("{expected}") };
            assert_eq!(report(lines).info, Some(expected), "{lines:?}");
        }
    }

    #[test]
    fn bounds_after_the_score_are_kept() {
        let lines = [
            "info score cp 90 upperbound",
            "info score cp 0",
            "info score cp 5 lowerbound",
            "info score mate 5 lowerbound",
        ];
        let found = report(&lines);
        assert_eq!((found.lower, found.upper), (Some(Score::Mate(5)), None));
        let both = report(&[&lines[..], &["info score mate 3 upperbound"]].concat());
        assert_eq!((both.lower, both.upper), (Some(Score::Mate(5)), Some(Score::Mate(3))));
        let renewed = report(&[&lines[..], &["info score cp 7"]].concat());
        assert_eq!((renewed.lower, renewed.upper), (None, None));
    }
}
