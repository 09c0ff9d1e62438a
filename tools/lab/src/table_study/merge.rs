//! `plumb-lab table-study merge`: the shards of a study, put together.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use plumb_studies::table_study::record::Record;

use super::{RESULTS, line, write};
use crate::output::{print, replace_lines};
use crate::part_note::{Parts, ensure_whole};

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
    let mut records = Parts::read("table-study", &files)?.lines(Record::HEADING, Record::parse)?;
    records.sort_by(Record::order);
    let twice = records.windows(2).find(|pair| pair[0].is_same_unit(&pair[1]));
    ensure!(
        twice.is_none(),
        "two shards have the same result: {}",
        twice.map_or(Ok(String::new()), |pair| pair[0].line())?
    );
    let out = &arguments.out;
    fs::create_dir_all(out).with_context(|| format!("cannot create the directory `{}`", out.display()))?;
    let path = out.join(RESULTS);
    ensure_whole(&path)?;
    let lines = records.iter().map(Record::line).collect::<Result<Vec<_>>>()?;
    replace_lines(&path, Record::HEADING, &lines)?;
    records.iter().try_for_each(|record| print(format_args!("{}", line(record)?)))?;
    write(out, &mut records)
}
