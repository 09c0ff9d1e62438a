//! `plumb-lab match`: engines play matches against each other.

mod cutechess;
mod directory;
mod display;
mod flags;
mod merge;
mod play;
mod suites;

use std::path::Path;

use anyhow::Result;
use plumb_arena::record::record_of;
use plumb_arena::settings::MatchSettings;
use plumb_arena::summary::Progress;

use crate::results::{Lock, Shard};
pub(crate) use cutechess::hint as cutechess_hint;
pub(crate) use directory::SavedMatch;
use flags::RunFlags;
pub(crate) use merge::merge_into as merge_matches;
pub(crate) use play::Watch;

/// Play matches between engines.
///
/// Any engine that speaks UCI with the variant `cfour`, or UGI, can take part. Each opening is played twice, with
/// colours swapped. This program referees: an engine that breaks a rule, exceeds its time or crashes loses the game;
/// all but a loss on time ends the match, too, unless `--recover` is given.
///
/// Two engines that play perfectly draw every pair of games, as each wins with the same colour. Engines differ in
/// openings in which the right move is hard to find, and at time controls at which it is not always found.
///
/// With `--out` each game is written when it ends. The same command, or `--resume`, continues an interrupted match, and
/// `match report` shows its results so far.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    flags: flags::MatchFlags,
}

#[derive(clap::Subcommand)]
enum Command {
    Merge(merge::MergeArguments),
    Openings(suites::Arguments),
    Report(merge::ReportArguments),
}

/// Plays the match of these settings for another command in the directory `out`, or what is missing of it there, as long as `watch` lets it;
/// returns its figures.
///
/// # Errors
/// Those of the match and of `watch`; if there is a match in `out` with other settings.
pub(crate) fn play_match(
    settings: MatchSettings,
    shard: Option<Shard>,
    log: Option<&Path>,
    out: &Path,
    watch: Watch<'_>,
) -> Result<Progress> {
    let lock = Lock::take(&record_of(out), "--out")?;
    let (found, record) = (SavedMatch::find(out)?, record_of(out).display().to_string());
    let header = match &found {
        Some(found) => found.header.resumed(settings, shard, &record)?,
        None => flags::new_header(settings.complete()?, shard),
    };
    // Between the matches of several settings a line for each game would be too much.
    let (out, log) = (Some(out.to_owned()), log.map(Path::to_owned));
    let flags = RunFlags { out, log, report_every: Some(0), ..RunFlags::default() };
    play::run(header, found, Some(lock), &flags, watch)
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => {
            let flags = &arguments.flags.resolved()?;
            let out = flags.run.out.as_deref();
            let lock = out.map(|out| Lock::take(&record_of(out), "--out")).transpose()?;
            let record = out.map(record_of).unwrap_or_default().display().to_string();
            let found = out.map(SavedMatch::find).transpose()?.flatten();
            let header = flags.header(found.as_ref(), &record)?;
            play::run(header, found, lock, &flags.run, &mut |_, _| Ok(true)).map(drop)
        }
        Some(Command::Merge(arguments)) => merge::merge(arguments),
        Some(Command::Openings(arguments)) => suites::run(arguments),
        Some(Command::Report(arguments)) => merge::report(arguments),
    }
}
