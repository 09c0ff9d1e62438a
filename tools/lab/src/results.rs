//! Results of long work: what decides them, and how they are kept, resumed, cut into shards and merged.

mod shard;

pub(crate) use shard::Shard;
