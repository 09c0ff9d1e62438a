//! `plumb-lab tune-hash`: how large the table should be.

mod arguments;
mod measure;
mod merge;
mod page;
mod play;
mod plot;
mod recommend;
mod run;
mod timed;
mod turn;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use plumb::board::{Board, Position};
use plumb_studies::scored_positions::{ScoredPosition, read};
use plumb_tools_common::random::Random;

use crate::engine::{EngineFlags, Engines, SizeRefused};
use crate::failure::Failure;
use crate::output::{print, write};
use crate::position_flags::{self, BOARD};
use crate::progress::Counter;
use crate::results::{Header, Lock, ResultFile, Shard};
pub(crate) use arguments::Arguments;
use arguments::TuneArguments;
use measure::SolverSetup;
use recommend::recommend;
use run::Run;
use turn::{Suite, Turn};

/// The file of the results in the directory of a run.
const RESULTS: &str = "tune-hash.csv";

/// The default of `--tolerance` where positions are solved, in per cent.
const TOLERANCE: f64 = 5.0;

/// Lets all sizes have their turns, and says which is best; or merges shards.
///
/// # Errors
/// If a file cannot be read or written, there is no memory for a table, a score is wrong, or the engine fails.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let run = |tuned: &TuneArguments| match tuned.control() {
        Some(control) => timed::run(tuned, &arguments.flags, control),
        None if tuned.play => play::run(tuned, &arguments.flags),
        None => tune(tuned, &arguments.flags),
    };
    arguments.command.act(run, merge::run)
}

fn tune(arguments: &TuneArguments, flags: &EngineFlags) -> Result<()> {
    let directory = &arguments.out;
    let path = directory.join(RESULTS);
    let lock = Lock::take(&path, "--out")?;
    let suites = suites(arguments)?;
    let setup = arguments.setup();
    let all = rounds(arguments, &suites);
    let rounds = arguments.shard.unwrap_or(Shard::WHOLE).dealt(&all);
    let mut turns: Vec<_> = rounds.flatten().collect();
    let mut header = Header::new("tune-hash").on_board(arguments.board);
    let settings = arguments.settings(flags);
    header = header.with_settings(&settings)?.with_inputs(&arguments.suites)?;
    if let Some(shard) = arguments.shard {
        header = header.of_shard(shard, turns.len());
    }
    let engines = arguments.engine.as_ref().map(|_| Engines::open(flags.log.as_deref())).transpose()?;
    let solvers = SolverSetup {
        board: arguments.board,
        engine: arguments.engine.as_deref().zip(engines.as_ref()),
        flags,
        threads: arguments.threads,
    };
    let sizes = turns.iter().map(|turn| turn.megabytes).collect();
    let refused = refused(&sizes, arguments.shard, |size| solvers.start(size).map(drop))?;
    turns.retain(|turn| !refused.contains(&turn.megabytes));
    ensure!(refused.is_empty() || !turns.is_empty(), Failure("no size is left".to_owned()));
    // An engine that cannot be tuned leaves no file.
    let (mut file, mut runs): (_, Vec<Run>) = ResultFile::open(&path, "--out", &header, lock)?;
    let todo: Vec<_> = turns.iter().filter(|turn| !runs.iter().any(|run| turn.is(run))).collect();
    let taken = turns.len() - todo.len();
    if taken > 0 {
        print(format_args!("{taken} of {} runs taken from `{}`", turns.len(), path.display()))?;
    }
    let mut counter = Counter::resumed("tune-hash", taken, turns.len()).of("run");
    for turn in todo {
        let run = solvers.measure(turn, setup.clone())?;
        file.append(&run)?;
        runs.push(run);
        counter.advance();
    }
    drop(counter);
    engines.map_or(Ok(()), Engines::close)?;
    if let Some(shard) = arguments.shard {
        return print(format_args!(
            "shard {shard}: {} runs; `tune-hash merge` recommends a size",
            turns.len()
        ));
    }
    runs.retain(|run| turns.iter().any(|turn| turn.is(run)));
    conclude(&runs, &setup, &settings.default(), arguments.tolerance.unwrap_or(TOLERANCE), directory)
}

/// The sizes with which `start` cannot begin, after a sentence about each.
///
/// # Errors
/// If it fails for another reason, or one is refused in a shard: all shards of a run have the same sizes.
fn refused(
    sizes: &BTreeSet<usize>,
    shard: Option<Shard>,
    start: impl Fn(usize) -> Result<()>,
) -> Result<BTreeSet<usize>> {
    let mut refused = BTreeSet::new();
    for &size in sizes {
        let Err(error) = start(size) else { continue };
        let refusal = error.downcast::<SizeRefused>()?;
        ensure!(shard.is_none(), Failure(format!("{refusal}; leave it out of `--sizes` in all shards")));
        print(format_args!("{refusal}; it is left out"))?;
        refused.insert(size);
    }
    Ok(refused)
}

/// Draws the pictures, and writes and prints the recommendation.
fn conclude(runs: &[Run], setup: &str, default: &str, tolerance: f64, directory: &Path) -> Result<()> {
    let pictures = plot::draw_all(runs, directory)?;
    let recommendation = recommend(runs, tolerance / 100.0, default).context("nothing was measured")?;
    let (sentence, table) = (recommendation.to_string(), recommendation.rows());
    let note = "Vertical lines: from the least to the greatest of the repeats.";
    write(&directory.join("tune-hash.html"), &page::page(setup, &sentence, &table, &pictures, note))?;
    table.iter().try_for_each(|row| print(format_args!("{row}")))?;
    print(format_args!("{sentence}"))
}

fn suites(arguments: &TuneArguments) -> Result<Vec<Suite>> {
    let mut suites: Vec<Suite> = Vec::new();
    for path in &arguments.suites {
        let reader = position_flags::reader(arguments.first_column, arguments.board, BOARD);
        let mut entries = read(&reader, path)?;
        entries.truncate(arguments.limit.unwrap_or(usize::MAX));
        if entries.is_empty() {
            bail!("`{}` holds no position", path.display());
        }
        let name = name(path);
        if suites.iter().any(|suite| suite.name == name) {
            bail!("two files are called `{name}`");
        }
        suites.push(Suite { name, entries });
    }
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

/// How a file is called in the output: by its last part, without what comes after the point.
fn name(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// All turns, by rounds: in each repeat all files, cold and warm, and for each of them the sizes in an order of their own.
fn rounds<'a>(arguments: &TuneArguments, suites: &'a [Suite]) -> Vec<Vec<Turn<'a>>> {
    let mut random = Random::new(arguments.seed, 0);
    let mut sizes: Vec<_> = arguments.sizes.iter().map(|&size| size as usize).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut rounds = Vec::new();
    for repeat in 1..=arguments.repeat {
        for suite in suites {
            // With one position there is nothing to keep.
            for warm in [false, true].into_iter().take(if suite.entries.len() > 1 { 2 } else { 1 }) {
                for index in (1..sizes.len()).rev() {
                    sizes.swap(index, random.below(index as u32 + 1) as usize);
                }
                let turn = |&megabytes| Turn { suite, warm, megabytes, repeat };
                rounds.push(sizes.iter().map(turn).collect());
            }
        }
    }
    rounds
}
