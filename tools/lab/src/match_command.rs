//! `plumb-lab match`: engines play matches against each other.

mod cutechess;
mod display;
mod flags;
mod run;
mod suites;

use std::path::{Path, PathBuf};

use anyhow::Result;
use plumb_arena::counted;
use plumb_arena::directory::{LockedDirectory, write_report};
use plumb_arena::merge::merge;
use plumb_arena::record::record_path;
use plumb_arena::results::MatchResults;
use plumb_arena::settings::MatchSettings;

use crate::output::{print, results_go_to_files};
use crate::result_files::Shard;
pub(crate) use cutechess::hint as cutechess_hint;
pub(crate) use display::announce;
use flags::{MatchFlags, OutputGroup, ReportFlags, RunFlags};
pub(crate) use run::WantsMore;
use run::{play, print_finished, print_standings};

/// The page as one file, built by `tools/web/build.sh`.
pub(crate) static PAGE: &str = include_str!("../../web/dist/page.html");

/// Play matches between engines.
///
/// Engines speak UCI with the variant `cfour`, or UGI. Each opening is played twice, with colours swapped. `match` is the
/// referee: an engine that breaks a rule, exceeds its time or crashes loses the game. Every such fault except a time forfeit also
/// ends the match, unless `--recover` is given.
///
/// Two perfect engines draw every pair of games, because each game has the result of its opening. To find differences, choose
/// openings in which the right move is hard to find, and a short time control.
///
/// With `--out` each game is written when it ends. `--resume`, or the same command again, continues an interrupted match.
/// `match report` shows the results so far.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    flags: MatchFlags,
}

const EXAMPLES: &str = "\
Examples:
  plumb-lab match --engine plumb --engine skill-15 --each st=0.1 --rounds 20
  plumb-lab match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --sprt 0,5 --out test
  plumb-lab match --resume --out test";

#[derive(clap::Subcommand)]
enum Command {
    Merge(MergeArguments),
    Openings(suites::Arguments),
    Report(ReportArguments),
}

/// Merge the shards of a match.
///
/// Shards are played with `--shard I/N` and otherwise equal arguments, on any machine. A shard may be missing or incomplete:
/// `--resume` in the merged directory plays the missing games. A merge may be repeated with more shards.
#[derive(clap::Args)]
struct MergeArguments {
    /// The directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// Directory of the merged match.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite `games.pgn`, `games.epd`, `summary.json` and `report.html` of other programs.
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

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.command {
        None => play_flags(&arguments.flags),
        Some(Command::Merge(arguments)) => merge_shards(arguments),
        Some(Command::Openings(arguments)) => suites::run(arguments),
        Some(Command::Report(arguments)) => report(arguments),
    }
}

fn play_flags(flags: &MatchFlags) -> Result<()> {
    let (mut directory, mut record) = (None, String::new());
    if let Some(out) = &flags.run.output.out {
        record = record_path(out).display().to_string();
        directory = Some(open(out)?);
    }
    let found = directory.as_ref().and_then(|directory| directory.found.as_ref());
    let (settings, shard) = flags.settings(found.map(|found| &found.header), &record)?;
    if let Some(directory) = &directory
        && !flags.run.faults.force
    {
        directory.check_free()?;
    }
    play(settings, shard, directory, &flags.run, &mut |_, _| Ok(true))?;
    Ok(())
}

/// Locks the directory of a match. From then on a closed standard output does not end the run.
fn open(out: &Path) -> Result<LockedDirectory> {
    results_go_to_files();
    LockedDirectory::open(out)
}

/// Plays a match, or the rest of it, in the directory `out` for another command, as long as `wants_more` returns true.
///
/// # Errors
/// The errors of [`play()`]; a match in `out` with other settings.
pub(crate) fn play_match(
    settings: MatchSettings,
    shard: Option<Shard>,
    log: Option<&Path>,
    out: &Path,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    let directory = open(out)?;
    directory.check_free()?;
    // `tune-hash` plays many matches: a line for each game would be too much.
    let (out, log) = (Some(out.to_owned()), log.map(Path::to_owned));
    let output = OutputGroup { out, log, report_every: Some(0), ..OutputGroup::default() };
    play(settings, shard, Some(directory), &RunFlags { output, ..RunFlags::default() }, wants_more)
}

fn merge_shards(arguments: &MergeArguments) -> Result<()> {
    results_go_to_files();
    let MergeArguments { shards, out, report, force } = arguments;
    let (merged, missing) = merge(shards, out, *force, report.page())?;
    let results = print_finished(merged)?;
    if let Some(missing) = missing {
        print(format_args!("{missing}"))?;
    }
    print_count(&results)
}

/// Merges the shards in these directories into `out`, and prints the standings.
///
/// # Errors
/// The errors of [`merge()`].
pub(crate) fn merge_matches(directories: &[PathBuf], out: &Path) -> Result<MatchResults> {
    results_go_to_files();
    let (merged, _) = merge(directories, out, false, ReportFlags::default().page())?;
    print_finished(merged)
}

fn report(arguments: &ReportArguments) -> Result<()> {
    results_go_to_files();
    let (results, summary) = write_report(&arguments.directory, arguments.report.page())?;
    print_standings(&summary)?;
    print_count(&results)
}

fn print_count(results: &MatchResults) -> Result<()> {
    print(format_args!("{} of {}", results.played, counted(results.planned, "game")))
}
