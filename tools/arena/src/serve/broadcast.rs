//! The events of a match: kept once for all spectators, each of whom has only a place in them.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use serde::Serialize;
use serde_json::json;

use crate::live::{LiveGame, LiveGames, MAX_GAMES};
use crate::record::file::to_line;
use crate::summary::{MatchState, Progress};

/// Bytes that a spectator gets at once, about.
const PIECE: usize = 32 * 1024;
/// Time between two summaries, at least, and how many times longer than making one it is.
const SUMMARY_INTERVAL: Duration = Duration::from_millis(250);
const SUMMARY_SHARE: u32 = 50;
/// Time after which a game in progress is sent again, as clocks run while an engine thinks.
const CLOCK_INTERVAL: Duration = Duration::from_secs(1);
/// Time after which a connection on which nothing happens gets a line that means nothing, so that one that is gone is
/// found out.
const SILENCE: Duration = Duration::from_secs(15);

/// The state of a match for spectators.
#[derive(Default)]
pub(super) struct Broadcast {
    games: Option<Arc<LiveGames>>,
    progress: Option<Progress>,
    header: Bytes,
    /// The events of the last finished games, and the number of the first of them, from 0.
    records: VecDeque<Bytes>,
    first: usize,
    /// The versions of the slots that were fetched.
    seen: Vec<u64>,
    slots: Vec<Versioned<Option<LiveGame>>>,
    last_clocks: Option<Instant>,
    summary: Versioned<Bytes>,
    /// Games in the summary.
    summarised: Option<usize>,
    next_summary: Option<Instant>,
    state: Option<MatchState>,
    end: Bytes,
    is_closing: bool,
    /// Counts silences.
    beats: u64,
    last_beat: Option<Instant>,
    /// Of each spectator, by number, how to wake it; none while it has more to get.
    spectators: HashMap<u64, Option<Waker>>,
    next_spectator: u64,
}

/// Something with a number that rises when it changes; 0 is nothing yet.
#[derive(Default)]
struct Versioned<T> {
    version: u64,
    value: T,
}

impl<T> Versioned<T> {
    fn set(&mut self, value: T) {
        self.version += 1;
        self.value = value;
    }
}

impl Broadcast {
    /// Begins with a match.
    pub(super) fn begin(&mut self, games: Arc<LiveGames>, header: &str, progress: Progress) {
        self.games = Some(games);
        // A browser that loses the connection asks again after this time, in milliseconds.
        self.header = [Bytes::from_static(b"retry: 2000\n"), text_event("header", header)].concat().into();
        self.state = Some(MatchState::Running);
        self.progress = Some(progress);
    }

    /// Fetches the present state, and wakes the spectators if there is something new.
    pub(super) fn fetch(&mut self) {
        let (Some(games), Some(progress)) = (&self.games, &mut self.progress) else { return };
        let is_watched = !self.spectators.is_empty();
        let changes = games.fetch(&mut self.seen, is_watched);
        self.slots.resize_with(self.seen.len(), Versioned::default);
        let mut is_new = !changes.ended.is_empty();
        for game in changes.ended {
            progress.add(&game);
            self.records.push_back(event("record", &game));
            if self.records.len() > MAX_GAMES {
                self.records.pop_front();
                self.first += 1;
            }
        }
        for (slot, game) in changes.slots {
            self.slots[slot].set(game);
            is_new = true;
        }
        let now = Instant::now();
        is_new |= is_watched && self.summarise(now);
        if is_watched && is_due(&mut self.last_clocks, now, CLOCK_INTERVAL) {
            is_new = true;
            for slot in self.slots.iter_mut().filter(|slot| slot.value.is_some()) {
                slot.version += 1;
            }
        }
        if is_due(&mut self.last_beat, now, SILENCE) {
            is_new = true;
            self.beats += 1;
        }
        if is_new {
            self.wake();
        }
    }

    /// Makes a new summary if games have ended since the last one and it is due; returns whether it did.
    fn summarise(&mut self, now: Instant) -> bool {
        let (Some(progress), Some(state)) = (&self.progress, self.state) else { return false };
        let is_due = self.next_summary.is_none_or(|next| now >= next);
        if !is_due || self.summarised == Some(progress.played()) {
            return false;
        }
        self.summary.set(event("summary", &progress.summary(state).public()));
        self.summarised = Some(progress.played());
        // Ratings of many engines take their time.
        self.next_summary = Some(now + (SUMMARY_SHARE * now.elapsed()).max(SUMMARY_INTERVAL));
        true
    }

    /// Tells spectators that the match is over.
    pub(super) fn finish(&mut self, state: MatchState) {
        self.fetch();
        self.state = Some(state);
        self.summarised = None;
        self.next_summary = None;
        self.summarise(Instant::now());
        self.slots.iter_mut().for_each(|slot| slot.set(None));
        self.end = event("end", &json!({ "state": state }));
        self.wake();
    }

    /// Ends the events of all spectators when they have had those there are.
    pub(super) fn close(&mut self) {
        self.is_closing = true;
        self.wake();
    }

    /// Whether anybody watches.
    pub(super) fn is_watched(&self) -> bool {
        !self.spectators.is_empty()
    }

    fn wake(&mut self) {
        self.spectators.values_mut().filter_map(Option::take).for_each(Waker::wake);
    }
}

/// Whether `interval` has passed since `last`, which is `now` then.
fn is_due(last: &mut Option<Instant>, now: Instant, interval: Duration) -> bool {
    let is_due = now.duration_since(*last.get_or_insert(now)) >= interval;
    if is_due {
        *last = Some(now);
    }
    is_due
}

impl Drop for Broadcast {
    /// Ends the reports of a match when the thread ends, however it does.
    fn drop(&mut self) {
        if let Some(games) = &self.games {
            games.follow(false);
        }
    }
}

/// An event as lines. JSON has no line breaks of its own.
fn event(name: &str, data: &impl Serialize) -> Bytes {
    // It cannot fail with the data that there are; a spectator would miss one event.
    to_line(data).map_or_else(|_| Bytes::new(), |line| text_event(name, &line))
}

fn text_event(name: &str, data: &str) -> Bytes {
    format!("event: {name}\ndata: {data}\n\n").into()
}

/// A spectator: what it has had so far.
pub(super) struct Spectator {
    broadcast: Rc<RefCell<Broadcast>>,
    number: u64,
    has_header: bool,
    /// The number of the next finished game.
    next_record: usize,
    slots: Vec<u64>,
    summary: u64,
    beats: u64,
    has_end: bool,
}

impl Spectator {
    /// One that has had nothing.
    pub(super) fn new(broadcast: &Rc<RefCell<Broadcast>>) -> Self {
        let mut state = broadcast.borrow_mut();
        let number = state.next_spectator;
        state.next_spectator += 1;
        state.spectators.insert(number, None);
        // Without spectators the games in progress were not fetched.
        state.fetch();
        Self {
            broadcast: Rc::clone(broadcast),
            number,
            has_header: false,
            next_record: 0,
            slots: Vec::new(),
            summary: 0,
            beats: state.beats,
            has_end: false,
        }
    }

    /// The next events; `None` after the last ones.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let broadcast = Rc::clone(&self.broadcast);
        let mut state = broadcast.borrow_mut();
        let piece = self.piece(&state);
        if !piece.is_empty() {
            return Poll::Ready(Some(piece.into()));
        }
        if self.has_end || state.is_closing {
            return Poll::Ready(None);
        }
        state.spectators.insert(self.number, Some(context.waker().clone()));
        Poll::Pending
    }

    /// Whatever is new: finished games first, then those in progress, none of which is among the former.
    fn piece(&mut self, state: &Broadcast) -> Vec<u8> {
        let mut piece = Vec::new();
        if self.next_record < state.first {
            // One that comes late, or is so slow that it would miss some games: it begins anew with those that are kept.
            self.next_record = state.first;
            self.has_header = false;
            self.slots.clear();
        }
        if !self.has_header {
            piece.extend_from_slice(&state.header);
            self.has_header = true;
        }
        while piece.len() < PIECE {
            let Some(record) = state.records.get(self.next_record - state.first) else { break };
            piece.extend_from_slice(record);
            self.next_record += 1;
        }
        if self.next_record < state.first + state.records.len() {
            return piece;
        }
        self.slots.resize(state.slots.len(), 0);
        for (slot, seen) in state.slots.iter().zip(&mut self.slots) {
            if *seen != slot.version {
                *seen = slot.version;
                piece.extend(slot.value.iter().flat_map(|game| event("live", game)));
            }
        }
        if self.summary != state.summary.version {
            self.summary = state.summary.version;
            piece.extend_from_slice(&state.summary.value);
        }
        if !state.end.is_empty() && !self.has_end {
            self.has_end = true;
            piece.extend_from_slice(&state.end);
        }
        if piece.is_empty() && self.beats != state.beats {
            piece.extend_from_slice(b":\n\n");
        }
        self.beats = state.beats;
        piece
    }
}

impl Drop for Spectator {
    fn drop(&mut self) {
        self.broadcast.borrow_mut().spectators.remove(&self.number);
    }
}
