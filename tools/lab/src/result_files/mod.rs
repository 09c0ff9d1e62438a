//! Results of long work: what decides them, and how they are kept, resumed, cut into shards and merged.
//!
//! A run takes the [`Lock`] of its result, describes itself by a [`Header`], and opens a [`ResultFile`], which compares
//! that header with the recorded one and returns the rows that are there. Rows that were appended are in the file however
//! the program ends. [`Shards`] are the files of all shards of one run, read for a merge.
//!
//! A match takes only [`Lock`] and [`Shard`]: its record has a header and a resumption of its own.

mod header;
mod lock;
mod result_file;
mod shards;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use header::{Header, remove_if_there};
pub(crate) use lock::Lock;
pub(crate) use plumb_arena::shard::Shard;
pub(crate) use result_file::{ResultFile, Row, read, read_header, write_all};
pub(crate) use shards::Shards;
