//! `plumb-lab table-study merge`: the shards of a study, put together.

use std::path::PathBuf;

use anyhow::Result;
use plumb_studies::table_study::record::Record;

use super::{RESULTS, header, line, write};
use crate::output::print;
use crate::results::{Shards, write_all};

/// Merge the shards of a study.
///
/// Shards are the directories of runs with `--shard I/N` and otherwise equal arguments, on any machine. Nodes do not
/// depend on it; times are those of the machine that each was measured on.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Directory for all results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let files: Vec<_> = arguments.parts.iter().map(|directory| directory.join(RESULTS)).collect();
    let mut records: Vec<Record> = Shards::read("table-study", &files)?.rows()?;
    records.sort_by(Record::order);
    let out = &arguments.out;
    write_all(&out.join(RESULTS), "--out", &header(), &records)?;
    records.iter().try_for_each(|record| print(format_args!("{}", line(record))))?;
    write(out, &mut records)
}
