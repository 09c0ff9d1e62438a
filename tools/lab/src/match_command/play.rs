//! Plays a match and prints its progress and results.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use plumb_arena::engine::command_line;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::match_directory::{MatchDirectory, SavedMatch, record_of};
use plumb_arena::runner::MatchRunner;
use plumb_arena::standings::standings;
use plumb_arena::statistics::sprt::{Decision, Sprt};
use plumb_arena::tally::Tally;

use super::game_lines::GameLines;
use super::settings::Settings;
use super::spectators::Spectators;
use crate::engine::Engines;
use crate::interrupt::Interrupted;
use crate::output::{print, width};
use crate::site::PAGE;

/// Plays the match of `settings`, and prints and returns its results.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written; [`Interrupted`] after
/// Ctrl-C.
pub(super) fn run(settings: &Settings) -> Result<Tally> {
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
    let engines = Engines::open(settings.log.as_deref())?;
    let interrupt = engines.interrupt();
    if !plans.is_empty() {
        check_start(&configs, &engines)?;
    }
    let spectators = settings.serve.start(
        &header,
        sprt.as_ref(),
        (found.as_ref().map_or(&[], |found| &found.games), total),
        settings.concurrency().get(),
        settings.out.clone(),
    )?;
    let open = |out: &PathBuf| match found {
        Some(found) => MatchDirectory::resume(out, header, found),
        None => MatchDirectory::begin(out, header),
    };
    let mut store = settings.out.as_ref().map(open).transpose()?;
    let games = MatchRunner {
        configs: &configs,
        board: settings.board()?,
        openings: &openings,
        seed: settings.seed(),
        concurrency: settings.concurrency().get(),
        hang_timeout: settings.hang_timeout(),
        adjudicate: settings.adjudicates(),
        blunders: settings.marks_blunders(),
        context: engines.context().clone(),
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
    let logged = engines.close();
    played?;
    conclude(&tally, sprt.as_ref(), store, total)?;
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
fn check_start(configs: &[EngineConfig], engines: &Engines) -> Result<()> {
    for config in configs {
        match engines.start(&config.name, config, &[], None) {
            Err(error) if error.is::<Interrupted>() => break,
            // No game was lost: the match is not to be had with this engine.
            started => started.map(drop).map_err(|error| anyhow!("{error}"))?,
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

/// Prints the results, and writes PGN and report of a match of `planned` games.
///
/// # Errors
/// If they cannot be written.
pub(super) fn conclude(
    tally: &Tally,
    sprt: Option<&Sprt>,
    store: Option<MatchDirectory>,
    planned: usize,
) -> Result<()> {
    standings(tally, sprt, width()).iter().try_for_each(|row| print(format_args!("{row}")))?;
    store.map_or(Ok(()), |store| store.finish(PAGE, sprt, planned))
}

/// Whether the test is over.
fn is_decided(tally: &Tally, sprt: Option<&Sprt>) -> bool {
    let test = sprt.and_then(|sprt| tally.standing(0, Some(sprt)).test);
    test.is_some_and(|test| test.decision != Decision::Continue)
}
