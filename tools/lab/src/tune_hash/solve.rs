//! Tuning by solving: each size solves all files of positions, cold and warm, in turn.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use plumb::board::{Board, Geometry, Position};
use plumb::daemon::DEFAULT_HASH;
use plumb::search::{Solver, TableStatistics};
use plumb::table::Table;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::random::Random;
use plumb_studies::scored_positions::{ScoredPosition, Suite};
use serde_json::json;

use super::plot::{Answer, charts, publish};
use super::recommend::{Run, recommend, table_of};
use super::{Mode, RESULTS, Settings, TuneArguments};
use crate::arguments::{BOARD, reader};
use crate::engine::{EngineFlags, EngineStarter, SizeRefused};
use crate::exit::{Failure, engine_failure, is_interrupt};
use crate::output::print;
use crate::progress::Counter;
use crate::result_files::{ResultFile, Row, Shard, take_lock};
use crate::suite::report::ResultRow;
use crate::suite::solver::{BuiltIn, Engine, PositionSolver};

/// The default of `--tolerance` where positions are solved, in per cent.
const TOLERANCE: f64 = 5.0;

pub(super) fn tune(arguments: &TuneArguments, flags: &EngineFlags) -> Result<()> {
    let path = arguments.out.join(RESULTS);
    let lock = take_lock(&path, "--out")?;
    let suites = suites(arguments)?;
    let all = rounds(arguments, &suites);
    let rounds = arguments.shard.unwrap_or(Shard::WHOLE).dealt(&all);
    let mut trials: Vec<_> = rounds.flatten().collect();
    let TuneArguments { ref engine, ref sizes, threads, limit, first_column, repeat, seed, .. } = *arguments;
    let settings = Settings {
        engine: engine.clone(),
        protocol: engine.as_ref().map(|_| String::new()),
        first_column,
        threads,
        limit,
        rounds: arguments.shard.map(|_| json!({ "sizes": sizes, "repeat": repeat, "seed": seed })),
    };
    let header =
        arguments.header(&Mode::Solve(settings.clone()), trials.len())?.with_inputs(&arguments.suites)?;
    let engines = engine.as_ref().map(|_| EngineStarter::open(flags.log.as_deref())).transpose()?;
    let solvers = Solvers { arguments, flags, engines };
    if let Some((command, engines)) = solvers.engine() {
        // An engine that fails with its own size is not tried with others.
        solvers.session(command, engines, None)?;
    }
    let sizes = trials.iter().map(|(blank, _)| blank.megabytes).collect();
    let granted = arguments.granted(sizes, |size| solvers.start(size).map(drop))?;
    trials.retain(|(blank, _)| granted.contains(&blank.megabytes));
    // An engine that cannot be tuned leaves no file.
    let (mut file, mut runs): (_, Vec<Run>) = ResultFile::open(&path, "--out", &header, lock)?;
    let wanted: HashSet<_> = trials.iter().map(|(blank, _)| blank.key()).collect();
    runs.retain(|run| wanted.contains(&run.key()));
    let (done, taken): (HashSet<_>, _) = (runs.iter().map(Run::key).collect(), runs.len());
    if taken > 0 {
        print(format_args!("{taken} of {} runs taken from `{}`", trials.len(), path.display()))?;
    }
    let mut counter = Counter::new("tune-hash", "run", taken, trials.len());
    let mut failed = HashSet::new();
    let mut end = Ok(());
    for (blank, suite) in trials.iter().filter(|(blank, _)| !done.contains(&blank.key())) {
        let size = blank.megabytes;
        if failed.contains(&size) {
            continue;
        }
        match solvers.measure(blank, suite) {
            Ok(run) => {
                file.append(&run)?;
                runs.push(run);
            }
            Err(error) if is_interrupt(&error) => {
                end = Err(error);
                break;
            }
            Err(error) if engine.is_none() => return Err(error),
            // The engine fails with this size.
            Err(error) => {
                let reason = format!("{size} MB: {error:#}");
                engine_failure(error)?;
                counter.with_bar_hidden(|| arguments.leave_out(&reason))?;
                failed.insert(size);
            }
        }
        counter.advance();
    }
    drop(counter);
    runs.retain(|run| !failed.contains(&run.megabytes));
    ensure!(end.is_err() || failed.len() < granted.len(), Failure("no size is left".to_owned()));
    solvers.engines.map_or(Ok(()), EngineStarter::close_log)?;
    if let Some(shard) = arguments.shard {
        return print(format_args!(
            "shard {shard}: {} runs; `tune-hash merge` recommends a size",
            trials.len()
        ));
    }
    let concluded = conclude(&runs, &settings, arguments.tolerance, &arguments.out);
    // After an interrupt there may be too few runs.
    end.and(concluded)
}

/// Draws the pictures, and writes and prints the recommendation. `tolerance` is in per cent.
pub(super) fn conclude(runs: &[Run], settings: &Settings, tolerance: Option<f64>, out: &Path) -> Result<()> {
    let tolerance = tolerance.unwrap_or(TOLERANCE) / 100.0;
    let default = settings.engine.as_ref().map(|_| "the engine's default".to_owned());
    let default = default.unwrap_or_else(|| format!("{DEFAULT_HASH} MB, the default"));
    let found = recommend(runs, tolerance, &default).context("nothing was measured")?;
    let setup = runs.first().map(|run| run.setup.as_str()).unwrap_or_default();
    let note = "Vertical lines: from the least to the greatest of the repeats.";
    let answer = Answer { setup, sentences: &[found.sentence], recommended: found.size };
    publish(out, &answer, &found.rows, &table_of(&found.rows), &charts(runs), note)
}

fn suites(arguments: &TuneArguments) -> Result<Vec<Suite<Board>>> {
    let reader = reader(arguments.first_column, arguments.board, BOARD);
    let mut suites = Suite::read_all(&reader, &arguments.suites, arguments.limit, Path::file_stem)?;
    Suite::check_names(&suites, &arguments.suites)?;
    if suites.is_empty() {
        let empty = ScoredPosition {
            line: 1,
            moves: String::new(),
            columns: Some(Vec::new()),
            position: Position::empty(arguments.board),
            score: (arguments.board == Board::default()).then_some(1),
        };
        suites.push(Suite { name: "empty board".to_owned(), entries: vec![empty] });
    }
    Ok(suites)
}

/// A measurement: the run before its first position, and its file.
type Trial<'a> = (Run, &'a Suite<Board>);

/// All trials, by rounds: in each repeat all files, cold and warm, and for each of them the sizes in an order of their own.
fn rounds<'a>(arguments: &TuneArguments, suites: &'a [Suite<Board>]) -> Vec<Vec<Trial<'a>>> {
    let mut random = Random::new(arguments.seed, 0);
    let mut sizes: Vec<_> = arguments.sizes().into_iter().collect();
    let mut rounds = Vec::new();
    for repeat in 1..=arguments.repeat {
        for suite in suites {
            // With one position there is nothing to keep.
            for warm in [false, true].into_iter().take(if suite.entries.len() > 1 { 2 } else { 1 }) {
                random.shuffle(&mut sizes);
                let named = Run { suite: suite.name.clone(), warm, repeat, ..Run::default() };
                let trial = |&megabytes| (Run { megabytes, ..named.clone() }, suite);
                rounds.push(sizes.iter().map(trial).collect());
            }
        }
    }
    rounds
}

/// Time for an engine's answer.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// The built-in solver or the engine.
struct Solvers<'a> {
    arguments: &'a TuneArguments,
    flags: &'a EngineFlags,
    engines: Option<EngineStarter>,
}

impl Solvers<'_> {
    /// Measures the trial of a run, with a process or a table of its own.
    ///
    /// # Errors
    /// If the built-in solver finds a wrong score, or the solver cannot be started or fails.
    fn measure(&self, blank: &Run, suite: &Suite<Board>) -> Result<Run> {
        let Run { warm, megabytes, repeat, .. } = *blank;
        let (entries, is_engine) = (&suite.entries, self.engines.is_some());
        let mut solver = self.start(megabytes)?;
        let setup = self.arguments.setup();
        let mut run =
            Run { setup, positions: entries.len(), nodes: Some(0), full: Some(0.0), ..blank.clone() };
        for (index, entry) in entries.iter().enumerate() {
            if index == 0 || !warm {
                solver.forget()?;
            }
            let place = || format!("{}:{}: {}", suite.name, entry.line, entry.moves);
            let result = solver.solve(entry).with_context(place)?;
            let row = ResultRow::new(&suite.name, entry, &result);
            if row.is_mismatch() {
                let (found, expected) = (row.score.unwrap_or_default(), row.expected.unwrap_or_default());
                let failure = Failure(format!("`{}` has {found}, expected {expected}", entry.moves));
                // Other engines may prune what they should not, and are tuned all the same.
                ensure!(is_engine, failure);
                run.wrong += 1;
            }
            // What an engine's process took where the system tells, as other processes do not count for that.
            let cpu = result.cpu.filter(|_| is_engine);
            run.seconds += cpu.unwrap_or(result.time).as_secs_f64();
            run.nodes = run.nodes.zip(result.nodes).map(|(sum, nodes)| sum + nodes);
        }
        // Its memory is needed for the next table.
        drop(solver);
        run.full = run.full.map(|sum| sum / entries.len() as f64);
        // What is asked of the table does not differ from one repeat to the next.
        if !is_engine && self.arguments.threads.get() == 1 && repeat == 1 {
            let traffic = traffic(self.arguments.board, entries, warm, megabytes)?;
            let share = |part: u64, whole: u64| Some(part as f64 / whole.max(1) as f64);
            run.hits = share(traffic.hits, traffic.probes);
            run.overwrites = share(traffic.overwrites, traffic.stores);
        }
        Ok(run)
    }

    /// Starts the solver with a table of `hash` MB.
    ///
    /// # Errors
    /// [`SizeRefused`] if there is none of this size; that of [`EngineStarter::start`].
    fn start(&self, hash: usize) -> Result<Box<dyn PositionSolver>> {
        let TuneArguments { board, threads, .. } = *self.arguments;
        let Some((command, engines)) = self.engine() else {
            let solver = BuiltIn::new(board, hash, false, threads);
            let refused = |error: Error| SizeRefused(hash, format!("{:#}", error.root_cause()));
            return Ok(Box::new(solver.map_err(refused)?));
        };
        let session = self.session(command, engines, Some(hash))?;
        Ok(Box::new(Engine::new(session, command, TIMEOUT, None)))
    }

    /// The command of the engine, and its starter.
    fn engine(&self) -> Option<(&str, &EngineStarter)> {
        self.arguments.engine.as_deref().zip(self.engines.as_ref())
    }

    /// Starts the engine with a table of `hash` MB.
    fn session(&self, command: &str, engines: &EngineStarter, hash: Option<usize>) -> Result<EngineSession> {
        let config = self.flags.config(command, self.arguments.board.size(), None)?;
        ensure!(!config.sets("Hash"), "--engine: `option.Hash` is what `--sizes` sets: leave it out");
        engines.start(command, &config, &[], hash)
    }
}

/// What the built-in solver asks of a table of this size.
fn traffic(
    board: Board,
    entries: &[ScoredPosition<Board>],
    warm: bool,
    megabytes: usize,
) -> Result<TableStatistics> {
    let mut table = Table::new_on(board, megabytes)?;
    let mut sum = TableStatistics::default();
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 && !warm {
            table.clear();
        }
        let mut solver = Solver::new(&table).counting();
        solver.score(&entry.position)?;
        let TableStatistics { probes, hits, stores, overwrites } = solver.statistics();
        sum.probes += probes;
        sum.hits += hits;
        sum.stores += stores;
        sum.overwrites += overwrites;
    }
    Ok(sum)
}
