//! `plumb-lab tune-hash`: how large the table should be.

mod arguments;
mod measure;
mod merge;
mod page;
mod play;
mod plot;
mod recommend;
mod run;
mod turn;

use std::path::Path;

use anyhow::{Context, Result, bail};
use plumb::board::Position;
use plumb_studies::scored_positions::{ScoredPosition, read};
use plumb_tools_common::random::Random;

use crate::output::{print, write};
use crate::progress::Counter;
use crate::results::{Header, Lock, ResultFile, Shard};
pub(crate) use arguments::Arguments;
use arguments::{Command, TuneArguments};
use measure::SolverSetup;
use recommend::recommend;
use run::Run;
use turn::{Suite, Turn};

/// The file of the results in the directory of a run.
const RESULTS: &str = "tune-hash.csv";

/// Lets all sizes have their turns, and says which is best; or merges shards.
///
/// # Errors
/// If a file cannot be read or written, there is no memory for a table, a score is wrong, or the engine fails.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match (&arguments.command, &arguments.tune) {
        (Some(Command::Merge(arguments)), _) => merge::run(arguments),
        (None, Some(arguments)) if arguments.play => play::run(arguments),
        (None, Some(arguments)) => tune(arguments),
        (None, None) => bail!("expected `--out DIR`, or `merge` and shards"),
    }
}

fn tune(arguments: &TuneArguments) -> Result<()> {
    let directory = &arguments.out;
    let path = directory.join(RESULTS);
    let lock = Lock::take(&path, "--out")?;
    let suites = suites(arguments)?;
    let setup = arguments.setup();
    let all = rounds(arguments, &suites);
    let rounds = arguments.shard.unwrap_or(Shard::WHOLE).dealt(&all);
    let turns: Vec<_> = rounds.flatten().collect();
    let mut header = Header::new("tune-hash").on_board(arguments.board);
    let settings = arguments.settings();
    header = header.with_settings(&settings)?.with_inputs(&arguments.suites)?;
    if let Some(shard) = arguments.shard {
        header = header.of_shard(shard, turns.len());
    }
    let (mut file, mut runs): (_, Vec<Run>) = ResultFile::open(&path, "--out", &header, lock)?;
    let todo: Vec<_> = turns.iter().filter(|turn| !runs.iter().any(|run| turn.is(run))).collect();
    let solvers = SolverSetup {
        board: arguments.board,
        engine: arguments.engine.as_deref(),
        protocol: arguments.protocol,
        threads: arguments.threads,
    };
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
    if let Some(shard) = arguments.shard {
        return print(format_args!(
            "shard {shard}: {} runs; `tune-hash merge` recommends a size",
            turns.len()
        ));
    }
    runs.retain(|run| turns.iter().any(|turn| turn.is(run)));
    conclude(&runs, &setup, &settings.default(), arguments.tolerance, directory)
}

/// Draws the pictures, and writes and prints the recommendation.
fn conclude(runs: &[Run], setup: &str, default: &str, tolerance: f64, directory: &Path) -> Result<()> {
    let pictures = plot::draw_all(runs, directory)?;
    let recommendation = recommend(runs, tolerance / 100.0, default).context("nothing was measured")?;
    write(&directory.join("tune-hash.html"), &page::page(setup, &recommendation, &pictures))?;
    recommendation.rows().iter().try_for_each(|row| print(format_args!("{row}")))?;
    print(format_args!("{recommendation}"))
}

fn suites(arguments: &TuneArguments) -> Result<Vec<Suite>> {
    let mut suites: Vec<Suite> = Vec::new();
    for path in &arguments.suites {
        let mut entries = read(arguments.board.board(), path)?;
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
            position: Position::empty(arguments.board.board()),
            score: arguments.board.is_standard().then_some(1),
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
