//! An output that grows block by block under another name, with a journal by which a run that was broken off is resumed;
//! and `plumb-lab label merge`, which puts the outputs of shards together.
//!
//! Beside `FILE.part` is `FILE.part.journal`: a header, then a row for each block, which is written when the block is
//! complete. What the part holds past the last row of the journal was being written when the run ended, and is removed.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use plumb_arena::file;
use serde::{Deserialize, Serialize};

use super::rows::Rows;
use crate::output::{OutputFile, check_overwrite, print, replace, with_suffix};
use crate::result_files::{Header, Lock, ResultFile, Row, Shards, read_header, remove_if_there, take_lock};

/// Progress of the output: a row of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Rows of this shard.
    pub rows: u64,
    /// How many of them are malformed.
    pub bad: u64,
    /// The size of the part in bytes.
    pub bytes: u64,
    /// SHA-256 of the rows of the input up to there.
    pub input: String,
}

impl Row for Progress {
    const HAS_HEADER: bool = true;

    fn key(&self) -> String {
        self.bytes.to_string()
    }
}

/// The unfinished output. If the program ends, however that may be, all blocks that were appended are there.
pub(super) struct Part {
    /// Final path.
    complete: PathBuf,
    /// The file under its temporary path.
    file: OutputFile,
    journal: ResultFile<Progress>,
}

impl Part {
    /// Opens the output at `complete`, perhaps a new one; returns its progress. Of `rows` those before `first`, and those that
    /// are done, are skipped. A block that was being written when the run ended is removed.
    ///
    /// # Errors
    /// If a part is there that has other settings, does not fit its journal or is made of other rows, or a file cannot be
    /// read or written.
    pub(super) fn open(
        complete: &Path,
        header: &Header,
        lock: Lock,
        rows: &mut Rows,
        first: u64,
    ) -> Result<(Self, Progress)> {
        let path = with_suffix(complete, ".part");
        let journal_path = with_suffix(&path, ".journal");
        let name = path.display();
        if path.exists() {
            ensure!(
                journal_path.exists(),
                "`{name}` has no journal `{}`: it is not of `plumb-lab label`, or cannot be resumed",
                journal_path.display()
            );
            header.ensure_same(&read_header::<Progress>(&journal_path)?, &path, "--out")?;
        } else {
            // The journal is left from a finished run, whose part was renamed.
            remove_if_there(&journal_path)?;
        }
        let (journal, blocks) = ResultFile::<Progress>::open(&journal_path, "--out", header, lock)?;
        let progress = blocks.last().cloned().unwrap_or_default();
        let found = match path.metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            metadata => metadata.with_context(|| format!("cannot read `{name}`"))?.len(),
        };
        let bytes = progress.bytes;
        ensure!(found >= bytes, "`{name}` has {found} bytes, expected at least {bytes} by its journal");
        rows.skip(first + progress.rows)?;
        ensure!(
            bytes == 0 || rows.sha256() == progress.input,
            "{}: the rows are not those that `{name}` was made of; remove it to begin anew",
            rows.name()
        );
        let file = OutputFile::open(&path, Some(bytes))?;
        Ok((Self { complete: complete.to_owned(), file, journal }, progress))
    }

    /// Appends a block, after which the output is at `progress`.
    pub(super) fn append(&mut self, block: &[u8], progress: &Progress) -> Result<()> {
        // What the journal tells of shall be on the disk before.
        self.file.append(block)?;
        self.file.sync()?;
        self.journal.append(progress)
    }

    /// Gives the file its name, beside which a shard, the only one of 1 too, has its header.
    pub(super) fn finish(self, header: &Header, is_shard: bool) -> Result<()> {
        if is_shard {
            // The header never stands beside the file of another run, which a merge would take for the one that it is of.
            remove_if_there(&self.complete)?;
            header.write(&self.complete)?;
        } else {
            Header::remove(&self.complete)?;
        }
        file::rename(self.file.path(), &self.complete)
            .with_context(|| format!("cannot create `{}`", self.complete.display()))?;
        remove_if_there(self.journal.path())
    }
}

/// Merge the shards of a labelled file.
///
/// Shards are the outputs of runs with `--shard I/N` and otherwise equal arguments, on any machine. The merged file has
/// the bytes of a run without `--shard`.
#[derive(clap::Args)]
pub(super) struct MergeArguments {
    /// The shards.
    #[arg(value_name = "FILE", required = true)]
    parts: Vec<PathBuf>,
    /// The whole file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the whole file if it exists.
    #[arg(long)]
    force: bool,
}

/// Writes the shards one after the other.
///
/// # Errors
/// If they are not all shards of one run, one has not the size that it was written with, or a file cannot be read or written.
pub(super) fn merge(arguments: &MergeArguments) -> Result<()> {
    let (shards, out) = (Shards::read("label", &arguments.parts)?, &arguments.out);
    let _lock = take_lock(out, "--out")?;
    Header::ensure_no_shard(out, "--out")?;
    let mut rows = 0;
    for (path, header) in shards.iter() {
        let name = path.display();
        let found = path.metadata().with_context(|| format!("cannot read `{name}`"))?.len();
        let bytes = header.bytes.unwrap_or(found);
        ensure!(
            found == bytes,
            "`{name}` has {found} bytes, expected {bytes}: it was changed since it was written"
        );
        rows += header.results.unwrap_or_default();
    }
    check_overwrite([out], arguments.force)?;
    Header::remove(out)?;
    replace(out, |out| {
        shards.iter().try_for_each(|(path, _)| io::copy(&mut File::open(path)?, out).map(drop))
    })?;
    print(format_args!("{}: {rows} rows of {} shards", out.display(), shards.iter().count()))
}
