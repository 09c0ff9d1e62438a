//! Formats of files of positions: what separates the fields of CSV, and the column or key of the positions.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use plumb::board::{Board, Form, Geometry, PositionReader};
use serde::Serialize;

use super::row::cut;

/// The names of a column or key that has the positions, unless `--column` names it. The first is taken before the others.
const NAMES: [&str; 5] = ["position", "moves", "pos", "fen", "board"];

/// The format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputFormat {
    pub format: Format,
    /// What stands between two fields of CSV.
    pub delimiter: u8,
}

impl InputFormat {
    /// The format of the file at `path`, by what is given and else by its extension.
    ///
    /// # Errors
    /// If its format is not known; if a delimiter is given, and it has none.
    pub(super) fn new(path: &Path, format: Option<Format>, delimiter: Option<u8>) -> Result<Self> {
        let is_tsv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"));
        let by_name = Format::of(path).or(is_tsv.then_some(Format::Csv));
        let Some(format) = format.or(by_name) else {
            bail!(
                "`{}` ends neither in .csv, .tsv, .jsonl nor .txt: `--format` names its format",
                path.display()
            );
        };
        ensure!(
            format == Format::Csv || delimiter.is_none(),
            "--delimiter is for CSV, and `{}` is {format}",
            path.display()
        );
        let usual = if is_tsv { b'\t' } else { b',' };
        Ok(Self { format, delimiter: delimiter.unwrap_or(usual) })
    }
}

/// The delimiter of this name.
///
/// # Errors
/// What was expected.
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte == b'\t' || byte.is_ascii_punctuation() && byte != b'"' => Ok(byte),
        _ => Err("expected a punctuation mark such as `;`, or `tab`".to_owned()),
    }
}

/// The columns of CSV with the cells of a board, `a1` to `g6` on 7x6, row by row from the top; `None` if not all are there.
pub(super) fn cell_columns(columns: &[String], board: Board) -> Option<Vec<usize>> {
    let cell = |(row, column): (u32, u32)| {
        let name = cell_name(column, row);
        columns.iter().position(|known| known.eq_ignore_ascii_case(&name))
    };
    let rows = (0..board.height()).rev();
    rows.flat_map(|row| (0..board.width()).map(move |column| (row, column))).map(cell).collect()
}

/// Names for the columns of a file without a header whose rows begin with the cells of a board, as in `cells`; `None` if
/// those are no position. A single other column is called `class`, as in the set of the UCI repository; several get numbers.
pub(super) fn cell_names(cells: &[&str], reader: &PositionReader<Board>) -> Option<Vec<String>> {
    let (width, height) = (reader.geometry.width(), reader.geometry.height());
    let board = cells.get(..(width * height) as usize)?;
    let read = |form| PositionReader { form, ..*reader }.read(&board.join(" "));
    let by_columns = reader.is_by_columns(board);
    read(if by_columns { Form::Columns } else { Form::Rows }).ok()?;
    let name = |index: usize| match index as u32 {
        index if index >= width * height && cells.len() == board.len() + 1 => "class".to_owned(),
        index if index >= width * height => format!("column{}", index + 1),
        index if by_columns => cell_name(index / height, index % height),
        index => cell_name(index % width, height - 1 - index / width),
    };
    Some((0..cells.len()).map(name).collect())
}

/// The name of a cell, such as `d1`.
fn cell_name(column: u32, row: u32) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// The place of the column or key with the positions among `columns`, of which there is one at least; `given` names it.
///
/// # Errors
/// That there is none, or more than one that could be meant, with what there is.
pub(super) fn position_column(columns: &[String], given: Option<&str>) -> Result<usize, String> {
    let list =
        |names: &[&str]| names.iter().map(|name| format!("`{}`", cut(name))).collect::<Vec<_>>().join(", ");
    let all: Vec<_> = columns.iter().map(String::as_str).collect();
    let place = |name: &str| all.iter().position(|column| *column == name);
    if let Some(name) = given {
        return place(name).ok_or_else(|| format!("--column: there is no `{name}` among {}", list(&all)));
    }
    if all.len() == 1 {
        return Ok(0);
    }
    let found: Vec<_> = NAMES.into_iter().filter(|name| place(name).is_some()).collect();
    let way = "`--column NAME` names the one with";
    match found[..] {
        [name] | [name @ "position", ..] => Ok(place(name).unwrap_or_default()),
        [] => Err(format!("none of {} is {}: {way} the positions", list(&all), list(&NAMES))),
        _ => Err(format!("{} may all be positions: {way} them", list(&found))),
    }
}

/// A format of a file of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// JSON Lines: an object on each line.
    Jsonl,
    /// Plain text: a position on each line.
    Text,
}

impl Format {
    /// The format that the extension of a file name stands for.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" | "data" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }
}

crate::display_by_value_name!(Format);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_the_positions_is_never_guessed() {
        let place = |columns: &str, given| {
            let columns: Vec<_> = columns.split(' ').map(str::to_owned).collect();
            position_column(&columns, given)
        };
        assert_eq!(place("fen position", None), Ok(1));
        let names =
            "is `position`, `moves`, `pos`, `fen`, `board`: `--column NAME` names the one with the positions";
        let several = "`moves`, `fen` may all be positions: `--column NAME` names the one with them";
        for (columns, given, fault) in [
            ("id text", None, &*format!("none of `id`, `text` {names}")),
            ("fen id moves", None, several),
            ("id moves", Some("x"), "--column: there is no `x` among `id`, `moves`"),
        ] {
            assert_eq!(place(columns, given), Err(fault.to_owned()));
        }
    }

    #[test]
    fn a_delimiter_is_one_character() {
        assert_eq!((delimiter(";"), delimiter("tab"), delimiter("\t")), (Ok(b';'), Ok(b'\t'), Ok(b'\t')));
        for text in ["", "a", "\"", ";;", "4", " "] {
            assert!(delimiter(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_file_tells_its_format() {
        let format = |name: &str, delimiter| InputFormat::new(Path::new(name), None, delimiter);
        let csv = |delimiter| InputFormat { format: Format::Csv, delimiter };
        assert_eq!(format("a.TSV", None).ok(), Some(csv(b'\t')));
        assert_eq!(format("a.csv", Some(b';')).ok(), Some(csv(b';')));
        let refused = |name, delimiter| format(name, delimiter).expect_err("refused").to_string();
        assert_eq!(refused("a.jsonl", Some(b';')), "--delimiter is for CSV, and `a.jsonl` is jsonl");
        let expected = "`a.dat` ends neither in .csv, .tsv, .jsonl nor .txt: `--format` names its format";
        assert_eq!(refused("a.dat", None), expected);
    }
}
