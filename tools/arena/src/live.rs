//! Games in progress, for spectators.
//!
//! The runner reports each move except the last, which arrives with the record. It never waits for spectators.

use std::sync::Mutex;
use std::time::Instant;

use crate::locked;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::record::{GameRecord, MoveRecord, Opening};
use crate::statistics::rounded;

/// Maximum number of finished games kept for spectators.
pub const MAX_GAMES: usize = 1000;

/// Games in progress, and games that ended since the last fetch.
#[derive(Default)]
pub struct LiveGames {
    slots: Vec<Mutex<Slot>>,
    ended: Mutex<Vec<GameRecord>>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// Rises with each change.
    pub version: u64,
    pub game: Option<LiveGame>,
}

#[derive(Clone, Debug)]
pub(crate) struct LiveGame {
    pub game: u32,
    pub pair: u32,
    pub first: String,
    pub second: String,
    pub opening: Opening,
    pub moves: Vec<MoveRecord>,
    /// Clocks after the last move in milliseconds. `None` without a clock.
    pub clocks: [Option<f64>; 2],
    /// Start of the game, before engines start.
    pub began: Instant,
    /// Start of the current thinking time.
    pub moved: Instant,
}

impl LiveGames {
    /// Empty slots for this many concurrent games.
    pub fn new(concurrency: usize) -> Self {
        Self { slots: (0..concurrency).map(|_| Mutex::default()).collect(), ..Self::default() }
    }

    pub(crate) fn begin(&self, slot: usize, game: impl FnOnce() -> LiveGame) {
        self.change(slot, |place| *place = Some(game()));
    }

    /// Updates a game and restarts the thinking time. `moves` are all moves after the opening.
    pub(crate) fn moved(&self, slot: usize, moves: &[MoveRecord]) {
        self.change(slot, |game| {
            let Some(game) = game else { return };
            let opening = game.opening.moves.len();
            for made in moves.get(game.moves.len()..).unwrap_or_default() {
                let side = (opening + game.moves.len()) % 2;
                game.clocks[side] = made.clock_ms.or(game.clocks[side]);
                game.moves.push(made.clone());
            }
            game.moved = Instant::now();
        });
    }

    pub(crate) fn clear(&self, slot: usize) {
        self.change(slot, |game| *game = None);
    }

    /// Adds the record of a finished game.
    pub fn ended(&self, game: &GameRecord) {
        if !self.slots.is_empty() {
            locked(&self.ended).push(game.clone());
        }
    }

    fn change(&self, slot: usize, change: impl FnOnce(&mut Option<LiveGame>)) {
        if let Some(slot) = self.slots.get(slot) {
            let mut slot = locked(slot);
            slot.version += 1;
            change(&mut slot.game);
        }
    }

    #[cfg(any(feature = "serve", test))]
    pub(crate) fn take_ended(&self) -> Vec<GameRecord> {
        std::mem::take(&mut *locked(&self.ended))
    }

    #[cfg(any(feature = "serve", test))]
    pub(crate) fn slots(&self) -> Vec<Slot> {
        self.slots.iter().map(|slot| locked(slot).clone()).collect()
    }
}

/// The current thinking time is subtracted from the clock of the side to move. `seconds` is the time since
/// [`began`](Self::began).
impl Serialize for LiveGame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let turn = (self.opening.moves.len() + self.moves.len()) % 2;
        let thought = self.moved.elapsed().as_secs_f64() * 1e3;
        let mut clocks = self.clocks;
        clocks[turn] = clocks[turn].map(|left| left - thought);
        let mut fields = serializer.serialize_struct("LiveGame", 9)?;
        fields.serialize_field("game", &self.game)?;
        fields.serialize_field("pair", &self.pair)?;
        fields.serialize_field("first", &self.first)?;
        fields.serialize_field("second", &self.second)?;
        fields.serialize_field("opening", &self.opening)?;
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
    fn a_follower_gets_the_latest_state_and_each_record_once() {
        let games = test_match::games(3, 2);
        let unwatched = LiveGames::default();
        unwatched.begin(0, || unreachable!("nobody follows"));
        unwatched.ended(&games[0]);
        assert!(unwatched.take_ended().is_empty());
        let live = LiveGames::new(2);
        live.begin(1, || test_match::start(&games[1], [Some(10_000.0), None]));
        let begun = live.slots();
        for count in 1..=games[1].moves.len() {
            live.moved(1, &games[1].moves[..count]);
        }
        live.ended(&games[0]);
        assert_eq!((live.take_ended(), live.take_ended()), (games[..1].to_vec(), Vec::new()));
        let [empty, now] = &live.slots()[..] else { panic!("two slots") };
        assert!(empty.version == 0 && empty.game.is_none() && now.version > begun[1].version);
        assert_eq!(now.game.as_ref().map(|game| &game.moves), Some(&games[1].moves));
        assert_eq!(live.slots()[1].version, now.version);
        live.clear(1);
        let cleared = live.slots().remove(1);
        assert!(cleared.version > now.version && cleared.game.is_none());
    }

    #[test]
    fn an_event_has_clocks_and_the_side_to_move() {
        let game = test_match::games(5, 1).remove(0);
        let live = LiveGames::new(1);
        live.begin(0, || test_match::start(&game, [Some(10_000.0); 2]));
        live.moved(0, &game.moves[..2]);
        let event = serde_json::to_value(live.slots().remove(0).game).expect("JSON");
        let opening = game.opening.moves.len();
        assert_eq!(event["turn"], ["first", "second"][opening % 2]);
        assert_eq!(event["moves"].as_array().map(Vec::len), Some(2));
        assert_eq!(event["opening"]["moves"], game.opening.moves);
        let other = (opening + 1) % 2;
        let left = game.moves[1].clock_ms.expect("a clock").round();
        assert_eq!(event["clocks"][other].as_f64(), Some(left));
    }
}
