//! The games in progress, for those who watch a match.
//!
//! The runner reports each move here, one that ends the game on the board with the record of the game, and a follower fetches
//! the latest state whenever it likes. Nobody waits for anybody: a report is a short copy under a lock that no reader holds for longer, and what nobody has fetched is overwritten by the
//! next move. As long as there is no follower, a report costs nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::interrupt::lock;
use crate::record::{GameRecord, MoveRecord, Opening};
use crate::statistics::rounded;

/// Finished games that are kept for spectators who come later or are slow.
pub const MAX_GAMES: usize = 2000;

/// The games in progress of a match, and those that have ended since they were last fetched. The default is for a match
/// without spectators.
#[derive(Default)]
pub struct LiveGames {
    /// One for each game that is played at the same time.
    slots: Vec<Mutex<Slot>>,
    ended: Mutex<Vec<GameRecord>>,
    is_followed: AtomicBool,
}

#[derive(Default)]
struct Slot {
    /// Rises with each change.
    version: u64,
    game: Option<LiveGame>,
}

/// Header of a running game: players, opening and clocks before the first move.
#[derive(Clone, Debug)]
pub struct GameStart {
    /// Its number in the schedule, from 0.
    pub game: u32,
    /// The number of its pair of games, from 0.
    pub pair: u32,
    /// The engine that moves first in the game.
    pub first: String,
    /// The other engine.
    pub second: String,
    /// The moves that are played for the engines.
    pub opening: Opening,
    /// The time on both clocks in milliseconds, the first player's first; `None` without a clock.
    pub clocks: [Option<f64>; 2],
}

/// A game in progress.
#[derive(Clone, Debug)]
pub struct LiveGame {
    start: Arc<GameStart>,
    moves: Vec<MoveRecord>,
    clocks: [Option<f64>; 2],
    /// When the game, and the thinking of the side to move, began.
    began: Instant,
    moved: Instant,
}

/// What a follower fetches.
#[derive(Default)]
pub struct Changes {
    /// The games that have ended, in that order.
    pub ended: Vec<GameRecord>,
    /// The slots that have changed: their number, and the game that is played there, if any. None of these games is among
    /// those that have ended.
    pub slots: Vec<(usize, Option<LiveGame>)>,
}

impl LiveGames {
    /// No games yet; `concurrency` of them can be in progress at a time.
    pub fn new(concurrency: usize) -> Self {
        Self { slots: (0..concurrency).map(|_| Mutex::default()).collect(), ..Self::default() }
    }

    /// Begins or ends to keep what is reported. Without a follower all reports are dropped.
    pub fn follow(&self, is_followed: bool) {
        self.is_followed.store(is_followed, Ordering::Relaxed);
        if !is_followed {
            lock(&self.ended).clear();
        }
    }

    /// Reports that a game begins in the slot with this number, from 0.
    pub fn begin(&self, slot: usize, start: impl FnOnce() -> GameStart) {
        self.change(slot, |game| {
            let (start, now) = (start(), Instant::now());
            *game = Some(LiveGame {
                clocks: start.clocks,
                start: Arc::new(start),
                moves: Vec::new(),
                began: now,
                moved: now,
            });
        });
    }

    /// Reports the moves so far, the latest one of which was made now.
    pub fn moved(&self, slot: usize, moves: &[MoveRecord]) {
        self.change(slot, |game| {
            let Some(game) = game else { return };
            let opening = game.start.opening.moves.len();
            for made in moves.get(game.moves.len()..).unwrap_or_default() {
                let side = (opening + game.moves.len()) % 2;
                game.clocks[side] = made.clock_ms.or(game.clocks[side]);
                game.moves.push(made.clone());
            }
            game.moved = Instant::now();
        });
    }

    /// Reports that the game in this slot is over. Its record follows by [`ended`](Self::ended), not before.
    pub fn clear(&self, slot: usize) {
        self.change(slot, |game| *game = None);
    }

    /// Reports a finished game.
    pub fn ended(&self, game: &GameRecord) {
        if self.is_followed.load(Ordering::Relaxed) {
            lock(&self.ended).push(game.clone());
        }
    }

    fn change(&self, slot: usize, change: impl FnOnce(&mut Option<LiveGame>)) {
        if !self.is_followed.load(Ordering::Relaxed) {
            return;
        }
        if let Some(slot) = self.slots.get(slot) {
            let mut slot = lock(slot);
            slot.version += 1;
            change(&mut slot.game);
        }
    }

    /// Fetches the games that have ended, and the slots that have changed since the versions in `seen`, which become
    /// those of now. The slots are left out unless `has_slots`.
    pub fn fetch(&self, seen: &mut Vec<u64>, has_slots: bool) -> Changes {
        // In this order: the record of a game comes after its slot was cleared, so that no game that has ended here is
        // found in progress there.
        let ended = std::mem::take(&mut *lock(&self.ended));
        seen.resize(self.slots.len(), 0);
        let mut changes = Changes { ended, slots: Vec::new() };
        for (number, (slot, seen)) in self.slots.iter().zip(seen).enumerate().filter(|_| has_slots) {
            let slot = lock(slot);
            if *seen != slot.version {
                *seen = slot.version;
                changes.slots.push((number, slot.game.clone()));
            }
        }
        changes
    }
}

/// The present state, for spectators: the clock of the side to move runs, and `seconds` are those since the game began.
impl Serialize for LiveGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GameStart { game, pair, first, second, opening, .. } = &*self.start;
        let turn = (opening.moves.len() + self.moves.len()) % 2;
        let thought = self.moved.elapsed().as_secs_f64() * 1e3;
        let mut clocks = self.clocks;
        clocks[turn] = clocks[turn].map(|left| left - thought);
        let mut fields = serializer.serialize_struct("LiveGame", 9)?;
        fields.serialize_field("game", game)?;
        fields.serialize_field("pair", pair)?;
        fields.serialize_field("first", first)?;
        fields.serialize_field("second", second)?;
        fields.serialize_field("opening", opening)?;
        fields.serialize_field("moves", &self.moves)?;
        fields.serialize_field("clocks", &clocks.map(|clock| clock.map(f64::round)))?;
        fields.serialize_field("turn", ["first", "second"][turn])?;
        fields.serialize_field("seconds", &rounded(self.began.elapsed().as_secs_f64()))?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match;

    #[test]
    fn a_follower_gets_the_latest_state_once() {
        let games = test_match::games(3, 2);
        let live = LiveGames::new(2);
        let mut seen = Vec::new();
        live.begin(0, || unreachable!("nobody follows"));
        live.ended(&games[0]);
        live.follow(true);
        assert!(live.fetch(&mut seen, true).ended.is_empty());
        live.begin(1, || test_match::start(&games[1], [Some(10_000.0), None]));
        for count in 1..=games[1].moves.len() {
            live.moved(1, &games[1].moves[..count]);
        }
        live.ended(&games[0]);
        let changes = live.fetch(&mut seen, true);
        assert_eq!(changes.ended, games[..1]);
        let [(1, Some(game))] = &changes.slots[..] else { panic!("one slot has changed") };
        assert_eq!(game.moves, games[1].moves);
        let changes = live.fetch(&mut seen, true);
        assert!(changes.ended.is_empty() && changes.slots.is_empty());
        live.clear(1);
        assert!(live.fetch(&mut seen, false).slots.is_empty());
        assert!(matches!(live.fetch(&mut seen, true).slots[..], [(1, None)]));
    }

    #[test]
    fn an_event_has_clocks_and_the_side_to_move() {
        let game = test_match::games(5, 1).remove(0);
        let live = LiveGames::new(1);
        live.follow(true);
        live.begin(0, || test_match::start(&game, [Some(10_000.0); 2]));
        live.moved(0, &game.moves[..2]);
        let changes = live.fetch(&mut Vec::new(), true);
        let [(0, Some(state))] = &changes.slots[..] else { panic!("one slot has changed") };
        let event = serde_json::to_value(state).expect("JSON");
        let opening = game.opening.moves.len();
        assert_eq!(event["turn"], ["first", "second"][opening % 2]);
        assert_eq!(event["moves"].as_array().map(Vec::len), Some(2));
        assert_eq!(event["opening"]["moves"], game.opening.moves);
        // The other side's clock does not run.
        let other = (opening + 1) % 2;
        let left = game.moves[1].clock_ms.expect("a clock").round();
        assert_eq!(event["clocks"][other].as_f64(), Some(left));
    }
}
