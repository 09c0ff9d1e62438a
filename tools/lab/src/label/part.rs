//! Unfinished outputs with a journal, and `plumb-lab label merge`.
//!
//! `FILE.part` grows block by block. `FILE.part.journal` has a header, and a row for each complete block. A resumed run cuts the
//! part to the size in the last row of the journal.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use plumb_arena::file;
use serde::{Deserialize, Serialize};

use crate::output::{OutputFile, check_overwrite, print, replace, with_suffix};
use crate::result_files::{Header, Lock, ResultFile, Row, Shards, read, remove_if_there, take_lock};
use crate::rows::Rows;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Progress {
    pub rows: u64,
    pub bad: u64,
    pub bytes: u64,
    /// SHA-256 of the input rows that are done.
    pub input: String,
}

impl Row for Progress {
    const HAS_HEADER: bool = true;

    fn key(&self) -> String {
        self.bytes.to_string()
    }
}

/// Unfinished output. Appended blocks are safe even if the program is killed.
pub(super) struct Part {
    complete: PathBuf,
    file: OutputFile,
    journal: ResultFile<Progress>,
}

impl Part {
    /// Creates or resumes the unfinished file of the output `complete`. Skips input rows before `first`, and input
    /// rows that are done.
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
                "`{name}` has no journal `{}`, so it cannot be resumed; remove it or give another `--out`",
                journal_path.display()
            );
            header.ensure_same(&read::<Progress>(&journal_path)?.0, &path, "--out")?;
        } else {
            // This journal is of a finished run that was killed before it removed the journal.
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
            "`{name}` was made of other rows than {} has now; remove it to start again",
            rows.name()
        );
        let file = OutputFile::open(&path, bytes)?;
        Ok((Self { complete: complete.to_owned(), file, journal }, progress))
    }

    pub(super) fn append(&mut self, block: &[u8], progress: &Progress) -> Result<()> {
        // Write the rows first, because the journal must not list rows that are missing.
        self.file.append(block)?;
        self.file.sync()?;
        self.journal.append(progress)
    }

    /// Gives the file its final name. A shard also gets a header file.
    pub(super) fn finish(self, header: &Header, is_shard: bool) -> Result<()> {
        if is_shard {
            // A killed run must not leave this header next to an older file, which a merge would accept.
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
/// The shards come from runs with `--shard I/N` and otherwise equal arguments, on any machine. The merged file has the bytes
/// of a run without `--shard`.
#[derive(clap::Args)]
pub(crate) struct MergeArguments {
    /// Outputs of the shards.
    #[arg(value_name = "FILE", required = true)]
    parts: Vec<PathBuf>,
    /// Merged file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the merged file.
    #[arg(long)]
    force: bool,
}

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
            "`{name}` has {found} bytes, expected {bytes}: it has changed since it was written"
        );
        rows += header.results.unwrap_or_default();
    }
    check_overwrite([out], arguments.force)?;
    Header::remove(out)?;
    replace(out, |out| {
        for (path, _) in shards.iter() {
            io::copy(&mut File::open(path)?, out)?;
        }
        Ok(())
    })?;
    print(format_args!("{}: {rows} rows of {} shards", out.display(), shards.iter().count()))
}
