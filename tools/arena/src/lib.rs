//! Matches between Connect Four engines that speak UCI (variant `cfour`) or UGI.
//!
//! - [`engine`]: engines as processes: descriptions, options, dialogue, faults, the log of all lines.
//! - [`settings`], with [`openings`], [`theory`], [`schedule`], [`time_control`]: what is played, and under which
//!   limits.
//! - [`runner`]: plays the games and referees them, with [`adjudication`] by the scores of the engines, or by a result that
//!   both report and an exact solver confirms; the solver marks blunders, too.
//! - [`record`], [`pgn`], [`mod@page`]: games in files, and in an HTML page.
//! - [`live`], [`summary`], and `serve` with the feature of that name: a match as spectators see it.
//! - [`random`], [`shard`], [`file`](mod@file), [`stops`]: random numbers and positions, shares of the work, files that are replaced as a
//!   whole, and the time in which the program was stopped.
//! - [`statistics`], [`results`], [`standings`]: match results, Elo, normalised Elo, ratings, and the sequential
//!   probability ratio test.
//!
//! An engine is never trusted: the worst that it can print, or not print, costs it the game, and the match
//! goes on or ends, as the caller says.
//!
//! ```no_run
//! use plumb::board::BoardSize;
//! use plumb_arena::engine::process::EngineContext;
//! use plumb_arena::live::LiveGames;
//! use plumb_arena::record::MatchHeader;
//! use plumb_arena::runner::MatchRunner;
//! use plumb_arena::settings::MatchSettings;
//! use plumb_arena::shard::Shard;
//! use plumb_arena::standings::standings;
//! use plumb_arena::results::MatchResults;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let settings = MatchSettings {
//!     engines: vec!["name=new,cmd=./new,st=0.1".parse()?, "name=old,cmd=./old,st=0.1".parse()?],
//!     rounds: 50,
//!     ..MatchSettings::on(BoardSize::STANDARD)
//! }
//! .complete()?;
//! let (openings, _) = settings.openings()?;
//! let runner = MatchRunner {
//!     settings: &settings,
//!     configs: &settings.configs()?,
//!     openings: &openings,
//!     context: EngineContext::default(),
//!     live: &LiveGames::default(),
//!     wait: std::time::Duration::ZERO,
//!     processors: &[],
//!     max_faults: 0,
//! };
//! let mut results = MatchResults::new(&MatchHeader::new("a program", settings.clone(), None), &[]);
//! runner.run(&settings.scheduled_games(None, Shard::WHOLE), |game| {
//!     results.add(&game);
//!     Ok(true)
//! })?;
//! let summary = results.summary(results.final_state());
//! standings(&summary, 80).iter().for_each(|line| println!("{line}"));
//! # Ok(())
//! # }
//! ```

#![allow(
    clippy::must_use_candidate,
    reason = "every getter would be marked, and none is called for its effect"
)]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Implements serde's traits by `Display` and `FromStr`.
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
}
pub mod exact;
pub mod file;
mod game;
pub mod interrupt;
pub mod live;
pub mod lock;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod position_command;
pub mod random;
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
pub mod stops;
pub mod summary;
#[cfg(test)]
mod test_match;
pub mod theory;
pub mod time_control;

/// A number and its noun, as in `1 game` and `2 games`.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Locks a mutex, also after a panic of a thread that held the lock: no value behind a lock is left half changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
