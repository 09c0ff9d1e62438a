//! `plumb-lab match`: engines play matches against each other.

mod cutechess;
mod display;
mod flags;
mod suites;

use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Error, Result, bail};
use plumb::VERSION;
use plumb_arena::counted;
use plumb_arena::directory::{FinishedMatch, LockedDirectory, ReportPage, write_report};
use plumb_arena::engine::command_line;
use plumb_arena::live::{LiveGames, MAX_GAMES};
use plumb_arena::merge::merge;
use plumb_arena::plan::{MatchPlan, RunSettings};
use plumb_arena::record::GameRecord;
use plumb_arena::results::MatchResults;
use plumb_arena::settings::MatchSettings;
use plumb_arena::summary::MatchState;

use crate::engine::open_starter;
use crate::exit::{self, Failure, Interrupted};
use crate::output::{print, results_go_to_files};
use crate::progress::say;
use crate::result_files::Shard;
pub(crate) use cutechess::hint as cutechess_hint;
pub(crate) use display::announce;
use display::{GameLines, LINES_A_TABLE, print_standings};
use flags::{MatchFlags, OutputGroup, ReportFlags, RunFlags};

/// The web page for matches and play as one HTML file, built by `tools/web/build.sh`.
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
    let directory = match &flags.run.output.out {
        Some(out) => Some(open(out, flags.run.faults.force)?),
        None => None,
    };
    let found = directory.as_ref().and_then(|directory| directory.found.as_ref());
    let (settings, shard) = flags.settings(found.map(|found| &found.header))?;
    play(settings, shard, directory, &flags.run, &mut |_, _| Ok(true))?;
    Ok(())
}

/// Locks the directory of a match. From then on a closed standard output does not end the run.
fn open(out: &Path, force: bool) -> Result<LockedDirectory> {
    results_go_to_files();
    LockedDirectory::open(out, force)
}

/// Plays or completes a match in the directory `out` for another command, as long as `wants_more` returns true.
pub(crate) fn play_match(
    settings: MatchSettings,
    shard: Option<Shard>,
    log: Option<&Path>,
    out: &Path,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    let directory = open(out, false)?;
    // `tune-hash` plays many matches: a line for each game would be too much.
    let (out, log) = (Some(out.to_owned()), log.map(Path::to_owned));
    let output = OutputGroup { out, log, report_every: Some(0), ..OutputGroup::default() };
    play(settings, shard, Some(directory), &RunFlags { output, ..RunFlags::default() }, wants_more)
}

/// Called after each game, with the game and the results of the match. Returns whether to play more games. A resumed
/// match first passes the first recorded game that was lost by a fault.
pub(crate) type WantsMore<'a> = &'a mut dyn FnMut(&[GameRecord], &MatchResults) -> Result<bool>;

/// Plays a match, or the games that are missing in its directory, and prints its results.
fn play(
    settings: MatchSettings,
    shard: Option<Shard>,
    directory: Option<LockedDirectory>,
    flags: &RunFlags,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    let every = flags.output.lines_every();
    let (out, affinity) = (flags.output.out.as_deref(), flags.faults.affinity.as_ref());
    let run = RunSettings {
        max_faults: flags.faults.max_faults(),
        summary_every: every * LINES_A_TABLE,
        page: flags.output.report.page(),
    };
    let mut plan = MatchPlan::new(&format!("plumb-lab {VERSION}"), settings, shard, affinity, directory)?;
    if !wants_more(plan.recorded.first_fault.as_slice(), &plan.recorded.results)? {
        plan.games.clear();
    }
    let mut starter = open_starter(flags.output.log.as_deref())?;
    starter.context.processors = affinity.cloned();
    plan.check_engines(&starter, flags.faults.force)?;
    let spectators = flags.serve.start(&mut plan, out)?;
    let unwatched = LiveGames::default();
    let live = spectators.as_ref().map_or(&unwatched, |spectators| &*spectators.games);
    let mut lines = GameLines::new(every, &plan.recorded.results);
    let played = plan.play(&run, &starter.context, live, |game, results| {
        lines.print_game(game, results)?;
        lines.counter.with_bar_hidden(|| wants_more(slice::from_ref(game), results))
    });
    drop(lines);
    let logged = starter.close_log();
    let played = played?;
    let results = print_finished(played.finished)?;
    for name in &played.never_pondered {
        say(format_args!(
            "`{name}` has `ponder=true` but never pondered: it must name a move, as in `bestmove P@d1 ponder P@d2`"
        ));
    }
    logged?;
    let state = results.final_state();
    let is_interrupted = exit::interrupt()?.is_requested() && state == MatchState::Incomplete;
    if let Some(spectators) = spectators {
        spectators.finish(state)?;
    }
    if is_interrupted {
        return Err(interrupted(out, &results));
    }
    check_faults(&results, &played.faults, run.max_faults)?;
    Ok(results)
}

/// Fails if engines lost games by faults, in this run (`faults`) or in earlier runs of the match.
fn check_faults(results: &MatchResults, faults: &[String], max_faults: usize) -> Result<()> {
    let lost = format!("games that were lost by faults of engines: {}", results.lost_by_faults());
    let is_incomplete = results.final_state() == MatchState::Incomplete;
    let sentence = match (faults.get(max_faults), faults.first()) {
        // The first fault that ends the match. Games in progress may have added more faults.
        (Some(ending), _) if is_incomplete => {
            format!(
                "{ending}; this fault ends the match: `--recover` plays on after faults, `--max-faults N` after N"
            )
        }
        (_, Some(first)) => format!("{lost}; the first of this run: {first}"),
        (_, None) if results.lost_by_faults() > 0 => format!("{lost}, before this run"),
        (_, None) => return Ok(()),
    };
    bail!(Failure(sentence))
}

fn interrupted(out: Option<&Path>, results: &MatchResults) -> Error {
    let advice = match out {
        Some(out) => {
            let out = command_line::join(&[out.display().to_string()]);
            format!("`plumb-lab match --resume --out {out}` plays the rest")
        }
        None => "without `--out` there is nothing to resume".to_owned(),
    };
    let planned = counted(results.planned, "game");
    Interrupted(format!("interrupted after {} of {planned}: {advice}", results.played)).into()
}

fn print_finished(finished: FinishedMatch) -> Result<MatchResults> {
    print_standings(&finished.summary)?;
    if let Some(report) = finished.report {
        say(format_args!("the report is `{}`", report?.display()));
    }
    Ok(finished.results)
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

pub(crate) fn merge_matches(directories: &[PathBuf], out: &Path) -> Result<MatchResults> {
    results_go_to_files();
    let (merged, _) = merge(directories, out, false, ReportFlags::default().page())?;
    print_finished(merged)
}

fn report(arguments: &ReportArguments) -> Result<()> {
    results_go_to_files();
    let FinishedMatch { results, summary, .. } = write_report(&arguments.directory, arguments.report.page())?;
    print_standings(&summary)?;
    print_count(&results)
}

fn print_count(results: &MatchResults) -> Result<()> {
    print(format_args!("{} of {}", results.played, counted(results.planned, "game")))
}

impl ReportFlags {
    fn page(&self) -> ReportPage<'static> {
        ReportPage { html: PAGE, games: self.report_games.unwrap_or(MAX_GAMES) }
    }
}
