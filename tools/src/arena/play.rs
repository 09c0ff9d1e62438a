//! Playing a match, and telling how it goes.

use std::collections::HashSet;
use std::time::Duration;

use anyhow::{Result, anyhow};

use super::record::GameRecord;
use super::runner::Match;
use super::seat::Seat;
use super::settings::Settings;
use super::statistics::sprt::{Decision, Sprt};
use super::store::Store;
use super::tally::Tally;
use crate::output::print;
use crate::progress::{Counter, live};

/// Plays the match that `settings` ask for, and tells the results, which are returned, too.
///
/// # Errors
/// If the settings make no match, an engine cannot be started, or a file cannot be read or written.
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
    // A program that cannot be started, or has not the options to be set, is better known before the first game.
    for participant in participants.iter().filter(|_| !plans.is_empty()) {
        let started = live(|| format!("`{}` is starting", participant.name), || Seat::start(participant));
        started.map_err(|fault| anyhow!("`{}`: {fault}", participant.name))?;
    }
    let games = Match {
        participants: &participants,
        openings: &openings,
        concurrency: settings.concurrency.get(),
        patience: Duration::from_secs(settings.patience),
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
