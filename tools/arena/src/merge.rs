//! Merges shards of a match.

use std::collections::BTreeMap;
use std::io::Write;
use std::mem::take;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::directory::{FinishedMatch, LockedDirectory, ReportPage, read_match, results_of};
use crate::record::file::RecordReader;
use crate::record::{MatchHeader, record_path};
use crate::shard::Shard;

struct Shards {
    header: MatchHeader,
    records: Vec<RecordReader>,
    shard_of: BTreeMap<u32, usize>,
    found: Vec<Shard>,
}

/// Merges shards into the directory `out`, and writes the report. `force` overwrites unrelated files in `out`. Also
/// returns a message about missing shards, if any.
pub fn merge(
    directories: &[PathBuf],
    out: &Path,
    force: bool,
    page: ReportPage<'_>,
) -> Result<(FinishedMatch, Option<String>)> {
    let mut locked = LockedDirectory::open(out, force)?;
    let mut shards = Shards::read(directories)?;
    if let Some(found) = &mut locked.found {
        let is_same = shards.header.is_of_same_match(&found.header) && shards.contain(found)?;
        ensure!(is_same, "`{}` is there already, with other games", record_path(out).display());
    }
    let missing = Shard::missing(&shards.found);
    let directory = locked.begin_with(&shards.header, |out| {
        for (game, shard) in shards.shard_of {
            out.write_all(&shards.records[shard].line_of(game)?)?;
        }
        Ok(())
    })?;
    let results = results_of(&mut read_match(out)?)?;
    Ok((FinishedMatch::write(results, Some(directory), page), missing))
}

impl Shards {
    fn read(directories: &[PathBuf]) -> Result<Self> {
        let mut whole: Option<MatchHeader> = None;
        let (mut records, mut found, mut shard_of) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (index, directory) in directories.iter().enumerate() {
            let mut record = read_match(directory)?;
            found.extend(record.header.shard);
            let header = MatchHeader { shard: None, ..record.header.clone() };
            let (name, first) = (directory.display(), directories[0].display());
            let whole = whole.get_or_insert_with(|| header.clone());
            if !whole.is_of_same_match(&header) {
                bail!(
                    "`{name}` and `{first}` are not shards of one match: settings or versions of plumb-lab differ"
                );
            }
            // UTC timestamps sort correctly as text.
            whole.started = header.started.min(take(&mut whole.started));
            while let Some(game) = record.next_game()? {
                if let Some(other) = shard_of.insert(game.game, index) {
                    let other: &PathBuf = &directories[other];
                    bail!("game {} is in `{}` and in `{name}`", game.number(), other.display());
                }
            }
            records.push(record);
        }
        let Some(header) = whole else { bail!("there is nothing to merge") };
        Ok(Self { header, records, shard_of, found })
    }

    fn contain(&mut self, record: &mut RecordReader) -> Result<bool> {
        while record.next_game()?.is_some() {}
        for number in record.numbers() {
            let Some(&shard) = self.shard_of.get(&number) else { return Ok(false) };
            if self.records[shard].line_of(number)? != record.line_of(number)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
