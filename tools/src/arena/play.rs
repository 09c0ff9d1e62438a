//! Playing a match, and telling how it goes.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};

use super::record::GameRecord;
use super::runner::Match;
use super::seat::Seat;
use super::settings::Settings;
use super::statistics::sprt::{Decision, Sprt};
use super::store::{Found, Store, record_of};
use super::tally::Tally;
use crate::output::print;
use crate::progress::{Counter, live};

/// Plays the match that `settings` ask for, and tells the results, which are returned, too.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written.
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
    // A program that cannot be started, or has not the options to be set, is better known before the first game.
    for participant in participants.iter().filter(|_| !plans.is_empty()) {
        let started = live(|| format!("`{}` is starting", participant.name), || Seat::start(participant));
        started.map_err(|fault| anyhow!("`{}`: {fault}", participant.name))?;
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
    };
    let mut counter = Counter::resumed("match", total - plans.len(), total).of("game");
    games.run(&plans, |game| {
        tally.add(&game);
        counter.advance_with(|| table(&tally, sprt.as_ref()).join("\n"));
        if game.reason.is_fault() {
            counter.aside(|| print(format_args!("{}", fault_line(&game))))?;
        }
        if let Some(store) = &mut store {
            store.append(game)?;
        }
        // What has been decided may be believed; to go on would only make errors likelier.
        Ok(!is_decided(&tally, sprt.as_ref()))
    })?;
    drop(counter);
    conclude(&tally, sprt.as_ref(), store)?;
    Ok(tally)
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
    table(tally, sprt).iter().try_for_each(|row| print(format_args!("{row}")))?;
    store.map_or(Ok(()), |store| store.finish(tally, sprt))
}

/// The standings, what the pairs of a match of two came to, and how the test stands.
fn table(tally: &Tally, sprt: Option<&Sprt>) -> Vec<String> {
    let (mut rows, first) = (tally.rows(), &tally.names()[0]);
    if tally.names().len() == 2 {
        rows.push(format!("{first}: {}", tally.of(0)));
    }
    rows.extend(tally.repeated_openings());
    if let Some((sprt, test)) = sprt.and_then(|sprt| Some((sprt, tally.standing(0, Some(sprt)).test?))) {
        let decision = match test.decision {
            Decision::Continue => "not decided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        };
        rows.push(format!("{first}: {test}, {}: {decision}", sprt.parameters()));
    }
    rows
}

/// Whether the test is over.
fn is_decided(tally: &Tally, sprt: Option<&Sprt>) -> bool {
    let test = sprt.and_then(|sprt| tally.standing(0, Some(sprt)).test);
    test.is_some_and(|test| test.decision != Decision::Continue)
}

/// A game that was lost by a fault, in a line. People count from 1.
fn fault_line(game: &GameRecord) -> String {
    let GameRecord { game, first, second, result, reason, detail, .. } = game;
    let number = game + 1;
    format!("game {number}, {first} against {second}: {result}, {reason}: {detail}")
}
