//! A file of results: rows that grow in number, resumed under the same header.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::{ReaderBuilder, WriterBuilder};
use plumb_tools_common::file;
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

use super::header::{Header, sidecar};
use super::lock::Lock;
use crate::output::{read_if_there, replace};

/// The longest header that is read, in bytes.
const LONGEST_HEADER: u64 = 1 << 16;
/// Letters that are shown of a line that is no header.
const SHOWN_LETTERS: usize = 80;

/// A result: a row of a file, whose columns are the fields.
pub(crate) trait Row: Serialize + DeserializeOwned {
    /// The layout of the file.
    const LAYOUT: Layout = Layout::CSV;

    /// The key, which no other row of the file has.
    fn key(&self) -> String;
}

/// The layout of a file of results.
pub(crate) struct Layout {
    /// The first line that is the header; none if the header is in a sidecar.
    pub header_line: Option<HeaderLine>,
    pub delimiter: u8,
    /// Whether the names of the columns stand above the rows.
    pub has_columns: bool,
}

/// The form of a header in the first line of a file.
pub(crate) struct HeaderLine {
    pub write: fn(&Header) -> Result<String>,
    pub parse: fn(&str) -> Option<Header>,
}

impl Layout {
    /// Comma-separated values for other programs, with the header in a sidecar.
    pub(crate) const CSV: Self = Self { header_line: None, delimiter: b',', has_columns: true };
    /// Comma-separated values below the header.
    pub(crate) const PART: Self = Self {
        header_line: Some(HeaderLine { write: Header::line, parse: Header::parse }),
        delimiter: b',',
        has_columns: true,
    };

    /// The names of the columns of `R`, as they stand above the rows.
    fn columns<R: Row>(&self) -> String {
        columns::<R>().join(&self.separator())
    }

    fn separator(&self) -> String {
        char::from(self.delimiter).to_string()
    }

    /// The lines above the rows of `R`.
    fn beginning<R: Row>(&self, header: &Header) -> Result<String> {
        let mut lines = String::new();
        if let Some(form) = &self.header_line {
            lines += &((form.write)(header)? + "\n");
        }
        if self.has_columns {
            lines += &(self.columns::<R>() + "\n");
        }
        Ok(lines)
    }
}

/// The file, open for more rows.
pub(crate) struct ResultFile<R> {
    lines: LineFile,
    lock: Option<Lock>,
    rows: PhantomData<fn(&R)>,
}

impl<R: Row> ResultFile<R> {
    /// Begins the file at `path`, or resumes it; returns the rows that are there. An incomplete last line is removed. `flag`
    /// names the file on the command line.
    ///
    /// # Errors
    /// If the file has another header, none, or malformed rows, in which case it is left as it is; if it cannot be read or
    /// written.
    pub(crate) fn open(path: &Path, flag: &str, header: &Header, lock: Lock) -> Result<(Self, Vec<R>)> {
        let layout = R::LAYOUT;
        let text = read_if_there(path)?.unwrap_or_default();
        let whole = whole_lines(&text);
        let beginning = layout.beginning::<R>(header)?;
        // A run that was ended in the middle of its first lines has begun nothing.
        let is_new = whole.len() < beginning.len() && beginning.as_bytes().starts_with(&text);
        let is_known = text.is_empty() || layout.header_line.is_some() || sidecar(path).exists();
        let rows = if is_new && is_known {
            if layout.header_line.is_none() {
                header.write(path)?;
            }
            Vec::new()
        } else {
            let text = if whole.is_empty() { &text } else { whole };
            let (found, lines, before) =
                split_header::<R>(path, text).map_err(|error| anyhow!("{error}; give another `{flag}`"))?;
            header.ensure_same(&found, path, flag)?;
            rows(path, lines, before)?
        };
        let mut lines = LineFile::open(path, Some(if is_new { 0 } else { whole.len() as u64 }))?;
        if is_new {
            lines.append(beginning.as_bytes())?;
        }
        Ok((Self { lines, lock: Some(lock), rows: PhantomData }, rows))
    }

    /// Begins the file at `path`, or the pipe, in place of one that is there and is no shard's. It gets no header, as such a
    /// run is neither resumed nor merged.
    pub(crate) fn create(path: &Path, flag: &'static str) -> Result<Self> {
        let is_file = !path.exists() || path.is_file();
        let lock = is_file.then(|| Lock::take(path, flag)).transpose()?;
        if is_file {
            Header::ensure_no_shard(path, flag)?;
            Header::remove(path)?;
        }
        let mut lines = LineFile::create(path)?;
        lines.append((R::LAYOUT.columns::<R>() + "\n").as_bytes())?;
        Ok(Self { lines, lock, rows: PhantomData })
    }

    pub(crate) fn path(&self) -> &Path {
        self.lines.path()
    }

    /// Appends a row, at once.
    pub(crate) fn append(&mut self, row: &R) -> Result<()> {
        self.append_all(std::slice::from_ref(row))
    }

    /// Appends rows that belong together, at once.
    pub(crate) fn append_all(&mut self, rows: &[R]) -> Result<()> {
        self.lines.append(&rows.iter().map(encoded).collect::<Result<Vec<_>>>()?.concat())
    }

    /// Flushes the file to the disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.lines.sync()
    }

    /// Gives the file, which is complete, its name.
    pub(crate) fn finish(mut self, complete: &Path) -> Result<Option<Lock>> {
        self.sync()?;
        file::rename(self.path(), complete)
            .with_context(|| format!("cannot create `{}`", complete.display()))?;
        Ok(self.lock)
    }
}

/// Reads the file of results at `path`: its header and its rows.
pub(crate) fn read<R: Row>(path: &Path) -> Result<(Header, Vec<R>)> {
    let text = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let (header, lines, before) = split_header::<R>(path, whole_lines(&text))?;
    Ok((header, rows(path, lines, before)?))
}

/// Reads the header of the file of results at `path`, which stands in its first line.
pub(crate) fn read_header<R: Row>(path: &Path) -> Result<Header> {
    let mut line = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let read = BufReader::new(file.take(LONGEST_HEADER)).read_until(b'\n', &mut line);
    read.with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(split_header::<R>(path, &line)?.0)
}

/// Writes a whole file of results in place of one that is there and is no shard's.
pub(crate) fn write_all<R: Row>(path: &Path, flag: &'static str, header: &Header, rows: &[R]) -> Result<()> {
    let _lock = Lock::take(path, flag)?;
    Header::ensure_no_shard(path, flag)?;
    header.write(path)?;
    let lines = rows.iter().map(encoded).collect::<Result<Vec<_>>>()?;
    let beginning = R::LAYOUT.beginning::<R>(header)?;
    replace(path, |out| {
        out.write_all(beginning.as_bytes())?;
        lines.iter().try_for_each(|line| out.write_all(line))
    })
}

/// The lines that have their end.
fn whole_lines(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// The line of a row, with its end.
fn encoded<R: Row>(row: &R) -> Result<Vec<u8>> {
    let mut writer = WriterBuilder::new();
    let mut writer = writer.has_headers(false).delimiter(R::LAYOUT.delimiter).from_writer(Vec::new());
    writer.serialize(row)?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// The header of the file at `path`, which has these lines; the lines after a header that stands among them, and its number
/// of lines.
fn split_header<'a, R: Row>(path: &Path, lines: &'a [u8]) -> Result<(Header, &'a [u8], u64)> {
    let name = path.display();
    if let Some(form) = &R::LAYOUT.header_line {
        let (first, rest) = split_line(lines);
        let header = (form.parse)(&first).with_context(|| {
            let shown: String = first.chars().take(SHOWN_LETTERS).collect();
            format!("`{name}` begins with `{shown}`, expected the header of results")
        })?;
        return Ok((header, rest, 1));
    }
    let header = Header::find(path)?.with_context(|| {
        format!(
            "`{name}` has no header of results, `{}`: it is of another program or version",
            sidecar(path).display()
        )
    })?;
    Ok((header, lines, 0))
}

/// The first line, without its end, and the others.
fn split_line(lines: &[u8]) -> (Cow<'_, str>, &[u8]) {
    let end = lines.iter().position(|&byte| byte == b'\n').map_or(lines.len(), |end| end + 1);
    let (first, rest) = lines.split_at(end);
    (String::from_utf8_lossy(first.trim_ascii_end()), rest)
}

/// Reads the rows in these lines, which come after so many others.
fn rows<R: Row>(path: &Path, mut lines: &[u8], mut before: u64) -> Result<Vec<R>> {
    let (layout, name) = (R::LAYOUT, path.display());
    let columns = layout.columns::<R>();
    if layout.has_columns {
        let (first, rest) = split_line(lines);
        ensure!(first == columns, "`{name}` has the columns `{first}`, expected `{columns}`");
        (lines, before) = (rest, before + 1);
    }
    let mut reader = ReaderBuilder::new();
    let mut reader = reader.has_headers(false).delimiter(layout.delimiter).flexible(true).from_reader(lines);
    let (mut rows, mut known) = (Vec::new(), HashMap::new());
    for record in reader.records() {
        let record = record.with_context(|| format!("cannot read `{name}`"))?;
        let number = before + record.position().map_or(0, csv::Position::line);
        let Ok(row) = record.deserialize::<R>(None) else {
            let text = record.iter().collect::<Vec<_>>().join(&layout.separator());
            bail!("{name}:{number}: `{text}`: expected `{columns}`")
        };
        match known.entry(row.key()) {
            Entry::Occupied(entry) => {
                bail!("`{name}`: {} stands twice, in lines {} and {number}", entry.key(), entry.get())
            }
            Entry::Vacant(entry) => entry.insert(number),
        };
        rows.push(row);
    }
    Ok(rows)
}

/// The file, open for appending. Appended lines are in the file however the program ends.
pub(crate) struct LineFile {
    path: PathBuf,
    file: File,
}

impl LineFile {
    /// Opens the file at `path`, or makes it, and cuts it to its first `keep` bytes if that is given.
    pub(crate) fn open(path: &Path, keep: Option<u64>) -> Result<Self> {
        if let Some(keep) = keep {
            // Windows cuts no file that is open for appending.
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
            file.and_then(|file| file.set_len(keep)).with_context(|| writing(path))?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Self { path: path.to_owned(), file: file.with_context(|| writing(path))? })
    }

    /// Makes or empties the file at `path`, which may be a pipe.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("cannot create `{}`", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends whole lines, at once and in one piece.
    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.act(|file| file.write_all(lines))
    }

    /// Flushes the file to the disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        self.act(|file| file.sync_all())
    }

    fn act(&mut self, act: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        act(&mut self.file).with_context(|| writing(&self.path))
    }
}

fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}

/// The names of the fields of `T`, a structure that derives `Deserialize`.
pub(super) fn columns<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // The fields are told before anything is read, and there is nothing to read.
    let _nothing = T::deserialize(Fields(&mut fields));
    fields
}

/// A deserialiser that takes note of the fields it is asked for.
struct Fields<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("there is no value"))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("expected a structure"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
