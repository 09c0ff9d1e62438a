//! Reports of a search: which of an engine's `info` lines tells the score and the line of play of its move.

use plumb_protocol::{Info, Reply, parse_reply};

/// The lines `info` of the first line of play that are kept during a search. They are read only when the move is there: an
/// engine may print thousands.
#[derive(Default)]
pub(super) struct Reports {
    /// The last line with an exact score, which is that of the last complete depth.
    exact: Option<String>,
    /// A line after it with a bound.
    bound: Option<String>,
}

impl Reports {
    /// Keeps a line if it reports the score of the first line of play.
    pub(super) fn keep(&mut self, line: &str) {
        let is_report =
            line.starts_with("info ") && !line.starts_with("info string ") && line.contains(" score ");
        let mut after = line.split(" multipv ").skip(1);
        if !is_report || after.next().is_some_and(|text| text.split(' ').next() != Some("1")) {
            return;
        }
        if line.contains(" lowerbound") || line.contains(" upperbound") {
            self.bound = Some(line.to_owned());
        } else {
            (self.exact, self.bound) = (Some(line.to_owned()), None);
        }
    }

    /// The last exact report, with the nodes of the whole search, or the last bound if there is none.
    pub(super) fn last(self) -> Option<Info> {
        let [exact, bound] = [self.exact, self.bound].map(|line| match parse_reply(&line?) {
            Ok(Reply::Info(info)) => Some(info),
            _ => None,
        });
        match (exact, bound) {
            (Some(exact), Some(Info { nodes: nodes @ Some(_), .. })) => Some(Info { nodes, ..exact }),
            (exact, bound) => exact.or(bound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_the_last_exact_one_of_the_first_line() {
        for (lines, expected) in [
            (
                &[
                    "info depth 4 multipv 1 score cp 30 nodes 9 pv P@d1",
                    "info depth 4 multipv 2 score mate -26 nodes 9 pv P@a1",
                    "info string the last score is no report",
                    "info depth 5 score cp 90 lowerbound nodes 12",
                    "info depth 6 nodes 20",
                ][..],
                "info depth 4 multipv 1 score cp 30 nodes 12 pv P@d1",
            ),
            (&["info depth 5 score cp 9 lowerbound"], "info depth 5 score cp 9 lowerbound"),
            (
                &["info depth 5 score cp 9 lowerbound", "info depth 5 score mate 3"],
                "info depth 5 score mate 3",
            ),
        ] {
            let mut reports = Reports::default();
            for line in lines {
                reports.keep(line);
            }
            let Ok(Reply::Info(expected)) = parse_reply(expected) else { panic!("{expected}") };
            assert_eq!(reports.last(), Some(expected), "{lines:?}");
        }
    }
}
