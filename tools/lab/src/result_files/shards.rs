//! The files of the shards of one run, for a merge.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use plumb_arena::shard::Shard;

use super::header::{Header, sidecar};
use super::result_file::{Row, read};

/// The shards of one run, all of them, in order.
#[derive(Debug)]
pub struct Shards(Vec<(PathBuf, Header)>);

impl Shards {
    /// Reads the headers of the results of the command `kind` in `files`.
    ///
    /// # Errors
    /// If one is no shard of that command; those of [`of_run`](Self::of_run).
    pub fn read(kind: &str, files: &[PathBuf]) -> Result<Self> {
        let header = |file: &PathBuf| {
            let header = Header::find(file)?.with_context(|| {
                format!("`{}` is no shard: there is no `{}`", file.display(), sidecar(file).display())
            })?;
            ensure!(
                header.kind == kind,
                "`{}` is a shard of `plumb-lab {}`, not of `plumb-lab {kind}`",
                file.display(),
                header.kind
            );
            Ok((file.clone(), header))
        };
        Self::of_run(files.iter().map(header).collect::<Result<_>>()?)
    }

    /// The shards with these files and headers.
    ///
    /// # Errors
    /// If they are of different runs, two are the same, or some are missing.
    pub(crate) fn of_run(mut shards: Vec<(PathBuf, Header)>) -> Result<Self> {
        let Some((first, of_first)) = shards.first() else { bail!("there is nothing to merge") };
        for (file, header) in &shards {
            let name = file.display();
            let mut of_same_shard = header.clone();
            of_same_shard.shard = of_first.shard;
            let both = |there: &str, here: &str| format!("{there} and {here}");
            let mut told = of_same_shard.differences(of_first, both);
            if told.is_empty() && !header.shard.is_of_as_many(of_first.shard) {
                told = header.differences(of_first, both);
            }
            let first = first.display();
            ensure!(told.is_empty(), "`{first}` and `{name}` are shards of different runs: {told}");
        }
        shards.sort_by_key(|(_, header)| header.shard.number());
        if let Some(pair) = shards.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
            let [one, other] = [&pair[0].0, &pair[1].0].map(|file| file.display());
            bail!("`{one}` and `{other}` are both shard {}", pair[0].1.shard);
        }
        let numbers: Vec<_> = shards.iter().map(|(_, header)| header.shard).collect();
        Shard::missing(&numbers).map_or(Ok(Self(shards)), |missing| bail!("{missing}"))
    }

    /// The files with their headers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &Header)> {
        self.0.iter().map(|(file, header)| (file.as_path(), header))
    }

    /// The header of the whole run.
    pub(crate) fn header(&self) -> Header {
        self.0[0].1.clone().of_whole()
    }

    /// The rows of all files, in the order of the shards.
    ///
    /// # Errors
    /// If a shard is not complete, a file is malformed, or two have the same result.
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
                    bail!("{} stands in `{}` and in `{name}`", row.key(), other.display());
                }
            }
            all.extend(rows);
        }
        Ok(all)
    }
}
