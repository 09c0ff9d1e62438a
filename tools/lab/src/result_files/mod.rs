//! Results of long work: what decides them, and how they are kept, resumed, cut into shards and merged.
//!
//! A run takes the [`Lock`] of its result, describes itself by a [`Header`], and opens a [`ResultFile`], which compares
//! that header with the recorded one and returns the rows that are there. Rows that were appended are in the file however
//! the program ends. [`Shards`] are the files of all shards of one run, read for a merge.
//!
//! A match takes only [`Lock`] and [`Shard`]: its record has a header and a resumption of its own.

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

/// Takes the lock of the results at `path`. From then on a closed standard output does not end the run.
///
/// # Errors
/// The errors of [`Lock::take`].
pub fn take_lock(path: &Path, flag: &'static str) -> Result<Lock> {
    results_go_to_files();
    Lock::take(path, flag)
}
