//! `plumb-lab match`: engines play matches against each other.

mod cutechess;
mod directory;
mod display;
mod flags;
mod play;
mod suites;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use plumb_arena::counted;
use plumb_arena::record::file::RecordReader;
use plumb_arena::record::{MatchHeader, record_path};
use plumb_arena::results::MatchResults;
use plumb_arena::settings::MatchSettings;
use plumb_arena::summary::MatchState;

use crate::output::print;
use crate::result_files::{Shard, take_lock};
pub(crate) use cutechess::hint as cutechess_hint;
use directory::{
    MatchDirectory, NEW, check_new_match, find_match, lock_of_match, results_of, state_of, write_reports,
};
pub(crate) use directory::{PAGE, ReportFlags, page_of_match, read_match};
pub(crate) use display::announce;
use flags::RunFlags;
pub(crate) use play::WantsMore;
use play::{conclude, print_standings};

/// Play matches between engines.
///
/// Any engine that speaks UCI with the variant `cfour`, or UGI, can take part. Each opening is played twice, with
/// colours swapped. This program referees: an engine that breaks a rule, exceeds its time or crashes loses the game;
/// all but a loss on time ends the match, too, unless `--recover` is given.
///
/// Two engines that play perfectly draw every pair of games: the result of each game is that of its opening. Engines differ
/// in openings in which the right move is hard to find, and at time controls at which it is not always found.
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
    Merge(MergeArguments),
    Openings(suites::Arguments),
    Report(ReportArguments),
}

/// Plays the match of these settings for another command in the directory `out`, or what is missing of it there, as long as
/// `wants_more` returns true; returns its figures.
///
/// # Errors
/// The errors of [`play::run`]; a match in `out` that has other settings.
pub(crate) fn play_match(
    settings: MatchSettings,
    shard: Option<Shard>,
    log: Option<&Path>,
    out: &Path,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    // `tune-hash` plays a match for each size: a line for each game would be too much.
    let (out, log) = (Some(out.to_owned()), log.map(Path::to_owned));
    let flags = RunFlags { out, log, report_every: Some(0), ..RunFlags::default() };
    play::run(|_, _| Ok((settings, shard)), &flags, wants_more)
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => {
            let flags = &arguments.flags;
            play::run(|found, path| flags.settings(found, path), &flags.run, &mut |_, _| Ok(true)).map(drop)
        }
        Some(Command::Merge(arguments)) => merge(arguments),
        Some(Command::Openings(arguments)) => suites::run(arguments),
        Some(Command::Report(arguments)) => report(arguments),
    }
}

/// Merge the shards of a match.
///
/// Shards are played with `--shard I/N` and otherwise equal arguments, on any machine; they share no game. A shard
/// may be missing or incomplete: `--resume` in the merged directory plays the missing games. A directory that holds
/// these games already, and no others, is written again.
#[derive(clap::Args)]
struct MergeArguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of the merged match, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite files of other programs in `--out`: `games.pgn`, `games.epd`, `summary.json` and `report.html`.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    report: ReportFlags,
}

/// Print the results of a match, complete or not, and write its figures, PGN and report.
#[derive(clap::Args)]
struct ReportArguments {
    /// The directory of the match.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    report: ReportFlags,
}

/// Merges shards.
///
/// # Errors
/// If one is no match or one of another, two have a game in common, or there is a match already where the whole is to
/// go that has other games.
fn merge(arguments: &MergeArguments) -> Result<()> {
    let MergeArguments { shards, out, report, force } = arguments;
    let (results, missing) = merge_matches(shards, out, report, *force)?;
    missing.map_or(Ok(()), |missing| print(format_args!("{missing}")))?;
    print(format_args!("{} of {}", results.played, counted(results.planned, "game")))
}

/// Merges the shards in these directories into the one at `out`, and prints the standings; returns the figures, and a
/// sentence on the shards that are missing.
///
/// # Errors
/// The errors of [`merge`].
pub(crate) fn merge_matches(
    directories: &[PathBuf],
    out: &Path,
    report: &ReportFlags,
    force: bool,
) -> Result<(MatchResults, Option<String>)> {
    let lock = take_lock(&record_path(out), "--out")?;
    let mut whole: Option<MatchHeader> = None;
    let (mut shards, mut found_shards) = (Vec::new(), Vec::new());
    // The index of the shard of each game.
    let mut shard_of = BTreeMap::new();
    for (index, directory) in directories.iter().enumerate() {
        let mut found = read_match(directory)?;
        found_shards.extend(found.header.shard);
        let header = MatchHeader { shard: None, ..found.header.clone() };
        let (name, first) = (directory.display(), directories[0].display());
        let whole = whole.get_or_insert_with(|| header.clone());
        if !whole.is_of_same_match(&header) {
            bail!(
                "`{name}` and `{first}` are no shards of one match: settings or versions of plumb-lab differ"
            );
        }
        // The match began when the first of its shards did; times are written so that they sort as text.
        whole.started = header.started.min(std::mem::take(&mut whole.started));
        while let Some(game) = found.next_game()? {
            if let Some(other) = shard_of.insert(game.game, index) {
                let other: &PathBuf = &directories[other];
                bail!("game {} is in `{}` and in `{name}`", game.number(), other.display());
            }
        }
        shards.push(found);
    }
    let Some(header) = whole else { bail!("there is nothing to merge") };
    // A merge may be repeated, with more of the shards.
    if let Some(mut found) = find_match(out)? {
        let is_same = header.is_of_same_match(&found.header) && is_part(&mut found, &shard_of, &mut shards)?;
        ensure!(is_same, "`{}` is there already, with other games", record_path(out).display());
    } else {
        check_new_match(out, force)?;
    }
    let store = MatchDirectory::begin(out, &header, lock, move |out| {
        shard_of.iter().try_for_each(|(game, shard)| out.write_all(&shards[*shard].line_of(*game)?))
    })?;
    let results = results_of(&mut read_match(out)?)?;
    conclude(&results, Some(store), report)?;
    Ok((results, Shard::missing(&found_shards)))
}

/// Whether the shards have all games of the record `found`, byte for byte.
fn is_part(
    found: &mut RecordReader,
    shard_of: &BTreeMap<u32, usize>,
    shards: &mut [RecordReader],
) -> Result<bool> {
    while found.next_game()?.is_some() {}
    for number in found.numbers() {
        let Some(&shard) = shard_of.get(&number) else { return Ok(false) };
        if shards[shard].line_of(number)? != found.line_of(number)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the report of a match again, which may be going on.
///
/// # Errors
/// If there is no match, or the files cannot be written.
fn report(arguments: &ReportArguments) -> Result<()> {
    let directory = &arguments.directory;
    loop {
        let lock = lock_of_match(directory);
        let mut record = read_match(directory)?;
        let results = results_of(&mut record)?;
        let state = state_of(&lock, &results);
        let summary = results.summary(state);
        // The process that plays the match writes the same files.
        let is_beside = state == MatchState::Running;
        let suffix = if is_beside { format!(".{}{NEW}", std::process::id()) } else { NEW.to_owned() };
        write_reports(directory, &mut record, &summary, &arguments.report, &suffix)?;
        // A match that has ended meanwhile has written its last reports, which these may have replaced.
        if is_beside && lock_of_match(directory).is_ok() {
            continue;
        }
        print_standings(&summary)?;
        return print(format_args!("{} of {}", results.played, counted(results.planned, "game")));
    }
}
