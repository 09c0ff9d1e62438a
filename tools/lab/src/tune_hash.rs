//! `plumb-lab tune-hash`: how large the table should be.

mod arguments;
mod play;
mod plot;
mod recommend;
mod solve;
mod timed;

use anyhow::{Result, ensure};

use crate::results::{Header, Shards, write_all};
pub(crate) use arguments::Arguments;
use arguments::{MergeArguments, RESULTS, Settings, TuneArguments};
use play::Matches;
use recommend::Run;
use solve::conclude;

/// The verdict about a size, from games.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// Within the tolerance of the best, or not weaker than the reference by more than the loss.
    Good,
    /// Beyond the tolerance, or weaker than the reference, perhaps by more than the loss.
    Worse,
    /// Cannot be told from these games; about so many more would do.
    Open(u64),
}

/// Measures all sizes in turn and recommends one, or merges shards.
///
/// # Errors
/// If a file cannot be read or written, there is no memory for a table, a score is wrong, or the engine fails.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let run = |tuned: &TuneArguments| match tuned.control() {
        Some(control) => timed::run(tuned, &arguments.flags, control),
        None if tuned.play => play::run(tuned, &arguments.flags),
        None => solve::tune(tuned, &arguments.flags),
    };
    arguments.command.act(run, merge)
}

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
fn merge(arguments: &MergeArguments) -> Result<()> {
    let MergeArguments { parts: directories, tolerance, out } = arguments;
    let files: Vec<_> = directories.iter().map(|directory| directory.join(RESULTS)).collect();
    let shards = Shards::read("tune-hash", &files)?;
    let (path, header) = (out.join(RESULTS), shards.header());
    if let Ok(matches) = header.settings::<Matches>() {
        ensure!(tolerance.is_none(), "`--tolerance` is not for shards of matches");
        Header::ensure_no_shard(&path, "--out")?;
        let directories: Vec<_> = shards.iter().filter_map(|(file, _)| file.parent()).collect();
        return play::merge(header, matches, &directories, out);
    }
    if let Ok(settings) = header.settings::<timed::Settings>() {
        let rows = shards.rows()?;
        write_all(&path, "--out", &header.with_settings(&settings)?, &rows)?;
        return timed::conclude(&rows, &settings, *tolerance, out);
    }
    let mut runs: Vec<Run> = shards.rows()?;
    // In the order of an undivided run, as far as the rows tell.
    runs.sort_by_key(|run| run.repeat);
    let settings = Settings { rounds: None, ..header.settings()? };
    write_all(&path, "--out", &header.with_settings(&settings)?, &runs)?;
    conclude(&runs, &settings, *tolerance, out)
}
