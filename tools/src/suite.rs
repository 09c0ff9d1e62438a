//! `plumb-lab suite`: solves files of positions, checks the scores and takes the time.

pub(crate) mod built_in;
mod csv_file;
pub(crate) mod engine;
pub(crate) mod positions;
mod statistics;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use plumb::score::Score;
use serde::Serialize;

use crate::output::{JsonFile, print};
use crate::progress::Counter;
use built_in::BuiltIn;
use csv_file::Csv;
use engine::{Engine, Protocol, Setup};
use positions::{Entry, read};
use statistics::{Figures, Other, Sample, Summary};

/// Solve files of positions, check the scores and take the time.
///
/// A line of a file is a list of column digits from the empty board and, if it is known, the score after it; blank
/// lines and those that begin with # are skipped. Every position is solved with an empty table unless `--warm` is given.
/// The times are those of the processor on one thread, and of day with more `--threads`; the last column has the other.
/// The exit code is 1 if a score differs from the one in the file, 2 if a file cannot be read.
///
/// With `--engine` another program solves them: any engine that speaks UCI (variant cfour) or UGI. Each position gets
/// `go depth` with the number of empty cells, the last info line before `bestmove` counts, and the times are those of
/// day from `go` to `bestmove`, so for Plumb itself they include its estimates and its line of play. `mate n` names
/// the stone on which the game ends and is compared with the score exactly, `cp 0` is a draw; of `cp n` and of
/// `lowerbound` and `upperbound` only the sign is compared, and the table tells how often. An engine that crashes, has
/// no answer within `--timeout`, or one that cannot be, ends the run with exit code 1.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files of lines `moves [score]`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Solve only the first positions of each file.
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
    /// An engine to solve them instead: a program and its arguments, quoted as in a shell; or, as in `match --engine`, `plumb`,
    /// `skill-N`, `depth-N`, or pairs such as `cmd=COMMAND,option.NAME=VALUE`.
    #[arg(long, value_name = "CMD", conflicts_with = "weak")]
    engine: Option<String>,
    /// What the engine speaks.
    #[arg(long, value_enum, default_value = "uci", requires = "engine")]
    protocol: Protocol,
    /// Seconds to wait for any answer of the engine.
    #[arg(long, value_name = "S", default_value_t = 600, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86400))]
    timeout: u64,
    /// Write a line of comma-separated values for each position.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Write the settings and the figures of the table as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// Who solves the positions.
pub(crate) trait Subject {
    /// Begins anew, with an empty table.
    fn forget(&mut self) -> Result<()>;

    /// Solves a position.
    fn solve(&mut self, entry: &Entry) -> Result<Solved>;
}

/// What is known of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Exact(Score),
    /// Only who wins: 1, 0 or -1.
    Sign(Score),
}

/// What became of one position.
pub(crate) struct Solved {
    pub answer: Answer,
    pub nodes: Option<u64>,
    /// Of the processor for the built-in solver on one thread, else of day.
    pub time: Duration,
    /// Processor time of all threads, where it is known.
    pub cpu: Option<Duration>,
    /// Time of day.
    pub wall: Duration,
    /// How full the table was then, in permille, where it is known.
    pub hash_full: Option<u32>,
}

/// What the JSON file holds.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    /// What the engine calls itself, if it is not the built-in solver.
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
    let (mut subject, engine) = subject(arguments)?;
    let mut csv = arguments.csv.as_deref().map(|path| Csv::create(path, engine.is_some())).transpose()?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;

    let mut rows = Vec::new();
    let mut all_right = true;
    for (file, entries) in &suites {
        let summary = solve_file(arguments, file, entries, subject.as_mut(), csv.as_mut())?;
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

/// Who is to solve the positions, with its name if it is an engine.
fn subject(arguments: &Arguments) -> Result<(Box<dyn Subject>, Option<String>)> {
    let Some(command) = &arguments.engine else {
        return Ok((Box::new(BuiltIn::new(arguments.hash, arguments.weak, arguments.threads)?), None));
    };
    let engine = Engine::start(&Setup {
        command,
        protocol: arguments.protocol,
        hash: arguments.hash,
        patience: Duration::from_secs(arguments.timeout),
    })?;
    let name = engine.name().to_owned();
    Ok((Box::new(engine), Some(name)))
}

/// Solves the positions of one file, beginning with an empty table, and prints mismatches.
fn solve_file(
    arguments: &Arguments,
    name: &str,
    entries: &[Entry],
    subject: &mut dyn Subject,
    mut csv: Option<&mut Csv<'_>>,
) -> Result<Summary> {
    let mut summary = Summary::default();
    let entries = &entries[..arguments.limit.map_or(entries.len(), |limit| limit.min(entries.len()))];
    let mut counter = Counter::new(name, entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let Entry { line, moves, .. } = entry;
        if index == 0 || !arguments.warm {
            subject.forget()?;
        }
        let solved = subject.solve(entry).with_context(|| format!("{name}:{line}: {moves}"))?;
        let (what, found, expected) = match solved.answer {
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
            time: solved.time,
            cpu: solved.cpu,
            wall: solved.wall,
            nodes: solved.nodes,
            by_sign: matches!(solved.answer, Answer::Sign(_)),
            mismatch: wrong.is_some(),
        });
        if let Some(csv) = csv.as_deref_mut() {
            csv.write(name, entry, expected, found, &solved)?;
        }
        counter.advance();
    }
    Ok(summary)
}

/// How a file is called in the output: by its last part, which is what tells suites apart.
fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}
