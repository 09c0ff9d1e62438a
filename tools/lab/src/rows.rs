//! The reader of files of positions: CSV, JSON Lines and plain text, block by block.

pub(crate) mod input;
pub(crate) mod records;
pub(crate) mod row;

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use csv::ByteRecord;
use plumb::board::{Board, Form, Geometry, Position, PositionReader};
use plumb_arena::file::{Hasher, ensure_text};

use crate::scored_positions::refuse_lone_score;
use input::{Format, InputFormat, cell_columns, cell_names, cut, position_column};
use records::{Block, Record, Records};
use row::{POSITION, Row, parse};

pub(crate) const STDIN: &str = "-";

/// Maximum number of lines in which keys are searched. A file without keys is probably not JSON Lines.
const MOST_PEEKED: usize = 1000;

const SKIPPED: u64 = 1 << 14;

#[derive(Clone)]
pub(crate) struct RowReader {
    name: String,
    format: InputFormat,
    reader: PositionReader<Board>,
    columns: Arc<Vec<String>>,
    /// Indices of the column with the positions, or of the columns with cells, row by row from the top.
    places: Vec<usize>,
    /// Column name or JSON key of the positions.
    pub key: String,
    is_given: bool,
}

impl RowReader {
    /// Reads a row. The inner result is the position, or the error of a malformed row.
    pub(crate) fn read(&self, record: Record<'_>, row: &mut Row) -> Result<Result<Position<Board>>> {
        if let Err(fault) = self.read_fields(record, row) {
            return Ok(Err(fault));
        }
        if self.format.format == Format::Jsonl {
            self.check_keys(row)?;
            let position = row.position_in_json(&self.key, &self.reader);
            return Ok(position.with_context(|| format!("key `{}`", cut(&self.key))));
        }
        let position = row.position(&self.places, &self.reader);
        if self.format.format == Format::Text || self.places.len() > 1 {
            return Ok(position);
        }
        Ok(position.with_context(|| format!("column `{}`", cut(&self.key))))
    }

    /// Reads the fields of a row, even of a malformed row.
    pub(crate) fn read_fields(&self, record: Record<'_>, row: &mut Row) -> Result<()> {
        if self.format.format == Format::Jsonl {
            return row.read_json(record.text, &self.key);
        }
        row.read_cells(record, self.format, &self.columns)?;
        ensure!(
            !record.is_open,
            "`{}`: a quote is not closed, expected `\"`",
            cut(&String::from_utf8_lossy(record.text))
        );
        if self.format.format == Format::Text
            && let Ok(text) = str::from_utf8(record.text)
        {
            refuse_lone_score(self.reader.geometry, text)?;
        }
        Ok(())
    }

    pub(crate) fn place(&self, record: Record<'_>) -> String {
        format!("{}:{}", self.name, record.line)
    }

    /// Refuses a row in which another key may hold the position, unless `--column` is given. For example, the first
    /// row may have only an `id`, which was then chosen.
    fn check_keys(&self, row: &Row) -> Result<()> {
        let (columns, key) = (&row.columns, &self.key);
        if self.is_given || !columns.contains(key) {
            return Ok(());
        }
        let is_named = position_column(columns, None).is_ok_and(|place| columns[place] == *key);
        ensure!(
            is_named,
            "the positions were under `{}` so far, and this row has several possible keys; give `--column NAME`",
            cut(key)
        );
        Ok(())
    }
}

pub(crate) struct Rows {
    records: Records,
    pub reader: RowReader,
    /// Known keys of JSON, in order of appearance.
    pub keys: Vec<String>,
    peeked: Block,
    hasher: Hasher,
    pub count: u64,
}

impl Rows {
    /// Opens an input and reads its header. `column` is the value of `--column`.
    pub(crate) fn open(
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
            let mut input = BufReader::with_capacity(1 << 16, file);
            ensure_text(path, input.fill_buf().with_context(|| format!("cannot read `{name}`"))?)?;
            Records::new(Box::new(input), name, format)
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
            let place =
                position_column(&keys, None).map_err(|fault| anyhow!("{}:{line}: {fault}", self.name()))?;
            self.reader.key.clone_from(&keys[place]);
        }
        note_keys(&keys, &mut self.keys);
        Ok(())
    }

    fn read_header(&mut self, header: Block, given: Option<&str>) -> Result<()> {
        let mut cells = ByteRecord::new();
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
        for cell in &cells {
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
            // Otherwise a file without a header would lose its first position.
            let shown = cut(first);
            // On boards up to 9 columns, `a` or `d1` is a name, although it could be a move.
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

    fn take_cells(&mut self) -> Result<()> {
        let form = self.reader.reader.form;
        let is_of_cells = match form {
            Form::Any | Form::Rows | Form::Columns => true,
            Form::Moves | Form::Digits | Form::Fen | Form::Bits => false,
        };
        ensure!(is_of_cells, "the columns are the cells of a board, which `--form {form}` does not read");
        self.reader.places =
            cell_columns(&self.reader.columns, self.reader.reader.geometry).unwrap_or_default();
        "cells".clone_into(&mut self.reader.key);
        self.reader.reader.form = Form::Rows;
        Ok(())
    }

    pub(crate) fn name(&self) -> &str {
        &self.records.name
    }

    /// Columns of CSV and plain text; known keys of JSON, including the key of the position.
    pub(crate) fn columns(&self) -> Vec<String> {
        if self.reader.format.format != Format::Jsonl {
            return self.reader.columns.to_vec();
        }
        let mut keys = self.keys.clone();
        if !keys.contains(&self.reader.key) {
            keys.insert(0, self.reader.key.clone());
        }
        keys
    }

    pub(crate) fn skip(&mut self, count: u64) -> Result<()> {
        let end = self.count + count;
        while self.count < end && self.block((end - self.count).min(SKIPPED) as usize)?.len() > 0 {}
        Ok(())
    }

    /// Reads up to `most` rows. The block is empty at the end of the input.
    pub(crate) fn block(&mut self, most: usize) -> Result<Block> {
        let mut block = self.peeked.take_first(most);
        while block.len() < most && self.records.next(&mut block)? {}
        self.count += block.len() as u64;
        self.hasher.add(block.text());
        Ok(block)
    }

    /// Like [`block`](Self::block), but stops before the row with index `end`.
    pub(crate) fn block_before(&mut self, end: u64, most: usize) -> Result<Block> {
        self.block((end - self.count).min(most as u64) as usize)
    }

    pub(crate) fn sha256(&self) -> String {
        self.hasher.hex()
    }

    /// Message about skipped blank lines. Empty if there are none.
    pub(crate) fn blank_lines(&self) -> String {
        match self.records.blank {
            (0, _) => String::new(),
            (count, first) => format!("; {count} blank lines left out, the first is line {first}"),
        }
    }
}

pub(crate) fn note_keys(keys: &[String], known: &mut Vec<String>) {
    for key in keys {
        if !known.contains(key) {
            known.push(key.clone());
        }
    }
}
