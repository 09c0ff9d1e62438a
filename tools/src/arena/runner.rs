//! The games of a match, several at a time, each on a thread that keeps its engines from one game to the next.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Result;
use crossbeam_channel::{Sender, bounded};

use super::exact::Exact;
use super::fault::Fault;
use super::game::{Judge, Played, Player, play};
use super::openings::OpeningLine;
use super::participant::Participant;
use super::record::{GameRecord, GameResult, Opening, Reason};
use super::schedule::{Plan, seeds};
use super::seat::{EngineContext, Seat};

/// Everything that the games need to know.
pub(super) struct Match<'a> {
    pub participants: &'a [Participant],
    pub openings: &'a [OpeningLine],
    /// The seed that those of the games come from.
    pub seed: u64,
    /// How many games are played at a time.
    pub concurrency: usize,
    /// For engines without a time limit: how long a move may take.
    pub patience: Duration,
    /// Whether games end when both engines have proved the result.
    pub adjudicate: bool,
    /// Whether each move is looked at for what it gave away.
    pub blunders: bool,
    /// What the engines have in common.
    pub context: EngineContext,
}

impl Match<'_> {
    /// Plays `plans`, and hands each game to `take` on this thread, in the order in which they end. `take` returns
    /// whether to go on; if not, games that have begun are still played to their end. An interrupt breaks them off.
    ///
    /// # Errors
    /// The first error of `take`, or of the set-up.
    pub(super) fn run(&self, plans: &[Plan], mut take: impl FnMut(GameRecord) -> Result<bool>) -> Result<()> {
        let queue = Mutex::new(plans.iter());
        let stop = AtomicBool::new(false);
        let (sender, results) = bounded(self.concurrency);
        thread::scope(|scope| {
            for _ in 0..self.concurrency.min(plans.len()) {
                let (sender, queue, stop) = (sender.clone(), &queue, &stop);
                scope.spawn(move || {
                    let next = || {
                        if stop.load(Ordering::Relaxed) || self.is_interrupted() {
                            None
                        } else {
                            queue.lock().ok()?.next()
                        }
                    };
                    self.work(next, &sender);
                });
            }
            drop(sender);
            let result = results.iter().try_for_each(|record: Result<GameRecord>| {
                if !take(record?)? {
                    stop.store(true, Ordering::Relaxed);
                }
                Ok(())
            });
            stop.store(true, Ordering::Relaxed);
            // Games that nobody will take must not keep their threads waiting.
            drop(results);
            result
        })
    }

    /// Plays one game after the other until there is none left.
    fn work<'p>(&self, next: impl Fn() -> Option<&'p Plan>, sender: &Sender<Result<GameRecord>>) {
        let exact = match (self.blunders || self.adjudicate).then(Exact::new).transpose() {
            Ok(exact) => exact,
            Err(error) => {
                // Without a listener there is nobody to tell.
                let _ = sender.send(Err(error));
                return;
            }
        };
        let mut seats = Seats {
            participants: self.participants,
            context: &self.context,
            seed: self.seed,
            taken: HashMap::new(),
        };
        while let Some(plan) = next() {
            let opening = &self.openings[plan.opening as usize];
            let judge = exact.as_ref().filter(|_| self.adjudicate);
            let mut played = seats.play(plan, opening, self.patience, &mut |position, moves| {
                judge.and_then(|exact| exact.agreed_result(position, moves))
            });
            // What looks like a fault after an interrupt is none of the engine.
            if self.is_interrupted() && played.reason.is_fault() {
                return;
            }
            if let Some(exact) = exact.as_ref().filter(|_| self.blunders) {
                exact.mark(&opening.columns, &mut played.moves);
            }
            if let Some(log) = &self.context.log {
                log.note(format!("game {}: {}, {}", plan.game + 1, played.result, played.reason));
            }
            if sender.send(Ok(self.record(plan, opening, played))).is_err() {
                return;
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        self.context.interrupt.is_requested()
    }

    fn record(&self, plan: &Plan, opening: &OpeningLine, played: Played) -> GameRecord {
        let name = |index: usize| self.participants[plan.engines[index]].name.clone();
        let digits = opening.columns.iter().map(|column| char::from(b'1' + *column as u8));
        GameRecord {
            game: plan.game,
            pair: plan.pair,
            opening: Opening { name: opening.name.clone(), moves: digits.collect() },
            first: name(0),
            second: name(1),
            result: played.result,
            reason: played.reason,
            detail: played.detail,
            moves: played.moves,
            seconds: played.seconds,
        }
    }
}

/// The engines that a thread has running, by their place on the command line.
struct Seats<'a> {
    participants: &'a [Participant],
    context: &'a EngineContext,
    seed: u64,
    taken: HashMap<usize, Seat>,
}

impl Seats<'_> {
    /// Plays a game; engines that are not there yet, or no more, are started for it.
    fn play(
        &mut self,
        plan: &Plan,
        opening: &OpeningLine,
        patience: Duration,
        judge: &mut Judge<'_>,
    ) -> Played {
        let [first, second] = plan.engines;
        for (side, engine) in plan.engines.into_iter().enumerate() {
            if self.taken.contains_key(&engine) {
                continue;
            }
            match Seat::start(&self.participants[engine], self.context) {
                Ok(seat) => self.taken.insert(engine, seat),
                Err(fault) => return not_started(side, &fault),
            };
        }
        let Some((mut one, mut other)) = self.taken.remove(&first).zip(self.taken.remove(&second)) else {
            unreachable!("both have been started, and nobody plays against itself");
        };
        if let (Some(log), Some((one, other))) = (&self.context.log, one.label().zip(other.label())) {
            log.note(format!("game {}: {one} against {other}", plan.game + 1));
        }
        let [of_one, of_other] = seeds(self.seed, plan.game);
        let players = [
            Player { participant: &self.participants[first], seat: &mut one, seed: of_one },
            Player { participant: &self.participants[second], seat: &mut other, seed: of_other },
        ];
        let played = play(players, &opening.columns, patience, judge);
        // One that is broken is started anew when its next game comes.
        for (side, (engine, seat)) in [(first, one), (second, other)].into_iter().enumerate() {
            if played.broken != Some(side) {
                self.taken.insert(engine, seat);
            }
        }
        played
    }
}

/// A game that the player `side` lost before it began.
fn not_started(side: usize, fault: &Fault) -> Played {
    let result = if side == 0 { GameResult::SecondWon } else { GameResult::FirstWon };
    let detail = fault.to_string();
    Played { result, reason: Reason::Crash, detail, moves: Vec::new(), seconds: 0.0, broken: None }
}
