//! `plumb-lab suite`: solves files of positions, checks the scores and measures the time.

pub(crate) mod built_in;
mod csv_file;
pub(crate) mod engine;
pub(crate) mod position_solver;
mod statistics;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use plumb::score::Score;
use plumb_studies::scored_positions::{ScoredPosition, read};
use serde::Serialize;

use crate::output::{JsonFile, print};
use crate::progress::Counter;
use built_in::BuiltIn;
use csv_file::Csv;
use engine::{Engine, Protocol, Setup};
use position_solver::{Answer, PositionSolver};
use statistics::{Figures, Other, Sample, Summary};

/// Solve files of positions, check the scores, and measure time and nodes.
///
/// A line of a file has moves as column digits from the empty board and, if known, the score; blank lines and lines
/// that begin with # are skipped. Each position is solved with an empty table, or with `--warm` with the table of the
/// one before. Times are processor time on one thread, and wall time with more `--threads`; the last column has the
/// other one. The exit code is 1 if a score differs from the one in the file, 2 if a file cannot be read.
///
/// With `--engine` another program solves the positions: any engine that speaks UCI (variant cfour) or UGI. It gets
/// `go depth` with the number of empty cells; the last `info` line before `bestmove` counts, and times are wall time
/// from `go` to `bestmove`. `mate n` names the stone on which the game ends and is compared exactly, `cp 0` is a
/// draw; of `cp n`, `lowerbound` and `upperbound` only the sign is compared, and a column counts these. An engine
/// that crashes, does not answer within `--timeout`, or reports an impossible score ends the run with exit code 1.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of lines `moves [score]`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Solve only the first N positions of each file.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Threads of the built-in solver.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with = "engine")]
    threads: NonZeroUsize,
    /// Solve only win, draw or loss, and compare with the sign of the score.
    #[arg(long)]
    weak: bool,
    /// Keep the table from one position of a file to the next.
    #[arg(long)]
    warm: bool,
    /// Solve with this engine: a program and its arguments, quoted as in a shell; or, as in `match --engine`,
    /// `plumb`, `skill-N`, `depth-N`, or pairs such as `cmd=COMMAND,option.NAME=VALUE`.
    #[arg(long, value_name = "CMD", conflicts_with = "weak")]
    engine: Option<String>,
    /// Protocol of the engine.
    #[arg(long, value_enum, default_value = "uci", requires = "engine")]
    protocol: Protocol,
    /// Seconds for any answer of the engine.
    #[arg(long, value_name = "S", default_value_t = 600, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: u64,
    /// Write a line of comma-separated values for each position to this file.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Write settings and figures to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    /// The engine's own name; `None` for the built-in solver.
    engine: Option<&'a str>,
    hash: usize,
    threads: usize,
    weak: bool,
    warm: bool,
    limit: Option<usize>,
    files: &'a [Row<'a>],
}

/// The figures of one file.
#[derive(Serialize)]
struct Row<'a> {
    file: &'a str,
    #[serde(flatten)]
    figures: Figures,
}

/// Solves the files and prints mismatches, then a table with a row a file.
///
/// # Errors
/// If a file cannot be read or a line is malformed, which is found out before anything is solved; if there is no
/// memory for the table; if the engine cannot be started or fails; or if the results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let suites: Vec<_> =
        arguments.files.iter().map(|file| Ok((name(file), read(file)?))).collect::<Result<_>>()?;
    let (mut solver, engine) = solver(arguments)?;
    let mut csv = arguments.csv.as_deref().map(|path| Csv::create(path, engine.is_some())).transpose()?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;

    let mut rows = Vec::new();
    let mut all_right = true;
    for (file, entries) in &suites {
        let summary = solve_file(arguments, file, entries, solver.as_mut(), csv.as_mut())?;
        all_right &= summary.mismatches() == 0;
        rows.push(Row { file, figures: summary.figures() });
    }
    let Arguments { hash, weak, warm, limit, .. } = *arguments;
    let threads = arguments.threads.get();
    if let Some(json) = json {
        let engine = engine.as_deref();
        let version = env!("CARGO_PKG_VERSION");
        json.write(&Document { version, engine, hash, threads, weak, warm, limit, files: &rows })?;
    }

    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("file".len());
    let other = if engine.is_some() || threads > 1 { Other::Cpu } else { Other::Wall };
    let more = if engine.is_some() { Figures::ENGINE_HEADING } else { "" };
    print(format_args!("{:<width$} {}{}{more}", "file", Figures::HEADINGS, other.heading()))?;
    for Row { file, figures } in &rows {
        let more = engine.as_ref().map(|_| figures.of_engine()).unwrap_or_default();
        print(format_args!("{file:<width$} {figures}{}{more}", figures.other(other)))?;
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The solver, with its name if it is an engine.
fn solver(arguments: &Arguments) -> Result<(Box<dyn PositionSolver>, Option<String>)> {
    let Some(command) = &arguments.engine else {
        return Ok((Box::new(BuiltIn::new(arguments.hash, arguments.weak, arguments.threads)?), None));
    };
    let engine = Engine::start(&Setup {
        command,
        protocol: arguments.protocol,
        hash: arguments.hash,
        timeout: Duration::from_secs(arguments.timeout),
    })?;
    let name = engine.name().to_owned();
    Ok((Box::new(engine), Some(name)))
}

/// Solves the positions of one file, beginning with an empty table, and prints mismatches.
fn solve_file(
    arguments: &Arguments,
    name: &str,
    entries: &[ScoredPosition],
    solver: &mut dyn PositionSolver,
    mut csv: Option<&mut Csv<'_>>,
) -> Result<Summary> {
    let mut summary = Summary::default();
    let entries = &entries[..arguments.limit.map_or(entries.len(), |limit| limit.min(entries.len()))];
    let mut counter = Counter::new(name, entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let ScoredPosition { line, moves, .. } = entry;
        if index == 0 || !arguments.warm {
            solver.forget()?;
        }
        let result = solver.solve(entry).with_context(|| format!("{name}:{line}: {moves}"))?;
        let (what, found, expected) = match result.answer {
            Answer::Exact(score) => ("score", score, entry.score),
            Answer::Sign(sign) => ("result", sign, entry.score.map(Score::signum)),
        };
        let wrong = expected.filter(|&expected| expected != found);
        if let Some(expected) = wrong {
            counter.aside(|| {
                print(format_args!("{name}:{line}: {moves} has {what} {found}, expected {expected}"))
            })?;
        }
        summary.add(Sample {
            time: result.time,
            cpu: result.cpu,
            wall: result.wall,
            nodes: result.nodes,
            by_sign: matches!(result.answer, Answer::Sign(_)),
            mismatch: wrong.is_some(),
        });
        if let Some(csv) = csv.as_deref_mut() {
            csv.write(name, entry, expected, found, &result)?;
        }
        counter.advance();
    }
    Ok(summary)
}

/// The name of a file in the output: its last component.
fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}
