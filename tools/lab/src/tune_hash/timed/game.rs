//! One game of the engine against itself, and its positions searched with each size.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use plumb_arena::engine::config::EngineConfig;
use plumb_arena::openings::OpeningLine;
use plumb_arena::runner::MatchRunner;
use plumb_arena::schedule::Plan;
use plumb_arena::settings::MatchSettings;
use plumb_tools_common::random::Random;

use super::GameFigures;
use super::replay::{Course, PROVED, Replay, Search, replay, searches};
use crate::engine::Engines;
use crate::failure::Failure;
use crate::interrupt::Interrupted;

/// What all games share.
pub(super) struct Games<'a> {
    pub engines: &'a Engines,
    /// The engine as messages call it.
    pub command: &'a str,
    pub config: &'a EngineConfig,
    /// Openings, seed and board, with the engine twice.
    pub settings: &'a MatchSettings,
    /// An opening for each game.
    pub openings: &'a [OpeningLine],
    /// Searches at the same time.
    pub concurrency: usize,
    pub sizes: &'a [usize],
}

impl Games<'_> {
    /// Plays the games with these numbers, from 1, and has their positions searched with each size, in an order of its own;
    /// returns the figures of each game with each size.
    ///
    /// # Errors
    /// If the engine fails, or loses a game by a fault.
    pub(super) fn measure(&self, numbers: &[u32], order: &mut Random) -> Result<Vec<GameFigures>> {
        let played = self.play(numbers)?;
        let sides: Vec<&[Search]> = played.iter().flatten().map(Vec::as_slice).collect();
        let mut turns = self.sizes.to_vec();
        for index in (1..turns.len()).rev() {
            turns.swap(index, order.below(index as u32 + 1) as usize);
        }
        let mut found = Vec::new();
        for megabytes in turns {
            found.push((megabytes, self.replay_all(&sides, megabytes)?));
        }
        let mut courses = found.iter().flat_map(|(_, replays)| replays).flat_map(|replay| &replay.courses);
        ensure!(
            courses.any(|course| course.depth() > 0),
            Failure(format!(
                "`{}` reports no depth, by which sizes could be compared: `--match` compares them by games",
                self.command
            ))
        );
        found.sort_by_key(|&(megabytes, _)| megabytes);
        let of_game = |(index, &game): (usize, &u32)| {
            let pairs =
                found.iter().map(|(megabytes, replays)| (*megabytes, &replays[2 * index..2 * index + 2]));
            figures(game, &pairs.collect::<Vec<_>>())
        };
        Ok(numbers.iter().enumerate().flat_map(of_game).collect())
    }

    /// Plays games, all at the same time; returns the searches of both sides of each.
    fn play(&self, numbers: &[u32]) -> Result<Vec<[Vec<Search>; 2]>> {
        let plan = |&number: &u32| Plan { game: number, pair: number, opening: number - 1, engines: [0, 1] };
        let plans: Vec<_> = numbers.iter().map(plan).collect();
        let (configs, mut games) = ([self.config.clone(), self.config.clone()], Vec::new());
        let runner = MatchRunner {
            settings: self.settings,
            configs: &configs,
            openings: self.openings,
            context: self.engines.context().clone(),
            live: None,
            wait: Duration::ZERO,
            processors: &[],
            max_failures: 0,
        };
        runner.run(&plans, |game| {
            games.push(game);
            Ok(true)
        })?;
        let interrupted = || Interrupted("interrupted".to_owned());
        ensure!(games.len() == plans.len(), interrupted());
        games.sort_by_key(|game| game.game);
        let searches = games.iter().map(|game| {
            let text = format!("game {}: `{}`: {}", game.game, self.command, game.reason);
            ensure!(!game.reason.is_fault(), Failure(format!("{text}: {}", game.detail)));
            let opening = &self.openings[game.game as usize - 1].columns;
            Ok(searches(&self.config.control, opening, &game.moves))
        });
        searches.collect()
    }

    /// Has the searches of all sides done with one size, several at the same time.
    fn replay_all(&self, sides: &[&[Search]], megabytes: usize) -> Result<Vec<Replay>> {
        let (board, next) = (self.settings.board()?, AtomicUsize::new(0));
        let found: Mutex<Vec<(usize, Result<Replay>)>> = Mutex::default();
        let work = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(side) = sides.get(index) else { break };
                let replay = replay(self.engines, self.command, self.config, (board, side), megabytes);
                let is_failed = replay.is_err();
                if let Ok(mut found) = found.lock() {
                    found.push((index, replay));
                }
                if is_failed {
                    next.store(sides.len(), Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            let threads = (0..self.concurrency.min(sides.len())).map(|_| {
                thread::Builder::new()
                    .spawn_scoped(scope, work)
                    .context("cannot start a thread for each engine")
            });
            threads.collect::<Result<Vec<_>>>().map(drop)
        })?;
        let mut found = found.into_inner().unwrap_or_default();
        found.sort_by_key(|&(index, _)| index);
        found.into_iter().map(|(_, replay)| replay).collect()
    }
}

/// The figures of a game with each size; each has the replays of both sides.
fn figures(game: u32, sizes: &[(usize, &[Replay])]) -> Vec<GameFigures> {
    let courses: Vec<Vec<&Course>> =
        sizes.iter().map(|(_, sides)| sides.iter().flat_map(|side| &side.courses).collect()).collect();
    let positions = courses.first().map_or(0, Vec::len);
    let at = |position: usize| courses.iter().map(move |courses| courses[position]);
    let shallowest: Vec<_> =
        (0..positions).map(|position| at(position).map(Course::depth).min().unwrap_or(0)).collect();
    let longest: Vec<_> = (0..positions)
        .map(|position| at(position).map(|course| course.elapsed_ms).fold(0.0, f64::max))
        .collect();
    let of_size = |(&(megabytes, sides), courses): (&(usize, &[Replay]), &Vec<&Course>)| {
        let same_depth = || courses.iter().zip(&shallowest).map(|(course, &depth)| course.at(depth));
        let given = |(course, &longest): (&&Course, &f64)| {
            if course.depth() == PROVED { course.elapsed_ms } else { longest }
        };
        let full: Option<Vec<_>> = courses.iter().map(|course| course.full).collect();
        let mean = |of: fn(&Replay) -> f64| sides.iter().map(of).sum::<f64>() / sides.len().max(1) as f64;
        let memory: Option<Vec<_>> = sides.iter().map(|side| side.memory_mb).collect();
        GameFigures {
            game,
            megabytes,
            positions: positions as u32,
            solved: courses.iter().filter(|course| course.depth() == PROVED).count() as u32,
            same_depth_ms: same_depth().map(|point| point.time_ms).sum(),
            same_depth_nodes: same_depth().map(|point| point.nodes).sum(),
            given_ms: courses.iter().zip(&longest).map(given).sum(),
            nodes: courses.iter().map(|course| course.nodes).sum(),
            full: full.as_ref().map(|full| full.iter().sum::<f64>() / positions.max(1) as f64),
            full_most: full.map(|full| full.into_iter().fold(0.0, f64::max)),
            memory_mb: memory.map(|memory| memory.into_iter().fold(0.0, f64::max)),
            start_ms: mean(|side| side.start_ms),
            clear_ms: mean(|side| side.clear_ms),
        }
    };
    sizes.iter().zip(&courses).map(of_size).collect()
}

#[cfg(test)]
mod tests {
    use super::super::replay::Completed;
    use super::*;

    #[test]
    fn sizes_are_compared_at_the_depth_that_all_reached() {
        let course = |depths: &[(u32, f64, u64)], elapsed_ms, nodes| Course {
            depths: depths
                .iter()
                .map(|&(depth, time_ms, nodes)| Completed { depth, time_ms, nodes: Some(nodes) })
                .collect(),
            elapsed_ms,
            nodes: Some(nodes),
            full: Some(0.5),
        };
        let replay = |courses| Replay { courses, memory_mb: Some(9.0), start_ms: 4.0, clear_ms: 2.0 };
        // The first position is proved by both; in the second the small one gives up early, a ply behind.
        let small = [
            replay(vec![
                course(&[(3, 1.0, 100), (PROVED, 6.0, 600)], 6.5, 650),
                course(&[(4, 3.0, 300), (5, 8.0, 800)], 10.0, 1000),
            ]),
            replay(Vec::new()),
        ];
        let large = [
            replay(vec![
                course(&[(3, 1.0, 100), (PROVED, 4.0, 400)], 4.5, 450),
                course(&[(4, 2.0, 200), (5, 5.0, 500), (6, 15.0, 1500)], 20.0, 2000),
            ]),
            replay(Vec::new()),
        ];
        let found = figures(7, &[(1, &small), (64, &large)]);
        let told = |row: &GameFigures| {
            let times = (row.same_depth_ms.to_string(), row.given_ms.to_string());
            (row.megabytes, row.positions, row.solved, row.same_depth_nodes, row.nodes, times)
        };
        let times = |same_depth: &str, given: &str| (same_depth.to_owned(), given.to_owned());
        assert_eq!(told(&found[0]), (1, 2, 1, Some(1400), Some(1650), times("14", "26.5")));
        assert_eq!(told(&found[1]), (64, 2, 1, Some(900), Some(2450), times("9", "24.5")));
        assert_eq!((found[0].game, found[0].full_most), (7, Some(0.5)));
    }
}
