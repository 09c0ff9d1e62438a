//! Plays concurrent games. Each thread keeps its engine processes for its next game.

use std::collections::HashMap;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::locked;
use anyhow::{Context, Result, bail};
use crossbeam_channel::{Receiver, Sender, bounded};
use plumb::board::{Board, Position, column_names};

use crate::engine::affinity::Processors;
use crate::engine::fault::EngineFault;
use crate::engine::process::{EngineContext, Interrupt};
use crate::engine::session::EngineSession;
use crate::exact::ExactSolver;
use crate::game::{PlayedGame, lost, play_moves};
use crate::live::{LiveGame, LiveGames};
use crate::openings::OpeningLine;
use crate::record::{GameRecord, MoveRecord, Opening};
use crate::schedule::{ScheduledGame, seeds};
use crate::settings::{AdjudicationSettings, MatchSettings};
use crate::time_control::GameClock;

/// Plays the games of a match.
pub struct MatchRunner<'a> {
    /// Settings of the match.
    pub settings: &'a MatchSettings,
    /// Openings, indexed by [`ScheduledGame::opening`].
    pub openings: &'a [OpeningLine],
    /// Protocol log and interrupt for the engines. The processors in the context are ignored.
    pub context: EngineContext,
    /// Games in progress, for spectators.
    pub live: &'a LiveGames,
    /// CPUs for each concurrent game. Empty for no limit.
    pub processors: &'a [Processors],
    /// Tolerated number of games lost by engine faults. After one more, no further game starts.
    pub max_faults: usize,
}

impl MatchRunner<'_> {
    /// Plays `games`, and passes each record to `take` on the calling thread. No more games start after `take` returns
    /// false, or after too many faults. An interrupt also ends games in progress.
    pub fn run(
        &self,
        games: &[ScheduledGame],
        mut take: impl FnMut(GameRecord) -> Result<bool>,
    ) -> Result<()> {
        let queue = GameQueue {
            runner: self,
            games: Mutex::new(games.iter()),
            faults: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
        };
        let concurrency = self.settings.concurrency.get();
        let (sender, records) = bounded(concurrency);
        thread::scope(|scope| {
            let mut result = Ok(());
            for slot in 0..concurrency.min(games.len()) {
                let (sender, queue) = (sender.clone(), &queue);
                let thread = thread::Builder::new().spawn_scoped(scope, move || {
                    if let Err(error) = self.play_games(slot, queue, &sender) {
                        // Sending fails only if the match has already ended.
                        let _ = sender.send(Err(error));
                    }
                });
                if let Err(error) = thread {
                    result = Err(error).context("cannot start a thread for each of the games at a time");
                    break;
                }
            }
            drop(sender);
            if result.is_ok() {
                result = self.take_all(&records, &queue, &mut take);
            }
            queue.stop();
            drop(records);
            result
        })
    }

    fn take_all(
        &self,
        records: &Receiver<Result<GameRecord>>,
        queue: &GameQueue<'_>,
        take: &mut impl FnMut(GameRecord) -> Result<bool>,
    ) -> Result<()> {
        for record in records {
            let record = record?;
            self.live.ended(&record);
            if !take(record)? {
                queue.stop();
            }
        }
        Ok(())
    }

    fn play_games(
        &self,
        slot: usize,
        queue: &GameQueue<'_>,
        sender: &Sender<Result<GameRecord>>,
    ) -> Result<()> {
        let &MatchSettings { adjudication, blunders, restart, .. } = self.settings;
        let board = self.settings.board()?;
        let exact = if adjudication.solved || blunders { Some(ExactSolver::new(board)?) } else { None };
        let adjudicator = if adjudication.solved { exact.as_ref() } else { None };
        let context =
            EngineContext { processors: self.processors.get(slot).cloned(), ..self.context.clone() };
        let mut running = HashMap::new();
        while let Some(scheduled) = queue.next() {
            let begun = self.begun(scheduled);
            let played = self.play(slot, scheduled, &begun, &mut running, &context, adjudicator);
            // A game that an interrupt ended looks forfeited. It is not recorded.
            let is_forfeit = played.as_ref().map_or(true, |played| played.reason.is_forfeit());
            if self.is_interrupted() && is_forfeit {
                return Ok(());
            }
            let mut played = played?;
            queue.faults.fetch_add(usize::from(played.reason.is_fault()), Ordering::Relaxed);
            // Removes the game from the live page, where its clocks would run during the blunder check.
            self.live.clear(slot);
            if blunders
                && let Some(solver) = &exact
                && let Some(start) = self.openings[scheduled.opening as usize].position(board)
            {
                solver.mark(start, &mut played.moves);
            }
            if restart {
                running.clear();
            }
            let number = scheduled.game + 1;
            self.context.log.note(|| format!("game {number}: {}, {}", played.result, played.reason));
            if sender.send(Ok(record(begun, played))).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Plays a game. An engine that cannot be started is an error, not a forfeit: it would lose all games.
    fn play(
        &self,
        slot: usize,
        scheduled: &ScheduledGame,
        begun: &LiveGame,
        running: &mut HashMap<usize, EngineSession>,
        context: &EngineContext,
        solver: Option<&ExactSolver>,
    ) -> Result<PlayedGame> {
        let &MatchSettings {
            adjudication: AdjudicationSettings { draw, resign, .. }, timeouts, seed, ..
        } = self.settings;
        for (side, engine) in scheduled.engines.into_iter().enumerate() {
            if running.contains_key(&engine) {
                continue;
            }
            let config = self.settings.config(engine);
            match EngineSession::start(&config, context) {
                Ok(session) => running.insert(engine, session),
                Err(fault @ EngineFault::NotStarted(_)) => bail!("`{}`: {fault}", config.name),
                Err(fault) => return Ok(lost(side, &fault, Vec::new(), Instant::now())),
            };
        }
        self.live.begin(slot, || LiveGame { moved: Instant::now(), ..begun.clone() });
        let [Some(one), Some(other)] = running.get_disjoint_mut(scheduled.engines.each_ref()) else {
            unreachable!("both have been started, and nobody plays against itself");
        };
        let number = scheduled.game + 1;
        context.log.note(|| format!("game {number}: {} against {}", one.label(), other.label()));
        let columns = &self.openings[scheduled.opening as usize].columns;
        let (board, hang_timeout) = (self.settings.board()?, Duration::from_secs(timeouts.hang));
        let mut after_move = |position: &Position<Board>, moves: &[MoveRecord]| {
            self.live.moved(slot, moves);
            solver
                .and_then(|solver| solver.agreed_result(position, moves))
                .or_else(|| draw?.result(position.plies(), moves))
                .or_else(|| resign?.result(position.plies(), moves))
        };
        let seeds = seeds(seed, scheduled.game);
        let played = play_moves([one, other], seeds, board, columns, hang_timeout, &mut after_move);
        for &side in &played.broken {
            running.remove(&scheduled.engines[side]);
        }
        Ok(played)
    }

    fn is_interrupted(&self) -> bool {
        self.context.interrupt.is_some_and(Interrupt::is_requested)
    }

    fn begun(&self, scheduled: &ScheduledGame) -> LiveGame {
        let line = &self.openings[scheduled.opening as usize];
        let columns = column_names(self.settings.board.width, line.columns.iter().copied());
        let engines = scheduled.engines.map(|engine| &self.settings.engines[engine]);
        let [first, second] = engines.map(|config| config.name.clone());
        let opening = Opening { name: line.name.clone(), moves: columns };
        let clocks = engines.map(|config| GameClock::new(&config.control).remaining_ms());
        let [began, moved] = [Instant::now(); 2];
        let &ScheduledGame { game, pair, .. } = scheduled;
        LiveGame { game, pair, first, second, opening, moves: Vec::new(), clocks, began, moved }
    }
}

struct GameQueue<'a> {
    runner: &'a MatchRunner<'a>,
    games: Mutex<slice::Iter<'a, ScheduledGame>>,
    faults: AtomicUsize,
    is_stopped: AtomicBool,
}

impl<'a> GameQueue<'a> {
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Next game to play. `None` ends the thread.
    fn next(&self) -> Option<&'a ScheduledGame> {
        let is_over = self.is_stopped.load(Ordering::Relaxed)
            || self.faults.load(Ordering::Relaxed) > self.runner.max_faults
            || self.runner.is_interrupted();
        if is_over { None } else { locked(&self.games).next() }
    }
}

fn record(begun: LiveGame, played: PlayedGame) -> GameRecord {
    let LiveGame { game, pair, first, second, opening, .. } = begun;
    let PlayedGame { result, reason, detail, moves, started, seconds, broken: _ } = played;
    GameRecord { game, pair, opening, first, second, result, reason, detail, moves, started, seconds }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::EngineConfig;
    use crate::record::Reason;
    use crate::settings::{OpeningSource, Timeouts};
    use crate::shard::Shard;
    use crate::test_match::script;

    /// Plays four games. If `wants_more` is false, the runner stops after the first finished game.
    fn play(engines: &[EngineConfig], max_faults: usize, wants_more: bool) -> Result<Vec<GameRecord>> {
        let mut settings = MatchSettings {
            engines: engines.to_vec(),
            rounds: 2,
            timeouts: Timeouts { hang: 600, start: 600, ready: 600 },
            ..MatchSettings::on(plumb::board::BoardSize::STANDARD)
        };
        (settings.openings.source, settings.openings.plies) = (OpeningSource::Random, 1);
        let (openings, _) = settings.openings().expect("openings");
        let runner = MatchRunner {
            settings: &settings,
            openings: &openings,
            context: EngineContext::default(),
            live: &LiveGames::default(),
            processors: &[],
            max_faults,
        };
        let mut games = Vec::new();
        runner.run(&settings.scheduled_games(None, Shard::WHOLE), |game| {
            games.push(game);
            Ok(wants_more)
        })?;
        Ok(games)
    }

    const CRASH: &str = "go*) exit 3;;";
    const ILLEGAL: &str = "go*) echo 'info score cp 7'; echo 'bestmove P@d6';;";

    #[test]
    fn a_fault_too_many_is_the_last_game() {
        let engines = [script("A", CRASH), script("B", ILLEGAL)];
        for (max_faults, count) in [(0, 1), (2, 3), (usize::MAX, 4)] {
            let games = play(&engines, max_faults, true).expect("the engines start");
            assert_eq!(games.len(), count);
            for game in games {
                let expected = if game.second == "A" { Reason::Crash } else { Reason::IllegalMove };
                assert_eq!((game.reason, game.loser()), (expected, Some(game.second.as_str())), "{game}");
            }
        }
        // Up to two more games may start before the runner stops.
        assert!(play(&engines, usize::MAX, false).expect("the engines start").len() < 4);
    }

    #[test]
    fn a_program_that_cannot_be_started_ends_the_match() {
        let mut engines = [script("A", CRASH), script("B", ILLEGAL)];
        engines[1].command = vec!["/no/such/engine".to_owned()];
        let error = play(&engines, usize::MAX, true).expect_err("a program is missing").to_string();
        assert_eq!(error, "`B`: cannot be started: there is no program `/no/such/engine`");
    }
}
