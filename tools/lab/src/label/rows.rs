//! Rows of an input in any format, block by block.

use std::fs::File;
use std::io::{BufReader, stdin};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use plumb::board::{Board, Form, Geometry, Position, PositionReader};
use plumb_arena::file::Hasher;

use super::input::{Format, InputFormat, cell_columns, cell_names, position_column};
use super::records::{Block, Cells, Record, Records};
use super::row::{self, POSITION, Row, cut, parse};

use crate::scored_positions::refuse_lone_score;

/// The path that stands for standard input.
pub(super) const STDIN: &str = "-";

/// The most rows of JSON that are read to look at their keys: if so many have none, they are hardly JSON.
const MOST_PEEKED: usize = 1000;

/// Rows that are skipped together.
const SKIPPED: u64 = 1 << 14;

/// How the fields of a row and its position are read from a record.
#[derive(Clone)]
pub(super) struct RowReader {
    /// The name of the input for messages.
    pub name: String,
    format: InputFormat,
    reader: PositionReader<Board>,
    /// The columns of CSV or plain text.
    columns: Arc<Vec<String>>,
    /// The indices of the column with the positions, or of those with the cells of a board, row by row from the top.
    places: Vec<usize>,
    /// The name of that column, or the key of JSON.
    pub key: String,
    /// Whether it was given, so that the keys need not tell it.
    is_given: bool,
}

impl RowReader {
    /// Reads the fields of a row, and returns its position, or the fault of a malformed row.
    ///
    /// # Errors
    /// If the keys of the row name another key of the positions.
    pub(super) fn read(&self, record: Record<'_>, row: &mut Row) -> Result<Result<Position<Board>>> {
        if let Err(fault) = self.read_fields(record, row) {
            return Ok(Err(fault));
        }
        if self.format.format == Format::Jsonl {
            self.check_keys(row)?;
            return Ok(row.position_in_json(&self.key, &self.reader));
        }
        Ok(row.position(&self.places, &self.reader))
    }

    /// Reads the fields of a row.
    ///
    /// # Errors
    /// The fault of a malformed row, whose fields are read all the same.
    pub(super) fn read_fields(&self, record: Record<'_>, row: &mut Row) -> Result<()> {
        if self.format.format == Format::Jsonl {
            return row.read_json(record.text, &self.key);
        }
        row.read_cells(record, self.format, &self.columns)?;
        let text = || String::from_utf8_lossy(record.text);
        ensure!(!record.is_open, "`{}`: a quote is not closed, expected `\"`", cut(&text()));
        if self.format.format == Format::Text
            && let Ok(text) = str::from_utf8(record.text)
        {
            refuse_lone_score(self.reader.geometry, text)?;
        }
        Ok(())
    }

    /// Fails if the keys name another key of the positions: other keys may come next to an `id` that was alone in the first row,
    /// and rows before this one would be wrong.
    fn check_keys(&self, row: &Row) -> Result<()> {
        let (columns, key) = (&row.columns, &self.key);
        if self.is_given || !columns.contains(key) {
            return Ok(());
        }
        let is_named = position_column(columns, None).is_ok_and(|place| columns[place] == *key);
        ensure!(
            is_named,
            "`{}` had the positions so far, and the keys of this row do not tell it: `--column NAME` names the one with them",
            cut(key)
        );
        Ok(())
    }
}

/// The rows of an input, one after the other.
pub(super) struct Rows {
    records: Records,
    pub reader: RowReader,
    /// The keys of JSON that were noted, in the order in which they come up first.
    pub keys: Vec<String>,
    /// The records that were read to look at their keys, or the first of CSV without a header.
    peeked: Block,
    hasher: Hasher,
    /// How many rows have been read.
    pub count: u64,
}

impl Rows {
    /// Opens the input at `path` and reads its header; the positions are in the column or key `column`, if one is given.
    ///
    /// # Errors
    /// If it cannot be read, or has no header where there must be one; if it does not tell where the positions are.
    pub(super) fn open(
        path: &Path,
        format: InputFormat,
        column: Option<&str>,
        reader: PositionReader<Board>,
    ) -> Result<Self> {
        let records = if path == Path::new(STDIN) {
            Records::new(Box::new(BufReader::new(stdin())), "standard input".to_owned(), format)
        } else {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
            Records::new(Box::new(BufReader::with_capacity(1 << 16, file)), name, format)
        };
        let name = records.name.clone();
        let reader = RowReader {
            name,
            format,
            reader,
            columns: Arc::default(),
            places: vec![0],
            key: column.unwrap_or(POSITION).to_owned(),
            is_given: column.is_some(),
        };
        let (keys, peeked, hasher) = (Vec::new(), Block::default(), Hasher::default());
        let mut rows = Self { records, reader, keys, peeked, hasher, count: 0 };
        if format.format == Format::Text {
            ensure!(column.is_none(), "--column: plain text has no columns");
            rows.reader.columns = Arc::new(vec![POSITION.to_owned()]);
            return Ok(rows);
        }
        if format.format == Format::Jsonl {
            return rows.read_keys().map(|()| rows);
        }
        let name = rows.name().to_owned();
        let mut header = Block::default();
        if !rows.records.next(&mut header)? {
            bail!("{name}: the file is empty, expected a header with a column `{POSITION}`");
        }
        let line = header.get(0).line;
        rows.read_header(header, column).with_context(|| format!("{name}:{line}"))?;
        Ok(rows)
    }

    /// Looks at the keys of the first row of JSON that has any; a malformed row and an empty object have none.
    fn read_keys(&mut self) -> Result<()> {
        let mut keys = Vec::new();
        while keys.is_empty() && self.peeked.len() < MOST_PEEKED && self.records.next(&mut self.peeked)? {
            keys = row::keys(self.peeked.get(self.peeked.len() - 1).text);
        }
        if keys.is_empty() {
            return Ok(());
        }
        if !self.reader.is_given {
            let line = self.peeked.get(self.peeked.len() - 1).line;
            let place = position_column(&keys, None);
            let place = place.map_err(|fault| anyhow!("{}:{line}: {fault}", self.name()))?;
            self.reader.key.clone_from(&keys[place]);
        }
        note_keys(&keys, &mut self.keys);
        Ok(())
    }

    /// Reads the first row of CSV.
    fn read_header(&mut self, header: Block, given: Option<&str>) -> Result<()> {
        let mut cells = Cells::default();
        header.get(0).read_cells(self.reader.format.delimiter, &mut cells);
        let texts: Vec<_> =
            cells.iter().filter_map(|cell| str::from_utf8(cell).ok()).map(str::trim).collect();
        if given.is_none()
            && let Some(names) = cell_names(&texts, &self.reader.reader)
        {
            self.reader.columns = Arc::new(names);
            self.peeked = header;
            return self.take_cells();
        }
        self.hasher.add(header.text());
        for cell in cells.iter() {
            let shown = cut(&String::from_utf8_lossy(cell));
            let column = str::from_utf8(cell);
            let column = column.with_context(|| format!("`{shown}` is not UTF-8, expected a header"))?;
            let is_new = self.reader.columns.iter().all(|known| known != column);
            ensure!(is_new, "the header has `{shown}` twice, expected different columns");
            Arc::make_mut(&mut self.reader.columns).push(column.to_owned());
        }
        if given.is_none() && cell_columns(&self.reader.columns, self.reader.reader.geometry).is_some() {
            return self.take_cells();
        }
        let found = position_column(&self.reader.columns, given);
        let is_named = found.as_ref().is_ok_and(|_| self.reader.columns.len() > 1 || given.is_some());
        let first = &self.reader.columns[0];
        if !is_named && first != POSITION {
            // A file without a header would lose its first position.
            let shown = cut(first);
            // Where columns have digits, a header such as `a` or `d1` is a name, although it could be moves.
            let is_name = first.starts_with(|c: char| c.is_ascii_alphabetic())
                && self.reader.reader.geometry.width() < 10;
            let is_position =
                !first.trim().is_empty() && parse(&self.reader.reader, first.as_bytes()).is_ok();
            ensure!(
                is_name || !is_position,
                "`{shown}` is a position, expected a header; a file that ends in .txt needs none"
            );
            for (other, delimiter) in [(";", "';'"), ("\t", "tab")] {
                let is_one = self.reader.columns.len() == 1 && first.contains(other);
                ensure!(!is_one, "`{shown}` is one column: did you mean `--delimiter {delimiter}`?");
            }
        }
        let place = found.map_err(Error::msg)?;
        self.reader.places = vec![place];
        self.reader.key.clone_from(&self.reader.columns[place]);
        Ok(())
    }

    /// Takes the columns with the cells of a board for the position.
    fn take_cells(&mut self) -> Result<()> {
        let form = self.reader.reader.form;
        let is_of_cells = match form {
            Form::Any | Form::Rows | Form::Columns => true,
            Form::Moves | Form::Digits | Form::Fen | Form::Bits => false,
        };
        ensure!(is_of_cells, "the columns are the cells of a board, and `--form {form}` is given");
        self.reader.places =
            cell_columns(&self.reader.columns, self.reader.reader.geometry).unwrap_or_default();
        "cells".clone_into(&mut self.reader.key);
        self.reader.reader.form = Form::Rows;
        Ok(())
    }

    /// The name of the input.
    pub(super) fn name(&self) -> &str {
        &self.records.name
    }

    /// The columns of CSV and plain text; of JSON the keys of the first row that has any and those that were noted since, and
    /// that of the position always.
    pub(super) fn columns(&self) -> Vec<String> {
        if self.reader.format.format != Format::Jsonl {
            return self.reader.columns.to_vec();
        }
        let mut keys = self.keys.clone();
        if !keys.contains(&self.reader.key) {
            keys.insert(0, self.reader.key.clone());
        }
        keys
    }

    /// Skips so many rows, or all that are left.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        let end = self.count + count;
        while self.count < end && self.block((end - self.count).min(SKIPPED) as usize)?.len() > 0 {}
        Ok(())
    }

    /// The next rows, up to `most`; none at the end.
    pub(super) fn block(&mut self, most: usize) -> Result<Block> {
        let mut block = self.peeked.take_first(most);
        while block.len() < most && self.records.next(&mut block)? {}
        self.count += block.len() as u64;
        self.hasher.add(block.text());
        Ok(block)
    }

    /// SHA-256 of all rows that have been read.
    pub(super) fn sha256(&self) -> String {
        self.hasher.hex()
    }

    /// A clause on the blank lines that were left out so far.
    pub(super) fn blank_lines(&self) -> String {
        match self.records.blank {
            (0, _) => String::new(),
            (count, first) => format!("; {count} blank lines left out, the first is line {first}"),
        }
    }
}

/// Adds those keys to `known` that are new.
pub(super) fn note_keys(keys: &[String], known: &mut Vec<String>) {
    for key in keys {
        if !known.contains(key) {
            known.push(key.clone());
        }
    }
}
