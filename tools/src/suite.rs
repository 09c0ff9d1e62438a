//! `plumb-lab suite`: solves files of positions, checks the scores and takes the time.

mod positions;
mod statistics;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use plumb::search::Solver;
use plumb::table::Table;

use crate::cpu_time;
use crate::output::print;
use positions::{Entry, read};
use statistics::Summary;

/// Solve files of positions, check the scores and take the time.
///
/// A line of a file is a list of column digits from the empty board and, if it is known, the score after it; blank
/// lines and those that begin with # are skipped. Every position is solved on one thread with an empty table. The exit
/// code is 1 if a score differs from the one in the file, 2 if a file cannot be read.
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
    /// Write a line of comma-separated values for each position.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
}

/// What became of one position.
struct Solved {
    score: i32,
    nodes: u64,
    time: Duration,
}

/// Solves the files and prints mismatches, then a table with a row a file.
///
/// # Errors
/// If a file cannot be read or a line is malformed, which is found out before anything is solved; or if there is no
/// memory for the table.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let suites: Vec<_> =
        arguments.files.iter().map(|file| Ok((name(file), read(file)?))).collect::<Result<_>>()?;
    let mut csv = arguments.csv.as_deref().map(Csv::create).transpose()?;
    let mut table = Table::new(arguments.hash, 1).context("the table cannot be had")?;

    let mut rows = Vec::new();
    for (name, entries) in &suites {
        let mut summary = Summary::default();
        for entry in entries.iter().take(arguments.limit.unwrap_or(usize::MAX)) {
            let solved = solve(&mut table, entry);
            let wrong = entry.score.filter(|&score| score != solved.score);
            if let Some(expected) = wrong {
                let Solved { score, .. } = solved;
                let (line, moves) = (entry.line, &entry.moves);
                print(format_args!("{name}:{line}: {moves} has score {score}, expected {expected}"))?;
            }
            summary.add(solved.time, solved.nodes, wrong.is_some());
            if let Some(csv) = &mut csv {
                csv.write(name, entry, &solved)?;
            }
        }
        rows.push((name.as_str(), summary));
    }
    csv.map_or(Ok(()), Csv::finish)?;

    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("file".len());
    print(format_args!("{:<width$} {}", "file", Summary::HEADINGS))?;
    for (name, summary) in &rows {
        print(format_args!("{name:<width$} {summary}"))?;
    }
    let all_right = rows.iter().all(|(_, summary)| summary.mismatches() == 0);
    Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How a file is called in the output: by its last part, which is what tells suites apart.
fn name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

/// Solves one position with an empty table; only the search itself is timed.
fn solve(table: &mut Table, entry: &Entry) -> Solved {
    table.clear(1);
    let mut solver = Solver::new(table);
    let start = cpu_time::now();
    let score = solver.score(&entry.position);
    let time = cpu_time::now().saturating_sub(start);
    Solved { score, nodes: solver.nodes(), time }
}

/// The positions one by one, for other programs.
struct Csv<'a> {
    path: &'a Path,
    file: BufWriter<File>,
}

impl<'a> Csv<'a> {
    fn create(path: &'a Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot create `{}`", path.display()))?;
        let mut csv = Self { path, file: BufWriter::new(file) };
        csv.line("file,line,moves,expected,score,nodes,nanoseconds")?;
        Ok(csv)
    }

    fn write(&mut self, name: &str, entry: &Entry, solved: &Solved) -> Result<()> {
        let Entry { line, moves, score, .. } = entry;
        let expected = score.map_or(String::new(), |score| score.to_string());
        let Solved { score, nodes, time } = solved;
        let name = quoted(name);
        self.line(&format!("{name},{line},{moves},{expected},{score},{nodes},{}", time.as_nanos()))
    }

    fn line(&mut self, line: &str) -> Result<()> {
        writeln!(self.file, "{line}").with_context(|| format!("cannot write to `{}`", self.path.display()))
    }

    fn finish(mut self) -> Result<()> {
        self.file.flush().with_context(|| format!("cannot write to `{}`", self.path.display()))
    }
}

/// A field as RFC 4180 has it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_only_if_need_be() {
        assert_eq!(quoted("easy.txt"), "easy.txt");
        assert_eq!(quoted("easy, \"too\".txt"), "\"easy, \"\"too\"\".txt\"");
    }
}
