//! Matches between Connect Four engines that speak UCI (variant `cfour`) or UGI.
//!
//! - [`engine`]: engines as processes: descriptions, options, dialogue, faults, the log of all lines.
//! - [`openings`], [`suites`], [`theory`], [`schedule`], [`time_control`]: what is played, and under which limits.
//! - [`runner`]: plays the games, referees them, and adjudicates them or marks blunders by an exact solver.
//! - [`record`], [`pgn`], [`mod@page`]: games in files, and in an HTML page.
//! - [`live`], [`summary`], and `serve` with the feature of that name: a match as spectators see it.
//! - [`statistics`], [`tally`], [`standings`]: Elo, normalised Elo, ratings, and the sequential probability ratio test.
//!
//! An engine is never trusted: whatever it prints, or does not print, costs it the game at most.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use plumb_arena::engine::config::EngineDescription;
//! use plumb_arena::engine::process::EngineContext;
//! use plumb_arena::openings;
//! use plumb_arena::runner::MatchRunner;
//! use plumb_arena::schedule::{Tournament, plan};
//! use plumb_arena::tally::Tally;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let each: EngineDescription = "st=0.1,timemargin=50".parse()?;
//! let mut configs = Vec::new();
//! for engine in ["name=new,cmd=./new", "name=old,cmd=./old"] {
//!     configs.push(engine.parse::<EngineDescription>()?.complete(&each)?);
//! }
//! let runner = MatchRunner {
//!     configs: &configs,
//!     board: openings::Board::default(),
//!     openings: &openings::random(openings::Board::default(), 8, 1, 50),
//!     seed: 1,
//!     concurrency: 2,
//!     hang_timeout: Duration::from_secs(60),
//!     adjudicate: false,
//!     blunders: false,
//!     context: EngineContext::default(),
//!     live: None,
//! };
//! let mut tally = Tally::new(configs.iter().map(|config| config.name.clone()).collect());
//! runner.run(&plan(Tournament::RoundRobin, configs.len(), 50), |game| {
//!     tally.add(&game);
//!     Ok(true)
//! })?;
//! println!("{}", tally.standing(0, None));
//! # Ok(())
//! # }
//! ```

pub mod engine;
pub mod escape;
pub mod exact;
mod game;
pub mod interrupt;
pub mod live;
pub mod openings;
pub mod page;
pub mod pgn;
pub mod position_command;
pub mod record;
pub mod runner;
pub mod schedule;
#[cfg(feature = "serve")]
pub mod serve;
pub mod standings;
pub mod statistics;
pub mod suites;
pub mod summary;
pub mod tally;
#[cfg(test)]
mod test_match;
mod text_table;
pub mod theory;
pub mod time_control;
pub mod utc;
