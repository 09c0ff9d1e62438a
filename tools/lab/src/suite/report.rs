//! The results of files of positions: a table with a row a file, and a JSON document.

use std::process::ExitCode;

use anyhow::Result;
use plumb::board::BoardSize;
use serde::{Deserialize, Serialize};

use super::result_row::ResultRow;
use super::statistics::{Figures, Other, Sample};
use crate::output::{JsonFile, print};
use crate::results::Header;

/// Who solved, and what.
#[derive(Serialize, Deserialize)]
pub(super) struct Setup {
    /// The engine's own name; `None` for the built-in solver.
    pub engine: Option<String>,
    /// Table size in MB; `None` if an engine has no table of the size asked for.
    pub hash: Option<usize>,
    pub threads: usize,
    pub weak: bool,
    pub warm: bool,
    pub limit: Option<usize>,
    /// The number of the leftmost column in the files, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_column: Option<u32>,
    /// The form of the positions, if it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    /// The board; none for 7x6.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a str>,
    engine: Option<&'a str>,
    hash: Option<usize>,
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

/// Prints that a score is not as expected.
///
/// # Errors
/// If nobody takes it.
pub(super) fn mismatch(line: &ResultRow) -> Result<()> {
    let ResultRow { file, line: number, moves, expected, score, .. } = line;
    let what = if line.is_by_sign() { "result" } else { "score" };
    let expected = expected.unwrap_or_default();
    print(format_args!("{file}:{number}: {moves} has {what} {score}, expected {expected}"))
}

/// The results of a file.
pub(super) struct Section {
    pub file: String,
    pub rows: Vec<ResultRow>,
}

/// Prints the table of these files and writes the JSON document; fails if a score is not as expected.
///
/// # Errors
/// If nobody takes them.
pub(super) fn report(header: &Header, sections: &[Section], json: Option<JsonFile>) -> Result<ExitCode> {
    let Setup { engine, hash, threads, weak, warm, limit, .. } = header.settings()?;
    let standard = BoardSize::STANDARD.to_string();
    let board = header.board.as_deref().filter(|&board| board != standard);
    let figures = |rows: &[ResultRow]| Figures::of(&rows.iter().map(Sample::from).collect::<Vec<_>>());
    let rows: Vec<_> =
        sections.iter().map(|section| Row { file: &section.file, figures: figures(&section.rows) }).collect();
    if let Some(json) = json {
        let (engine, version) = (engine.as_deref(), env!("CARGO_PKG_VERSION"));
        json.write(&Document { version, board, engine, hash, threads, weak, warm, limit, files: &rows })?;
    }
    let width = rows.iter().map(|row| row.file.chars().count()).max().unwrap_or(0).max("file".len());
    let other = if engine.is_some() || threads > 1 { Other::Cpu } else { Other::Wall };
    let more = if engine.is_some() { Figures::ENGINE_HEADING } else { "" };
    print(format_args!("{:<width$} {}{}{more}", "file", Figures::HEADINGS, other.heading()))?;
    for Row { file, figures } in &rows {
        let more = engine.as_ref().map(|_| figures.of_engine()).unwrap_or_default();
        print(format_args!("{file:<width$} {figures}{}{more}", figures.other(other)))?;
    }
    let mut lines = sections.iter().flat_map(|section| &section.rows);
    Ok(if lines.any(ResultRow::is_mismatch) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
