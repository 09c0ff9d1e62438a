//! Server-sent events of a match, stored once for all spectators.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::locked;
use hyper::body::Bytes;
use serde::Serialize;
use serde_json::json;

use crate::live::{LiveGames, MAX_GAMES, Slot};
use crate::record::file::to_line;
use crate::results::MatchResults;
use crate::summary::MatchState;

const FRAME: Duration = Duration::from_millis(100);
const IDLE_FRAME: Duration = Duration::from_secs(1);
/// After this many frames (about a second), games are sent again to update their clocks.
const CLOCK_FRAMES: u64 = 10;
/// After this many frames (about 15 seconds) without an event, an empty line detects lost connections.
const SILENT_FRAMES: u64 = 150;
const PIECE: usize = 32 * 1024;
/// Minimum time between two summaries, which is also at least `SUMMARY_SHARE` times the time to
/// make a summary.
const SUMMARY_INTERVAL: Duration = Duration::from_millis(250);
const SUMMARY_SHARE: u32 = 50;

/// Running match for spectators.
pub struct Feed {
    /// Games in progress.
    pub games: Arc<LiveGames>,
    /// Results of the games so far.
    pub results: MatchResults,
}

#[derive(Default)]
pub(super) struct Broadcast {
    pub feed: Option<Feed>,
    /// Events of finished games, and the number of the first event kept.
    records: VecDeque<Bytes>,
    first: usize,
    slots: Vec<Slot>,
    summary: Bytes,
    summarised: Option<usize>,
    next_summary: Option<Instant>,
    end: Bytes,
    is_closing: bool,
    frames: u64,
    spectators: Arc<()>,
    waiting: Vec<Waker>,
}

impl Broadcast {
    pub(super) fn new(feed: Option<Feed>) -> Self {
        Self { feed, ..Self::default() }
    }

    /// Fetches new results and moves. Returns the time to the next fetch.
    pub(super) fn fetch(&mut self) -> Duration {
        let is_watched = Arc::strong_count(&self.spectators) > 1;
        let Some(Feed { games, results }) = &mut self.feed else { return IDLE_FRAME };
        for game in games.take_ended() {
            results.add(&game);
            self.records.push_back(event("record", &game));
            if self.records.len() > MAX_GAMES {
                self.records.pop_front();
                self.first += 1;
            }
        }
        if is_watched && self.end.is_empty() {
            self.slots = games.slots();
            self.summarise(MatchState::Running);
        }
        self.frames += 1;
        self.wake();
        if is_watched { FRAME } else { IDLE_FRAME }
    }

    fn summarise(&mut self, state: MatchState) {
        let Some(Feed { results, .. }) = &self.feed else { return };
        let now = Instant::now();
        let is_due = self.next_summary.is_none_or(|next| now >= next);
        if is_due && self.summarised != Some(results.played) {
            self.summary = event("summary", &results.summary(state).public());
            self.summarised = Some(results.played);
            self.next_summary = Some(now + (SUMMARY_SHARE * now.elapsed()).max(SUMMARY_INTERVAL));
        }
    }

    pub(super) fn finish(&mut self, state: MatchState) {
        self.fetch();
        self.summarised = None;
        self.next_summary = None;
        self.summarise(state);
        self.slots.clear();
        self.end = event("end", &json!({ "state": state }));
        self.wake();
    }

    pub(super) fn close(&mut self) {
        self.is_closing = true;
        self.wake();
    }

    fn wake(&mut self) {
        self.waiting.drain(..).for_each(Waker::wake);
    }
}

/// A server-sent event. This JSON has no line breaks, so one `data` line is enough.
fn event(name: &str, data: &impl Serialize) -> Bytes {
    // If this fails, spectators miss one event.
    to_line(data).map_or_else(|_| Bytes::new(), |line| format!("event: {name}\ndata: {line}\n\n").into())
}

#[derive(Default)]
pub(super) struct Spectator {
    broadcast: Arc<Mutex<Broadcast>>,
    _counted: Arc<()>,
    /// Number of the next finished game to send. `None` before the header.
    next_record: Option<usize>,
    seen_versions: Vec<u64>,
    summary: Bytes,
    silences: u64,
    has_end: bool,
}

impl Spectator {
    pub(super) fn new(broadcast: &Arc<Mutex<Broadcast>>) -> Self {
        let mut state = locked(broadcast);
        let counted = Arc::clone(&state.spectators);
        state.fetch();
        let silences = state.frames / SILENT_FRAMES;
        Self { broadcast: Arc::clone(broadcast), _counted: counted, silences, ..Self::default() }
    }

    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let broadcast = Arc::clone(&self.broadcast);
        let mut state = locked(&broadcast);
        let piece = self.piece(&state);
        if !piece.is_empty() {
            return Poll::Ready(Some(piece.into()));
        }
        if self.has_end || state.is_closing {
            return Poll::Ready(None);
        }
        state.waiting.push(context.waker().clone());
        Poll::Pending
    }

    fn piece(&mut self, state: &Broadcast) -> Vec<u8> {
        let mut piece = Vec::new();
        if self.next_record < Some(state.first) {
            // New and slow spectators begin with the first kept game. `retry` is in milliseconds.
            piece.extend_from_slice(b"retry: 2000\n");
            piece.extend(state.feed.iter().flat_map(|feed| event("header", &feed.results.header.public())));
            self.seen_versions.clear();
        }
        let mut next = self.next_record.map_or(state.first, |next| next.max(state.first));
        while piece.len() < PIECE
            && let Some(record) = state.records.get(next - state.first)
        {
            piece.extend_from_slice(record);
            next += 1;
        }
        self.next_record = Some(next);
        if next < state.first + state.records.len() {
            return piece;
        }
        self.seen_versions.resize(state.slots.len(), 0);
        for (slot, seen) in state.slots.iter().zip(&mut self.seen_versions) {
            // Neither number falls, so the sum changes if either does.
            let version = slot.version + state.frames / CLOCK_FRAMES;
            if std::mem::replace(seen, version) != version {
                piece.extend(slot.game.iter().flat_map(|game| event("live", game)));
            }
        }
        if self.summary != state.summary {
            self.summary = state.summary.clone();
            piece.extend_from_slice(&state.summary);
        }
        if !state.end.is_empty() && !self.has_end {
            self.has_end = true;
            piece.extend_from_slice(&state.end);
        }
        let silences = state.frames / SILENT_FRAMES;
        if std::mem::replace(&mut self.silences, silences) != silences && piece.is_empty() {
            piece.extend_from_slice(b":\n\n");
        }
        piece
    }
}
