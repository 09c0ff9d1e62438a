//! Results of long work: header, lock, rows, resume, shards and merge.
//!
//! A run takes the [`Lock`] of its result, describes itself by a [`Header`], and opens a [`ResultFile`]. The file refuses
//! another header, and returns the rows that it has. Appended rows survive a kill. [`Shards`] are the files of all shards of a
//! run, for a merge.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::output::results_go_to_files;
use header::sidecar;

mod header;
mod result_file;
#[cfg(test)]
pub(crate) mod tests;

pub use header::{Header, remove_if_there};
pub(crate) use plumb_arena::lock::Lock;
pub(crate) use plumb_arena::shard::Shard;
pub(crate) use result_file::read;
pub use result_file::{ResultFile, Row, write_all};

/// Takes the lock of the results at `path`. From then on, a closed standard output does not end the run.
pub fn take_lock(path: &Path, flag: &'static str) -> Result<Lock> {
    ensure!(!path.is_dir(), "`{}` is a directory; give the name of a file", path.display());
    results_go_to_files();
    Lock::take(path, flag)
}

/// All shards of a run, sorted by number.
#[derive(Debug)]
pub struct Shards(Vec<(PathBuf, Header)>);

impl Shards {
    /// Reads the headers of results of the command `kind`.
    pub fn read(kind: &str, files: &[PathBuf]) -> Result<Self> {
        let mut shards = Vec::new();
        for file in files {
            let name = file.display();
            let header = Header::find(file)?.with_context(|| {
                format!("`{name}` is not a shard: there is no `{}`", sidecar(file).display())
            })?;
            ensure!(
                header.kind == kind,
                "`{name}` is a shard of `plumb-lab {}`, not of `plumb-lab {kind}`",
                header.kind
            );
            shards.push((file.clone(), header));
        }
        Self::of_run(shards)
    }

    /// Checks that these are all shards of one run.
    pub(crate) fn of_run(mut shards: Vec<(PathBuf, Header)>) -> Result<Self> {
        let Some((first, of_first)) = shards.first() else { bail!("there is nothing to merge") };
        for (file, header) in &shards {
            let name = file.display();
            let mut of_same_shard = header.clone();
            of_same_shard.shard = of_first.shard;
            let mut differences = of_same_shard.differences(of_first, both);
            if differences.is_empty() && !header.shard.is_of_as_many(of_first.shard) {
                differences = header.differences(of_first, both);
            }
            let first = first.display();
            ensure!(
                differences.is_empty(),
                "`{first}` and `{name}` are shards of different runs: {differences}"
            );
        }
        shards.sort_by_key(|(_, header)| header.shard.number());
        if let Some(pair) = shards.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
            let [one, other] = [&pair[0].0, &pair[1].0].map(|file| file.display());
            bail!("`{one}` and `{other}` are both shard {}", pair[0].1.shard);
        }
        let numbers: Vec<_> = shards.iter().map(|(_, header)| header.shard).collect();
        match Shard::missing(&numbers) {
            Some(missing) => bail!("{missing}"),
            None => Ok(Self(shards)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &Header)> {
        self.0.iter().map(|(file, header)| (file.as_path(), header))
    }

    pub(crate) fn header(&self) -> Header {
        self.0[0].1.clone().of_whole()
    }

    /// Rows of all files, in the order of the shards.
    pub fn rows<R: Row>(&self) -> Result<Vec<R>> {
        let mut all = Vec::new();
        let mut known: HashMap<_, &Path> = HashMap::new();
        for (file, header) in self.iter() {
            let (_, rows) = read::<R>(file)?;
            let (name, shard, count) = (file.display(), header.shard, rows.len() as u64);
            let results = header.results.unwrap_or(count);
            ensure!(
                count == results,
                "`{name}` is not complete: shard {shard} has {count} of {results} results, and the same command finds the \
                 rest"
            );
            for row in &rows {
                if let Some(other) = known.insert(row.key(), file) {
                    bail!("{} occurs in `{}` and in `{name}`", row.key(), other.display());
                }
            }
            all.extend(rows);
        }
        Ok(all)
    }
}

fn both(one: &str, other: &str) -> String {
    format!("{one} and {other}")
}
