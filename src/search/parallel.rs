//! Several threads on one probe.
//!
//! All of them ask the same question of the same position with the same table, and the first to have the answer ends
//! the probe for all. Left alone they would do the same work twice; what keeps them apart is Simplified ABDADA: each
//! thread marks the positions that it is in, and a move that leads to a marked position is put off until the node's
//! other moves are done. By then its score is likely to be in the table. A node's first move is never put off, as it
//! is the one that may spare all others. (Jean-Christophe Weill, "The ABDADA Distributed Minimax Search Algorithm",
//! 1996; Tom Kerrigan, "Simplified ABDADA".)
//!
//! No thread ever waits for another one within a probe, and a mark is only a hint: what one thread fails to do, another
//! will. So there is nothing to deadlock, and a helper that dies costs time, not truth.
//!
//! Helpers are started for the probe that needs them and joined at its end. That takes some ten microseconds, and only
//! a probe that has cost a hundred times as much gets helpers. In return there is nothing to park, to wake or to shut
//! down.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::control::{Control, Halt};
use super::negamax::Prover;
use crate::board::{Geometry, Position};
use crate::score::Score;
use crate::table::{Table, TableKey};

/// Nodes of a probe that are searched before helpers are started: about a millisecond. Fewer in tests, so that small
/// boards, which minimax can check, are searched in company too.
const LONE_NODES: u64 = if cfg!(test) { 50 } else { 4_000 };

/// With fewer empty cells than this the threads do not look out for each other: the subtrees are too small.
pub(super) const LEAST_EMPTY_CELLS: u32 = if cfg!(test) { 6 } else { 19 };

/// Places for marks: far more than there are positions on the threads' paths, so that few share one.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 12;

/// What the threads of one search share beside the table.
#[derive(Debug)]
pub(crate) struct Team {
    threads: NonZeroUsize,
    /// Whether the present probe is over. It guards no data: the answer is read when the helpers have been joined.
    over: AtomicBool,
    /// The first answer of a helper to the present probe.
    answer: Mutex<Option<Score>>,
    /// Nodes of this search that the threads have told of.
    nodes: AtomicU64,
    /// The words of the positions that threads are in, zero where there is none. Two positions that share a place hide
    /// each other, which costs work at most.
    marks: Vec<AtomicU64>,
}

impl Team {
    pub(crate) fn new(threads: NonZeroUsize) -> Self {
        Self {
            threads,
            over: AtomicBool::new(false),
            answer: Mutex::new(None),
            nodes: AtomicU64::new(0),
            marks: std::iter::repeat_with(AtomicU64::default).take(PLACES).collect(),
        }
    }

    /// Whether the present probe is over.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Number of threads, the lead among them.
    pub(super) fn threads(&self) -> u64 {
        self.threads.get() as u64
    }

    /// Nodes that the threads have told of.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Tells of more nodes.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn mark(&self, key: TableKey) -> &AtomicU64 {
        // The highest bits are the best mixed ones, and the lowest are not always in use.
        &self.marks[(key.word() >> (u64::BITS - PLACE_BITS)) as usize]
    }

    /// Whether some thread is in this position.
    fn is_marked(&self, key: TableKey) -> bool {
        self.mark(key).load(Ordering::Relaxed) == key.word()
    }

    /// Runs `lead` here and `help` on the other threads, each told its number from 1, until one of them has an answer or `lead` has ended; returns
    /// what `lead` says, and the answer of a helper if there is one. All helpers have ended by then: once
    /// [`is_over`](Self::is_over) says so, they must do so soon.
    fn run<R>(
        &self,
        lead: impl FnOnce() -> R,
        help: impl Fn(usize) -> Option<Score> + Sync,
    ) -> (R, Option<Score>) {
        self.marks.iter().for_each(|mark| mark.store(0, Ordering::Relaxed));
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.over.store(false, Ordering::Relaxed);
        let work = |number| match catch_unwind(AssertUnwindSafe(|| help(number))) {
            Ok(Some(score)) => {
                self.answer.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(score);
                self.over.store(true, Ordering::Relaxed);
            }
            Ok(None) => {}
            Err(_) => log::error!("a helper panicked; the search goes on without it"),
        };
        let result = thread::scope(|scope| {
            // Helpers must not go on if `lead` panics: the scope waits for them.
            let _end = EndOnDrop(&self.over);
            for number in 1..self.threads.get() {
                let builder = thread::Builder::new().name(format!("helper {number}"));
                if let Err(error) = builder.spawn_scoped(scope, move || work(number)) {
                    log::debug!("the system gives only {number} threads: {error}");
                    break;
                }
            }
            lead()
        });
        (result, self.answer.lock().unwrap_or_else(PoisonError::into_inner).take())
    }
}

/// Sets a flag when it is dropped.
struct EndOnDrop<'a>(&'a AtomicBool);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// [`Prover::probe`] by the team, if the prover has one: first alone, and with helpers if that takes long.
pub(super) fn probe<G: Geometry>(
    prover: &mut Prover<'_, G>,
    position: &Position<G>,
    beta: Score,
) -> Result<Score, Halt> {
    let Some(team) = prover.control.team().cloned() else { return prover.probe_alone(position, beta) };

    let budget = prover.control.shorten_budget(LONE_NODES);
    let alone = prover.probe_alone(position, beta);
    let is_left = prover.control.restore_budget(budget);
    if alone != Err(Halt::Budget) || !is_left {
        return alone;
    }

    // The table keeps what has been done so far, so it is soon back at where it was.
    let (table, kernel, node_limit) = (prover.table(), prover.kernel(), prover.control.node_limit());
    let help = |number| {
        let mut helper = Prover::<G>::new(table, Control::helper(Arc::clone(&team), node_limit));
        helper.set_thread(number);
        helper.set_kernel(kernel);
        let result = helper.probe_alone(position, beta);
        helper.control.tell_nodes();
        result.ok()
    };
    // The helpers go by what all have visited so far.
    prover.control.tell_nodes();
    prover.control.set_accompanied(true);
    let (led, answer) = team.run(|| prover.probe_alone(position, beta), help);
    prover.control.set_accompanied(false);
    match led {
        Err(Halt::Budget) => answer.ok_or(Halt::Budget),
        led => led,
    }
}

/// The moves of one node that are put off, by the slots in which they wait.
#[derive(Default)]
pub(super) struct Late {
    slots: u32,
    /// Whether a move has been searched, and whether the others have: then nothing is put off any more.
    begun: bool,
    closing: bool,
}

impl Late {
    /// Whether the move in `slot`, which leads to `child`, is put off. If not, `child` is marked, and the thread must
    /// [`leave`] it.
    pub(super) fn puts_off(&mut self, team: &Team, slot: usize, child: TableKey) -> bool {
        let off = self.begun && !self.closing && team.is_marked(child);
        if off {
            self.slots |= 1 << slot;
        } else {
            self.begun = true;
            team.mark(child).store(child.word(), Ordering::Relaxed);
        }
        off
    }

    /// Once there are no other moves: the slot of one that was put off.
    pub(super) fn take(&mut self) -> Option<usize> {
        self.closing = true;
        let slot = self.slots.trailing_zeros();
        self.slots &= self.slots.wrapping_sub(1);
        (slot < u32::BITS).then_some(slot as usize)
    }
}

/// Unmarks a position. It may be that another thread is still in it; but what there was to find out is in the table.
pub(super) fn leave(team: &Team, child: TableKey) {
    if team.is_marked(child) {
        team.mark(child).store(0, Ordering::Relaxed);
    }
}

/// What the table says to "at least `beta`?", if meanwhile another thread has found out.
pub(super) fn answered(table: &Table, key: TableKey, beta: Score) -> Option<Score> {
    let entry = table.probe(key)?;
    let (lower, upper) = (Score::from(entry.lower), Score::from(entry.upper));
    if lower >= beta { Some(lower) } else { (upper < beta).then_some(upper) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            // The lead has the answer.
            assert_eq!(team.run(|| round, |_| wait(&team)), (round, None));
            // A helper has it.
            assert_eq!(team.run(|| wait(&team), |_| Some(round)), (None, Some(round)));
            // One helper has it, and the others wait as the lead does.
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
        // The helpers end even if the lead panics, and the panic goes on.
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
    fn only_later_moves_to_marked_positions_are_put_off() {
        let team = team(2);
        let keys: Vec<_> = (1..=4).map(|key| TableKey::new(key, 49)).collect();
        team.mark(keys[0]).store(keys[0].word(), Ordering::Relaxed);
        team.mark(keys[2]).store(keys[2].word(), Ordering::Relaxed);
        let mut late = Late::default();
        let off: Vec<_> = keys.iter().zip(0..).map(|(&key, slot)| late.puts_off(&team, slot, key)).collect();
        assert_eq!(off, [false, false, true, false]);
        assert!(keys.iter().all(|&key| team.is_marked(key)));
        leave(&team, keys[0]);
        assert!(!team.is_marked(keys[0]));
        // At the end it is taken up, marked or not.
        assert_eq!(late.take(), Some(2));
        assert!(!late.puts_off(&team, 2, keys[2]));
        assert_eq!(late.take(), None);
    }
}
