//! One measurement: a size, a file, cold or warm.

use plumb::board::Board;
use std::time::Duration;

use plumb_studies::scored_positions::ScoredPosition;

use super::run::Run;

/// A file of positions.
pub(super) struct Suite {
    pub name: String,
    pub entries: Vec<ScoredPosition<Board>>,
}

/// One turn of one size.
pub(super) struct Turn<'a> {
    pub suite: &'a Suite,
    pub warm: bool,
    pub megabytes: usize,
    pub repeat: u32,
}

impl Turn<'_> {
    /// Whether `run` is the result of this turn.
    pub(super) fn is(&self, run: &Run) -> bool {
        (run.suite.as_str(), run.warm, run.megabytes, run.repeat)
            == (self.suite.name.as_str(), self.warm, self.megabytes, self.repeat)
    }
}

/// Time for an engine's answer.
pub(super) const TIMEOUT: Duration = Duration::from_secs(3600);
