//! The threads of one search. The *lead* thread called the search. *Helper* threads have numbers from 1.
//!
//! Helpers start and end with a null-window search. That takes some ten microseconds, and only a search that
//! has cost thirty times as much gets helpers. No thread waits for another thread within a search, so nothing
//! can deadlock. A helper that panics costs time but no correctness.
//!
//! # Keeping apart
//!
//! Simplified ABDADA: each thread marks the positions that it searches. A move to a marked position is
//! deferred until the other moves of the node are done. By then its score is likely to be in the table. The
//! first move of a node is never deferred, because it may cut off.
//!
//! Sources: Jean-Christophe Weill, "The ABDADA Distributed Minimax Search Algorithm" (1996); Tom Kerrigan,
//! "Simplified ABDADA".

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::thread;

use crate::board::Geometry;
use crate::score::Score;
use crate::sync::{AtomicBool, AtomicU64, Mutex};
use crate::table::{Table, TableKey};

/// Number of slots for marks of positions, far more than positions on the threads' paths. `loom` tests have
/// two, to test shared slots.
const MARKS: usize = 1 << MARK_BITS;
const MARK_BITS: u32 = if cfg!(all(test, loom)) { 1 } else { 12 };

#[derive(Debug)]
pub(super) struct Team {
    threads: NonZeroUsize,
    /// Relaxed memory order is enough, because the result is read after the helpers have ended.
    is_over: AtomicBool,
    answer: Mutex<Option<Score>>,
    nodes: AtomicU64,
    /// [Hashes](TableKey::hash) of the positions under search; zero if free. Positions with the same slot
    /// overwrite each other, which costs duplicate work at most.
    marks: Vec<AtomicU64>,
}

impl Team {
    pub(super) fn new(threads: NonZeroUsize) -> Self {
        Self {
            threads,
            is_over: AtomicBool::new(false),
            answer: Mutex::new(None),
            nodes: AtomicU64::new(0),
            marks: std::iter::repeat_with(AtomicU64::default).take(MARKS).collect(),
        }
    }

    pub(super) fn threads(&self) -> u64 {
        self.threads.get() as u64
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn mark_of<G: Geometry>(&self, key: TableKey<G>) -> &AtomicU64 {
        // The highest bits of the hash are mixed best.
        &self.marks[(key.hash() >> (u64::BITS - MARK_BITS)) as usize]
    }

    pub(super) fn mark<G: Geometry>(&self, key: TableKey<G>) {
        self.mark_of(key).store(key.hash(), Ordering::Relaxed);
    }

    /// Whether some thread is searching this position. Threads miss each other's marks near the end, because
    /// keys differ by table region.
    pub(super) fn is_marked<G: Geometry>(&self, key: TableKey<G>) -> bool {
        self.mark_of(key).load(Ordering::Relaxed) == key.hash()
    }

    pub(super) fn unmark<G: Geometry>(&self, key: TableKey<G>) {
        if self.is_marked(key) {
            self.mark_of(key).store(0, Ordering::Relaxed);
        }
    }

    /// Runs `lead` on this thread and `help(i)` on helper threads `i = 1..threads`, until the first result.
    /// All helpers have ended when this returns. `help` must return soon after [`is_over`](Self::is_over)
    /// becomes true.
    pub(super) fn run<R>(
        &self,
        lead: impl FnOnce() -> R,
        help: impl Fn(usize) -> Option<Score> + Sync,
    ) -> (R, Option<Score>) {
        self.begin();
        let work = |number| self.work(|| help(number));
        let result = thread::scope(|scope| {
            // The helpers must end even if `lead` panics.
            let _end = self.end_on_drop();
            for number in 1..self.threads.get() {
                let builder = thread::Builder::new().name(format!("helper {number}"));
                if let Err(error) = builder.spawn_scoped(scope, move || work(number)) {
                    log::debug!("the search runs on {number} threads only: {error}");
                    break;
                }
            }
            lead()
        });
        (result, self.take_answer())
    }

    pub(super) fn begin(&self) {
        self.marks.iter().for_each(|mark| mark.store(0, Ordering::Relaxed));
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.is_over.store(false, Ordering::Relaxed);
    }

    pub(super) fn work(&self, help: impl FnOnce() -> Option<Score>) {
        match catch_unwind(AssertUnwindSafe(help)) {
            Ok(Some(score)) => {
                self.answer.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(score);
                self.is_over.store(true, Ordering::Relaxed);
            }
            Ok(None) => {}
            Err(_) => log::error!("a helper thread of the search panicked; the search continues without it"),
        }
    }

    pub(super) fn end_on_drop(&self) -> impl Drop {
        SetOnDrop(&self.is_over)
    }

    pub(super) fn take_answer(&self) -> Option<Score> {
        self.answer.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// With fewer empty cells no move is deferred, because subtrees are too small.
pub(super) const MIN_DEFERRAL_EMPTY_CELLS: u32 = if cfg!(test) { 6 } else { 19 };

#[derive(Default)]
pub(super) struct DeferredMoves {
    indices: u32,
    has_begun: bool,
    is_closing: bool,
}

impl DeferredMoves {
    /// Returns whether the move is deferred, because another thread searches `child`. Otherwise marks `child`
    /// until [`unmark`](Team::unmark).
    pub(super) fn defer_or_mark<G: Geometry>(
        &mut self,
        team: &Team,
        index: usize,
        child: TableKey<G>,
    ) -> bool {
        let is_deferred = self.has_begun && !self.is_closing && team.is_marked(child);
        if is_deferred {
            self.indices |= 1 << index;
        } else {
            self.has_begun = true;
            team.mark(child);
        }
        is_deferred
    }

    pub(super) fn take(&mut self) -> Option<usize> {
        self.is_closing = true;
        let index = self.indices.trailing_zeros();
        self.indices &= self.indices.wrapping_sub(1);
        if index < u32::BITS { Some(index as usize) } else { None }
    }
}

/// A bound in the table that decides the null window at `beta`.
pub(super) fn answer_in_table<G: Geometry>(table: &Table, key: TableKey<G>, beta: Score) -> Option<Score> {
    let entry = table.probe(key)?;
    let (lower, upper) = (Score::from(entry.lower), Score::from(entry.upper));
    if lower >= beta {
        return Some(lower);
    }
    if upper < beta { Some(upper) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    fn team(threads: usize) -> Team {
        Team::new(NonZeroUsize::new(threads).expect("not zero"))
    }

    fn wait(team: &Team) -> Option<Score> {
        while !team.is_over() {
            thread::yield_now();
        }
        None
    }

    #[test]
    fn the_first_answer_ends_the_probe_for_all() {
        let team = team(4);
        for round in 0..100 {
            assert_eq!(team.run(|| round, |_| wait(&team)), (round, None));
            assert_eq!(team.run(|| wait(&team), |_| Some(round)), (None, Some(round)));
            let first = AtomicBool::new(true);
            let one = |_| if first.swap(false, Ordering::Relaxed) { Some(round) } else { wait(&team) };
            assert_eq!(team.run(|| wait(&team), one), (None, Some(round)));
        }
    }

    #[test]
    fn a_panicking_thread_takes_no_other_with_it() {
        let team = team(3);
        let panics = |_| panic!("on purpose");
        assert_eq!(team.run(|| 1, panics), (1, None));
        let first = AtomicBool::new(true);
        let one = |_| if first.swap(false, Ordering::Relaxed) { panic!("on purpose") } else { Some(2) };
        assert_eq!(team.run(|| wait(&team), one), (None, Some(2)));
        let ended = AtomicU64::new(0);
        let lead = || -> Option<Score> { panic!("on purpose") };
        let help = |_| {
            wait(&team);
            ended.fetch_add(1, Ordering::Relaxed);
            None
        };
        assert!(catch_unwind(AssertUnwindSafe(|| team.run(lead, help))).is_err());
        assert_eq!(ended.into_inner(), 2);
        assert_eq!(team.run(|| 3, |_| wait(&team)), (3, None));
    }

    #[test]
    fn only_later_moves_to_marked_positions_are_deferred() {
        let team = Team::new(NonZeroUsize::new(2).expect("not zero"));
        let table = Table::with_buckets(Standard::default(), 1);
        let keys: Vec<_> = (1..=4).map(|key| table.placement(0).key(Standard::default(), key)).collect();
        team.mark(keys[0]);
        team.mark(keys[2]);
        let mut deferred = DeferredMoves::default();
        let results: Vec<_> =
            keys.iter().zip(0..).map(|(&key, index)| deferred.defer_or_mark(&team, index, key)).collect();
        assert_eq!(results, [false, false, true, false]);
        assert!(keys.iter().all(|&key| team.is_marked(key)));
        team.unmark(keys[0]);
        assert!(!team.is_marked(keys[0]));
        assert_eq!(deferred.take(), Some(2));
        assert!(!deferred.defer_or_mark(&team, 2, keys[2]));
        assert_eq!(deferred.take(), None);
    }
}
