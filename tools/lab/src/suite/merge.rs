//! `plumb-lab suite merge`: the shards of a run, put together.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use super::report::{self, Section};
use super::result_row::ResultRow;
use crate::output::JsonFile;
use crate::results::{Header, Shards, write_all};

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
    let shards = Shards::read("suite", &arguments.parts)?;
    let (header, rows) = (shards.header(), shards.rows::<ResultRow>()?);
    write_all(&arguments.csv, "--csv", &header, &rows)?;
    // As beside the file of an undivided run, there is none.
    Header::remove(&arguments.csv)?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    rows.iter().filter(|row| row.is_mismatch()).try_for_each(report::mismatch)?;
    let section = |rows: &[ResultRow]| Section { file: rows[0].file.clone(), rows: rows.to_vec() };
    let sections: Vec<_> = rows.chunk_by(|row, next| row.file == next.file).map(section).collect();
    report::report(&header, &sections, json)
}
