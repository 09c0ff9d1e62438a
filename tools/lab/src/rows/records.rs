//! Records of a text: its lines, or the rows of CSV, whose quotes may contain line ends.

use std::io::{BufRead, Read};
use std::mem;

use anyhow::{Context, Result, ensure};
use csv::ByteRecord;

use super::input::{Format, InputFormat};

/// Maximum size of a record in bytes. Without a limit, an unclosed quote would read the whole file into memory.
const LONGEST: u64 = 1 << 20;

/// UTF-8 byte-order mark, which some programs write at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A record as it is in the text, without its last line end.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub line: u64,
    pub text: &'a [u8],
    /// Whether a quote is not closed. Only the last record of a text can have such a quote.
    pub is_open: bool,
}

/// Consecutive records in one buffer, each followed by a line feed.
#[derive(Default)]
pub(crate) struct Block {
    text: Vec<u8>,
    /// For each record: its first line, the end of its text in the buffer, and whether a quote is open.
    records: Vec<(u64, usize, bool)>,
}

impl Block {
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    pub(crate) fn get(&self, index: usize) -> Record<'_> {
        let (line, end, is_open) = self.records[index];
        let start = if index == 0 { 0 } else { self.records[index - 1].1 + 1 };
        Record { line, text: &self.text[start..end], is_open }
    }

    /// Splits off up to `most` records from the front.
    pub(super) fn take_first(&mut self, most: usize) -> Self {
        if self.len() <= most {
            return mem::take(self);
        }
        let rest = self.records.split_off(most);
        let start = self.records.last().map_or(0, |&(_, end, _)| end + 1);
        let text = self.text.split_off(start);
        let records = rest.into_iter().map(|(line, end, is_open)| (line, end - start, is_open)).collect();
        mem::replace(self, Self { text, records })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Record<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// Reader of records. It skips blank lines, and in plain text also lines that start with `#`.
pub(super) struct Records {
    input: Box<dyn BufRead + Send>,
    pub name: String,
    pub format: InputFormat,
    line: u64,
    /// Number of blank lines, and the line number of the first.
    pub blank: (u64, u64),
}

impl Records {
    pub(super) fn new(input: Box<dyn BufRead + Send>, name: String, format: InputFormat) -> Self {
        Self { input, name, format, line: 0, blank: (0, 0) }
    }

    /// Adds the next record to a block. Returns false at the end of the input.
    pub(super) fn next(&mut self, block: &mut Block) -> Result<bool> {
        let InputFormat { format, delimiter } = self.format;
        let text = &mut block.text;
        let first = text.len();
        loop {
            let line = self.line + 1;
            let mut place = Place::Start;
            loop {
                let start = text.len();
                let room = LONGEST + 1 - (start - first) as u64;
                let read = self.input.by_ref().take(room).read_until(b'\n', text);
                if read.with_context(|| format!("cannot read {}", self.name))? == 0 {
                    break;
                }
                if line == 1 && start == first && text[first..].starts_with(BYTE_ORDER_MARK) {
                    text.drain(first..first + BYTE_ORDER_MARK.len());
                }
                ensure!(
                    (text.len() - first) as u64 <= LONGEST,
                    "{}:{line}: the row is longer than 1 MB; is there a quote that is not closed?",
                    self.name
                );
                self.line += 1;
                if format == Format::Csv {
                    place = text[start..].iter().fold(place, |place, &byte| place.after(byte, delimiter));
                }
                if place != Place::Quoted {
                    break;
                }
            }
            let is_open = place == Place::Quoted;
            if text.len() == first {
                return Ok(false);
            }
            if !is_open {
                for end in [b'\n', b'\r'] {
                    text.pop_if(|last| *last == end);
                }
            }
            let record = text.get(first..).unwrap_or_default();
            ensure!(
                line > 1 || !has_lone_carriage_return(record),
                "{}:1: a carriage return without a line feed, expected lines that end with a line feed",
                self.name
            );
            // In a file with tabs as delimiters, a tab alone is a row of empty fields.
            let is_blank = record.trim_ascii().is_empty() && !record.contains(&delimiter);
            if is_blank {
                self.blank = (self.blank.0 + 1, if self.blank.0 == 0 { line } else { self.blank.1 });
            }
            let is_comment = format == Format::Text && record.trim_ascii_start().starts_with(b"#");
            if !is_blank && !is_comment {
                block.records.push((line, text.len(), is_open));
                text.push(b'\n');
                return Ok(true);
            }
            text.truncate(first);
        }
    }
}

fn has_lone_carriage_return(text: &[u8]) -> bool {
    text.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n')
}

/// State of a scan through a row of CSV. It decides whether a quote begins or ends a quoted field.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Start,
    Unquoted,
    Quoted,
    /// After a quote in a quoted field. A second quote makes a literal quote. Otherwise the field ends.
    Closed,
}

impl Place {
    fn after(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Closed,
            (Self::Quoted, _) | (Self::Start | Self::Closed, b'"') => Self::Quoted,
            (_, b'\n') => Self::Start,
            (_, byte) if byte == delimiter => Self::Start,
            _ => Self::Unquoted,
        }
    }
}

impl Record<'_> {
    pub(super) fn read_cells(self, delimiter: u8, cells: &mut ByteRecord) {
        cells.clear();
        let (mut cell, mut place) = (Vec::new(), Place::Start);
        for &byte in self.text {
            let is_syntax = byte == b'"' && matches!(place, Place::Start | Place::Quoted);
            if byte == delimiter && place != Place::Quoted {
                cells.push_field(&cell);
                cell.clear();
            } else if !is_syntax {
                cell.push(byte);
            }
            place = place.after(byte, delimiter);
        }
        cells.push_field(&cell);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn input_format(format: Format) -> InputFormat {
        InputFormat { format, delimiter: b',' }
    }

    fn records(format: Format, text: &str) -> Vec<(u64, String)> {
        let input = Box::new(Cursor::new(text.to_owned().into_bytes()));
        let mut records = Records::new(input, "input".to_owned(), input_format(format));
        let mut block = Block::default();
        while records.next(&mut block).expect("readable") {}
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        block.iter().map(|record| (record.line, text(record.text))).collect()
    }

    #[test]
    fn rows_of_csv_have_the_numbers_of_their_first_lines() {
        let found = records(Format::Csv, "\u{feff}a,b\r\n\r\n\"1\n2\",\"x\"\"\n\"\n5\" x,6\n7");
        let expected = [(1, "a,b"), (3, "\"1\n2\",\"x\"\"\n\""), (6, "5\" x,6"), (7, "7")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
        let found = records(Format::Csv, "\u{feff}\"a\r\nb\",c\n");
        assert_eq!(found, [(1, "\"a\r\nb\",c".to_owned())]);
    }

    #[test]
    fn cells_are_without_their_quotes() {
        let cells = |text: &str, delimiter| {
            let mut cells = ByteRecord::new();
            let record = Record { line: 1, text: text.as_bytes(), is_open: false };
            record.read_cells(delimiter, &mut cells);
            cells.iter().map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        let expected = ["5\" x", "ab", "c,d", ""].map(str::as_bytes);
        assert_eq!(cells("5\" x,\"a\"b,\"c,d\",", b','), expected);
        assert_eq!(cells("\"a;b\";c,d", b';'), [&b"a;b"[..], b"c,d"]);
        assert_eq!(cells("\u{feff}\"a\",\"b\nc\r\"", b','), ["\u{feff}\"a\"".as_bytes(), b"b\nc\r"]);
    }

    #[test]
    fn lines_are_records_but_blank_ones_and_comments() {
        let found = records(Format::Text, "# x\n\n44\n \n\"4\n#\n5");
        assert_eq!(found, [(3, "44"), (5, "\"4"), (7, "5")].map(|(line, text)| (line, text.to_owned())));
        assert_eq!(records(Format::Jsonl, "# x\n").len(), 1);
        assert!(records(Format::Csv, "").is_empty());
    }

    #[test]
    fn an_unclosed_quote_is_reported() {
        let read = |text: &[u8]| {
            let mut block = Block::default();
            Records::new(Box::new(Cursor::new(text.to_vec())), "input".to_owned(), input_format(Format::Csv))
                .next(&mut block)?;
            anyhow::Ok(block)
        };
        assert!(read(b"\"4\n5\n").is_ok_and(|block| block.get(0).is_open));
        let long = [&b"\""[..], &vec![b'4'; LONGEST as usize]].concat();
        assert!(read(&long).is_err());
    }
}
