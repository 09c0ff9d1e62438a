//! The exact search: a fail-soft null-window recursion that asks of a node "is your score at least `beta`?".

use super::bounds::{self, Effort};
use super::control::{Control, Halt};
use super::kernel::{Choice, Counting, Kernel, Portable};
use super::ordering::{self, MovePicker};
use super::parallel::{self, Late};
use super::resolve::{Node, Resolved, resolve};
use super::traffic::Traffic;
use crate::board::{Bits, Geometry, Position, mirror, table_key};
use crate::book::Opening;
use crate::score::{Score, max_score, win_with_stone};
use crate::table::{Entry, Part, Table, TableKey};

/// Up to this many stones a position and its mirror image share a table entry: later the chance that both come up
/// is too small to pay for the mirroring.
const MIRRORED_PLIES: u32 = 12;

/// With this many empty cells or fewer the table is left alone: searching on is as fast as asking.
const UNTABLED_EMPTY_CELLS: u32 = 8;

/// With this many empty cells or fewer the children's entries are not asked before the search goes into one.
const NO_CUTOFF_EMPTY_CELLS: u32 = 13;

/// With this many empty cells or fewer the bounds do not look at single fours: searching on is as fast.
const CLOSE_LOOK_EMPTY_CELLS: u32 = 14;

/// With this many empty cells or fewer entries live in the small part of the table that stays in the processor's cache.
/// Such positions are most of what is searched, and there it is latency that costs, not lost entries.
const LATE_EMPTY_CELLS: u32 = 18;

/// A child that [`resolve`] left open.
#[derive(Clone, Copy)]
struct Child<G: Geometry> {
    node: Node<G>,
    place: Place,
    /// Whether the side to move in `node` is the one that moves in the parent.
    same_side: bool,
    column: u8,
}

/// An exact search over one table; holds what the recursion shares.
pub(crate) struct Prover<'a, G: Geometry> {
    table: &'a Table,
    pub(crate) control: Control<'a>,
    kernel: Choice,
    /// Where this thread's late positions live in the table.
    part: Part,
    /// Children of the nodes on the path, [`Geometry::WIDTH`] for each number of stones; kept here so that no node
    /// has to set up an array of its own.
    children: Vec<Child<G>>,
    /// What a book knows of the positions that are probed.
    pub(crate) opening: Option<Opening<'a, G>>,
    /// What was asked of the table, if the kernel counts it.
    pub(crate) traffic: Traffic,
}

impl<'a, G: Geometry> Prover<'a, G> {
    pub(crate) fn new(table: &'a Table, control: Control<'a>) -> Self {
        let node = Node::new(&Position::new());
        let part = table.part(0);
        let vacant = Child { node, place: Place::of(&node, part), same_side: false, column: 0 };
        let children = vec![vacant; ((G::CELLS + 1) * G::WIDTH) as usize];
        Self {
            table,
            control,
            kernel: Choice::best(),
            part,
            children,
            opening: None,
            traffic: Traffic::default(),
        }
    }

    /// The kernel that the recursion is compiled for.
    pub(crate) fn kernel(&self) -> Choice {
        self.kernel
    }

    /// Uses this kernel from now on.
    pub(crate) fn set_kernel(&mut self, kernel: Choice) {
        self.kernel = kernel;
    }

    /// Says which of the threads that share the table this is, from 0.
    pub(super) fn set_thread(&mut self, thread: usize) {
        self.part = self.table.part(thread);
    }

    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    /// Whether any position is worth at least `beta` for its side to move, fail-soft: a result of at least `beta`
    /// is a lower bound of its score, a smaller one an upper bound.
    ///
    /// # Errors
    /// If the search was broken off; the table keeps what was proved on the way.
    pub(crate) fn probe(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Halt> {
        match self.opening.as_mut().and_then(|opening| opening.score(position)) {
            Some(score) => Ok(score),
            None => self.probe_past_book(position, beta),
        }
    }

    /// The same without asking the book for `position` itself, so that the table gets to know its best move.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub(crate) fn probe_past_book(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Halt> {
        parallel::probe(self, position, beta)
    }

    /// [`probe`](Self::probe) on this thread.
    pub(super) fn probe_alone(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Halt> {
        match position.outcome() {
            Some(crate::board::Outcome::Draw) => return Ok(0),
            Some(crate::board::Outcome::Win(_)) => return Ok(-win_with_stone::<G>(position.plies())),
            None => {}
        }
        let node = Node::new(position);
        if !(node.own_wins & node.playable()).is_empty() {
            return Ok(win_with_stone::<G>(node.plies + 1));
        }
        match resolve::<Portable, G>(node) {
            Resolved::Score(score) => Ok(score),
            Resolved::Quiet { node, same_side } => self.turned(same_side, beta, |prover, beta| {
                let effort = Effort { wanted: beta, closely: true };
                let bound = bounds::upper_bound::<Portable, G>(&node, effort);
                if bound < beta { Ok(bound) } else { prover.enter(&node, beta) }
            }),
        }
    }

    /// Asks `ask` from the other side's point of view, unless the side is the same.
    #[inline(always)]
    fn turned(
        &mut self,
        same_side: bool,
        beta: Score,
        ask: impl FnOnce(&mut Self, Score) -> Result<Score, Halt>,
    ) -> Result<Score, Halt> {
        if same_side { ask(self, beta) } else { ask(self, 1 - beta).map(|score| -score) }
    }

    /// Starts the recursion with the chosen kernel.
    fn enter(&mut self, node: &Node<G>, beta: Score) -> Result<Score, Halt> {
        let place = Place::of(node, self.part);
        match self.kernel {
            Choice::Portable => Portable::search(self, node, place, beta),
            Choice::Counting => Counting::search(self, node, place, beta),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2 => super::kernel::x86::Avx2::search(self, node, place, beta),
        }
    }

    /// The recursion. `node` is quiet, and its static upper bound is at least `beta`.
    #[inline(always)]
    pub(super) fn search<K: Kernel>(
        &mut self,
        node: &Node<G>,
        place: Place,
        beta: Score,
    ) -> Result<Score, Halt> {
        // 1. Count, and stop if told to.
        self.control.visit(node.plies)?;

        // 2. Distance: neither side wins with its next stone, so the mover's first chance is the third stone from
        // here, its opponent's the fourth.
        let mut upper = win_with_stone::<G>(node.plies + 3);
        if upper < beta {
            return Ok(upper);
        }
        let mut lower = -win_with_stone::<G>(node.plies + 4);
        if lower >= beta {
            return Ok(lower);
        }

        // 3. The table.
        let empty_cells = G::CELLS - node.plies;
        let tabled = empty_cells > UNTABLED_EMPTY_CELLS;
        let mut table_move = None;
        if tabled && let Some(entry) = self.ask_table::<K>(place.key) {
            upper = upper.min(Score::from(entry.upper));
            lower = lower.max(Score::from(entry.lower));
            if upper < beta {
                return Ok(upper);
            }
            if lower >= beta {
                return Ok(lower);
            }
            table_move = entry.best.map(|column| place.turn::<G>(column));
        }
        let nodes_before = self.control.nodes();
        let mut frame = Frame { place, beta, lower, upper, done: Score::MIN, tabled, nodes_before };

        // 4. Every child without search.
        let mut moves = MovePicker::new();
        if let Some(cutoff) = self.expand::<K>(node, &mut frame, table_move, &mut moves) {
            return Ok(self.fail_high::<K>(&frame, cutoff));
        }

        // 5. What the table knows of the children.
        if empty_cells > NO_CUTOFF_EMPTY_CELLS
            && let Some(cutoff) = self.look_up_children::<K>(node.plies, &mut frame, &mut moves)
        {
            return Ok(self.fail_high::<K>(&frame, cutoff));
        }

        // 6. The rest, best first; what other threads are at, last.
        let split = empty_cells >= parallel::LEAST_EMPTY_CELLS;
        let mut late = Late::default();
        while let Some(index) = moves.next::<G>().or_else(|| late.take()) {
            let child = self.children[slot::<G>(node.plies, index)];
            if split
                && let Some(team) = self.control.companions()
                && late.puts_off(team, index, child.place.key)
            {
                continue;
            }
            let value = self.turned(child.same_side, beta, |prover, beta| {
                K::search(prover, &child.node, child.place, beta)
            })?;
            if split && let Some(team) = self.control.companions() {
                parallel::leave(team, child.place.key);
                if value < beta
                    && let Some(bound) = parallel::answered(self.table, place.key, beta)
                {
                    return Ok(bound);
                }
            }
            if value >= beta {
                return Ok(self.fail_high::<K>(&frame, Cutoff { value, column: child.column }));
            }
            frame.done = frame.done.max(value);
        }

        // 7. No move reaches `beta`.
        let upper = upper.min(frame.done);
        self.store::<K>(&frame, lower, upper, table_move);
        Ok(upper)
    }

    /// Looks at every child without search: forced replies played out, static bounds, the distance to its first win.
    /// What stays open is put into `moves`, its table entry on the way.
    #[inline(always)]
    fn expand<K: Kernel>(
        &mut self,
        node: &Node<G>,
        frame: &mut Frame,
        table_move: Option<u8>,
        moves: &mut MovePicker,
    ) -> Option<Cutoff> {
        let closely = G::CELLS - node.plies > CLOSE_LOOK_EMPTY_CELLS;
        let mut rest = node.quiet_moves();
        while !rest.is_empty() {
            // Moves in the middle are the likeliest to end it here.
            let middle = rest & G::middle();
            let cell = if middle.is_empty() { rest } else { middle }.lowest_bit();
            rest ^= cell;
            let next = node.after::<K>(cell);
            let column = G::column_of(cell) as u8;
            let (child, same_side) = match resolve::<K, G>(next) {
                Resolved::Score(score) => {
                    if -score >= frame.beta {
                        return Some(Cutoff { value: -score, column });
                    }
                    frame.done = frame.done.max(-score);
                    continue;
                }
                // The side that moves in `next` is not the one that moves here.
                Resolved::Quiet { node, same_side } => (node, !same_side),
            };
            let lower = -win_with_stone::<G>(child.plies + 4);
            let wanted = if same_side { frame.beta } else { 1 - frame.beta };
            let upper = bounds::upper_bound::<K, G>(&child, Effort { wanted, closely })
                .min(win_with_stone::<G>(child.plies + 3));
            let (lower, upper) = if same_side { (lower, upper) } else { (-upper, -lower) };
            if lower >= frame.beta {
                return Some(Cutoff { value: lower, column });
            }
            if upper < frame.beta {
                frame.done = frame.done.max(upper);
                continue;
            }
            let place = Place::of(&child, self.part);
            self.table.prefetch(place.key);
            self.children[slot::<G>(node.plies, moves.len())] =
                Child { node: child, place, same_side, column };
            moves.push(ordering::rank(node, &next, cell, table_move == Some(column)));
        }
        None
    }

    /// Enhanced transposition cutoff: asks the table about all children before any of them is searched.
    /// Source: Aske Plaat et al., "Nearly Optimal Minimax Tree Search?" (1994).
    #[inline(always)]
    fn look_up_children<K: Kernel>(
        &mut self,
        plies: u32,
        frame: &mut Frame,
        moves: &mut MovePicker,
    ) -> Option<Cutoff> {
        for index in 0..moves.len() {
            let child = self.children[slot::<G>(plies, index)];
            if let Some(entry) = self.ask_table::<K>(child.place.key) {
                let (lower, upper) = (Score::from(entry.lower), Score::from(entry.upper));
                let (lower, upper) = if child.same_side { (lower, upper) } else { (-upper, -lower) };
                if lower >= frame.beta {
                    return Some(Cutoff { value: lower, column: child.column });
                }
                if upper < frame.beta {
                    frame.done = frame.done.max(upper);
                    moves.remove(index);
                }
            }
        }
        None
    }

    /// Remembers that a move reaches `beta`; returns the bound that this proves.
    #[inline(always)]
    fn fail_high<K: Kernel>(&mut self, frame: &Frame, cutoff: Cutoff) -> Score {
        let value = cutoff.value.max(frame.lower);
        self.store::<K>(frame, value, frame.upper, Some(cutoff.column));
        value
    }

    /// What the table knows of a position.
    #[inline(always)]
    fn ask_table<K: Kernel>(&mut self, key: TableKey) -> Option<Entry> {
        let entry = self.table.probe(key);
        if K::COUNTS {
            self.traffic.probes += 1;
            self.traffic.hits += u64::from(entry.is_some());
        }
        entry
    }

    #[inline(always)]
    fn store<K: Kernel>(&mut self, frame: &Frame, lower: Score, upper: Score, best: Option<u8>) {
        if frame.tabled {
            if K::COUNTS {
                self.traffic.stores += 1;
                self.traffic.overwrites += u64::from(self.table.would_overwrite(frame.place.key));
            }
            let work = (self.control.nodes() - frame.nodes_before + 1).ilog2() as u8;
            let best = best.map(|column| frame.place.turn::<G>(column));
            self.table.store(frame.place.key, Entry { lower: lower as i8, upper: upper as i8, best, work });
        }
    }
}

/// A node's state on its way through [`Prover::search`].
struct Frame {
    place: Place,
    beta: Score,
    lower: Score,
    upper: Score,
    /// The greatest upper bound of the children that are done with; all of them are below `beta`.
    done: Score,
    tabled: bool,
    nodes_before: u64,
}

/// A move that reaches `beta`, and the lower bound that it proves.
#[derive(Clone, Copy)]
struct Cutoff {
    value: Score,
    column: u8,
}

/// Where a node lives in the table, and whether that is as its mirror image.
#[derive(Clone, Copy)]
pub(super) struct Place {
    key: TableKey,
    mirrored: bool,
}

impl Place {
    #[inline(always)]
    fn of<G: Geometry>(node: &Node<G>, part: Part) -> Self {
        let key = node.own.plus(node.mask);
        if node.plies <= MIRRORED_PLIES {
            let image = mirror::<G>(key);
            if image < key {
                return Self { key: table_key::<G>(image), mirrored: true };
            }
        }
        let key = table_key::<G>(key);
        let late = G::KEY_BITS <= TableKey::PART_BITS && G::CELLS - node.plies <= LATE_EMPTY_CELLS;
        Self { key: if late { key.within(part) } else { key }, mirrored: false }
    }

    /// A column as the table has it, or back again.
    #[inline]
    fn turn<G: Geometry>(self, column: u8) -> u8 {
        if self.mirrored { G::WIDTH as u8 - 1 - column } else { column }
    }
}

/// Where a child waits in [`Prover::children`].
#[inline]
fn slot<G: Geometry>(plies: u32, index: usize) -> usize {
    (plies * G::WIDTH) as usize + index
}

/// What the table knows of the best column (from 0) of a position; a hint, not a promise.
pub(crate) fn table_move<G: Geometry>(table: &Table, position: &Position<G>) -> Option<u32> {
    let place = Place::of(&Node::new(position), table.part(0));
    let column = table.probe(place.key)?.best?;
    Some(u32::from(place.turn::<G>(column)))
}

/// What the table knows of the score of a position: a lower and an upper bound.
pub(crate) fn table_bounds<G: Geometry>(table: &Table, position: &Position<G>) -> Option<(Score, Score)> {
    let place = Place::of(&Node::new(position), table.part(0));
    let entry = table.probe(place.key)?;
    Some((Score::from(entry.lower), Score::from(entry.upper)))
}

/// Lets the table know a lower bound of the score of a position that was proven elsewhere.
pub(crate) fn remember_lower_bound<G: Geometry>(table: &Table, position: &Position<G>, lower: Score) {
    let place = Place::of(&Node::new(position), table.part(0));
    // It should stay for as long as the position is searched, as if it had taken a million nodes.
    let entry = Entry { lower: lower as i8, upper: max_score::<G>() as i8, best: None, work: 20 };
    table.store(place.key, entry);
}
