//! A position as the exact search sees it: winning cells, static resolution and place in the transposition
//! table.

use crate::board::{Bits, Geometry, Position, mirror};
use crate::score::{Score, max_score, win_with_stone};
use crate::search::simd::Backend;
use crate::table::{Placement, Table, TableEntry, TableKey};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<G: Geometry> {
    pub geometry: G,
    pub own: G::Bits,
    pub mask: G::Bits,
    pub own_wins: G::Bits,
    pub opponent_wins: G::Bits,
    pub plies: u32,
}

impl<G: Geometry> Node<G> {
    pub(crate) fn new(position: &Position<G>) -> Self {
        Self {
            geometry: position.geometry(),
            own: position.own(),
            mask: position.mask(),
            own_wins: position.own_winning_cells(),
            opponent_wins: position.opponent_winning_cells(),
            plies: position.plies(),
        }
    }

    #[inline]
    pub(crate) fn opponent(&self) -> G::Bits {
        self.own ^ self.mask
    }

    #[inline]
    pub(crate) fn playable(&self) -> G::Bits {
        self.mask.plus(self.geometry.bottom()) & self.geometry.board()
    }

    /// The node after a stone on `cell`. The other side's winning cells lose at most the filled cell.
    #[inline(always)]
    pub(crate) fn after<B: Backend>(&self, backend: B, cell: G::Bits) -> Self {
        let mask = self.mask | cell;
        Self {
            geometry: self.geometry,
            own: self.opponent(),
            mask,
            own_wins: self.opponent_wins & !cell,
            opponent_wins: backend.winning_cells(self.geometry, self.own | cell, mask),
            plies: self.plies + 1,
        }
    }

    #[inline]
    pub(crate) fn non_losing_moves(&self) -> G::Bits {
        self.playable() & !(self.opponent_wins >> 1)
    }
}

pub(crate) enum Resolved<G: Geometry> {
    /// Score for the side to move in the resolved node.
    Score(Score),
    /// A *quiet* node: neither side can win with its next stone, and at least two moves do not lose at once.
    Quiet {
        node: Node<G>,
        /// Whether the side to move is unchanged.
        same_side: bool,
    },
}

/// Plays out forced moves from a node without an immediate win.
///
/// A move is forced if every other move loses at once.
///
/// The side to move never wins at once along the chain. Its playable winning cells were all blocked (there
/// was at most one). The only newly playable cell is above the move. It is not a winning cell of that side,
/// or the move would have lost.
#[inline(always)]
pub(crate) fn resolve<B: Backend, G: Geometry>(backend: B, mut node: Node<G>) -> Resolved<G> {
    let geometry = node.geometry;
    let mut same_side = true;
    loop {
        debug_assert!((node.own_wins & node.playable()).is_empty());
        let playable = node.playable();
        let forced = node.opponent_wins & playable;
        let candidates = if forced.is_empty() { playable } else { forced };
        let safe = candidates & !(node.opponent_wins >> 1);
        if forced.is_empty() && safe.has_several() {
            return Resolved::Quiet { node, same_side };
        }
        if forced.has_several() || safe.is_empty() {
            let score = if playable.is_empty() { 0 } else { -win_with_stone(geometry, node.plies + 2) };
            return Resolved::Score(if same_side { score } else { -score });
        }
        node = node.after(backend, safe);
        same_side = !same_side;
    }
}

/// Up to this many stones a position and its mirror image share a table entry, under the smaller key. Later
/// the two rarely both occur, and mirroring costs more than it saves. On boards of at most 30 cells,
/// positions near the end may have an entry in the region and an entry in the rest of the table.
const MAX_MIRRORED_PLIES: u32 = 12;

/// With so few empty cells an entry lives in the thread's region of the table, which stays in the processor's
/// cache. Most nodes are near the end, and latency costs more than lost entries.
const MAX_REGION_EMPTY_CELLS: u32 = 18;

#[derive(Clone, Copy)]
pub(super) struct NodeKey<G: Geometry> {
    pub(super) table_key: TableKey<G>,
    is_mirrored: bool,
}

impl<G: Geometry> NodeKey<G> {
    #[inline(always)]
    pub(super) fn new(node: &Node<G>, placement: Placement) -> Self {
        let geometry = node.geometry;
        let key = node.own.plus(node.mask);
        if node.plies <= MAX_MIRRORED_PLIES {
            let image = mirror(geometry, key);
            if image < key {
                return Self { table_key: placement.key(geometry, image), is_mirrored: true };
            }
        }
        let is_in_region = geometry.cells() - node.plies <= MAX_REGION_EMPTY_CELLS;
        let table_key =
            if is_in_region { placement.key_in_region(geometry, key) } else { placement.key(geometry, key) };
        Self { table_key, is_mirrored: false }
    }

    #[inline]
    pub(super) fn map_column(self, geometry: G, column: u8) -> u8 {
        if self.is_mirrored { geometry.width() as u8 - 1 - column } else { column }
    }

    /// The key with region 0 of `table`. A solver with another [thread
    /// number](crate::search::Solver::thread_number) misses its own entries near the end.
    fn of_position(table: &Table, position: &Position<G>) -> Self {
        Self::new(&Node::new(position), table.placement(0))
    }
}

/// A column (from 0) to try first, not always best.
pub(crate) fn table_move<G: Geometry>(table: &Table, position: &Position<G>) -> Option<u32> {
    let key = NodeKey::of_position(table, position);
    let column = table.probe(key.table_key)?.best?;
    Some(u32::from(key.map_column(position.geometry(), column)))
}

pub(crate) fn table_bounds<G: Geometry>(table: &Table, position: &Position<G>) -> Option<(Score, Score)> {
    let entry = table.probe(NodeKey::of_position(table, position).table_key)?;
    Some((Score::from(entry.lower), Score::from(entry.upper)))
}

pub(crate) fn store_lower_bound<G: Geometry>(table: &Table, position: &Position<G>, lower: Score) {
    // The weight of a million nodes makes the entry stay.
    let entry =
        TableEntry { lower: lower as i8, upper: max_score(position.geometry()) as i8, best: None, work: 20 };
    table.store(NodeKey::of_position(table, position).table_key, entry);
}
