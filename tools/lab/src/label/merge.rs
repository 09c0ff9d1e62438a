//! `plumb-lab label merge`: the shards of a file, put together.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::output::{print, replace};
use crate::results::{Header, Lock, Shards};

/// Merge the shards of a labelled file.
///
/// Shards are the outputs of runs with `--shard I/N` and otherwise equal arguments, on any machine. The merged file has
/// the bytes of a run without `--shard`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shards.
    #[arg(value_name = "FILE", required = true)]
    parts: Vec<PathBuf>,
    /// The whole file.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the shards one after the other.
///
/// # Errors
/// If they are not all shards of one run, one is not as it was written, or a file cannot be read or written.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let (shards, out) = (Shards::read("label", &arguments.parts)?, &arguments.out);
    let _lock = Lock::take(out, "--out")?;
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
    replace(out, |out| {
        shards.iter().try_for_each(|(path, _)| io::copy(&mut File::open(path)?, out).map(drop))
    })?;
    print(format_args!("{}: {rows} rows of {} shards", out.display(), shards.iter().count()))
}
