//! `plumb-lab suite`: solves files of positions, checks the scores and takes the time.

mod positions;
mod statistics;

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use plumb::score::Score;
use plumb::search::Solver;
use plumb::table::Table;
use serde::Serialize;

use crate::cpu_time;
use crate::output::{JsonFile, create, print};
use crate::progress::Counter;
use positions::{Entry, read};
use statistics::{Figures, Summary};

/// Solve files of positions, check the scores and take the time.
///
/// A line of a file is a list of column digits from the empty board and, if it is known, the score after it; blank
/// lines and those that begin with # are skipped. Every position is solved on one thread, with an empty table unless
/// `--warm` is given. The exit code is 1 if a score differs from the one in the file, 2 if a file cannot be read.
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
    /// Solve only win, draw or loss, and compare with the sign of the score.
    #[arg(long)]
    weak: bool,
    /// Keep the table from one position of a file to the next.
    #[arg(long)]
    warm: bool,
    /// Write a line of comma-separated values for each position.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Write the settings and the figures of the table as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
}

/// What became of one position.
struct Solved {
    score: Score,
    nodes: u64,
    time: Duration,
}

/// What the JSON file holds.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    hash: usize,
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
/// memory for the table; or if the results cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let suites: Vec<_> =
        arguments.files.iter().map(|file| Ok((name(file), read(file)?))).collect::<Result<_>>()?;
    let mut table = Table::new(arguments.hash, 1).context("the table cannot be had")?;
    let mut csv = arguments.csv.as_deref().map(Csv::create).transpose()?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;

    let mut rows = Vec::new();
    let mut all_right = true;
    for (file, entries) in &suites {
        let summary = solve_file(arguments, file, entries, &mut table, csv.as_mut())?;
        all_right &= summary.mismatches() == 0;
        rows.push(Row { file, figures: summary.figures() });
    }
    csv.map_or(Ok(()), Csv::finish)?;
    let Arguments { hash, weak, warm, limit, .. } = *arguments;
    if let Some(json) = json {
        json.write(&Document { version: env!("CARGO_PKG_VERSION"), hash, weak, warm, limit, files: &rows })?;
    }

    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("file".len());
    print(format_args!("{:<width$} {}", "file", Figures::HEADINGS))?;
    for Row { file, figures } in &rows {
        print(format_args!("{file:<width$} {figures}"))?;
    }
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Solves the positions of one file, beginning with an empty table, and prints mismatches.
fn solve_file(
    arguments: &Arguments,
    name: &str,
    entries: &[Entry],
    table: &mut Table,
    mut csv: Option<&mut Csv<'_>>,
) -> Result<Summary> {
    let mut summary = Summary::default();
    let entries = &entries[..arguments.limit.map_or(entries.len(), |limit| limit.min(entries.len()))];
    let mut counter = Counter::new(name, entries.len());
    for (index, entry) in entries.iter().enumerate() {
        if index == 0 || !arguments.warm {
            table.clear(1);
        }
        let solved = solve(table, entry, arguments.weak)?;
        let expected = entry.score.map(|score| if arguments.weak { score.signum() } else { score });
        let wrong = expected.filter(|&score| score != solved.score);
        if let Some(expected) = wrong {
            let what = if arguments.weak { "result" } else { "score" };
            let Solved { score, .. } = solved;
            let Entry { line, moves, .. } = entry;
            counter.aside(|| {
                print(format_args!("{name}:{line}: {moves} has {what} {score}, expected {expected}"))
            })?;
        }
        summary.add(solved.time, solved.nodes, wrong.is_some());
        if let Some(csv) = csv.as_deref_mut() {
            csv.write(name, entry, expected, &solved)?;
        }
        counter.advance();
    }
    Ok(summary)
}

/// How a file is called in the output: by its last part, which is what tells suites apart.
fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// Solves one position, or only the sign of its score if `weak`; nothing but the search itself is timed.
fn solve(table: &Table, entry: &Entry, weak: bool) -> Result<Solved> {
    let mut solver = Solver::new(table);
    let start = cpu_time::now();
    let position = &entry.position;
    let score = if weak { solver.try_outcome(position) } else { solver.try_score(position) };
    let time = cpu_time::now().saturating_sub(start);
    Ok(Solved { score: score.context("the solver was told to stop")?, nodes: solver.nodes(), time })
}

/// The positions one by one, for other programs.
struct Csv<'a> {
    path: &'a Path,
    writer: csv::Writer<BufWriter<File>>,
}

impl<'a> Csv<'a> {
    fn create(path: &'a Path) -> Result<Self> {
        // The heading is there even if no position follows, so it does not come from the first of them.
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(create(path)?);
        let mut csv = Self { path, writer };
        csv.row(("file", "line", "moves", "expected", "score", "nodes", "nanoseconds"))?;
        Ok(csv)
    }

    fn write(&mut self, name: &str, entry: &Entry, expected: Option<Score>, solved: &Solved) -> Result<()> {
        let Solved { score, nodes, time } = solved;
        self.row((name, entry.line, &entry.moves, expected, score, nodes, time.as_nanos()))
    }

    fn row(&mut self, row: impl Serialize) -> Result<()> {
        self.writer.serialize(row).with_context(|| format!("cannot write to `{}`", self.path.display()))
    }

    fn finish(mut self) -> Result<()> {
        self.writer.flush().with_context(|| format!("cannot write to `{}`", self.path.display()))
    }
}
