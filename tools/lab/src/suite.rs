//! `plumb-lab suite`: solves files of positions, checks the scores and measures the time.

pub(crate) mod report;
pub(crate) mod solver;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use plumb::board::{Board, Geometry};
use plumb::book::AnyBook;
use plumb_studies::scored_positions::{ScoredPosition, Suite};

use crate::arguments::{MergeArguments, PositionFlags, RunOrMerge};
use crate::engine::{EngineFlags, EngineStarter};
use crate::exit::End;
use crate::label::ColumnFlags;
use crate::label::comparison::{compare, is_table};
use crate::label::convention::Convention;
use crate::label::scorer::Scorer;
use crate::output::{OutputFile, check_overwrite};
use crate::progress::Counter;
use crate::result_files::{Header, ResultFile, Shard, Shards, take_lock, write_all};
use report::{Conditions, ResultRow};
use solver::{BuiltIn, Engine, MoveJudge, PositionSolver};

/// Solve files of positions, check the scores, and measure time and nodes.
///
/// A line of a file has a position, as 4455, "4 4 5 5", ddee, "d1 d2 e1 e2" or a FEN, and, if known, the score, after a
/// blank, or after a tab or `;` where the last number could be a move as well; of two numbers, as in "4 -1", the second is
/// the score. Blank lines and lines that begin with # are skipped. Each position is solved with an empty table, or with
/// `--warm` with the table of the one before. Times are processor time on one thread, and wall time with more `--threads`;
/// the last column has the other one. The exit code is 1 if a score differs from the one in the file, 2 if a file cannot be
/// read.
///
/// With `--engine` another program solves the positions: any engine that speaks UCI (variant cfour) or UGI. It gets
/// `go depth` with the number of empty cells; the last `info` line before `bestmove` counts, and times are wall time
/// from `go` to `bestmove`. `mate n` names the stone on which the game ends and is compared exactly, `cp 0` is a
/// draw; of `cp n`, `lowerbound` and `upperbound` only the sign is compared, and a column counts these. A bound that
/// leaves open who wins, such as `cp 0 lowerbound`, is no answer, and counts as a mismatch. An engine
/// that crashes, does not answer in time, or reports an impossible score ends the run with exit code 1. A size of
/// `--hash` must be one that the engine declares; if it then says that its table has another size, that is shown. A
/// `--board` other than 7x6 is set by the engine's option `Board`, or else by `UCI_Variant`, whose value is then the
/// variant's name in `plumb-lab variant-ini`.
///
/// If all files are CSV or JSON Lines (`.csv`, `.tsv`, `.jsonl`, any with `--as`), they have labels in columns or keys, as
/// `label` writes them or as other programs do. All that are there are compared with exact scores, those of the moves too;
/// the first ten different rows are printed, and how many there are.
///
/// With `--shard I/N` only a share of the positions is solved, a run of neighbours, and the same command resumes an
/// interrupted run; `suite merge` puts the files of all shards together.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten)]
    command: RunOrMerge<SolveArguments, MergeArguments>,
    #[command(flatten)]
    flags: EngineFlags,
    #[command(flatten)]
    columns: ColumnFlags,
    #[command(flatten)]
    positions: PositionFlags,
}

/// The arguments of a run.
#[derive(clap::Args)]
struct SolveArguments {
    /// Files of lines `position [score]`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The board of the positions: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// Compare the labels of files of this kind with exact scores, by their names. [default for .csv, .tsv, .jsonl: plumb]
    #[arg(long = "as", value_enum, value_name = "KIND",
          conflicts_with_all = ["limit", "weak", "warm", "engine", "csv", "json", "shard"])]
    convention: Option<Convention>,
    /// Write a line of comma-separated values for each position to this file.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Write settings and figures to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
    /// Overwrite the files of `--csv` and `--json`. A file of `--csv` with `--shard` is always resumed.
    #[arg(long)]
    force: bool,
    /// Solve only this share of the positions, as I/N, and resume it.
    #[arg(long, value_name = "I/N", requires = "csv", conflicts_with = "warm")]
    shard: Option<Shard>,
}

/// Solves the files, or merges shards, and prints mismatches, then a table with a row a file.
///
/// # Errors
/// If a file cannot be read or a line is malformed, which is found out before anything is solved, but in files of columns
/// when their turn comes; if there is no memory for the table; if the engine cannot be started or fails; or if the results
/// cannot be written; [`Differing`](End::Differing).
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.command.act(|run| solve(run, arguments), merge)
}

fn solve(arguments: &SolveArguments, general: &Arguments) -> Result<()> {
    let SolveArguments { board, shard, ref csv, .. } = *arguments;
    let Arguments { ref conditions, ref flags, positions, .. } = *general;
    let Conditions { weak, warm, threads, limit, .. } = *conditions;
    if arguments.convention.is_some() || arguments.files.iter().all(|file| is_table(file)) {
        return compare_all(arguments, general);
    }
    let ColumnFlags { column, delimiter } = &general.columns;
    ensure!(
        column.is_none() && delimiter.is_none(),
        "--column and --delimiter are for files of columns or keys, and not all of these are"
    );
    check_overwrite(&arguments.json, arguments.force)?;
    if shard.is_none() {
        check_overwrite(csv, arguments.force)?;
    }
    let lock = csv.as_ref().filter(|_| shard.is_some()).map(|csv| take_lock(csv, "--csv")).transpose()?;
    let mut suites = Suite::read_all(&positions.reader(board), &arguments.files, limit, Path::file_name)?;
    let total = suites.iter().map(|suite| suite.entries.len()).sum::<usize>() as u64;
    let range = shard.unwrap_or(Shard::WHOLE).range(total);
    if shard.is_some() {
        Suite::check_names(&suites, &arguments.files)?;
        cut(&mut suites, &range);
    }

    let engines =
        conditions.engine.as_ref().map(|_| EngineStarter::open(flags.log.as_deref())).transpose()?;
    let size = conditions.hash.unwrap_or(64);
    let opened = conditions.engine.as_deref().zip(engines.as_ref());
    let (mut solver, engine, hash): (Box<dyn PositionSolver>, _, _) = match opened {
        None => (Box::new(BuiltIn::new(board, size, weak, threads)?), None, Some(size)),
        Some((command, engines)) => {
            let (config, judge) = if conditions.moves {
                let config = flags.config_with_move_limit(command, board.size(), conditions.hash)?;
                (config, Some(MoveJudge::new(board, size)?))
            } else {
                (flags.config(command, board.size(), conditions.hash)?, None)
            };
            let session = engines.start(command, &config, &[("Hash", &size.to_string())], None)?;
            let hash = session.table_size;
            let engine = Engine::new(session, command, Duration::from_secs(flags.timeout.unwrap_or(600)))
                .judged_by(judge);
            let described = (engine.name.clone(), config.description().without("name"));
            (Box::new(engine), Some(described), hash)
        }
    };
    let (first_column, form) = (positions.first_column, positions.form());
    let (engine, engine_description) = engine.unzip();
    let settings = Conditions { engine, hash, engine_description, first_column, form, ..*conditions };
    let mut header = Header::new("suite").on_board(board).with_settings(&settings)?;
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
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let mut sections = Vec::new();
    for Suite { name, entries } in suites {
        let before: Vec<_> = known.by_ref().take(entries.len()).collect();
        let fits = before.iter().zip(&entries).all(|(row, entry)| row.is_of(&name, entry));
        ensure!(fits, "the file of `--csv` holds other positions than `{name}`: remove it to begin anew");
        let rows = solve_file(warm, &name, &entries, before, solver.as_mut(), file.as_mut())?;
        sections.push((name, rows));
    }
    drop(solver);
    engines.map_or(Ok(()), EngineStarter::close_log)?;
    report::report(&header, &sections, json)
}

/// Compares the labels of all files with exact scores.
fn compare_all(arguments: &SolveArguments, general: &Arguments) -> Result<()> {
    let SolveArguments { board, ref files, shard, .. } = *arguments;
    let Conditions { ref engine, hash, threads, weak, warm, limit, .. } = general.conditions;
    let is_other = limit.is_some() || weak || warm || shard.is_some() || engine.is_some();
    let is_written = arguments.csv.is_some() || arguments.json.is_some();
    ensure!(
        !is_other && !is_written,
        "files of columns or keys are compared whole, without --limit, --weak, --warm, --engine, --csv, --json and --shard"
    );
    let book = AnyBook::embedded();
    let mut scorer = Scorer::new(board, hash.unwrap_or(64), threads, book)?;
    let (reader, convention) = (general.positions.reader(board), arguments.convention.unwrap_or_default());
    let mut are_equal = true;
    for file in files {
        are_equal &= compare(file, reader, &general.columns, convention, &mut scorer)?;
    }
    ensure!(are_equal, End::Differing);
    Ok(())
}

/// Leaves only the positions that are in `share` of all, counted through all files.
fn cut(suites: &mut Vec<Suite<Board>>, share: &Range<u64>) {
    let mut numbers = 0..;
    for Suite { entries, .. } in suites.iter_mut() {
        entries.retain(|_| numbers.next().is_some_and(|number| share.contains(&number)));
    }
    suites.retain(|suite| !suite.entries.is_empty());
}

/// Solves the positions of one file that are not among the rows `before`, beginning with an empty table, and prints
/// mismatches.
fn solve_file(
    warm: bool,
    name: &str,
    entries: &[ScoredPosition<Board>],
    before: Vec<ResultRow>,
    solver: &mut dyn PositionSolver,
    mut file: Option<&mut ResultFile<ResultRow>>,
) -> Result<Vec<ResultRow>> {
    let mut rows = before;
    let done = rows.len();
    let mut counter = Counter::new(name, "position", done, entries.len());
    for (index, entry) in entries.iter().enumerate().skip(done) {
        let ScoredPosition { line, moves, .. } = entry;
        if index == done || !warm {
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
    Ok(rows)
}

/// Merges the shards.
///
/// # Errors
/// If they are not all shards of one run, one is not complete, or a file cannot be read or written.
fn merge(arguments: &MergeArguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let shards = Shards::read("suite", &arguments.parts)?;
    let (header, rows) = (shards.header(), shards.rows::<ResultRow>()?);
    write_all(&arguments.csv, "--csv", &header, &rows)?;
    // As beside the file of an undivided run, there is none.
    Header::remove(&arguments.csv)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    rows.iter().filter(|row| row.is_mismatch()).try_for_each(report::mismatch)?;
    let sections = rows.chunk_by(|row, next| row.file == next.file);
    let sections: Vec<_> = sections.map(|rows| (rows[0].file.clone(), rows.to_vec())).collect();
    report::report(&header, &sections, json)
}
