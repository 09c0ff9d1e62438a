//! Tuning under a time control: the positions of games, searched again with each size for the time that a game gives.
//!
//! The engine plays games against itself at the control. Each size then has the moves of both sides of each game again, with
//! a process of its own for each side, from a cleared table and in the order of the game: as many at the same time as the
//! arena will run. So load, caches and the filling of the table are those of a match, and all sizes have the same positions
//! within the same minute.

mod comparison;
mod replay;
mod report;

use anyhow::Result;
use plumb::board::Geometry;
use plumb_arena::record::MatchHeader;
use plumb_arena::time_control::TimeControl;
use plumb_tools_common::random::Random;

use super::arguments::{RESULTS, TuneArguments};
use crate::engine::{EngineFlags, Engines, SizeRefused, check_memory};
use crate::exit::{Interrupted, is_interrupt};
use crate::output::print;
use crate::progress::{Counter, say};
use crate::results::{Lock, ResultFile, Shard};
pub(super) use comparison::GameFigures;
use comparison::{Comparison, LEAST_GAMES};
use replay::{Games, HANG_TIMEOUT};
pub(super) use report::{Settings, conclude};

/// Searches with all sizes until each is told from the best or not, and recommends a range of sizes.
///
/// # Errors
/// If the engine fails or loses a game by a fault, or a file cannot be read or written.
pub(super) fn run(arguments: &TuneArguments, flags: &EngineFlags, control: TimeControl) -> Result<()> {
    let path = arguments.out.join(RESULTS);
    let lock = Lock::take(&path, "--out")?;
    let engines = Engines::open(flags.log.as_deref())?;
    let command = arguments.command();
    let mut config = flags.config(command, arguments.board.size(), None)?;
    // A move that comes late is no reason not to measure the next one.
    config.control = TimeControl { margin: HANG_TIMEOUT, ..control };
    let session = arguments.start(&engines, &mut config, "--engine")?;
    let default = session.default_table_size();
    let name = session.name().unwrap_or(command).to_owned();
    drop(session);
    let sizes = arguments.granted(arguments.sizes(), |size| {
        let reason = check_memory(size.saturating_mul(arguments.concurrency.get())).err();
        reason.map_or(Ok(()), |reason| Err(SizeRefused { megabytes: size, reason }))?;
        engines.start(command, &config, &[], Some(size)).map(drop)
    })?;
    let sizes: Vec<_> = sizes.into_iter().collect();
    let engine = config.description();
    let limits = engine.limits();
    let openings = arguments.match_settings(flags, vec![engine.clone(), engine], arguments.games());
    if let Some(note) = MatchHeader::new("", openings.clone(), None).crowding() {
        say(format_args!("{note}"));
    }
    let settings = Settings {
        engine: name,
        control: limits,
        concurrency: arguments.concurrency,
        threads: arguments.threads,
        openings: openings.openings_text(),
        seed: arguments.seed,
        sizes: sizes.clone(),
        default,
    };
    let shard = arguments.shard.unwrap_or(Shard::WHOLE);
    let games: Vec<_> = shard.dealt(1..=arguments.games()).collect();
    let header = arguments.header(&settings, games.len() * sizes.len())?;
    let (mut file, mut rows) = ResultFile::<GameFigures>::open(&path, "--out", &header, lock)?;
    let is_done = |game: &u32| rows.iter().any(|row| row.game == *game);
    let (done, todo): (Vec<u32>, Vec<u32>) = games.iter().partition(|&game| is_done(game));
    if !done.is_empty() {
        print(format_args!("{} games taken from `{}`", done.len(), path.display()))?;
    }
    let measured = Games {
        engines: &engines,
        command,
        config: &config,
        settings: &openings,
        openings: &openings.openings()?.0,
        sizes: &sizes,
    };
    let mut order = Random::new(arguments.seed, 0);
    let mut counter = Counter::new("tune-hash", "game", done.len(), games.len());
    let (mut compared, mut next_look) = (done.len(), LEAST_GAMES);
    // Each game has two sides, which are searched at the same time.
    for numbers in todo.chunks(arguments.concurrency.get().div_ceil(2)) {
        // A look at the figures after each doubling: fewer looks mislead less often. A shard has all its games.
        if arguments.shard.is_none() && compared >= next_look {
            if Comparison::of(&rows, arguments.tolerance).is_decided() {
                break;
            }
            next_look = (compared + 1).next_power_of_two();
        }
        let found = measured.measure(numbers, &mut order).map_err(|error| {
            let sentence = format!("interrupted in game {}: the same command goes on with it", numbers[0]);
            if is_interrupt(&error) { Interrupted(sentence).into() } else { error }
        })?;
        file.append_all(&found)?;
        rows.extend(found);
        compared += numbers.len();
        counter.advance_by(numbers.len(), String::new);
    }
    drop(counter);
    engines.close()?;
    if arguments.shard.is_some() {
        return print(format_args!("shard {shard}: {compared} games; `tune-hash merge` recommends a size"));
    }
    conclude(&rows, &settings, arguments.tolerance, &arguments.out)
}
