//! Random numbers, random positions, shards of work, files that are replaced as a whole, locked values, and the time in which
//! the program was stopped, for the arena, the studies and plumb-lab.

#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Serializes types as the text that they display, and reads that again.
#[macro_export]
macro_rules! serialize_as_text {
    ($($name:ty),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub mod file;
pub mod random;
pub mod shard;
pub mod stops;

/// A number and its noun, as in `1 game` and `2 games`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The value, also after a panic of a thread that held the lock: nothing that is locked in the tools is ever in a broken state.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
