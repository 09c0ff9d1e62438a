//! Plays a match, and prints its games and results.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroUsize;
use std::path::Path;
use std::slice;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use plumb_arena::engine::command_line;
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::live::{LiveGames, MAX_GAMES};
use plumb_arena::openings::OpeningLine;
use plumb_arena::record::file::RecordReader;
use plumb_arena::record::{GameRecord, MatchHeader, record_path};
use plumb_arena::results::MatchResults;
use plumb_arena::runner::MatchRunner;
use plumb_arena::schedule::ScheduledGame;
use plumb_arena::settings::MatchSettings;
use plumb_arena::standings::standings;
use plumb_arena::summary::{MatchState, Summary};
use plumb_arena::{counted, lock};

use super::directory::{MatchDirectory, ReportFlags, check_new_match, find_match};
use super::display::GameLines;
use super::flags::RunFlags;
use crate::engine::{EngineStarter, check_memory};
use crate::exit::{self, Failure, Interrupted, is_interrupt};
use crate::output::{print, width};
use crate::progress::say;
use crate::result_files::{Shard, take_lock};

/// The program that ran the match, for its record.
const PROGRAM: &str = concat!("plumb-lab ", env!("CARGO_PKG_VERSION"));

/// Looks at games that were counted, with the figures after them: first the record, of which it gets the first game that was
/// lost by a fault, then each game when it ends. Returns whether more are to be played: `tune-hash` ends its matches by these figures, `match` returns
/// true (a decided SPRT ends it in any case).
pub(crate) type WantsMore<'a> = &'a mut dyn FnMut(&[GameRecord], &MatchResults) -> Result<bool>;

/// Plays a match, or what its record in `--out` lacks, as long as `wants_more` returns true, prints its results and returns
/// its figures. `make_settings` makes its settings and shard from the header of the match that was found, and the path
/// of the record.
///
/// # Errors
/// The errors of `make_settings` and `wants_more`; an engine that cannot be started, a file that cannot be read or written;
/// [`Interrupted`] after Ctrl-C; [`Failure`] if games were lost by faults of engines, losses on time not among them, or if
/// another run writes the record.
pub(super) fn run(
    make_settings: impl FnOnce(Option<&MatchHeader>, &str) -> Result<(MatchSettings, Option<Shard>)>,
    flags: &RunFlags,
    wants_more: WantsMore<'_>,
) -> Result<MatchResults> {
    let out = flags.out.as_deref();
    let lock = out.map(|out| take_lock(&record_path(out), "--out")).transpose()?;
    let mut found = out.map(find_match).transpose()?.flatten();
    let path = out.map(record_path).unwrap_or_default().display().to_string();
    let (requested, shard) = make_settings(found.as_ref().map(|found| &found.header), &path)?;
    if let (Some(out), None) = (out, &found) {
        check_new_match(out, flags.force)?;
    }
    let header = match &found {
        Some(found) => found.header.resumed(requested, shard, &path)?,
        None => MatchHeader::new(PROGRAM, requested.complete()?, shard),
    };
    let header = header.on_processors(flags.affinity.as_ref());
    let settings = header.settings.clone();
    let configs = settings.configs()?;
    let processors = flags.affinity.as_ref().map_or(Ok(Vec::new()), |all| all.dealt(settings.concurrency));
    let processors = processors.map_err(|error| anyhow!("--affinity: {error}"))?;
    let (openings, sides) = settings.openings()?;
    let mut scheduled = settings.scheduled_games(sides.as_deref(), header.shard.unwrap_or(Shard::WHOLE));
    let total = scheduled.len();
    let mut recorded = RecordedGames::new(&header);
    if let Some(found) = &mut found {
        recorded.read(found, &scheduled, &openings)?;
        scheduled.retain(|game| !found.contains(game.game));
    }
    let RecordedGames { mut results, older, last, first_fault } = recorded;
    if !wants_more(first_fault.as_slice(), &results)? || results.is_decided() {
        scheduled.clear();
    }
    // This starter is for `check_start` only: the engines of games are started by the runner, with this log and interrupt.
    let mut starter = EngineStarter::open(flags.log.as_deref())?;
    starter.context.processors.clone_from(&flags.affinity);
    if !scheduled.is_empty() {
        check_start(&configs, settings.concurrency, &starter, flags.force)?;
    }
    header.oversubscription().into_iter().for_each(|note| say(format_args!("{note}")));
    let spectators = flags.serve.start(&header, older, last, flags.out.clone())?;
    let mut store = match out.zip(lock) {
        Some((out, lock)) => Some(MatchDirectory::begin(out, &header, lock, |out| match found {
            Some(mut found) => found.copy_last(usize::MAX, out),
            None => Ok(()),
        })?),
        None => None,
    };
    let max_faults = if flags.recover { usize::MAX } else { flags.max_faults.unwrap_or(0) };
    let unwatched = LiveGames::default();
    let runner = MatchRunner {
        processors: &processors,
        settings: &settings,
        configs: &configs,
        openings: &openings,
        context: starter.context.clone(),
        live: spectators.as_ref().map_or(&unwatched, |spectators| &*spectators.games),
        wait: Duration::from_millis(flags.wait),
        max_faults,
    };
    let mut lines = GameLines::new(flags.report_every, results.played, total);
    // For the sentence at the end; the runner counts for itself and ends the match.
    let (mut faults, mut movers) = (Vec::new(), HashSet::new());
    let outcome = runner.run(&scheduled, |game| {
        results.add(&game);
        if !game.moves.is_empty() {
            movers.extend([game.first.clone(), game.second.clone()]);
        }
        let printed = lines.print_game(&game, &results);
        let goes_on = lines.counter.with_bar_hidden(|| wants_more(slice::from_ref(&game), &results));
        if game.reason.is_fault() {
            faults.push(game.to_string());
        }
        // The game is recorded even if standard output is closed.
        if let Some(store) = &mut store {
            store.append(&game)?;
            // The standings were among the lines: the figures on disk are renewed as often, and at the end of the run.
            if matches!(printed, Ok(true)) {
                store.write_summary(&results.summary(MatchState::Running))?;
            }
        }
        printed?;
        // A decided test ends the match: its error rates hold for the first decision only.
        Ok(goes_on? && !results.is_decided())
    });
    drop(lines);
    let logged = starter.close_log();
    outcome?;
    conclude(&results, store, &flags.report)?;
    note_without_pondering(&configs, &movers, &runner.context.pondered);
    logged?;
    let state = results.final_state();
    let is_interrupted = exit::interrupt()?.is_requested() && state == MatchState::Incomplete;
    spectators.map_or(Ok(()), |spectators| spectators.finish(state))?;
    if is_interrupted {
        return Err(interrupted(out, results.played, total));
    }
    // The fault after the tolerated ones, if games were left out because of it; games in progress may have added more.
    let ending = faults.get(max_faults).filter(|_| state == MatchState::Incomplete);
    let sentence = match (ending, &faults[..], lost_by_faults(&results)) {
        (_, [], 0) => return Ok(results),
        (_, [], lost) => format!("games that were lost by faults of engines: {lost}, before this run"),
        (Some(ending), ..) => format!(
            "{ending}; this fault ends the match: `--recover` plays on after faults, `--max-faults N` after N"
        ),
        (None, [first, ..], lost) => {
            format!("games that were lost by faults of engines: {lost}; the first of this run: {first}")
        }
    };
    bail!(Failure(sentence))
}

/// Names the engines with `ponder=true` that have moved but never `pondered` in this run.
fn note_without_pondering(
    configs: &[EngineConfig],
    movers: &HashSet<String>,
    pondered: &Mutex<BTreeSet<String>>,
) {
    let pondered = lock(pondered);
    for EngineConfig { name, ponder, .. } in configs {
        if *ponder && movers.contains(name) && !pondered.contains(name) {
            say(format_args!(
                "`{name}` has `ponder=true` but never pondered: it must name a move, as in `bestmove P@d1 ponder P@d2`"
            ));
        }
    }
}

/// The games of a record as far as a new run needs them.
struct RecordedGames {
    results: MatchResults,
    /// The figures without the `last` games.
    older: MatchResults,
    /// The last [`MAX_GAMES`] games.
    last: VecDeque<GameRecord>,
    /// The first game that was lost by a fault.
    first_fault: Option<GameRecord>,
}

impl RecordedGames {
    /// No games yet, of the match with this header.
    fn new(header: &MatchHeader) -> Self {
        let results = MatchResults::new(header, &[]);
        Self { older: results.clone(), results, last: VecDeque::new(), first_fault: None }
    }

    /// Reads the games of a record.
    ///
    /// # Errors
    /// A malformed game; a game with another opening than `scheduled`.
    fn read(
        &mut self,
        record: &mut RecordReader,
        scheduled: &[ScheduledGame],
        openings: &[OpeningLine],
    ) -> Result<()> {
        let planned: HashMap<_, _> = scheduled.iter().map(|game| (game.game, game.opening)).collect();
        while let Some(game) = record.next_game()? {
            if let Some(&opening) = planned.get(&game.game) {
                let columns = &openings[opening as usize].columns;
                check_opening(&record.header, &game, columns)
                    .with_context(|| format!("`{}`", record.name))?;
            }
            self.results.add(&game);
            if self.first_fault.is_none() && game.reason.is_fault() {
                self.first_fault = Some(game.clone());
            }
            if self.last.len() == MAX_GAMES
                && let Some(oldest) = self.last.pop_front()
            {
                self.older.add(&oldest);
            }
            self.last.push_back(game);
        }
        Ok(())
    }
}

/// Refuses a match in which a recorded game has another opening now, as its file has changed: the two games of a pair would
/// begin in different positions.
///
/// # Errors
/// A recorded game that was played from other columns than those of its opening.
fn check_opening(header: &MatchHeader, game: &GameRecord, columns: &[u32]) -> Result<()> {
    let (number, moves) = (game.number(), &game.opening.moves);
    let is_kept = header.opening(game)? == columns;
    ensure!(is_kept, "game {number} was played from `{moves}`, and `openings` has another line there now");
    Ok(())
}

/// The error after Ctrl-C, with the command that plays the rest.
fn interrupted(out: Option<&Path>, done: usize, total: usize) -> Error {
    let advice = out.map(|out| {
        let out = command_line::join(&[out.display().to_string()]);
        format!("`plumb-lab match --resume --out {out}` plays the rest")
    });
    let advice = advice.unwrap_or_else(|| "without `--out` there is nothing to resume".to_owned());
    Interrupted(format!("interrupted after {done} of {}: {advice}", counted(total, "game"))).into()
}

/// The number of games that were lost by [faults](plumb_arena::record::Reason::is_fault), also in earlier runs.
fn lost_by_faults(results: &MatchResults) -> u32 {
    let forfeits = results.forfeits.iter().flatten();
    forfeits.filter(|(reason, _)| reason.is_fault()).map(|(_, games)| games).sum()
}

/// Starts each engine once, so that one that cannot be used fails before the first game, and checks that the tables of all
/// games at a time fit into memory. Each ends again before play: in the log the engines of the first game are numbered after
/// these. With `force` the match is played even if an engine did not grant its table or memory lacks for all tables together.
///
/// # Errors
/// Why one cannot be used. After an interrupt the rest is left out, as the match ends anyway.
fn check_start(
    configs: &[EngineConfig],
    concurrency: NonZeroUsize,
    starter: &EngineStarter,
    force: bool,
) -> Result<()> {
    let refuse = |reason: String| {
        ensure!(force, "{reason}; `--force` plays all the same");
        say(format_args!("{reason}"));
        Ok(())
    };
    let mut megabytes: usize = 0;
    for config in configs {
        let session = match starter.start(&config.name, config, &[], None) {
            Err(error) if is_interrupt(&error) => break,
            // Without the type `Failure`, whose exit code 1 is for lost games: a start that fails has exit code 2.
            session => session.map_err(|error| anyhow!("{error}"))?,
        };
        if let Some(words) = session.size_refusal() {
            refuse(format!("`{}`: size of its table not granted: `{words}`", config.name))?;
        }
        megabytes += session.table_size.or(session.default_table_size()).unwrap_or(0);
    }
    let memory = check_memory(megabytes.saturating_mul(concurrency.get()));
    let games = counted(concurrency.get(), "game");
    memory.or_else(|reason| refuse(format!("{games} at a time: {reason}")))
}

/// Prints the standings and the test.
pub(super) fn print_standings(summary: &Summary) -> Result<()> {
    standings(summary, width()).iter().try_for_each(|row| print(format_args!("{row}")))
}

/// Prints the results of a match, and writes its figures, PGN and report.
pub(super) fn conclude(
    results: &MatchResults,
    store: Option<MatchDirectory>,
    flags: &ReportFlags,
) -> Result<()> {
    let summary = results.summary(results.final_state());
    print_standings(&summary)?;
    let Some(store) = store else { return Ok(()) };
    let report = store.finish(&summary, flags)?;
    say(format_args!("the report is `{}`", report.display()));
    Ok(())
}
