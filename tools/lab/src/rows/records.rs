//! Records of a text: its lines, or the rows of CSV, whose quotes may contain line ends.

use std::io::{BufRead, Read};
use std::mem;

use anyhow::{Context, Result, ensure};
use csv_core::{ReadRecordResult, ReaderBuilder, Terminator};

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

/// Reader of records. It skips blank lines, and in plain text lines that start with `#`.
pub(super) struct Records {
    input: Box<dyn BufRead + Send>,
    pub name: String,
    pub format: InputFormat,
    csv: CsvParser,
    scratch: Cells,
    line: u64,
    /// Number of blank lines, and the line number of the first.
    pub blank: (u64, u64),
}

impl Records {
    pub(super) fn new(input: Box<dyn BufRead + Send>, name: String, format: InputFormat) -> Self {
        Self {
            input,
            name,
            format,
            csv: CsvParser::new(format.delimiter),
            scratch: Cells::default(),
            line: 0,
            blank: (0, 0),
        }
    }

    /// Adds the next record to a block. Returns false at the end of the input.
    pub(super) fn next(&mut self, block: &mut Block) -> Result<bool> {
        let InputFormat { format, delimiter } = self.format;
        let text = &mut block.text;
        let first = text.len();
        loop {
            let line = self.line + 1;
            let mut is_open = false;
            loop {
                let start = text.len();
                let room = LONGEST + 1 - (start - first) as u64;
                let read = self.input.by_ref().take(room).read_until(b'\n', text);
                if read.with_context(|| format!("cannot read {}", self.name))? == 0 {
                    is_open = is_open && !self.csv.parse(b"\n", &mut self.scratch);
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
                if format != Format::Csv || (!is_open && !text[start..].contains(&b'"')) {
                    break;
                }
                self.scratch.clear();
                is_open = !self.csv.parse(&text[start..], &mut self.scratch);
                if !is_open {
                    break;
                }
            }
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

/// Parser for rows that contain a quote.
struct CsvParser(csv_core::Reader);

impl CsvParser {
    fn new(delimiter: u8) -> Self {
        let mut builder = ReaderBuilder::new();
        let mut parser = Self(builder.delimiter(delimiter).terminator(Terminator::Any(b'\n')).build());
        // The parser removes a byte-order mark from its first input, so that input is a line end.
        parser.parse(b"\n", &mut Cells::default());
        parser
    }

    /// Adds the cells of `input` to `cells`. Returns whether the record is complete; an empty input completes every record.
    fn parse(&mut self, mut input: &[u8], cells: &mut Cells) -> bool {
        let (mut text, mut ends) = ([0; 1024], [0; 64]);
        loop {
            let (result, read, written, ended) = self.0.read_record(input, &mut text, &mut ends);
            cells.text.extend_from_slice(&text[..written]);
            cells.ends.extend_from_slice(&ends[..ended]);
            input = &input[read..];
            match result {
                ReadRecordResult::Record | ReadRecordResult::End => return true,
                ReadRecordResult::InputEmpty => return false,
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
            }
        }
    }
}

impl Record<'_> {
    /// Reads the cells of a row of CSV.
    ///
    /// A row without a quote is split at the delimiter, which is faster than the parser.
    pub(super) fn read_cells(self, delimiter: u8, cells: &mut Cells) {
        if !self.text.contains(&b'"') {
            for cell in self.text.split(|&byte| byte == delimiter) {
                cells.push(cell);
            }
            return;
        }
        let mut parser = cells.parser.take().unwrap_or_else(|| Box::new(CsvParser::new(delimiter)));
        if !parser.parse(self.text, cells) {
            parser.parse(b"", cells);
        }
        cells.parser = Some(parser);
    }
}

#[derive(Default)]
pub(crate) struct Cells {
    text: Vec<u8>,
    ends: Vec<usize>,
    /// Made for the first row with a quote, and kept for the next ones.
    parser: Option<Box<CsvParser>>,
}

impl Cells {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(super) fn push(&mut self, cell: &[u8]) {
        self.text.extend_from_slice(cell);
        self.ends.push(self.text.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
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
        assert_eq!(cells("\u{feff}\"a\",\"b\nc\r\"", b','), ["\u{feff}\"a\"".as_bytes(), b"b\nc\r"]);
        // More than the parser's buffers hold.
        let many = format!("\"{}\"{}", "x".repeat(2000), ",".repeat(99));
        assert_eq!((cells(&many, b',').len(), cells(&many, b',')[0].len()), (100, 2000));
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
