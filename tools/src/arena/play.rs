//! Playing a match, and telling how it goes.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::game_lines::GameLines;
use super::match_log::MatchLog;
use super::participant::Participant;
use super::process::kill_all;
use super::runner::Match;
use super::seat::{EngineContext, Seat};
use super::settings::Settings;
use super::standings::standings;
use super::statistics::sprt::{Decision, Sprt};
use super::store::{Found, Store, record_of};
use super::tally::Tally;
use crate::interrupt::{Interrupt, Interrupted};
use crate::launch;
use crate::output::{print, width};
use crate::progress::live;

/// Plays the match that `settings` ask for, and tells the results, which are returned, too.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written; [`Interrupted`] after
/// Ctrl-C.
pub(super) fn run(settings: &Settings) -> Result<Tally> {
    let found = settings.out.as_deref().map(Found::find).transpose()?.flatten();
    let settings = &resumed(settings, found.as_ref())?;
    let participants = settings.participants()?;
    let sprt = settings.test()?;
    let openings = settings.openings()?;
    let (all, mut plans) = settings.plans(participants.len());
    let header = settings.header(&participants, all);
    let mut tally = Tally::new(participants.iter().map(|participant| participant.name.clone()).collect());
    let total = plans.len();
    if let Some(found) = &found {
        let done: HashSet<_> = found.games.iter().map(|game| game.game).collect();
        plans.retain(|plan| !done.contains(&plan.game));
        found.games.iter().for_each(|game| tally.add(game));
    }
    if is_decided(&tally, sprt.as_ref()) {
        plans.clear();
    }
    let interrupt = Interrupt::watch(kill_all)?;
    let log = settings.log.as_deref().map(MatchLog::open).transpose()?;
    let context = EngineContext { log: log.as_ref().map(|log| log.sender().clone()), interrupt };
    if !plans.is_empty() {
        check_start(&participants, &context)?;
    }
    let open = |out: &PathBuf| match found {
        Some(found) => Store::resume(out, header, found),
        None => Store::begin(out, header),
    };
    let mut store = settings.out.as_ref().map(open).transpose()?;
    let games = Match {
        participants: &participants,
        openings: &openings,
        seed: settings.seed(),
        concurrency: settings.concurrency().get(),
        patience: settings.patience(),
        adjudicate: settings.adjudicates(),
        blunders: settings.blunders,
        context,
    };
    let mut done = total - plans.len();
    let mut lines = GameLines::new(settings.report_every, done, total);
    let played = games.run(&plans, |game| {
        done += 1;
        tally.add(&game);
        let printed = lines.game(&game, &tally, || standings(&tally, sprt.as_ref(), width()));
        // A game is kept even if nobody reads about it any more.
        if let Some(store) = &mut store {
            store.append(game)?;
        }
        printed?;
        // What has been decided may be believed; to go on would only make errors likelier.
        Ok(!is_decided(&tally, sprt.as_ref()))
    });
    drop(lines);
    let logged = log.map_or(Ok(()), MatchLog::close);
    played?;
    conclude(&tally, sprt.as_ref(), store)?;
    logged?;
    if interrupt.is_requested() && done < total && !is_decided(&tally, sprt.as_ref()) {
        let advice = match &settings.out {
            Some(out) => {
                let out = launch::join(&[out.display().to_string()]);
                format!("`plumb-lab match --resume --out {out}` plays the rest")
            }
            None => "without `--out` there is nothing to resume".to_owned(),
        };
        return Err(Interrupted(format!("interrupted after {done} of {total} games: {advice}")).into());
    }
    Ok(tally)
}

/// Starts each engine once: a program that cannot be started, or has not the options to be set, is better known before the
/// first game.
///
/// # Errors
/// Why one cannot be used. After an interrupt the rest is left out, as the match ends anyway.
fn check_start(participants: &[Participant], context: &EngineContext) -> Result<()> {
    for participant in participants {
        let started =
            live(|| format!("`{}` is starting", participant.name), || Seat::start(participant, context));
        match started {
            _ if context.interrupt.is_requested() => break,
            Err(fault) => bail!("`{}`: {fault}", participant.name),
            Ok(_) => {}
        }
    }
    Ok(())
}

/// The settings of a match, those of its record included if it is resumed.
///
/// # Errors
/// If there is a match that is not to be resumed, or the other way round, or its settings are others.
fn resumed(settings: &Settings, found: Option<&Found>) -> Result<Settings> {
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

/// Prints the results, and writes the files that show them.
///
/// # Errors
/// If they cannot be written.
pub(super) fn conclude(tally: &Tally, sprt: Option<&Sprt>, store: Option<Store>) -> Result<()> {
    standings(tally, sprt, width()).iter().try_for_each(|row| print(format_args!("{row}")))?;
    store.map_or(Ok(()), |store| store.finish(tally, sprt))
}

/// Whether the test is over.
fn is_decided(tally: &Tally, sprt: Option<&Sprt>) -> bool {
    let test = sprt.and_then(|sprt| tally.standing(0, Some(sprt)).test);
    test.is_some_and(|test| test.decision != Decision::Continue)
}
