//! `plumb-lab tune-hash merge`: the shards of a run, put together.

use std::fs;

use anyhow::{Context, Result};
use serde_json::Value;

use super::arguments::MergeArguments;
use super::play::{self, Matches};
use super::run::Run;
use super::{RESULTS, conclude};
use crate::output::replace_lines;
use crate::part_note::{Parts, ensure_whole};

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
pub(super) fn run(arguments: &MergeArguments) -> Result<()> {
    let MergeArguments { parts: directories, tolerance, out } = arguments;
    let files: Vec<_> = directories.iter().map(|directory| directory.join(RESULTS)).collect();
    let parts = Parts::read("tune-hash", &files)?;
    fs::create_dir_all(out).with_context(|| format!("cannot create `{}`", out.display()))?;
    let path = out.join(RESULTS);
    ensure_whole(&path)?;
    if let Ok(matches) = serde_json::from_value::<Matches>(Value::Object(parts.settings().clone())) {
        let directories: Vec<_> = parts.iter().filter_map(|(file, _)| file.parent()).collect();
        return play::merge(&matches, &directories, out);
    }
    let mut runs = parts.lines(Run::HEADING, Run::parse)?;
    // In the order of an undivided run, as far as the lines tell.
    runs.sort_by_key(|run| run.repeat);
    let lines = runs.iter().map(Run::line).collect::<Result<Vec<_>>>()?;
    replace_lines(&path, Run::HEADING, &lines)?;
    let text = |name: &str| parts.settings().get(name).and_then(Value::as_str).unwrap_or_default();
    conclude(&runs, text("setup"), text("default"), *tolerance, out)
}
