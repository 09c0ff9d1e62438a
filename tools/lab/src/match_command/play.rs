//! Plays a match and prints its progress and results.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use plumb_arena::engine::child::kill_all;
use plumb_arena::engine::command_line;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::engine::log::ProtocolLog;
use plumb_arena::engine::process::EngineContext;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::interrupt::Interrupt;
use plumb_arena::record::record_of;
use plumb_arena::runner::MatchRunner;
use plumb_arena::standings::standings;
use plumb_arena::statistics::sprt::{Decision, Sprt};
use plumb_arena::tally::Tally;

use super::directory::{MatchDirectory, SavedMatch};
use super::game_lines::GameLines;
use super::settings::Settings;
use super::spectators::Spectators;
use crate::interrupt::{self, Interrupted};
use crate::output::{print, width};
use crate::progress::live;
use crate::results::Lock;
use crate::site::PAGE;

/// Plays the match of `settings`, and prints and returns its results.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written; [`Interrupted`] after
/// Ctrl-C.
pub(super) fn run(settings: &Settings) -> Result<Tally> {
    let lock = settings.out.as_deref().map(|out| Lock::take(&record_of(out), "--out")).transpose()?;
    let found = settings.out.as_deref().map(SavedMatch::find).transpose()?.flatten();
    let settings = &resumed(settings, found.as_ref())?;
    let configs = settings.configs()?;
    let sprt = settings.test()?;
    let (openings, sides) = settings.openings()?;
    let (all, mut plans) = settings.plans(configs.len(), sides.as_deref());
    let header = settings.header(&configs, all);
    let mut tally = Tally::of_match(&header);
    let total = plans.len();
    if let Some(found) = &found {
        let done: HashSet<_> = found.games.iter().map(|game| game.game).collect();
        plans.retain(|plan| !done.contains(&plan.game));
        found.games.iter().for_each(|game| tally.add(game));
    }
    if is_decided(&tally, sprt.as_ref()) {
        plans.clear();
    }
    let interrupt = interrupt::watch(kill_all)?;
    let log = settings.log.as_deref().map(ProtocolLog::open).transpose()?;
    let context =
        EngineContext { log: log.as_ref().map(|log| log.sender().clone()), interrupt: Some(interrupt) };
    if !plans.is_empty() {
        check_start(&configs, &context)?;
    }
    let spectators = settings.serve.start(
        &header,
        sprt.as_ref(),
        (found.as_ref().map_or(&[], |found| &found.games), total),
        settings.concurrency().get(),
        settings.out.clone(),
    )?;
    let open = |(out, lock): (&PathBuf, Lock)| match found {
        Some(found) => MatchDirectory::resume(out, header, found, lock),
        None => MatchDirectory::begin(out, header, lock),
    };
    let mut store = settings.out.as_ref().zip(lock).map(open).transpose()?;
    let games = MatchRunner {
        configs: &configs,
        board: settings.board()?,
        openings: &openings,
        seed: settings.seed(),
        concurrency: settings.concurrency().get(),
        hang_timeout: settings.hang_timeout(),
        adjudicate: settings.adjudicates(),
        blunders: settings.marks_blunders(),
        context,
        live: spectators.as_ref().map(Spectators::games),
    };
    let mut done = total - plans.len();
    let mut lines = GameLines::new(settings.report_every, done, total);
    let played = games.run(&plans, |game| {
        done += 1;
        tally.add(&game);
        let printed = lines.game(&game, &tally, || standings(&tally, sprt.as_ref(), width()));
        // The game is recorded even if standard output is closed.
        if let Some(store) = &mut store {
            store.append(game)?;
        }
        printed?;
        // A decided test ends the match: its error rates hold for the first decision only.
        Ok(!is_decided(&tally, sprt.as_ref()))
    });
    drop(lines);
    let logged = log.map_or(Ok(()), ProtocolLog::close);
    played?;
    print_standings(&tally, sprt.as_ref())?;
    store.map_or(Ok(()), |store| store.finish(PAGE, sprt.as_ref(), total))?;
    logged?;
    let is_interrupted = interrupt.is_requested() && done < total && !is_decided(&tally, sprt.as_ref());
    spectators.map_or(Ok(()), |spectators| spectators.finish(is_interrupted, interrupt))?;
    if is_interrupted {
        let advice = match &settings.out {
            Some(out) => {
                let out = command_line::join(&[out.display().to_string()]);
                format!("`plumb-lab match --resume --out {out}` plays the rest")
            }
            None => "without `--out` there is nothing to resume".to_owned(),
        };
        return Err(Interrupted(format!("interrupted after {done} of {total} games: {advice}")).into());
    }
    Ok(tally)
}

/// Starts each engine once, so that one that cannot be used fails before the first game.
///
/// # Errors
/// Why one cannot be used. After an interrupt the rest is left out, as the match ends anyway.
fn check_start(configs: &[EngineConfig], context: &EngineContext) -> Result<()> {
    for config in configs {
        let started =
            live(|| format!("`{}` is starting", config.name), || EngineSession::start(config, context));
        match started {
            _ if context.interrupt.is_some_and(Interrupt::is_requested) => break,
            Err(fault) => bail!("`{}`: {fault}", config.name),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// The settings of a match, completed by those of its record if it is resumed.
///
/// # Errors
/// If there is a match that is not to be resumed, or the other way round, or its settings are others.
fn resumed(settings: &Settings, found: Option<&SavedMatch>) -> Result<Settings> {
    let record = settings.out.as_deref().map(record_of).unwrap_or_default();
    let record = record.display();
    match found {
        Some(_) if !settings.resume => bail!("`{record}` is there already: `--resume` goes on with it"),
        Some(found) => settings.resumed(&found.header, &record.to_string()),
        None if settings.resume && !settings.is_complete() => {
            bail!("`{record}`: there is no match to resume")
        }
        None => Ok(settings.clone()),
    }
}

/// Prints the standings and the test.
pub(super) fn print_standings(tally: &Tally, sprt: Option<&Sprt>) -> Result<()> {
    standings(tally, sprt, width()).iter().try_for_each(|row| print(format_args!("{row}")))
}

/// Whether the test is over.
fn is_decided(tally: &Tally, sprt: Option<&Sprt>) -> bool {
    let test = sprt.and_then(|sprt| tally.standing(0, Some(sprt)).test);
    test.is_some_and(|test| test.decision != Decision::Continue)
}
