//! Result file, which grows row by row. The same command resumes the file.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::{ReaderBuilder, WriterBuilder};
use plumb_protocol::shortened;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::header::{Header, sidecar};
use super::{Lock, take_lock};
use crate::output::{OutputFile, read_if_there, replace};

const SHOWN_LETTERS: usize = 80;

/// Row of a file of results. Its columns are the fields.
pub trait Row: Default + Serialize + DeserializeOwned {
    /// Whether the header is the first line of the file. Otherwise it is in `FILE.header`, so other programs can read
    /// the file.
    const HAS_HEADER: bool = false;

    /// Unique key in the file.
    fn key(&self) -> String;
}

fn beginning<R: Row>(header: &Header) -> Result<String> {
    let line = if R::HAS_HEADER { header.line()? + "\n" } else { String::new() };
    Ok(line + &columns::<R>()? + "\n")
}

/// File of results, open for more rows.
pub struct ResultFile<R> {
    lines: OutputFile,
    _lock: Option<Lock>,
    rows: PhantomData<fn(&R)>,
}

impl<R: Row> ResultFile<R> {
    /// Creates or resumes the file at `path`. Returns its rows. An incomplete last line is removed. `flag` is the option that
    /// names the file.
    ///
    /// # Errors
    /// Another header, no header, or malformed rows. The file then stays unchanged.
    pub fn open(path: &Path, flag: &str, header: &Header, lock: Lock) -> Result<(Self, Vec<R>)> {
        Self::open_in_batches(path, flag, header, lock, 1)
    }

    /// Like [`open`](Self::open), but for rows in batches. An incomplete last batch is removed.
    pub(crate) fn open_in_batches(
        path: &Path,
        flag: &str,
        header: &Header,
        lock: Lock,
        batch: usize,
    ) -> Result<(Self, Vec<R>)> {
        let text = read_if_there(path)?.unwrap_or_default();
        let whole = whole_lines(&text);
        let beginning = beginning::<R>(header)?;
        // A file with only a part of its first lines is from a run that was killed early.
        let is_new = whole.len() < beginning.len() && beginning.as_bytes().starts_with(&text);
        let is_known = text.is_empty() || R::HAS_HEADER || sidecar(path).exists();
        let (rows, cut) = if is_new && is_known {
            if !R::HAS_HEADER {
                header.write(path)?;
            }
            (Vec::new(), 0)
        } else {
            let text = if whole.is_empty() { &text } else { whole };
            let (mut found, lines) =
                split_header::<R>(path, text).map_err(|error| anyhow!("{error:#}; give another `{flag}`"))?;
            header.ensure_same(&found, path, flag)?;
            let read = rows(path, lines, batch)?;
            // The command may be repeated with a larger number of results.
            if header.results > found.results && !R::HAS_HEADER {
                found.results = header.results;
                found.write(path)?;
            }
            read
        };
        let mut lines = OutputFile::open(path, if is_new { 0 } else { (whole.len() - cut) as u64 })?;
        if is_new {
            lines.append(beginning.as_bytes())?;
        }
        Ok((Self { lines, _lock: Some(lock), rows: PhantomData }, rows))
    }

    /// Creates or replaces the file at `path`, or opens a pipe, for a run that is neither resumed nor merged. The file gets
    /// no [`Header`].
    pub(crate) fn create(path: &Path, flag: &'static str) -> Result<Self> {
        let is_file = !path.exists() || path.is_file();
        let mut lock = None;
        if is_file {
            lock = Some(take_lock(path, flag)?);
            Header::ensure_no_shard(path, flag)?;
            Header::remove(path)?;
        }
        let mut lines = OutputFile::create(path)?;
        lines.append((columns::<R>()? + "\n").as_bytes())?;
        Ok(Self { lines, _lock: lock, rows: PhantomData })
    }

    pub(crate) fn path(&self) -> &Path {
        self.lines.path()
    }

    /// Appends a row.
    pub fn append(&mut self, row: &R) -> Result<()> {
        self.append_all(std::slice::from_ref(row))
    }

    pub(crate) fn append_all(&mut self, rows: &[R]) -> Result<()> {
        self.lines.append(&rows.iter().map(encoded).collect::<Result<Vec<_>>>()?.concat())
    }

    pub(crate) fn sync(&mut self) -> Result<()> {
        self.lines.sync()
    }
}

pub(crate) fn read<R: Row>(path: &Path) -> Result<(Header, Vec<R>)> {
    let text = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let (header, lines) = split_header::<R>(path, whole_lines(&text))?;
    Ok((header, rows(path, lines, 1)?.0))
}

/// Writes a file with these rows, or replaces a file that has some of them.
///
/// # Errors
/// An existing file with other rows, or of a shard or another program.
pub fn write_all<R: Row>(path: &Path, flag: &'static str, header: &Header, rows: &[R]) -> Result<()> {
    let _lock = take_lock(path, flag)?;
    Header::ensure_no_shard(path, flag)?;
    let keys: HashSet<_> = rows.iter().map(Row::key).collect();
    let there = rows_in::<R>(path).map_err(|error| anyhow!("{error}; give another `{flag}`"))?;
    if let Some(key) = there.iter().map(Row::key).find(|key| !keys.contains(key)) {
        bail!("`{}` has `{key}`, which would be lost: give another `{flag}`", path.display());
    }
    header.write(path)?;
    let lines = rows.iter().map(encoded).collect::<Result<Vec<_>>>()?;
    let beginning = beginning::<R>(header)?;
    replace(path, |out| {
        out.write_all(beginning.as_bytes())?;
        for line in &lines {
            out.write_all(line)?;
        }
        Ok(())
    })
}

/// Reads the rows of a file that may lack a header.
fn rows_in<R: Row>(path: &Path) -> Result<Vec<R>> {
    let text = read_if_there(path)?.unwrap_or_default();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let lines = if R::HAS_HEADER { split_line(&text).1 } else { &text };
    Ok(rows(path, lines, 1)?.0)
}

fn whole_lines(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

fn encoded<R: Row>(row: &R) -> Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    Ok(writer.into_inner()?)
}

fn split_header<'a, R: Row>(path: &Path, lines: &'a [u8]) -> Result<(Header, &'a [u8])> {
    let name = path.display();
    if R::HAS_HEADER {
        let (first, rest) = split_line(lines);
        let header = Header::parse(first.as_bytes()).with_context(|| format!("`{name}`"))?;
        let header = header.with_context(|| {
            let shown = shortened(&first, SHOWN_LETTERS);
            format!("`{name}` begins with `{shown}`, expected the header of results")
        })?;
        return Ok((header, rest));
    }
    let header = Header::find(path)?.with_context(|| {
        format!(
            "`{name}` has no header of results, `{}`: it is of another program or version",
            sidecar(path).display()
        )
    })?;
    Ok((header, lines))
}

fn split_line(lines: &[u8]) -> (Cow<'_, str>, &[u8]) {
    let end = lines.iter().position(|&byte| byte == b'\n').map_or(lines.len(), |end| end + 1);
    let (first, rest) = lines.split_at(end);
    (String::from_utf8_lossy(first.trim_ascii_end()), rest)
}

/// Reads the rows below the names of their columns. Returns the rows of complete batches, and the size in bytes of an
/// incomplete batch.
fn rows<R: Row>(path: &Path, lines: &[u8], batch: usize) -> Result<(Vec<R>, usize)> {
    let (name, columns) = (path.display(), columns::<R>()?);
    let (first, rest) = split_line(lines);
    ensure!(first == columns, "`{name}` has the columns `{first}`, expected `{columns}`");
    let before = 1 + u64::from(R::HAS_HEADER);
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(rest);
    let (mut rows, mut starts, mut known) = (Vec::new(), Vec::new(), HashMap::new());
    for record in reader.records() {
        let record = record.with_context(|| format!("cannot read `{name}`"))?;
        let number = before + record.position().map_or(0, csv::Position::line);
        let Ok(row) = record.deserialize::<R>(None) else {
            let text = record.iter().collect::<Vec<_>>().join(",");
            bail!("{name}:{number}: `{text}`: expected `{columns}`")
        };
        if let Some(before) = known.insert(row.key(), number) {
            bail!("`{name}`: {} occurs twice, in lines {before} and {number}", row.key());
        }
        starts.push(record.position().map_or(0, csv::Position::byte) as usize);
        rows.push(row);
    }
    rows.truncate(rows.len() - rows.len() % batch);
    let end = starts.get(rows.len()).copied().unwrap_or(rest.len());
    Ok((rows, rest.len() - end))
}

fn columns<R: Row>() -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.serialize(R::default())?;
    let text = writer.into_inner()?;
    Ok(split_line(&text).0.into_owned())
}
