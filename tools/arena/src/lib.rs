//! Matches between Connect Four engines that speak UCI (variant `cfour`) or UGI.
//!
//! 1. [`settings`] describe a match, with its [`engine`]s, [`openings`], [`schedule`] and [`time_control`].
//! 2. [`plan`] schedules the games that the match [`directory`] lacks, and records them; [`mod@merge`] joins shards.
//! 3. [`runner`] plays them, and `game` is the referee, with [`adjudication`], [`exact`] scores and [`theory`].
//! 4. [`results`], [`statistics`] and [`summary`] count them; [`standings`], [`pgn`], [`mod@page`] and `serve` show them.
//!
//! Engine output is untrusted. Invalid output at most costs the engine its game.
//!
//! ```no_run
//! use plumb::board::BoardSize;
//! use plumb_arena::engine::config::EngineDescription;
//! use plumb_arena::engine::process::EngineContext;
//! use plumb_arena::live::LiveGames;
//! use plumb_arena::plan::{MatchPlan, RunSettings};
//! use plumb_arena::settings::MatchSettings;
//! use plumb_arena::standings::standings;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let new: EngineDescription = "name=new,cmd=./new,st=0.1".parse()?;
//! let old: EngineDescription = "name=old,cmd=./old,st=0.1".parse()?;
//! let settings = MatchSettings {
//!     engines: vec![new.complete()?, old.complete()?],
//!     rounds: 50,
//!     ..MatchSettings::on(BoardSize::STANDARD)
//! };
//! let run = RunSettings::default();
//! let plan = MatchPlan::new("a program", settings, None, None, None)?;
//! let played = plan.play(&run, &EngineContext::default(), &LiveGames::default(), |game, _| {
//!     println!("{game}");
//!     Ok(true)
//! })?;
//! for line in standings(&played.finished.summary, 80) {
//!     println!("{line}");
//! }
//! # Ok(())
//! # }
//! ```

#![allow(clippy::missing_errors_doc, reason = "errors are described where a caller can tell them apart")]
#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};

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

pub mod adjudication;
pub mod engine {
    //! Engines: their descriptions, options and processes.

    pub mod affinity;
    pub mod command_line;
    pub mod config;
    pub mod fault;
    pub mod info;
    pub mod log;
    pub mod options;
    mod pipes;
    pub mod process;
    pub mod session;
    pub mod start;
}
pub mod directory;
pub mod exact;
pub mod file;
mod game;
pub mod live;
pub mod lock;
pub mod merge;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod plan;
pub mod position_command;
pub mod record;
pub mod results;
pub mod runner;
pub mod schedule;
#[cfg(feature = "serve")]
pub mod serve;
pub mod settings;
pub mod shard;
pub mod standings;
pub mod statistics;
pub mod summary;
#[cfg(test)]
mod test_match;
pub mod theory;
pub mod time_control;

/// Number and noun, as in `1 game` and `2 games`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Locks a mutex, and ignores poisoning: a panic never leaves a locked value half changed.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
