//! Playing a match, and telling how it goes.

use std::collections::HashSet;
use std::time::Duration;

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
use super::store::Store;
use super::tally::Tally;
use crate::interrupt::{Interrupt, Interrupted};
use crate::output::{print, width};

/// Plays the match that `settings` ask for, and tells the results, which are returned, too.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written; [`Interrupted`] after
/// Ctrl-C.
pub(super) fn run(settings: &Settings) -> Result<Tally> {
    let participants = settings.participants()?;
    let sprt = settings.test()?;
    let openings = settings.openings()?;
    let (all, mut plans) = settings.plans(participants.len());
    let header = settings.header(&participants, all);
    let mut tally = Tally::new(participants.iter().map(|participant| participant.name.clone()).collect());
    let mut store = settings.out.as_ref().map(|out| Store::open(out, header, settings.resume)).transpose()?;
    let total = plans.len();
    if let Some(store) = &store {
        let done: HashSet<_> = store.games().iter().map(|game| game.game).collect();
        plans.retain(|plan| !done.contains(&plan.game));
        store.games().iter().for_each(|game| tally.add(game));
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
    let games = Match {
        participants: &participants,
        openings: &openings,
        concurrency: settings.concurrency.get(),
        patience: Duration::from_secs(settings.patience),
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
        let advice = if settings.out.is_some() {
            "the same command with `--resume` plays the rest"
        } else {
            "without `--out` there is nothing to resume"
        };
        return Err(Interrupted(format!("interrupted after {done} of {total} games: {advice}")).into());
    }
    Ok(tally)
}

/// Starts each engine once: one that cannot be started at all is better known before the first game.
///
/// # Errors
/// If one does not start; an interrupt is none, as it ends the match anyway.
fn check_start(participants: &[Participant], context: &EngineContext) -> Result<()> {
    for participant in participants {
        match Seat::start(participant, context) {
            Err(fault) if !context.interrupt.is_requested() => bail!("`{}`: {fault}", participant.name),
            _ => {}
        }
    }
    Ok(())
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
