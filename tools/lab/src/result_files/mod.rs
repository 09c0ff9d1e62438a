//! Results of long work: header, lock, rows, resume, shards and merge.
//!
//! A run takes the [`Lock`] of its result, describes itself by a [`Header`], and opens a [`ResultFile`]. The file refuses
//! another header, and returns the rows that it has. Appended rows survive a kill. [`Shards`] are the files of all shards of a
//! run, for a merge.

use std::path::Path;

use anyhow::Result;

use crate::output::results_go_to_files;

mod header;
mod result_file;
mod shards;
#[cfg(test)]
pub(crate) mod tests;

pub use header::{Header, remove_if_there};
pub(crate) use plumb_arena::lock::Lock;
pub(crate) use plumb_arena::shard::Shard;
pub use result_file::{ResultFile, Row, write_all};
pub(crate) use result_file::{read, read_header};
pub use shards::Shards;

/// Takes the lock of the results at `path`. From then on, a closed standard output does not end the run.
pub fn take_lock(path: &Path, flag: &'static str) -> Result<Lock> {
    results_go_to_files();
    Lock::take(path, flag)
}
