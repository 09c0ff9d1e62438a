//! `plumb-studies table`: one search with several transposition tables.

pub(crate) mod design;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod solver;

use std::path::{Path, PathBuf};

use self::design::Design;
use self::record::Record;
use self::report::{duration, rounded, signed};
use self::solver::{Mode, Search, TableSolver};
use anyhow::{Result, ensure};
use clap::ValueEnum;
use plumb::board::Standard;
use plumb::score::Score;
use plumb_lab::arguments::Size;
use plumb_lab::measurement::cpu_time;
use plumb_lab::plot::Quantity;
use plumb_lab::scored_positions::{ScoredPosition, Suite};
use serde_json::json;

use plumb_arena::shard::Shard;
use plumb_lab::arguments::{self, RunOrMerge};
use plumb_lab::exit::Failure;
use plumb_lab::output::{self, check_directory, print};
use plumb_lab::progress::Counter;
use plumb_lab::result_files::{Header, ResultFile, Row, Shards, take_lock, write_all};

/// Compare transposition table designs under one search: nodes and time by design and size.
///
/// Files are like the files of `plumb-lab suite`. Each position is solved with an empty table on one thread. A node is
/// one call of the search. Times are processor time. A wrong score ends the run with exit code 1.
///
/// The directory gets `table-study.csv` (results), `table-study.md` (results and published figures) and, for several
/// sizes, `table-study-nodes.svg` and `table-study-time.svg`. The same command resumes an interrupted run, and another
/// command adds to the results.
///
/// `--shard I/N` deals out the measurements. `plumb-studies table merge` merges the directories of all shards.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<StudyArguments, MergeArguments>,
}

#[derive(clap::Args)]
struct StudyArguments {
    /// Files with a position and a score on each line.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[arg(long, value_parser = arguments::first_column(), value_name = "N", help = arguments::FIRST_COLUMN_HELP)]
    first_column: Option<u32>,
    /// Designs. [default: full-key,crt-upper,crt-bounds,bucketed]
    ///
    /// Plumb's search has only `bucketed`.
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    designs: Vec<Design>,
    /// The search.
    #[arg(long, value_enum, default_value = "plain")]
    search: Search,
    /// Kind of score: exact, win/draw/loss, or both.
    #[arg(long, value_enum, default_value = "strong")]
    mode: Modes,
    /// Table sizes, such as 8388617, 2^23 or 64MB. [default: published]
    ///
    /// A number is a number of entries. The default is the published size of each design, 2^23 entries for Plumb's.
    #[arg(long, value_name = "SIZES", value_delimiter = ',')]
    sizes: Vec<Size>,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Part I of N parts of the measurements, as I/N.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Directory for the results, which are kept.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

const RESULTS: &str = "table-study.csv";

const REPORTS: [&str; 3] = ["table-study.md", "table-study-nodes.svg", "table-study-time.svg"];

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Modes {
    /// The exact score.
    Strong,
    /// Win, draw or loss.
    Weak,
    /// Both, the exact score first.
    Both,
}

impl Modes {
    fn all(self) -> &'static [Mode] {
        match self {
            Self::Strong => &[Mode::Strong],
            Self::Weak => &[Mode::Weak],
            Self::Both => &[Mode::Strong, Mode::Weak],
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.command.act(study, merge)
}

fn study(arguments: &StudyArguments) -> Result<()> {
    let StudyArguments { files, first_column, search, mode, limit, shard, out, .. } = arguments;
    let reader = arguments::reader(*first_column, Standard::default(), "");
    let suites = Suite::read_all(&reader, files, *limit, Path::file_name)?;
    Suite::check_names(&suites, files)?;
    let setups = setups(arguments)?;
    let mut all = Vec::new();
    for setup in &setups {
        for &mode in mode.all() {
            all.extend(suites.iter().map(|suite| (suite, setup.of(suite, mode))));
        }
    }
    let units: Vec<_> = shard.unwrap_or(Shard::WHOLE).dealt(&all).collect();
    let path = out.join(RESULTS);
    let lock = take_lock(&path, "--out")?;
    check_directory(&path, &REPORTS)?;
    let mut header = header();
    if let Some(shard) = *shard {
        let designs: Vec<_> =
            setups.iter().map(|setup| format!("{}:{}", setup.design, setup.entries)).collect();
        let settings = json!({ "search": search, "designs": designs, "modes": mode.all(), "limit": limit });
        header = header.of_shard(shard, units.len()).with_settings(&settings)?.with_inputs(files)?;
    }
    let (mut file, mut records): (_, Vec<Record>) = ResultFile::open(&path, "--out", &header, lock)?;

    for (suite, blank) in units {
        if records.iter().any(|record| record.key() == blank.key()) {
            continue;
        }
        let record = measure(suite, blank)?;
        file.append(&record)?;
        print(format_args!("{}", line(&record)))?;
        records.push(record);
        write(out, &mut records)?;
    }
    write(out, &mut records)
}

/// Header of `table-study.csv`. The settings are in the rows, so later runs with other settings may add rows.
fn header() -> Header {
    Header::new("table-study").on_board("7x6")
}

/// All designs in all sizes. Sizes that a design rounds to an equal number of entries are measured once.
fn setups(arguments: &StudyArguments) -> Result<Vec<Record>> {
    let designs = match (arguments.designs.as_slice(), arguments.search) {
        ([], Search::Plain) => &[Design::FullKey, Design::CrtUpper, Design::CrtBounds, Design::Bucketed],
        ([], Search::Plumb) => &[Design::Bucketed][..],
        (designs, _) => designs,
    };
    let sizes: Vec<_> = match arguments.sizes.as_slice() {
        [] => vec![None],
        sizes => sizes.iter().copied().map(Some).collect(),
    };
    let mut setups = Vec::new();
    for &design in designs {
        for &size in &sizes {
            let setup = Record::new(arguments.search, design, size)?;
            if !setups.contains(&setup) {
                setups.push(setup);
            }
        }
    }
    Ok(setups)
}

/// Solves the positions of a suite. The table is empty before each position.
fn measure(suite: &Suite, blank: &Record) -> Result<Record> {
    let mut record = blank.clone();
    let mode = record.mode;
    let mut solver = TableSolver::new(record.search, record.design, record.entries)?;
    let what = format!("{} {} {mode}", record.design, suite.name);
    let mut counter = Counter::new(&what, "position", 0, suite.entries.len());
    for ScoredPosition { line, moves, position, score, .. } in &suite.entries {
        solver.forget();
        let start = cpu_time();
        let (found, nodes) = solver.solve(position, mode);
        record.cpu_seconds += cpu_time().saturating_sub(start).as_secs_f64();
        record.nodes += nodes;
        let found = compared(found, mode);
        let expected = score.map_or(found, |score| compared(score, mode));
        let place = format!("{}:{line}: {moves}", suite.name);
        ensure!(
            found == expected,
            Failure(format!("{what}: {place} has score {found}, expected {expected}"))
        );
        counter.advance();
    }
    Ok(record)
}

fn compared(score: Score, mode: Mode) -> Score {
    if mode == Mode::Weak { score.signum() } else { score }
}

fn line(record: &Record) -> String {
    let deviation = record.deviation().map(|per_cent| format!(", {} from published", signed(per_cent)));
    format!(
        "{} {} ({} entries) {} {}: {} positions, mean {}, {} nodes, {} K nodes/s{}",
        record.search,
        record.design,
        record.entries,
        record.suite,
        record.mode,
        record.positions,
        duration(record.mean_seconds()),
        rounded(record.mean_nodes()),
        record.speed().map_or("-".to_owned(), rounded),
        deviation.unwrap_or_default(),
    )
}

fn write(out: &Path, records: &mut [Record]) -> Result<()> {
    records.sort_by_cached_key(Record::order);
    output::write(&out.join("table-study.md"), &report::markdown(records))?;
    for quantity in Quantity::ALL {
        if let Some(picture) = report::draw(records, quantity) {
            output::write(&out.join(format!("table-study-{}.svg", quantity.name())), &picture)?;
        }
    }
    Ok(())
}

/// Merge the shards of a study.
///
/// Shards are the directories of runs with `--shard I/N` and otherwise equal arguments, on any machine. Nodes do not
/// depend on the machine, but times do.
#[derive(clap::Args)]
struct MergeArguments {
    /// Directories of the shards.
    #[arg(value_name = "DIR", required = true)]
    parts: Vec<PathBuf>,
    /// Directory for all results.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn merge(arguments: &MergeArguments) -> Result<()> {
    let files: Vec<_> = arguments.parts.iter().map(|directory| directory.join(RESULTS)).collect();
    let mut records: Vec<Record> = Shards::read("table-study", &files)?.rows()?;
    records.sort_by_cached_key(Record::order);
    let out = &arguments.out;
    check_directory(&out.join(RESULTS), &REPORTS)?;
    write_all(&out.join(RESULTS), "--out", &header(), &records)?;
    records.iter().try_for_each(|record| print(format_args!("{}", line(record))))?;
    write(out, &mut records)
}
