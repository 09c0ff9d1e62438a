//! The recursion of the exact search: fail-soft negamax with null windows. A node only answers whether its
//! score is at least `beta`.
//!
//! Each [`CodePath`] has a copy of the recursion, compiled for its instruction set. [`CompiledPath::enter`]
//! is called once for each node. All code except rare parts is inlined there.

use super::bounds::{self, BoundRequest};
use super::node::{Node, NodeKey, Resolved, resolve};
use super::ordering::{self, MovePicker};
use crate::board::{Bits, Geometry, Position};
use crate::book::BookProbe;
use crate::score::{Score, win_with_stone};
use crate::search::control::{Aborted, Control};
#[cfg(target_arch = "x86_64")]
use crate::search::simd::Avx2;
use crate::search::simd::{Backend, Portable};
use crate::search::team::{self, DeferredMoves};
use crate::table::{Placement, Table, TableEntry};

/// With at most this many empty cells a node does not use the transposition table: searching is as fast.
const MAX_UNTABLED_EMPTY_CELLS: u32 = 8;

/// With at most this many empty cells there is no enhanced transposition cutoff.
const MAX_EMPTY_CELLS_WITHOUT_ETC: u32 = 13;

/// With at most this many empty cells the static bounds do not examine single fours: searching is as fast.
const MAX_EMPTY_CELLS_WITHOUT_FOURS: u32 = 14;

/// A move that neither forced replies nor static bounds settle. `node` is the position after forced replies.
#[derive(Clone, Copy)]
pub(super) struct Child<G: Geometry> {
    pub(super) node: Node<G>,
    pub(super) key: NodeKey<G>,
    pub(super) same_side: bool,
    pub(super) column: u8,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::search) enum CodePath {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl CodePath {
    pub(in crate::search) fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Self::Avx2(avx2);
        }
        Self::Portable
    }
}

pub(in crate::search) struct ExactSearch<'a, G: Geometry> {
    pub(in crate::search) geometry: G,
    pub(in crate::search) table: &'a Table,
    pub(in crate::search) control: Control<'a>,
    pub(in crate::search) code_path: CodePath,
    thread: usize,
    pub(super) placement: Placement,
    /// Children of the nodes on the search path, [`Geometry::width`] for each number of stones.
    pub(super) children: Vec<Child<G>>,
    /// `None` if the root position is not in the book.
    pub(in crate::search) book: Option<BookProbe<'a>>,
}

impl<'a, G: Geometry> ExactSearch<'a, G> {
    pub(in crate::search) fn new(geometry: G, table: &'a Table, control: Control<'a>) -> Self {
        let node = Node::new(&Position::empty(geometry));
        let placement = table.placement(0);
        let vacant = Child { node, key: NodeKey::new(&node, placement), same_side: false, column: 0 };
        let children = vec![vacant; ((geometry.cells() + 1) * geometry.width()) as usize];
        Self {
            geometry,
            table,
            control,
            code_path: CodePath::fastest(),
            thread: 0,
            placement,
            children,
            book: None,
        }
    }

    pub(in crate::search) fn set_thread(&mut self, thread: usize) {
        self.thread = thread;
        self.update_placement();
    }

    pub(in crate::search) fn update_placement(&mut self) {
        self.placement = self.table.placement(self.thread);
    }
}

impl<G: Geometry> ExactSearch<'_, G> {
    #[inline(always)]
    pub(super) fn for_side(
        &mut self,
        same_side: bool,
        beta: Score,
        search: impl FnOnce(&mut Self, Score) -> Result<Score, Aborted>,
    ) -> Result<Score, Aborted> {
        if same_side { search(self, beta) } else { search(self, 1 - beta).map(|score| -score) }
    }

    /// `node` must be quiet: neither side wins with its next stone, and at least two moves do not lose at
    /// once. Its static upper bound must be at least `beta`.
    pub(super) fn search_node(&mut self, node: &Node<G>, beta: Score) -> Result<Score, Aborted> {
        let key = NodeKey::new(node, self.placement);
        match self.code_path {
            CodePath::Portable => Portable.enter(self, node, key, beta),
            #[cfg(target_arch = "x86_64")]
            CodePath::Avx2(avx2) => avx2.enter(self, node, key, beta),
        }
    }

    /// The caller has played out forced replies, tried the static bounds and prefetched the table entry. This
    /// function does so for the children, and most are never called.
    #[inline(always)]
    fn negamax<C: CompiledPath>(
        &mut self,
        code: C,
        node: &Node<G>,
        key: NodeKey<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        // 1. Count the node, and check the limits.
        self.control.visit(node.plies)?;

        let geometry = node.geometry;

        // 2. Distance: the side to move wins with the third stone from here at the earliest, its opponent
        //    with the fourth.
        let mut upper = win_with_stone(geometry, node.plies + 3);
        if upper < beta {
            return Ok(upper);
        }
        let mut lower = -win_with_stone(geometry, node.plies + 4);
        if lower >= beta {
            return Ok(lower);
        }

        // 3. Probe the transposition table.
        let empty_cells = geometry.cells() - node.plies;
        let uses_table = empty_cells > MAX_UNTABLED_EMPTY_CELLS;
        let mut table_move = None;
        if uses_table && let Some(entry) = self.table.probe(key.table_key) {
            upper = upper.min(Score::from(entry.upper));
            lower = lower.max(Score::from(entry.lower));
            if upper < beta {
                return Ok(upper);
            }
            if lower >= beta {
                return Ok(lower);
            }
            table_move = entry.best.map(|column| key.map_column(geometry, column));
        }
        let nodes_before = self.control.nodes();
        let mut frame = Frame { key, beta, lower, upper, best_upper: Score::MIN, uses_table, nodes_before };

        // 4. Settle children without a search: a child cuts off, fails low, or stays open.
        let mut moves = MovePicker::new();
        if let Some(cutoff) = self.expand(code, node, &mut frame, table_move, &mut moves) {
            return Ok(self.fail_high(&frame, cutoff));
        }

        // 5. Enhanced transposition cutoff: probe the table for the open children.
        if empty_cells > MAX_EMPTY_CELLS_WITHOUT_ETC
            && let Some(cutoff) = self.look_up_children(node.plies, &mut frame, &mut moves)
        {
            return Ok(self.fail_high(&frame, cutoff));
        }

        // 6. Search the open children, best first, then children deferred because another thread searched
        //    them.
        let may_defer = empty_cells >= team::MIN_DEFERRAL_EMPTY_CELLS;
        let mut deferred = DeferredMoves::default();
        while let Some(index) = moves.next(geometry).or_else(|| deferred.take()) {
            let child = self.children[child_slot(geometry, node.plies, index)];
            if may_defer
                && let Some(team) = self.control.team_at_work()
                && deferred.defer_or_mark(team, index, child.key.table_key)
            {
                continue;
            }
            let value = self.for_side(child.same_side, beta, |search, beta| {
                code.enter(search, &child.node, child.key, beta)
            })?;
            // Another thread may have proved a bound of this node meanwhile.
            if may_defer && let Some(team) = self.control.team_at_work() {
                team.unmark(child.key.table_key);
                if value < beta
                    && let Some(bound) = team::answer_in_table(self.table, key.table_key, beta)
                {
                    return Ok(bound);
                }
            }
            if value >= beta {
                return Ok(self.fail_high(&frame, Cutoff { value, column: child.column }));
            }
            frame.best_upper = frame.best_upper.max(value);
        }

        // 7. Fail low: the greatest bound of any move bounds the node. The old hash move stays.
        let upper = upper.min(frame.best_upper);
        self.store(&frame, lower, upper, table_move);
        Ok(upper)
    }

    /// Returns the first child that reaches `beta` without search; otherwise collects the children to search
    /// in `moves`.
    #[inline(always)]
    fn expand<C: CompiledPath>(
        &mut self,
        code: C,
        node: &Node<G>,
        frame: &mut Frame<G>,
        table_move: Option<u8>,
        moves: &mut MovePicker,
    ) -> Option<Cutoff> {
        let (backend, geometry) = (code.backend(), node.geometry);
        let examine_fours = geometry.cells() - node.plies > MAX_EMPTY_CELLS_WITHOUT_FOURS;
        let mut rest = node.non_losing_moves();
        while !rest.is_empty() {
            // Moves in the middle cut off most often.
            let middle = rest & geometry.middle();
            let cell = if middle.is_empty() { rest } else { middle }.lowest_bit();
            rest ^= cell;
            let next = node.after(backend, cell);
            let column = geometry.column_of(cell) as u8;
            let (child, same_side) = match resolve(backend, next) {
                Resolved::Score(score) => {
                    if -score >= frame.beta {
                        return Some(Cutoff { value: -score, column });
                    }
                    frame.best_upper = frame.best_upper.max(-score);
                    continue;
                }
                // `same_side` of `resolve` is relative to `next`. From here on it is relative to this node.
                Resolved::Quiet { node, same_side } => (node, !same_side),
            };
            let lower = -win_with_stone(geometry, child.plies + 4);
            // An upper bound below `beta` for our side rules the move out. For the opponent, an upper bound
            // below `1 - beta` is a cutoff.
            let below = if same_side { frame.beta } else { 1 - frame.beta };
            let upper = bounds::upper_bound(backend, &child, BoundRequest { below, examine_fours })
                .min(win_with_stone(geometry, child.plies + 3));
            let (lower, upper) = if same_side { (lower, upper) } else { (-upper, -lower) };
            if lower >= frame.beta {
                return Some(Cutoff { value: lower, column });
            }
            if upper < frame.beta {
                frame.best_upper = frame.best_upper.max(upper);
                continue;
            }
            let key = NodeKey::new(&child, self.placement);
            self.table.prefetch(key.table_key);
            self.children[child_slot(geometry, node.plies, moves.len())] =
                Child { node: child, key, same_side, column };
            moves.push(ordering::priority(node, &next, cell, table_move == Some(column)));
        }
        None
    }

    /// Enhanced transposition cutoff: probes the table for the children that need a search. Source: Aske
    /// Plaat et al., "Nearly Optimal Minimax Tree Search?" (1994).
    #[inline(always)]
    fn look_up_children(
        &mut self,
        plies: u32,
        frame: &mut Frame<G>,
        moves: &mut MovePicker,
    ) -> Option<Cutoff> {
        let geometry = self.geometry;
        for index in 0..moves.len() {
            let child = self.children[child_slot(geometry, plies, index)];
            if let Some(entry) = self.table.probe(child.key.table_key) {
                let (lower, upper) = (Score::from(entry.lower), Score::from(entry.upper));
                let (lower, upper) = if child.same_side { (lower, upper) } else { (-upper, -lower) };
                if lower >= frame.beta {
                    return Some(Cutoff { value: lower, column: child.column });
                }
                if upper < frame.beta {
                    frame.best_upper = frame.best_upper.max(upper);
                    moves.remove(index);
                }
            }
        }
        None
    }

    #[inline(always)]
    fn fail_high(&mut self, frame: &Frame<G>, cutoff: Cutoff) -> Score {
        let value = cutoff.value.max(frame.lower);
        self.store(frame, value, frame.upper, Some(cutoff.column));
        value
    }

    #[inline(always)]
    fn store(&mut self, frame: &Frame<G>, lower: Score, upper: Score, best: Option<u8>) {
        if frame.uses_table {
            let key = frame.key;
            let work = (self.control.nodes() - frame.nodes_before + 1).ilog2() as u8;
            // Entries have no room for the columns past the fifteenth.
            let best = best
                .map(|column| key.map_column(self.geometry, column))
                .filter(|&column| column <= TableEntry::MAX_BEST);
            self.table
                .store(key.table_key, TableEntry { lower: lower as i8, upper: upper as i8, best, work });
        }
    }
}

struct Frame<G: Geometry> {
    key: NodeKey<G>,
    beta: Score,
    lower: Score,
    upper: Score,
    best_upper: Score,
    uses_table: bool,
    nodes_before: u64,
}

#[derive(Clone, Copy)]
struct Cutoff {
    value: Score,
    column: u8,
}

#[inline]
fn child_slot(geometry: impl Geometry, plies: u32, index: usize) -> usize {
    (plies * geometry.width()) as usize + index
}

trait CompiledPath: Copy {
    fn backend(self) -> impl Backend;

    fn enter<G: Geometry>(
        self,
        search: &mut ExactSearch<'_, G>,
        node: &Node<G>,
        key: NodeKey<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        search.negamax(self, node, key, beta)
    }
}

impl CompiledPath for Portable {
    #[inline(always)]
    fn backend(self) -> impl Backend {
        self
    }
}

#[cfg(target_arch = "x86_64")]
impl CompiledPath for Avx2 {
    #[inline(always)]
    fn backend(self) -> impl Backend {
        self
    }

    #[inline(always)]
    fn enter<G: Geometry>(
        self,
        search: &mut ExactSearch<'_, G>,
        node: &Node<G>,
        key: NodeKey<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        #[inline(never)]
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn compiled<G: Geometry>(
            search: &mut ExactSearch<'_, G>,
            avx2: Avx2,
            node: &Node<G>,
            key: NodeKey<G>,
            beta: Score,
        ) -> Result<Score, Aborted> {
            search.negamax(avx2, node, key, beta)
        }
        // SAFETY: `self` proves that the processor has the instructions.
        unsafe { compiled(search, self, node, key, beta) }
    }
}
