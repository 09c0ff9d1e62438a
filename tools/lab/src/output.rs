//! Standard output, and files of results.

use std::fmt::Arguments;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write, stderr, stdout};
#[cfg(unix)]
use std::os::{fd::AsFd, unix::fs::FileTypeExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Error, Result, bail, ensure};
use plumb_arena::file;
pub(crate) use plumb_arena::file::with_suffix;
use serde::Serialize;

use crate::exit::End;

/// Whether the run writes result files. Such a run continues if standard output fails.
static HAS_RESULT_FILES: AtomicBool = AtomicBool::new(false);

/// First write error of standard output in a run with result files.
static WRITE_ERROR: OnceLock<String> = OnceLock::new();

/// Makes [`print()`] ignore errors, because the results are in files.
pub(crate) fn results_go_to_files() {
    HAS_RESULT_FILES.store(true, Ordering::Relaxed);
}

/// Prints a line and flushes it.
///
/// # Errors
/// [`End::Closed`] if the reader is gone; other write errors. None after `results_go_to_files`.
pub fn print(line: Arguments<'_>) -> Result<()> {
    let mut out = stdout().lock();
    let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) else { return Ok(()) };
    let (is_closed, sentence) = (is_closed(&error), format!("cannot write to standard output: {error}"));
    if HAS_RESULT_FILES.load(Ordering::Relaxed) {
        if !is_closed && WRITE_ERROR.set(sentence.clone()).is_ok() {
            // Standard error may be closed, too.
            let _ = writeln!(stderr(), "{sentence}; the results are still written to their files");
        }
        return Ok(());
    }
    Err(if is_closed { End::Closed.into() } else { Error::msg(sentence) })
}

/// Returns the first write error that [`print()`] ignored.
pub(crate) fn check_printed() -> Result<()> {
    if let Some(sentence) = WRITE_ERROR.get() {
        bail!("{sentence}");
    }
    Ok(())
}

fn is_closed(error: &io::Error) -> bool {
    // Writing to a closed terminal fails with `EIO`.
    #[cfg(unix)]
    if error.raw_os_error() == Some(libc::EIO) {
        return true;
    }
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::WriteZero)
}

/// Width of the terminal, at least 40, or 80 without a terminal.
pub(crate) fn width() -> usize {
    console::Term::stdout().size_checked().map_or(80, |(_, columns)| usize::from(columns).max(40))
}

/// Whether standard output is a pipe. Always false on systems that do not report it.
pub(crate) fn stdout_is_pipe() -> bool {
    #[cfg(unix)]
    {
        let metadata = stdout().as_fd().try_clone_to_owned().and_then(|file| File::from(file).metadata());
        metadata.is_ok_and(|metadata| metadata.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

/// Lines of a table. A column is as wide as its heading. `|` separates headings.
pub(crate) fn table(headings: &str, rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let mut lines = vec![headings.replace('|', " ")];
    for row in rows {
        let cells = headings.split('|').zip(row);
        let cells = cells.map(|(heading, cell)| format!("{cell:>0$}", heading.chars().count()));
        lines.push(cells.collect::<Vec<_>>().join(" ").trim_end().to_owned());
    }
    lines
}

pub(crate) fn print_table(headings: &str, rows: impl Iterator<Item = Vec<String>>) -> Result<()> {
    for line in table(headings, rows) {
        print(format_args!("{line}"))?;
    }
    Ok(())
}

pub(crate) fn or_dash<T>(figure: Option<T>, show: impl Fn(T) -> String) -> String {
    figure.map_or_else(|| "-".to_owned(), show)
}

pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        text => text.with_context(|| format!("cannot read `{}`", path.display())).map(Some),
    }
}

/// Replaces the contents of a file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| writing(path))
}

/// Replaces a file atomically: after a crash, either the old or the new file is complete.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<()> {
    file::replace(path, write).with_context(|| writing(path))
}

/// Whether writing to `path` would destroy anything. Pipes, devices and empty files have no contents.
pub(crate) fn has_contents(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_dir() || found.len() > 0)
}

/// Refuses directories, and files with contents unless `force` is set.
pub(crate) fn check_overwrite<'a>(paths: impl IntoIterator<Item = &'a PathBuf>, force: bool) -> Result<()> {
    for path in paths {
        ensure!(!path.is_dir(), "`{}` is a directory; give the name of a file", path.display());
        let is_free = force || !has_contents(path);
        ensure!(is_free, "`{}` is there already; `--force` overwrites it", path.display());
    }
    Ok(())
}

/// Refuses a directory that has some of the `reports` but no `results`, because another program wrote them.
pub fn check_directory(results: &Path, reports: &[&str]) -> Result<()> {
    if has_contents(results) {
        return Ok(());
    }
    for name in reports {
        let path = results.with_file_name(name);
        ensure!(!has_contents(&path), "`{}` is there already; give another `--out`", path.display());
    }
    Ok(())
}

/// Result file, created before the work starts, so a wrong path fails early. Writes are unbuffered, so a killed
/// program loses no written rows.
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
}

impl OutputFile {
    /// Opens or creates a file, and cuts it to `size` bytes.
    pub(crate) fn open(path: &Path, size: u64) -> Result<Self> {
        results_go_to_files();
        // Windows cannot cut a file that is open for appending.
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        file.and_then(|file| file.set_len(size)).with_context(|| writing(path))?;
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(Self { path: path.to_owned(), file: file.with_context(|| writing(path))? })
    }

    /// Creates or empties a file, or opens a pipe.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        results_go_to_files();
        let file = File::create(path).with_context(|| format!("cannot create `{}`", path.display()))?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<()> {
        self.file.write_all(lines).with_context(|| writing(&self.path))
    }

    pub(crate) fn sync(&mut self) -> Result<()> {
        self.file.sync_all().with_context(|| writing(&self.path))
    }
}

pub(crate) fn write_json(file: Option<OutputFile>, document: &impl Serialize) -> Result<()> {
    if let Some(mut file) = file {
        file.append((serde_json::to_string_pretty(document)? + "\n").as_bytes())?;
    }
    Ok(())
}

fn writing(path: &Path) -> String {
    format!("cannot write to `{}`", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_or_terminal_is_not_a_write_error() {
        assert!(is_closed(&ErrorKind::BrokenPipe.into()));
        assert!(!is_closed(&ErrorKind::StorageFull.into()));
        #[cfg(unix)]
        assert!(is_closed(&io::Error::from_raw_os_error(libc::EIO)));
    }
}
