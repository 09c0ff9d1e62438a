//! Records of a text: its lines, or in CSV its rows, which may contain ends of lines within quotes.

use std::io::{BufRead, Read};
use std::mem;

use anyhow::{Context, Result, ensure};

use super::input::{Format, InputFormat};

/// The greatest size of a record in bytes. Without a limit, a quote that is not closed would read the rest of a file into
/// memory.
const LONGEST: u64 = 1 << 20;

/// The byte-order mark in UTF-8, with which some programs begin a text; it is no part of the first field.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A record as it is in the text, without the end of its last line.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    /// The number of its first line, from 1.
    pub line: u64,
    pub text: &'a [u8],
    /// Whether a quote in it is not closed, which only the last record of a text can have.
    pub is_open: bool,
}

/// Records one after the other in one buffer, a line feed after each.
#[derive(Default)]
pub(super) struct Block {
    text: Vec<u8>,
    /// The first line of each record, where its text ends in the buffer, and whether a quote is open.
    records: Vec<(u64, usize, bool)>,
}

impl Block {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The bytes of all records, a line feed after each.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The record of this index.
    pub(super) fn get(&self, index: usize) -> Record<'_> {
        let (line, end, is_open) = self.records[index];
        let start = if index == 0 { 0 } else { self.records[index - 1].1 + 1 };
        Record { line, text: &self.text[start..end], is_open }
    }

    /// Takes up to `most` of the first records.
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

    pub(super) fn iter(&self) -> impl Iterator<Item = Record<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// The records of a text, one after the other. Blank lines are left out; in plain text so are those that begin with `#`.
pub(super) struct Records {
    input: Box<dyn BufRead + Send>,
    /// The name of the input for messages.
    pub name: String,
    pub format: InputFormat,
    /// How many lines have been read.
    line: u64,
    /// How many blank lines were left out so far, and the number of the first one.
    pub blank: (u64, u64),
}

impl Records {
    pub(super) fn new(input: Box<dyn BufRead + Send>, name: String, format: InputFormat) -> Self {
        Self { input, name, format, line: 0, blank: (0, 0) }
    }

    /// Adds the next record to a block; false at the end.
    ///
    /// # Errors
    /// If the input cannot be read, or a record is too long; if lines end with carriage returns alone, so that all are one.
    pub(super) fn next(&mut self, block: &mut Block) -> Result<bool> {
        let InputFormat { format, delimiter } = self.format;
        let text = &mut block.text;
        let first = text.len();
        loop {
            let line = self.line + 1;
            let mut quotes = Quotes::FieldStart;
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
                if format != Format::Csv || (quotes != Quotes::Quoted && !text[start..].contains(&b'"')) {
                    break;
                }
                quotes = text[start..].iter().fold(quotes, |quotes, &byte| quotes.after(byte, delimiter));
                if quotes != Quotes::Quoted {
                    break;
                }
            }
            if text.len() == first {
                return Ok(false);
            }
            let is_open = quotes == Quotes::Quoted;
            if !is_open {
                for end in [b'\n', b'\r'] {
                    text.pop_if(|last| *last == end);
                }
            }
            let record = text.get(first..).unwrap_or_default();
            let is_lone = |pair: &[u8]| pair[0] == b'\r' && pair[1] != b'\n';
            ensure!(
                line > 1 || !record.windows(2).any(is_lone),
                "{}:1: a carriage return without a line feed, expected lines that end with a line feed",
                self.name
            );
            // A tab alone is a row of empty fields where tabs separate them.
            let is_blank = record.trim_ascii().is_empty() && !record.contains(&delimiter);
            if is_blank {
                self.blank = (self.blank.0 + 1, if self.blank.0 == 0 { line } else { self.blank.1 });
            }
            let is_comment = format == Format::Text && record.starts_with(b"#");
            if !is_blank && !is_comment {
                block.records.push((line, text.len(), is_open));
                text.push(b'\n');
                return Ok(true);
            }
            text.truncate(first);
        }
    }
}

/// Where in a row of CSV the text is, by the rules of crate `csv`: a quote counts only at the start of a field, and two
/// within quotes are one that does not end them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    FieldStart,
    Unquoted,
    Quoted,
    /// After a quote within quotes, which either ends them or is the first of two.
    QuoteInQuoted,
}

impl Quotes {
    fn after(self, byte: u8, delimiter: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::QuoteInQuoted,
            (Self::FieldStart | Self::QuoteInQuoted, b'"') | (Self::Quoted, _) => Self::Quoted,
            (_, byte) if byte == delimiter => Self::FieldStart,
            _ => Self::Unquoted,
        }
    }
}

impl Record<'_> {
    /// Reads the cells of a record of CSV.
    pub(super) fn read_cells(self, delimiter: u8, cells: &mut Cells) {
        if !self.text.contains(&b'"') {
            self.text.split(|&byte| byte == delimiter).for_each(|cell| cells.push(cell));
            return;
        }
        let mut quotes = Quotes::FieldStart;
        for &byte in self.text {
            let before = quotes;
            quotes = before.after(byte, delimiter);
            match quotes {
                Quotes::FieldStart => cells.end(),
                // A quote that ends a field or is the first of two, and one that begins a field.
                Quotes::QuoteInQuoted => {}
                Quotes::Quoted if before == Quotes::FieldStart => {}
                _ => cells.text.push(byte),
            }
        }
        cells.end();
    }
}

/// The cells of a row in one buffer.
#[derive(Default)]
pub(super) struct Cells {
    text: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl Cells {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(super) fn push(&mut self, cell: &[u8]) {
        self.text.extend_from_slice(cell);
        self.end();
    }

    fn end(&mut self) {
        self.ends.push(self.text.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The cell of this index.
    pub(super) fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.get(index))
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
            let mut cells = Cells::default();
            Record { line: 1, text: text.as_bytes(), is_open: false }.read_cells(delimiter, &mut cells);
            cells.iter().map(<[u8]>::to_vec).collect::<Vec<_>>()
        };
        let expected = ["5\" x", "ab", "c,d", ""].map(str::as_bytes);
        assert_eq!(cells("5\" x,\"a\"b,\"c,d\",", b','), expected);
        assert_eq!(cells("\"a;b\";c,d", b';'), [&b"a;b"[..], b"c,d"]);
    }

    #[test]
    fn lines_are_records_but_blank_ones_and_comments() {
        let found = records(Format::Text, "# x\n\n44\n \n\"4\n#\n5");
        assert_eq!(found, [(3, "44"), (5, "\"4"), (7, "5")].map(|(line, text)| (line, text.to_owned())));
        assert_eq!(records(Format::Jsonl, "# x\n").len(), 1);
        assert!(records(Format::Csv, "").is_empty());
    }

    #[test]
    fn a_quote_that_is_not_closed_is_told() {
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
