//! `plumb-lab suite`: solves files of positions, checks the scores and measures the time.

pub(crate) mod report;
pub(crate) mod solver;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Geometry};
use plumb::book::Book;

use crate::arguments::{MergeArguments, PositionFlags, RunOrMerge};
use crate::engine::{EngineFlags, EngineStarter, open_starter};
use crate::exit::End;
use crate::label::comparison::{compare, is_table};
use crate::label::convention::Convention;
use crate::label::scorer::Scorer;
use crate::output::{OutputFile, check_overwrite};
use crate::progress::{Counter, say};
use crate::result_files::{Header, ResultFile, Shard, Shards, take_lock, write_all};
use crate::rows::input::ColumnFlags;
use crate::scored_positions::{ScoredPosition, Suite};
use report::{Conditions, ResultRow, Section};
use solver::{BuiltIn, Engine, MoveJudge, PositionSolver};

const EXAMPLES: &str = "\
Examples:
  plumb-lab suite end-easy.txt begin-hard.txt
  plumb-lab suite begin-hard.txt --hash 1,4,16,64
  plumb-lab suite middle.txt --engine ./my-engine --csv times.csv";

/// Solve files of positions: check scores, measure time and nodes.
///
/// Each line of a file has a position and, if known, its score: `4455 18`, `dd 3`, or a FEN. If the moves are numbers with
/// blanks, put a tab or `;` before the score: `4 4; 3`. Blank lines and lines that start with `#` are skipped. Each position
/// starts with an empty table, unless you use `--warm`. Times are processor time on one thread, and wall time on several
/// threads or with `--engine`. The last column has the other clock. The exit code is 1 if a score is wrong, 2 if a file
/// cannot be read.
///
/// With several sizes of `--hash`, every file is solved once per size. The table then shows nodes and time by size. Its
/// ratios are relative to the first size.
///
/// With `--engine`, another program solves the positions: any engine that speaks UCI (variant cfour) or UGI. The engine gets
/// `go depth N`, where N is the number of empty cells. The last `info` line before `bestmove` counts. `mate N` is compared
/// exactly. `cp N`, `lowerbound` and `upperbound` are compared by sign, and a column counts these positions. An engine that
/// crashes, hangs or reports an impossible score ends the run with exit code 1.
///
/// Files of columns or keys (`.csv`, `.tsv`, `.jsonl`) contain labels, as `label` writes them. If all files have such names,
/// `suite` compares every label with the exact score and prints the first ten differences of each file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArguments {
    /// Files with a position and a score on each line.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Table sizes in MB, separated by commas. [default: 64]
    #[arg(long, value_name = "MB,MB…", value_delimiter = ',', help_heading = "Solver", value_parser = crate::arguments::megabytes)]
    hash: Vec<usize>,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    engine: EngineFlags,
    #[command(flatten)]
    positions: PositionFlags,
    #[command(flatten)]
    columns: ColumnFlags,
    /// Board of the positions: columns by rows.
    #[arg(long, value_name = "WxH", default_value = "7x6", help_heading = "Positions")]
    board: Board,
    /// Names and values of the labels to compare. [default: plumb]
    #[arg(long = "as", value_enum, value_name = "KIND", help_heading = "Positions",
          conflicts_with_all = ["limit", "weak", "warm", "engine", "csv", "json", "shard"])]
    convention: Option<Convention>,
    /// Write one row per position to this file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    csv: Option<PathBuf>,
    /// Write settings and results to this file.
    ///
    /// With several sizes of `--hash` the file is a list with one object per size.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Overwrite existing files.
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Solve part I of N, or resume it.
    ///
    /// Start the command once for each I, on any machine, each with its own `--csv`. The same command resumes an interrupted
    /// run. `suite merge` joins the files.
    #[arg(long, value_name = "I/N", requires = "csv", conflicts_with = "warm", help_heading = "Output")]
    shard: Option<Shard>,
}

pub(crate) type Arguments = RunOrMerge<SolveArguments, MergeArguments>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.act(solve, merge)
}

/// Seconds that an engine has for a search, unless `--timeout` is given.
const SEARCH_TIMEOUT: u64 = 600;

/// Table size in MB, unless `--hash` is given.
const DEFAULT_HASH: usize = 64;

fn solve(arguments: &SolveArguments) -> Result<()> {
    let SolveArguments { board, shard, ref csv, ref json, force, .. } = *arguments;
    let Conditions { limit, moves, ref engine, .. } = arguments.conditions;
    ensure!(!moves || engine.is_some(), "`--moves` needs `--engine`: it judges the moves of that engine");
    if arguments.convention.is_some() || arguments.files.iter().all(|file| is_table(file)) {
        return compare_all(arguments);
    }
    let ColumnFlags { column, delimiter } = &arguments.columns;
    ensure!(
        column.is_none() && delimiter.is_none(),
        "--column and --delimiter are for files of columns or keys, and not all of these are"
    );
    let has_several_sizes = arguments.hash.len() > 1;
    ensure!(
        !has_several_sizes || csv.is_none() && !moves,
        "--csv and --moves: expected one size of `--hash`"
    );
    check_overwrite(json, force)?;
    if shard.is_none() {
        check_overwrite(csv, force)?;
    }
    let lock = match (csv, shard) {
        (Some(csv), Some(_)) => Some(take_lock(csv, "--csv")?),
        _ => None,
    };
    let mut suites =
        Suite::read_all(&arguments.positions.reader(board), &arguments.files, limit, Path::file_name)?;
    let total = suites.iter().map(|suite| suite.entries.len()).sum::<usize>() as u64;
    let range = shard.unwrap_or(Shard::WHOLE).range(total);
    if shard.is_some() {
        Suite::check_names(&suites, &arguments.files)?;
        keep_range(&mut suites, &range);
    }
    if !moves && suites.iter().flat_map(|suite| &suite.entries).all(|entry| entry.score.is_none()) {
        say(format_args!("there are no scores to compare: the positions are only solved"));
    }
    let engines = match engine {
        Some(_) => Some(open_starter(arguments.engine.log.as_deref())?),
        None => None,
    };
    if has_several_sizes {
        return solve_sizes(arguments, &suites, engines);
    }
    let (mut solver, mut header) = start(arguments, arguments.hash.first().copied(), engines.as_ref())?;
    let (mut file, known) = match (csv, shard.zip(lock)) {
        (None, _) => (None, Vec::<ResultRow>::new()),
        (Some(path), None) => (Some(ResultFile::create(path, "--csv")?), Vec::new()),
        (Some(path), Some((shard, lock))) => {
            let results = (range.end - range.start) as usize;
            header = header.with_inputs(&arguments.files)?.of_shard(shard, results);
            let (file, rows) = ResultFile::open(path, "--csv", &header, lock)?;
            (Some(file), rows)
        }
    };
    let mut known = known.into_iter();
    let json = json.as_deref().map(OutputFile::create).transpose()?;
    let mut sections = Vec::new();
    for suite in &suites {
        let Suite { name, entries } = suite;
        let before: Vec<_> = known.by_ref().take(entries.len()).collect();
        let fits = before.iter().zip(entries).all(|(row, entry)| row.is_of(name, entry));
        ensure!(
            fits,
            "the file of `--csv` has other positions than `{name}`; remove it or give another `--csv`"
        );
        sections.push(solve_file(arguments, name, suite, before, solver.as_mut(), file.as_mut())?);
    }
    drop(solver);
    if let Some(engines) = engines {
        engines.close_log()?;
    }
    report::report(&header, &sections, json)
}

fn solve_sizes(
    arguments: &SolveArguments,
    suites: &[Suite<Board>],
    engines: Option<EngineStarter>,
) -> Result<()> {
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let mut runs = Vec::new();
    for &size in &arguments.hash {
        let (mut solver, header) = start(arguments, Some(size), engines.as_ref())?;
        let mut sections = Vec::new();
        for suite in suites {
            let title = format!("{size} MB, {}", suite.name);
            sections.push(solve_file(arguments, &title, suite, Vec::new(), solver.as_mut(), None)?);
        }
        runs.push((size, header, sections));
    }
    if let Some(engines) = engines {
        engines.close_log()?;
    }
    report::report_sizes(&runs, json)
}

/// Starts the solver with a table of `hash` MB; returns the header of its results.
fn start(
    arguments: &SolveArguments,
    hash: Option<usize>,
    engines: Option<&EngineStarter>,
) -> Result<(Box<dyn PositionSolver>, Header)> {
    let SolveArguments { board, positions, engine: ref flags, ref conditions, .. } = *arguments;
    let size = hash.unwrap_or(DEFAULT_HASH);
    let (first_column, form) = (positions.first_column, positions.form());
    let mut settings = Conditions {
        first_column,
        form,
        hash: Some(size),
        engine: None,
        engine_description: None,
        ..*conditions
    };
    let solver: Box<dyn PositionSolver> = match (&conditions.engine, engines) {
        (Some(command), Some(engines)) => {
            let (config, judge) = if conditions.moves {
                let config = flags.config_with_move_limit(command, board.size(), hash)?;
                (config, Some(MoveJudge::new(board, size)?))
            } else {
                (flags.config(command, board.size(), hash)?, None)
            };
            let session = engines.start(command, &config, &[("Hash", &size.to_string())], None)?;
            settings.hash = session.table_size;
            let timeout = Duration::from_secs(flags.timeout.unwrap_or(SEARCH_TIMEOUT));
            let engine = Engine::new(session, command, timeout, judge);
            settings.engine = Some(engine.name.clone());
            settings.engine_description = Some(config.description().without("name"));
            Box::new(engine)
        }
        _ => Box::new(BuiltIn::new(board, size, conditions.weak, conditions.threads)?),
    };
    Ok((solver, Header::new("suite").on_board(board).with_settings(&settings)?))
}

fn compare_all(arguments: &SolveArguments) -> Result<()> {
    let SolveArguments { board, ref files, shard, ref hash, .. } = *arguments;
    let Conditions { ref engine, threads, weak, warm, limit, .. } = arguments.conditions;
    let is_other = limit.is_some() || weak || warm || shard.is_some() || engine.is_some() || hash.len() > 1;
    let is_written = arguments.csv.is_some() || arguments.json.is_some();
    ensure!(
        !is_other && !is_written,
        "files of columns or keys are compared whole, without --limit, --weak, --warm, --engine, --csv, --json and --shard, and with one --hash"
    );
    let hash = hash.first().copied().unwrap_or(DEFAULT_HASH);
    let mut scorer = Scorer::new(board, hash, threads, Book::embedded())?;
    let (reader, convention) = (arguments.positions.reader(board), arguments.convention.unwrap_or_default());
    let mut are_equal = true;
    for file in files {
        are_equal &= compare(file, reader, &arguments.columns, convention, &mut scorer)?;
    }
    ensure!(are_equal, End::Differing);
    Ok(())
}

/// Keeps only the positions of a shard: `range` counts the positions of all files.
fn keep_range(suites: &mut Vec<Suite<Board>>, range: &Range<u64>) {
    let mut number = 0;
    for Suite { entries, .. } in suites.iter_mut() {
        entries.retain(|_| {
            number += 1;
            range.contains(&(number - 1))
        });
    }
    suites.retain(|suite| !suite.entries.is_empty());
}

/// Solves the positions of a file that are not among the rows `before`, and prints mismatches.
fn solve_file(
    arguments: &SolveArguments,
    title: &str,
    suite: &Suite<Board>,
    before: Vec<ResultRow>,
    solver: &mut dyn PositionSolver,
    mut file: Option<&mut ResultFile<ResultRow>>,
) -> Result<Section> {
    let Suite { name, entries } = suite;
    let mut rows = before;
    let done = rows.len();
    let mut counter = Counter::new(title, "position", done, entries.len());
    for (index, entry) in entries.iter().enumerate().skip(done) {
        let ScoredPosition { line, moves, .. } = entry;
        if index == done || !arguments.conditions.warm {
            solver.forget()?;
        }
        let result = solver.solve(entry).with_context(|| format!("{name}:{line}: {moves}"))?;
        let found = ResultRow::new(name, entry, &result);
        if found.is_mismatch() {
            counter.with_bar_hidden(|| report::mismatch(&found))?;
        }
        if let Some(file) = file.as_deref_mut() {
            file.append(&found)?;
        }
        rows.push(found);
        counter.advance();
    }
    Ok((name.clone(), rows))
}

fn merge(arguments: &MergeArguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let shards = Shards::read("suite", &arguments.parts)?;
    let (header, rows) = (shards.header(), shards.rows::<ResultRow>()?);
    write_all(&arguments.csv, "--csv", &header, &rows)?;
    // Runs without shards have no header file, so the merged file has none.
    Header::remove(&arguments.csv)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    for row in &rows {
        if row.is_mismatch() {
            report::mismatch(row)?;
        }
    }
    let sections = rows.chunk_by(|row, next| row.file == next.file);
    let sections: Vec<_> = sections.map(|rows| (rows[0].file.clone(), rows.to_vec())).collect();
    report::report(&header, &sections, json)
}
