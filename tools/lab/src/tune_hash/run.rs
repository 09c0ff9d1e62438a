//! The result of one run: a line of the file.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// One size on one file, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// Who solved, and how.
    pub setup: String,
    pub suite: String,
    /// Whether the table was kept from one position to the next.
    pub warm: bool,
    pub megabytes: usize,
    /// From 1.
    pub repeat: u32,
    pub positions: usize,
    /// How many of them got a wrong score; some engines guess even at the end of the game.
    pub wrong: usize,
    pub seconds: f64,
    pub nodes: Option<u64>,
    /// How full the table was in the end, from 0 to 1: the mean over the positions.
    pub full: Option<f64>,
    /// The share of looks at the table that found the position.
    pub hits: Option<f64>,
    /// The share of stores that lost another position.
    pub overwrites: Option<f64>,
}

impl Run {
    /// The names of the fields, as they stand in the first line of the file.
    pub(super) const HEADING: &str =
        "setup,suite,warm,megabytes,repeat,positions,wrong,seconds,nodes,full,hits,overwrites";

    /// Reads a line of the file.
    ///
    /// # Errors
    /// If it is none.
    pub(super) fn parse(line: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
        let run: Option<Result<Self, _>> = reader.deserialize().next();
        run.and_then(Result::ok).with_context(|| format!("`{line}`: expected {}", Self::HEADING))
    }

    /// The line of the file.
    ///
    /// # Errors
    /// None that can happen with these fields.
    pub(super) fn line(&self) -> Result<String> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.serialize(self)?;
        Ok(String::from_utf8(writer.into_inner()?)?.trim_end().to_owned())
    }

    /// The series of the run: file, and cold or warm.
    pub(super) fn group(&self) -> String {
        format!("{}{}", self.suite, if self.warm { ", warm" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let run = Run {
            setup: "other --quiet, threads 1".to_owned(),
            suite: "begin-easy".to_owned(),
            warm: true,
            megabytes: 64,
            repeat: 2,
            positions: 100,
            wrong: 3,
            seconds: 1.25,
            nodes: Some(12_345),
            full: Some(0.5),
            hits: None,
            overwrites: None,
        };
        assert_eq!(Run::parse(&run.line().expect("written")).expect("read"), run);
        assert_eq!(run.group(), "begin-easy, warm");
        assert!(Run::parse("a,b").is_err());
    }
}
