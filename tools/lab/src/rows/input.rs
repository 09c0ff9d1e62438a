//! Formats of files of positions, and the column or key of the positions.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use clap::ValueEnum;
use plumb::board::{Board, Form, Geometry, PositionReader};
use plumb_protocol::{most_similar, shortened};
use serde::Serialize;

/// Names of a column or key with positions. If a file has several, the first of this list is used.
const NAMES: [&str; 5] = ["position", "moves", "pos", "fen", "board"];

const MAX_QUOTED: usize = 60;

/// Flags for files of columns or keys.
#[derive(clap::Args)]
#[command(next_help_heading = "Positions")]
pub(crate) struct ColumnFlags {
    /// Column of CSV or key of JSON with the positions.
    ///
    /// By default the only column, a column called position, moves, pos, fen or board, or the columns a1 to g6 with the cells
    /// of a board.
    #[arg(long, visible_alias = "key", value_name = "NAME")]
    pub column: Option<String>,
    /// Delimiter of CSV. [default: `,` or, for .tsv, `tab`]
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    pub delimiter: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct InputFormat {
    pub format: Format,
    pub delimiter: u8,
}

impl InputFormat {
    /// The given format, or else the format that the file extension suggests.
    pub(crate) fn new(path: &Path, format: Option<Format>, delimiter: Option<u8>) -> Result<Self> {
        let is_tsv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("tsv"));
        let by_name = if is_tsv { Some(Format::Csv) } else { Format::of(path) };
        ensure!(!path.is_dir(), "`{}` is a directory; give a file", path.display());
        let Some(format) = format.or(by_name) else {
            bail!(
                "`{}`: expected a name that ends in .csv, .tsv, .jsonl or .txt; give `--format`",
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

fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte == b'\t' || byte.is_ascii_punctuation() && byte != b'"' => Ok(byte),
        _ => Err("expected a punctuation mark such as `;`, or `tab`".to_owned()),
    }
}

/// Indices of the columns with the cells of a board, `a1` to `g6` on 7x6, row by row from the top. `None` if a column
/// is missing.
pub(super) fn cell_columns(columns: &[String], board: Board) -> Option<Vec<usize>> {
    let mut places = Vec::new();
    for row in (0..board.height()).rev() {
        for column in 0..board.width() {
            let name = cell_name(column, row);
            places.push(columns.iter().position(|known| known.eq_ignore_ascii_case(&name))?);
        }
    }
    Some(places)
}

/// Column names for a file without a header whose rows start with the cells of a board. `None` if `cells` are not a position.
///
/// A single additional column is called `class`, as in the data set of the UC Irvine repository. Several have numbers.
pub(super) fn cell_names(cells: &[&str], reader: &PositionReader<Board>) -> Option<Vec<String>> {
    let (width, height) = (reader.geometry.width(), reader.geometry.height());
    let board = cells.get(..(width * height) as usize)?;
    let by_columns = reader.is_by_columns(board);
    let form = if by_columns { Form::Columns } else { Form::Rows };
    PositionReader { form, ..*reader }.read(&board.join(" ")).ok()?;
    let mut names = Vec::new();
    for index in 0..cells.len() as u32 {
        names.push(if index < width * height && by_columns {
            cell_name(index / height, index % height)
        } else if index < width * height {
            cell_name(index % width, height - 1 - index / width)
        } else if cells.len() == board.len() + 1 {
            "class".to_owned()
        } else {
            format!("column{}", index + 1)
        });
    }
    Some(names)
}

fn cell_name(column: u32, row: u32) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// Index of the column or key with the positions. `given` is the value of `--column`.
pub(super) fn position_column(columns: &[String], given: Option<&str>) -> Result<usize, String> {
    let all: Vec<_> = columns.iter().map(String::as_str).collect();
    if let Some(name) = given {
        let place = all.iter().position(|column| *column == name);
        let hint = match most_similar(name, all.iter().copied()) {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => format!("expected one of {}", quoted(&all)),
        };
        return place.ok_or_else(|| format!("`--column {name}`: no such column; {hint}"));
    }
    if all.len() == 1 {
        return Ok(0);
    }
    let found: Vec<_> = NAMES.into_iter().filter(|name| all.contains(name)).collect();
    match found[..] {
        [name] | [name @ "position", ..] => {
            Ok(all.iter().position(|column| *column == name).unwrap_or_default())
        }
        [] => Err(format!(
            "none of {} is {}; give `--column NAME` with the column of the positions",
            quoted(&all),
            quoted(&NAMES)
        )),
        _ => Err(format!("{} may all be positions; give `--column NAME` with one of them", quoted(&found))),
    }
}

pub(crate) fn cut(text: &str) -> String {
    shortened(text, MAX_QUOTED)
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{}`", cut(name))).collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// JSON Lines: an object on each line.
    Jsonl,
    /// Plain text: a position on each line.
    Text,
}

impl Format {
    pub(crate) fn of(path: &Path) -> Option<Self> {
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
        let names = "is `position`, `moves`, `pos`, `fen`, `board`; give `--column NAME` with the column of the positions";
        let several = "`moves`, `fen` may all be positions; give `--column NAME` with one of them";
        for (columns, given, fault) in [
            ("id text", None, &*format!("none of `id`, `text` {names}")),
            ("fen id moves", None, several),
            ("id moves", Some("x"), "`--column x`: no such column; expected one of `id`, `moves`"),
            ("id moves", Some("move"), "`--column move`: no such column; did you mean `moves`?"),
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
        let expected = "`a.dat`: expected a name that ends in .csv, .tsv, .jsonl or .txt; give `--format`";
        assert_eq!(refused("a.dat", None), expected);
    }
}
