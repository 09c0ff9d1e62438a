//! `plumb-lab suite merge`: the shards of a run, put together.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::Value;

use super::csv_file::ResultLine;
use super::report::{self, Section, Setup};
use crate::output::{JsonFile, replace_lines};
use crate::part_note::{Parts, ensure_whole};

/// Merge the shards of a run, and print its mismatches and figures.
///
/// Shards are the files of runs with `--shard I/N` and otherwise equal arguments, on any machine.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The files of the shards.
    #[arg(value_name = "CSV", required = true)]
    parts: Vec<PathBuf>,
    /// Write all results as comma-separated values to this file.
    #[arg(long, value_name = "F")]
    csv: PathBuf,
    /// Write settings and figures to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let parts = Parts::read("suite", &arguments.parts)?;
    let setup: Setup = serde_json::from_value(Value::Object(parts.settings().clone()))
        .context("the shards have the settings of another version")?;
    let lines = parts.lines(ResultLine::HEADING, ResultLine::parse)?;
    ensure_whole(&arguments.csv)?;
    let texts = lines.iter().map(ResultLine::text).collect::<Result<Vec<_>>>()?;
    replace_lines(&arguments.csv, ResultLine::HEADING, &texts)?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    lines.iter().filter(|line| line.is_mismatch()).try_for_each(report::mismatch)?;
    // A file begins where the name changes, or the numbers of lines begin anew.
    let is_next = |last: &ResultLine, next: &ResultLine| last.file == next.file && last.line < next.line;
    let section = |lines: &[ResultLine]| Section { file: lines[0].file.clone(), lines: lines.to_vec() };
    let sections: Vec<_> = lines.chunk_by(is_next).map(section).collect();
    report::report(&setup, &sections, json)
}
