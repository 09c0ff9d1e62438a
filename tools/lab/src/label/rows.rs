//! Rows of an input in any format, block by block.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, stdin};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use plumb::board::{Board, Form, Geometry, PositionReader};
use plumb_studies::scored_positions::refuse_lone_score;
use plumb_tools_common::file::Hasher;

use super::input::{Format, InputFormat, cell_columns, cell_names, position_column};
use super::records::{Record, Records};
use super::row::{self, POSITION, Row, cut, parse};

/// The path that stands for standard input.
pub(super) const STDIN: &str = "-";

/// The most rows of JSON that are read to look at their keys: if so many have none, they are hardly JSON.
const MOST_PEEKED: usize = 1000;

/// The rows of an input, one after the other.
pub(super) struct Rows {
    records: Records,
    reader: PositionReader<Board>,
    /// The columns of CSV or plain text; of JSON the keys that were noted, in the order in which they come up first.
    columns: Arc<Vec<String>>,
    /// The indices of the column with the positions, or of those with the cells of a board, row by row from the top.
    places: Vec<usize>,
    /// The name of that column, or the key of JSON.
    pub key: String,
    /// Whether it was given, so that the keys need not tell it.
    is_given: bool,
    /// The rows that were read to look at their keys, or the first of CSV without a header.
    peeked: VecDeque<Record>,
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
        let mut rows = Self {
            records,
            reader,
            columns: Arc::default(),
            places: vec![0],
            key: column.unwrap_or(POSITION).to_owned(),
            is_given: column.is_some(),
            peeked: VecDeque::new(),
            hasher: Hasher::default(),
            count: 0,
        };
        if format.format == Format::Text {
            ensure!(column.is_none(), "--column: plain text has no columns");
            rows.columns = Arc::new(vec![POSITION.to_owned()]);
            return Ok(rows);
        }
        if format.format == Format::Jsonl {
            return rows.read_keys().map(|()| rows);
        }
        let name = rows.name().to_owned();
        let Some(first) = rows.records.next()? else {
            bail!("{name}: the file is empty, expected a header with a column `{POSITION}`");
        };
        let line = first.line;
        rows.read_header(first, column).with_context(|| format!("{name}:{line}"))?;
        Ok(rows)
    }

    /// Looks at the keys of the first row of JSON that has any; a malformed row and an empty object have none.
    fn read_keys(&mut self) -> Result<()> {
        let mut keys = Vec::new();
        while keys.is_empty()
            && self.peeked.len() < MOST_PEEKED
            && let Some(record) = self.records.next()?
        {
            keys = row::keys(&record.text);
            self.peeked.push_back(record);
        }
        let Some(last) = self.peeked.back() else { return Ok(()) };
        if !self.is_given && !keys.is_empty() {
            let place = position_column(&keys, None);
            let place = place.map_err(|fault| anyhow!("{}:{}: {fault}", self.name(), last.line))?;
            self.key.clone_from(&keys[place]);
        }
        self.note_keys(&self.row(last));
        Ok(())
    }

    /// Reads the first row of CSV.
    fn read_header(&mut self, header: Record, given: Option<&str>) -> Result<()> {
        let cells = header.cells(self.records.format.delimiter);
        let texts: Vec<_> =
            cells.iter().filter_map(|cell| str::from_utf8(cell).ok()).map(str::trim).collect();
        if given.is_none()
            && let Some(names) = cell_names(&texts, &self.reader)
        {
            self.columns = Arc::new(names);
            self.peeked.push_back(header);
            return self.take_cells();
        }
        self.hash(&header.text);
        for cell in &cells {
            let shown = cut(&String::from_utf8_lossy(cell));
            let column = str::from_utf8(cell);
            let column = column.with_context(|| format!("`{shown}` is not UTF-8, expected a header"))?;
            let is_new = self.columns.iter().all(|known| known != column);
            ensure!(is_new, "the header has `{shown}` twice, expected different columns");
            Arc::make_mut(&mut self.columns).push(column.to_owned());
        }
        if given.is_none() && cell_columns(&self.columns, self.reader.geometry).is_some() {
            return self.take_cells();
        }
        let found = position_column(&self.columns, given);
        let is_named = found.as_ref().is_ok_and(|_| self.columns.len() > 1 || given.is_some());
        let first = &self.columns[0];
        if !is_named && first != POSITION {
            // A file without a header would lose its first position.
            let shown = cut(first);
            // Where columns have digits, a header such as `a` or `d1` is a name, although it could be moves.
            let is_name =
                first.starts_with(|c: char| c.is_ascii_alphabetic()) && self.reader.geometry.width() < 10;
            let is_position = !first.trim().is_empty() && parse(&self.reader, first.as_bytes()).is_ok();
            ensure!(is_name || !is_position, "`{shown}` is a position, expected a header");
            for (other, delimiter) in [(";", "';'"), ("\t", "tab")] {
                let is_one = self.columns.len() == 1 && first.contains(other);
                ensure!(!is_one, "`{shown}` is one column: did you mean `--delimiter {delimiter}`?");
            }
        }
        let place = found.map_err(Error::msg)?;
        self.places = vec![place];
        self.key.clone_from(&self.columns[place]);
        Ok(())
    }

    /// Takes the columns with the cells of a board for the position.
    fn take_cells(&mut self) -> Result<()> {
        let form = self.reader.form;
        let is_of_cells = match form {
            Form::Any | Form::Rows | Form::Columns => true,
            Form::Moves | Form::Fen | Form::Bits => false,
        };
        ensure!(is_of_cells, "the columns are the cells of a board, and `--form {form}` is given");
        self.places = cell_columns(&self.columns, self.reader.geometry).unwrap_or_default();
        "cells".clone_into(&mut self.key);
        self.reader.form = Form::Rows;
        Ok(())
    }

    /// The name of the input.
    pub(super) fn name(&self) -> &str {
        &self.records.name
    }

    /// The columns of CSV and plain text; of JSON the keys of the first row that has any and those that were noted since, and
    /// that of the position always.
    pub(super) fn columns(&self) -> Vec<String> {
        let mut columns = self.columns.to_vec();
        if self.records.format.format == Format::Jsonl && !columns.contains(&self.key) {
            columns.insert(0, self.key.clone());
        }
        columns
    }

    /// Skips so many rows, or all that are left.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        let end = self.count + count;
        while self.count < end && self.next()?.is_some() {}
        Ok(())
    }

    /// The next row, with the number of its line; `None` at the end. Fails if its keys tell another key of the positions.
    pub(super) fn next_row(&mut self) -> Result<Option<(u64, Row)>> {
        let Some(record) = self.next()? else { return Ok(None) };
        let (row, key, line) = (self.row(&record), &self.key, record.line);
        // Of JSON: other keys may come beside an `id` that was alone in the first row, and rows before this one would be wrong.
        let is_told = || position_column(&row.columns, None).is_ok_and(|place| row.columns[place] == *key);
        ensure!(
            self.is_given || row.object.is_none() || !row.columns.contains(key) || is_told(),
            "{}:{line}: `{}` had the positions so far, and the keys of this row do not tell it: `--column NAME` names the one \
             with them",
            self.name(),
            cut(key)
        );
        Ok(Some((line, row)))
    }

    /// The next rows: up to `most`; `None` at the end.
    pub(super) fn block(&mut self, most: usize) -> Result<Option<Vec<(u64, Row)>>> {
        let mut rows = Vec::new();
        while rows.len() < most
            && let Some(row) = self.next_row()?
        {
            rows.push(row);
        }
        Ok(Some(rows).filter(|rows| !rows.is_empty()))
    }

    /// Adds those keys of a row of JSON to the columns that are new.
    pub(super) fn note_keys(&mut self, row: &Row) {
        for key in row.columns.iter().filter(|_| row.object.is_some()) {
            if !self.columns.contains(key) {
                Arc::make_mut(&mut self.columns).push(key.clone());
            }
        }
    }

    /// The row of a record.
    fn row(&self, record: &Record) -> Row {
        let InputFormat { format, delimiter } = self.records.format;
        if format == Format::Jsonl {
            return Row::of_json(&record.text, &self.key, &self.reader);
        }
        let is_csv = format == Format::Csv;
        let cells = if is_csv { record.cells(delimiter) } else { vec![record.text.trim_ascii().to_vec()] };
        let mut row = Row::of_cells(cells, &self.places, &self.columns, &self.reader);
        if record.is_open {
            let text = String::from_utf8_lossy(&record.text);
            row.position = Err(anyhow!("`{}`: a quote is not closed, expected `\"`", cut(&text)));
        }
        if format == Format::Text
            && let Ok(text) = str::from_utf8(&record.text)
            && let Err(fault) = refuse_lone_score(self.reader.geometry, text)
        {
            row.position = Err(fault);
        }
        row
    }

    /// SHA-256 of all rows that have been read.
    pub(super) fn sha256(&self) -> String {
        self.hasher.hex()
    }

    fn hash(&mut self, text: &[u8]) {
        self.hasher.add(text);
        self.hasher.add(b"\n");
    }

    /// A clause on the blank lines that were left out so far.
    pub(super) fn blank_lines(&self) -> String {
        match self.records.blank {
            (0, _) => String::new(),
            (count, first) => format!("; {count} blank lines left out, the first is line {first}"),
        }
    }

    fn next(&mut self) -> Result<Option<Record>> {
        let record = match self.peeked.pop_front() {
            None => self.records.next()?,
            peeked => peeked,
        };
        if let Some(record) = &record {
            self.hash(&record.text);
            self.count += 1;
        }
        Ok(record)
    }
}
