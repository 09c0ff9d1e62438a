//! `plumb-lab tune-hash`: how large the table should be.

mod measure;
mod page;
mod play;
mod plot;
mod recommend;
mod run;
mod turn;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use plumb::daemon::DEFAULT_HASH;
use plumb_studies::scored_positions::{ScoredPosition, read};
use plumb_studies::table_size::megabytes;
use plumb_tools_common::random::Random;

use crate::line_file::LineFile;
use crate::output::{print, write};
use crate::progress::Counter;
use crate::suite::engine::Protocol;
use measure::SolverSetup;
use recommend::recommend;
use run::Run;
use turn::{Suite, Turn};

/// Recommend a table size by measurement.
///
/// Each size solves every file: cold, with an empty table for each position, and warm, with the table kept through
/// the file. The order of the sizes changes from repeat to repeat, so that other load on the machine favours none.
/// Times are processor time, also of an `--engine` on systems that report it, and wall time with more `--threads`.
///
/// The recommendation is the default size if a size takes less than a second of work, or if repeats of one size
/// differ by more than the sizes do.
///
/// With `--match` each size instead plays against a reference size, in matches like those of `plumb-lab match`, whose
/// directories `match-MB` are in `--out`.
///
/// The directory gets `tune-hash.csv`, with a line for each run as it ends, and plots of time, nodes, nodes per
/// second and filled share of the table, and for the built-in solver of hits and overwrites; `tune-hash.html` has all
/// of them on one page. The same command resumes an interrupted run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Sizes to try, in MB, as in 16 or 16MB.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,2,4,8,16,32,64,128,256",
          value_parser = megabytes)]
    sizes: Vec<u64>,
    /// Files of lines `moves [score]`. [default: the empty board]
    #[arg(long = "suite", value_name = "FILE", num_args = 1..)]
    suites: Vec<PathBuf>,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Threads of the built-in solver.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    threads: NonZeroUsize,
    /// Solve with this engine, which needs the option `Hash`: a program and its arguments, quoted as in a shell.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// Protocol of the engine.
    #[arg(long, value_enum, default_value = "uci", requires = "engine")]
    protocol: Protocol,
    /// Number of times that each size solves each file.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Seed of the order of the sizes.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Recommend the smallest size that takes at most this many per cent longer than the best.
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    tolerance: f64,
    /// Tune by play instead of solving.
    #[arg(long = "match", conflicts_with_all = ["suites", "limit", "repeat"])]
    play: bool,
    #[command(flatten)]
    matches: play::MatchSettings,
    /// Directory for results and plots, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Lets all sizes have their turns, and says which is best.
///
/// # Errors
/// If a file cannot be read or written, there is no memory for a table, a score is wrong, or the engine fails.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.play {
        return play::run(arguments);
    }
    let suites = suites(arguments)?;
    let directory = &arguments.out;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
    let (mut file, lines) = LineFile::open(&directory.join("tune-hash.csv"), Run::HEADING)?;
    let mut runs = lines.iter().map(|line| Run::parse(line)).collect::<Result<Vec<_>>>()?;
    let setup = arguments.setup();
    if let Some(other) = runs.iter().find(|run| run.setup != setup) {
        bail!("`{}` is of `{}`, not of `{setup}`", file.path().display(), other.setup);
    }
    let turns = turns(arguments, &suites);
    let todo: Vec<_> = turns.iter().filter(|turn| !runs.iter().any(|run| turn.is(run))).collect();
    let solvers = SolverSetup {
        engine: arguments.engine.as_deref(),
        protocol: arguments.protocol,
        threads: arguments.threads,
    };
    let taken = turns.len() - todo.len();
    if taken > 0 {
        print(format_args!("{taken} of {} runs taken from `{}`", turns.len(), file.path().display()))?;
    }
    let mut counter = Counter::resumed("tune-hash", taken, turns.len()).of("run");
    for turn in todo {
        let run = solvers.measure(turn, setup.clone())?;
        file.append(&run.line()?)?;
        runs.push(run);
        counter.advance();
    }
    drop(counter);
    runs.retain(|run| turns.iter().any(|turn| turn.is(run)));
    let pictures = plot::draw_all(&runs, directory)?;
    let recommendation = recommend(&runs, arguments.tolerance / 100.0, &arguments.default())
        .context("nothing was measured")?;
    write(&directory.join("tune-hash.html"), &page::page(&setup, &recommendation, &pictures))?;
    recommendation.rows().iter().try_for_each(|row| print(format_args!("{row}")))?;
    print(format_args!("{recommendation}"))
}

impl Arguments {
    /// The size to take if nothing speaks for another one.
    fn default(&self) -> String {
        match self.engine {
            Some(_) => "the engine's default".to_owned(),
            None => format!("{DEFAULT_HASH} MB, the default"),
        }
    }

    /// What the figures depend on, but for what has a column of its own.
    fn setup(&self) -> String {
        let who = self.engine.as_deref().unwrap_or("built-in solver");
        let limit = self.limit.map(|limit| format!(", {limit} positions at most")).unwrap_or_default();
        format!("{who}, threads {}{limit}", self.threads)
    }
}

fn suites(arguments: &Arguments) -> Result<Vec<Suite>> {
    let mut suites: Vec<Suite> = Vec::new();
    for path in &arguments.suites {
        let mut entries = read(path)?;
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
            position: plumb::board::Position::new(),
            score: Some(1),
        };
        suites.push(Suite { name: "empty board".to_owned(), entries: vec![empty] });
    }
    Ok(suites)
}

/// How a file is called in the output: by its last part, without what comes after the point.
fn name(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// All turns: in each repeat all files, cold and warm, and for each of them the sizes in an order of their own.
fn turns<'a>(arguments: &Arguments, suites: &'a [Suite]) -> Vec<Turn<'a>> {
    let mut random = Random::new(arguments.seed, 0);
    let mut sizes: Vec<_> = arguments.sizes.iter().map(|&size| size as usize).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut turns = Vec::new();
    for repeat in 1..=arguments.repeat {
        for suite in suites {
            // With one position there is nothing to keep.
            for warm in [false, true].into_iter().take(if suite.entries.len() > 1 { 2 } else { 1 }) {
                for index in (1..sizes.len()).rev() {
                    sizes.swap(index, random.below(index as u32 + 1) as usize);
                }
                turns.extend(sizes.iter().map(|&megabytes| Turn { suite, warm, megabytes, repeat }));
            }
        }
    }
    turns
}
