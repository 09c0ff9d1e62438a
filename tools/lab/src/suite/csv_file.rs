//! The positions one by one, for other programs.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
use plumb::score::Score;
use plumb_studies::scored_positions::ScoredPosition;
use serde::Serialize;

use super::position_solver::{Answer, Solved};
use crate::output::create;

/// A file of comma-separated values with a line a position.
pub(super) struct Csv<'a> {
    path: &'a Path,
    writer: csv::Writer<BufWriter<File>>,
    /// Whether an engine solves the positions, which adds columns.
    of_engine: bool,
}

impl<'a> Csv<'a> {
    /// Creates the file, with its heading.
    ///
    /// # Errors
    /// If it cannot be created or written.
    pub(super) fn create(path: &'a Path, of_engine: bool) -> Result<Self> {
        // The heading is there even if no position follows, so it does not come from the first of them.
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(create(path)?);
        let mut csv = Self { path, writer, of_engine };
        let common = ("file", "line", "moves", "expected", "score", "nodes", "nanoseconds");
        csv.row(common, ("compared", "cpu_nanoseconds"))?;
        Ok(csv)
    }

    /// Writes the line of a position, at once: a run that is broken off leaves what it has found.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(
        &mut self,
        name: &str,
        entry: &ScoredPosition,
        expected: Option<Score>,
        found: Score,
        solved: &Solved,
    ) -> Result<()> {
        let compared = match solved.answer {
            Answer::Exact(_) => "score",
            Answer::Sign(_) => "sign",
        };
        let nanoseconds = solved.time.as_nanos();
        self.row(
            (name, entry.line, &entry.moves, expected, found, solved.nodes, nanoseconds),
            (compared, solved.cpu.map(|cpu| cpu.as_nanos())),
        )
    }

    fn row(&mut self, common: impl Serialize, of_engine: impl Serialize) -> Result<()> {
        let Self { path, writer, .. } = self;
        let written =
            if self.of_engine { writer.serialize((common, of_engine)) } else { writer.serialize(common) };
        written
            .and_then(|()| writer.flush().map_err(csv::Error::from))
            .with_context(|| format!("cannot write to `{}`", path.display()))
    }
}
