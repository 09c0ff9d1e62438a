//! The terminal's side of a match: the check of the engines, progress, standings, and the end of the program.

use std::path::Path;
use std::slice;

use anyhow::{Error, Result, anyhow, bail, ensure};
use plumb::VERSION;
use plumb_arena::counted;
use plumb_arena::directory::{FinishedMatch, LockedDirectory, ReportPage};
use plumb_arena::engine::command_line;
use plumb_arena::live::{LiveGames, MAX_GAMES};
use plumb_arena::plan::{MatchPlan, RunSettings};
use plumb_arena::record::GameRecord;
use plumb_arena::results::MatchResults;
use plumb_arena::settings::MatchSettings;
use plumb_arena::standings::standings;
use plumb_arena::summary::{MatchState, Summary};

use super::PAGE;
use super::display::{GameLines, LINES_A_TABLE};
use super::flags::{ReportFlags, RunFlags};
use crate::engine::open_starter;
use crate::exit::{self, Failure, Interrupted};
use crate::output::{print, width};
use crate::progress::say;
use crate::result_files::Shard;

/// Decides from games and the figures after them whether more games are played. It gets the first recorded game that was lost by
/// a fault, and then each game when it ends. `match` returns true, `tune-hash` ends its matches early.
pub(crate) type WantsMore<'a> = &'a mut dyn FnMut(&[GameRecord], &MatchResults) -> Result<bool>;

/// Plays a match, or the games that are missing in its directory, and prints its results.
///
/// # Errors
/// The errors of the match and of `wants_more`; [`Interrupted`] after Ctrl-C; [`Failure`] if games were lost by faults.
pub(super) fn play(
    settings: MatchSettings,
    shard: Option<Shard>,
    directory: Option<LockedDirectory>,
    flags: &RunFlags,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    let (out, affinity) = (flags.output.out.as_deref(), flags.faults.affinity.as_ref());
    let mut plan = MatchPlan::new(&format!("plumb-lab {VERSION}"), settings, shard, affinity, directory)?;
    let total = plan.total;
    if !wants_more(plan.recorded.first_fault.as_slice(), &plan.recorded.results)? {
        plan.games.clear();
    }
    let mut starter = open_starter(flags.output.log.as_deref())?;
    starter.context.processors = affinity.cloned();
    // An engine that does not start is no `Failure`, whose exit code 1 is for lost games.
    for reason in plan.check_engines(&starter).map_err(|error| anyhow!("{error}"))? {
        ensure!(flags.faults.force, "{reason}; `--force` plays all the same");
        say(format_args!("{reason}"));
    }
    if let Some(note) = plan.header.oversubscription() {
        say(format_args!("{note}"));
    }
    let spectators = flags.serve.start(&mut plan, out)?;
    let unwatched = LiveGames::default();
    let mut lines = GameLines::new(flags.output.report_every, plan.recorded.results.played, total);
    let run = RunSettings {
        context: starter.context.clone(),
        live: spectators.as_ref().map_or(&unwatched, |spectators| &*spectators.games),
        max_faults: flags.faults.max_faults(),
        summary_every: lines.every * LINES_A_TABLE,
        page: flags.output.report.page(),
    };
    let max_faults = run.max_faults;
    let played = plan.play(&run, |game, results| {
        lines.print_game(game, results)?;
        lines.counter.with_bar_hidden(|| wants_more(slice::from_ref(game), results))
    });
    drop((lines, run));
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
        return Err(interrupted(out, results.played, total));
    }
    let lost = results.lost_by_faults();
    let Some(first) = played.faults.first() else {
        ensure!(
            lost == 0,
            Failure(format!("games that were lost by faults of engines: {lost}, before this run"))
        );
        return Ok(results);
    };
    // The first fault that is not tolerated. Games in progress may have added more faults.
    if state == MatchState::Incomplete
        && let Some(ending) = played.faults.get(max_faults)
    {
        bail!(Failure(format!(
            "{ending}; this fault ends the match: `--recover` plays on after faults, `--max-faults N` after N"
        )));
    }
    bail!(Failure(format!(
        "games that were lost by faults of engines: {lost}; the first of this run: {first}"
    )))
}

fn interrupted(out: Option<&Path>, done: usize, total: usize) -> Error {
    let advice = match out {
        Some(out) => {
            let out = command_line::join(&[out.display().to_string()]);
            format!("`plumb-lab match --resume --out {out}` plays the rest")
        }
        None => "without `--out` there is nothing to resume".to_owned(),
    };
    Interrupted(format!("interrupted after {done} of {}: {advice}", counted(total, "game"))).into()
}

/// Prints the standings, and where the report is.
pub(super) fn print_finished(finished: FinishedMatch) -> Result<MatchResults> {
    print_standings(&finished.summary)?;
    if let Some(report) = finished.report {
        say(format_args!("the report is `{}`", report?.display()));
    }
    Ok(finished.results)
}

pub(super) fn print_standings(summary: &Summary) -> Result<()> {
    for row in standings(summary, width()) {
        print(format_args!("{row}"))?;
    }
    Ok(())
}

impl ReportFlags {
    pub(super) fn page(&self) -> ReportPage<'static> {
        ReportPage { html: PAGE, games: self.report_games.unwrap_or(MAX_GAMES) }
    }
}
