//! Rows of an input in any format, block by block.

use std::fs::File;
use std::io::{BufReader, stdin};
use std::path::Path;
use std::slice;

use anyhow::{Context, Error, Result, bail, ensure};
use csv::{ByteRecord, ReaderBuilder, Terminator};
use plumb::board::{Board, Form, Geometry, PositionReader};
use plumb_tools_common::file::Hasher;

use super::input::{Format, InputFormat, cell_columns, cell_names, position_column};
use super::records::{Record, Records};
use super::row::{POSITION, Row, cut, parse};

/// The path that stands for standard input.
pub(super) const STDIN: &str = "-";

/// The rows of an input, one after the other.
pub(super) struct Rows {
    records: Records,
    reader: PositionReader<Board>,
    /// The columns of CSV or plain text; none of JSON.
    columns: Vec<String>,
    /// The indices of the column with the positions, or of those with the cells of a board, row by row from the top.
    places: Vec<usize>,
    /// The name of that column, or the key of JSON.
    pub key: String,
    /// The row that was read to look at its keys.
    peeked: Option<Record>,
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
        form: InputFormat,
        column: Option<&str>,
        reader: PositionReader<Board>,
    ) -> Result<Self> {
        let records = if path == Path::new(STDIN) {
            Records::new(Box::new(BufReader::new(stdin())), "standard input".to_owned(), form)
        } else {
            let name = path.display().to_string();
            let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
            Records::new(Box::new(BufReader::with_capacity(1 << 16, file)), name, form)
        };
        let mut rows = Self {
            records,
            reader,
            columns: Vec::new(),
            places: vec![0],
            key: POSITION.to_owned(),
            peeked: None,
            hasher: Hasher::default(),
            count: 0,
        };
        if form.format == Format::Text {
            ensure!(column.is_none(), "--column: plain text has no columns");
            rows.columns = vec![POSITION.to_owned()];
            return Ok(rows);
        }
        if let Some(name) = column {
            name.clone_into(&mut rows.key);
        }
        let (is_csv, name) = (form.format == Format::Csv, rows.name().to_owned());
        let Some(first) = rows.records.next()? else {
            ensure!(!is_csv, "{name}: the file is empty, expected a header with a column `{POSITION}`");
            return Ok(rows);
        };
        let line = first.line;
        let read = if is_csv { rows.read_header(first, column) } else { rows.read_keys(first, column) };
        read.with_context(|| format!("{name}:{line}"))?;
        Ok(rows)
    }

    /// Looks at the keys of the first row of JSON.
    fn read_keys(&mut self, first: Record, given: Option<&str>) -> Result<()> {
        let row = Row::of_json(&first.text, POSITION, &self.reader);
        let keys: Vec<_> = row.keys().map(str::to_owned).collect();
        self.peeked = Some(first);
        // An empty object has no key, and is malformed.
        if given.is_none() && !keys.is_empty() {
            self.key.clone_from(&keys[position_column(&keys, None).map_err(Error::msg)?]);
        }
        Ok(())
    }

    /// Reads the first row of CSV.
    fn read_header(&mut self, header: Record, given: Option<&str>) -> Result<()> {
        let cells = cells(slice::from_ref(&header), self.records.form.delimiter).pop().unwrap_or_default();
        let texts: Vec<_> =
            cells.iter().filter_map(|cell| str::from_utf8(cell).ok()).map(str::trim).collect();
        if given.is_none()
            && let Some(names) = cell_names(&texts, &self.reader)
        {
            self.columns = names;
            self.peeked = Some(header);
            return self.take_cells();
        }
        self.hash(&header.text);
        for cell in &cells {
            let shown = cut(&String::from_utf8_lossy(cell));
            let column = str::from_utf8(cell);
            let column = column.with_context(|| format!("`{shown}` is not UTF-8, expected a header"))?;
            let is_new = self.columns.iter().all(|known| known != column);
            ensure!(is_new, "the header has `{shown}` twice, expected different columns");
            self.columns.push(column.to_owned());
        }
        if given.is_none() && cell_columns(&self.columns, self.reader.geometry).is_some() {
            return self.take_cells();
        }
        let found = position_column(&self.columns, given);
        let is_named = found.as_ref().is_ok_and(|_| self.columns.len() > 1 || given.is_some());
        if !is_named && self.columns.first().is_none_or(|first| first != POSITION) {
            // A file without a header would lose its first position.
            let first = self.columns.first().map_or("", String::as_str);
            let shown = cut(first);
            // Where columns have digits, a header such as `a` or `d1` is a name, although it could be moves.
            let is_name =
                first.starts_with(|c: char| c.is_ascii_alphabetic()) && self.reader.geometry.width() < 10;
            let is_position = !first.trim().is_empty() && parse(&self.reader, first.as_bytes()).is_ok();
            ensure!(is_name || !is_position, "`{shown}` is a position, expected a header");
            let others = [(";", "';'"), ("\t", "tab")];
            let other =
                others.into_iter().find(|(other, _)| self.columns.len() == 1 && first.contains(other));
            if let Some((_, delimiter)) = other {
                bail!("`{shown}` is one column: did you mean `--delimiter {delimiter}`?");
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
        ensure!(
            matches!(form, Form::Any | Form::Rows | Form::Columns),
            "the columns are the cells of a board, and `--form {form}` is given"
        );
        self.places = cell_columns(&self.columns, self.reader.geometry).unwrap_or_default();
        "cells".clone_into(&mut self.key);
        self.reader.form = Form::Rows;
        Ok(())
    }

    /// The name of the input.
    pub(super) fn name(&self) -> &str {
        &self.records.name
    }

    /// The columns of CSV and plain text; of JSON the keys of the first object, as far as that has been read only to see
    /// them.
    pub(super) fn columns(&self) -> Vec<String> {
        if self.records.form.format != Format::Jsonl {
            return self.columns.clone();
        }
        let peeked = self.peeked.iter().map(|record| Row::of_json(&record.text, &self.key, &self.reader));
        with_position(peeked.fold(Vec::new(), |keys, row| with_keys(keys, &row)), &self.key)
    }

    /// Skips so many rows, or all that are left.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        let end = self.count + count;
        while self.count < end && self.next()?.is_some() {}
        Ok(())
    }

    /// The next rows, with the numbers of their lines: up to `most`; `None` at the end.
    pub(super) fn block(&mut self, most: usize) -> Result<Option<Vec<(u64, Row)>>> {
        let mut records = Vec::new();
        while records.len() < most
            && let Some(record) = self.next()?
        {
            records.push(record);
        }
        if records.is_empty() {
            return Ok(None);
        }
        let reader = &self.reader;
        let cells = match self.records.form.format {
            Format::Jsonl => {
                let row = |record: &Record| (record.line, Row::of_json(&record.text, &self.key, reader));
                return Ok(Some(records.iter().map(row).collect()));
            }
            Format::Text => records.iter().map(|record| vec![record.text.trim_ascii()].into()).collect(),
            Format::Csv => cells(&records, self.records.form.delimiter),
        };
        let rows = records.iter().zip(cells).map(|(record, cells)| {
            let mut row = Row::of_cells(cells, &self.places, self.columns.len(), reader);
            if record.is_open {
                let text = String::from_utf8_lossy(&record.text);
                let fault = format!("`{}`: a quote is not closed, expected `\"`", cut(&text));
                row.position = Err(fault.into());
            }
            (record.line, row)
        });
        Ok(Some(rows.collect()))
    }

    /// SHA-256 of all rows that have been read.
    pub(super) fn sha256(&self) -> String {
        self.hasher.hex()
    }

    fn hash(&mut self, text: &[u8]) {
        self.hasher.add(text);
        self.hasher.add(b"\n");
    }

    /// A clause on blank lines of CSV, which are left out, if there were any so far.
    pub(super) fn blank_lines(&self) -> String {
        match self.records.blank {
            (count, first) if count > 0 && self.records.form.format == Format::Csv => {
                format!("; {count} blank lines left out, the first is line {first}")
            }
            _ => String::new(),
        }
    }

    fn next(&mut self) -> Result<Option<Record>> {
        let record = match self.peeked.take() {
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

/// The cells of records of CSV. Of these records the crate `csv` makes as many rows, as both take the same ends of lines
/// for the end of a row.
fn cells(records: &[Record], delimiter: u8) -> Vec<ByteRecord> {
    let mut text = Vec::new();
    for record in records {
        text.extend_from_slice(&record.text);
        // What comes after an open quote, and be it the end of a line, would belong to its field.
        text.extend_from_slice(if record.is_open { b"" } else { b"\n" });
    }
    let mut reader = ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(delimiter).terminator(Terminator::Any(b'\n'));
    reader.from_reader(text.as_slice()).byte_records().filter_map(Result::ok).collect()
}

/// Reads all rows once, and lets `check` see each. Returns how many there are, and the columns, or of JSON all keys, in
/// the order in which they come up first.
pub(super) fn survey(
    mut rows: Rows,
    mut check: impl FnMut(u64, &Row) -> Result<()>,
) -> Result<(u64, Vec<String>)> {
    let mut keys = Vec::new();
    while let Some(block) = rows.block(4096)? {
        for (line, row) in &block {
            check(*line, row)?;
            keys = with_keys(keys, row);
        }
    }
    let is_json = rows.records.form.format == Format::Jsonl;
    let columns = if is_json { with_position(keys, &rows.key) } else { rows.columns };
    Ok((rows.count, columns))
}

/// These keys, and those of a row that come up first there.
fn with_keys(mut keys: Vec<String>, row: &Row) -> Vec<String> {
    for key in row.keys() {
        if !keys.iter().any(|known| known == key) {
            keys.push(key.to_owned());
        }
    }
    keys
}

/// These keys, among which that of the position always is.
fn with_position(mut keys: Vec<String>, position: &str) -> Vec<String> {
    if !keys.iter().any(|key| key == position) {
        keys.insert(0, position.to_owned());
    }
    keys
}
