//! `plumb-lab tune-hash`: how large the table should be.

mod measure;
mod page;
mod play;
mod plot;
mod recommend;
mod run;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use plumb::session::options::Options;

use crate::line_file::LineFile;
use crate::output::{print, write};
use crate::progress::Counter;
use crate::random::Random;
use crate::suite::engine::Protocol;
use crate::suite::positions::{Entry, read};
use crate::table_size::megabytes;
use measure::Subjects;
use recommend::recommend;
use run::Run;

/// Find out how large the table should be.
///
/// Every size solves every file, in an order that changes from one repeat to the next, so that what else the machine does
/// meanwhile does not count for or against one of them; cold, with a table that is empty for each position, and warm, with
/// one that is kept through the file. The times are those of the processor, also with an `--engine` where the system tells
/// them, and of day with more `--threads`.
///
/// The recommendation is the default size where the work of a size takes less than a second, or the repeats of one size
/// differ by more than the sizes do: that is too short to tell.
///
/// With `--match` each size plays against a reference size instead, in matches like those of `plumb-lab match`, whose
/// directories `match-MB` lie in `--out`.
///
/// The directory gets `tune-hash.csv`, a line for each run as it ends, and pictures: time, nodes, nodes per second, how
/// full the table was, and for the built-in solver the share of probes that found the position and of stores that
/// overwrote another one; `tune-hash.html` has all of them on one page. The same command takes the runs that it has
/// already from `tune-hash.csv`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Sizes to try, in MB, as in 16 or 16MB.
    #[arg(long, value_name = "MB,…", value_delimiter = ',', default_value = "1,2,4,8,16,32,64,128,256",
          value_parser = megabytes)]
    sizes: Vec<u64>,
    /// Files of lines `moves [score]`; the empty board if there is none.
    #[arg(long = "suite", value_name = "FILE", num_args = 1..)]
    suites: Vec<PathBuf>,
    /// Only the first positions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Threads of the built-in solver.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    threads: NonZeroUsize,
    /// An engine to solve them instead, any with the option `Hash`: a program and its arguments, separated by blanks.
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,
    /// What the engine speaks.
    #[arg(long, value_enum, default_value = "uci", requires = "engine")]
    protocol: Protocol,
    /// How often every size solves every file.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// The seed of the order in which the sizes have their turns.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Recommend the smallest size that takes at most so many per cent longer than the best.
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0)]
    tolerance: f64,
    /// Let the sizes play, instead of solving.
    #[arg(long = "match", conflicts_with_all = ["suites", "limit", "repeat"])]
    play: bool,
    #[command(flatten)]
    matches: play::MatchSettings,
    /// The directory for figures and pictures, made if need be.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// A file of positions.
struct Suite {
    name: String,
    entries: Vec<Entry>,
}

/// One turn of one size.
struct Turn<'a> {
    suite: &'a Suite,
    warm: bool,
    megabytes: usize,
    repeat: u32,
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
    let subjects = Subjects {
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
        let run = subjects.measure(turn, setup.clone())?;
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
            None => format!("{} MB, the default", Options::default().hash_megabytes()),
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
        let empty =
            Entry { line: 1, moves: String::new(), position: plumb::board::Position::new(), score: Some(1) };
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

impl Turn<'_> {
    /// Whether `run` is what came of this turn.
    fn is(&self, run: &Run) -> bool {
        (run.suite.as_str(), run.warm, run.megabytes, run.repeat)
            == (self.suite.name.as_str(), self.warm, self.megabytes, self.repeat)
    }
}

/// How long an engine may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3600);
