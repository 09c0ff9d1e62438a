//! The positions one by one, for other programs, and for shards.

use plumb::board::Board;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use plumb::score::Score;
use plumb_studies::scored_positions::ScoredPosition;
use serde::{Deserialize, Serialize};

use super::position_solver::{Answer, Solved};
use crate::line_file::LineFile;
use crate::output::create;

/// The result of a position: a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ResultLine {
    pub file: String,
    pub line: usize,
    pub moves: String,
    pub expected: Option<Score>,
    pub score: Score,
    pub nodes: Option<u64>,
    /// Processor time of the built-in solver on one thread, else wall time.
    nanoseconds: u64,
    /// Whether the score was compared, or only its sign.
    compared: Compared,
    cpu_nanoseconds: Option<u64>,
    wall_nanoseconds: u64,
}

/// What was compared with the expected score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Compared {
    Score,
    Sign,
}

impl ResultLine {
    /// The names of the fields, as they stand in the first line of the file.
    pub(super) const HEADING: &str =
        "file,line,moves,expected,score,nodes,nanoseconds,compared,cpu_nanoseconds,wall_nanoseconds";

    /// The line of a position of the file called `name`, with the score that was found and the one expected.
    pub(super) fn new(
        name: &str,
        entry: &ScoredPosition<Board>,
        found: Score,
        expected: Option<Score>,
        solved: &Solved,
    ) -> Self {
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        Self {
            file: name.to_owned(),
            line: entry.line,
            moves: entry.moves.clone(),
            expected,
            score: found,
            nodes: solved.nodes,
            nanoseconds: nanoseconds(solved.time),
            compared: match solved.answer {
                Answer::Exact(_) => Compared::Score,
                Answer::Sign(_) => Compared::Sign,
            },
            cpu_nanoseconds: solved.cpu.map(nanoseconds),
            wall_nanoseconds: nanoseconds(solved.wall),
        }
    }

    /// Reads a line of the file.
    ///
    /// # Errors
    /// The fault in the text.
    pub(super) fn parse(line: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let line_of: Option<Result<Self, _>> = reader.deserialize().next();
        line_of.and_then(Result::ok).with_context(|| format!("`{line}`: expected {}", Self::HEADING))
    }

    /// The line of the file.
    ///
    /// # Errors
    /// None that can happen with these fields.
    pub(super) fn text(&self) -> Result<String> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self)?;
        Ok(String::from_utf8(writer.into_inner()?)?.trim_end().to_owned())
    }

    /// Whether it is the line of this position.
    pub(super) fn is_of(&self, name: &str, entry: &ScoredPosition<Board>) -> bool {
        (self.file.as_str(), self.line, self.moves.as_str()) == (name, entry.line, entry.moves.as_str())
    }

    /// Whether the score is not the expected one.
    pub(super) fn is_mismatch(&self) -> bool {
        self.expected.is_some_and(|expected| expected != self.score)
    }

    /// Whether only the sign was there to compare.
    pub(super) fn is_by_sign(&self) -> bool {
        self.compared == Compared::Sign
    }

    /// Processor time of the built-in solver on one thread, else wall time.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
    }

    /// Processor time, where it is known.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.cpu_nanoseconds.map(Duration::from_nanos)
    }

    /// Time of day.
    pub(super) fn wall(&self) -> Duration {
        Duration::from_nanos(self.wall_nanoseconds)
    }
}

/// A file of lines, each of which is there as soon as it is written.
pub(super) enum CsvFile {
    /// A new one; it may be a pipe.
    New(PathBuf, BufWriter<File>),
    /// That of a shard, which is continued.
    Part(LineFile),
}

impl CsvFile {
    /// Creates the file, with its heading, which is there even if no position follows.
    ///
    /// # Errors
    /// If it cannot be created or written.
    pub(super) fn create(path: &Path) -> Result<Self> {
        let mut file = Self::New(path.to_owned(), create(path)?);
        file.append(ResultLine::HEADING)?;
        Ok(file)
    }

    /// Appends a line, at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append(&mut self, line: &str) -> Result<()> {
        match self {
            Self::New(path, file) => writeln!(file, "{line}")
                .and_then(|()| file.flush())
                .with_context(|| format!("cannot write to `{}`", path.display())),
            Self::Part(file) => file.append(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_it_was_written() {
        let line = ResultLine {
            file: "a, b.txt".to_owned(),
            line: 3,
            moves: "4455".to_owned(),
            expected: None,
            score: -1,
            nodes: Some(12),
            nanoseconds: 345,
            compared: Compared::Sign,
            cpu_nanoseconds: None,
            wall_nanoseconds: 678,
        };
        let text = line.text().expect("written");
        assert_eq!(text, "\"a, b.txt\",3,4455,,-1,12,345,sign,,678");
        assert_eq!(ResultLine::parse(&text).expect("read"), line);
        assert!(ResultLine::parse("a,b").is_err());
        assert!(!line.is_mismatch() && ResultLine { expected: Some(1), ..line }.is_mismatch());
    }
}
