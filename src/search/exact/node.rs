//! Nodes of the exact search: winning cells, forced moves and table keys.

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

    /// The node after a stone on `cell`. The winning cells of the other side lose at most the filled cell.
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
    /// Score for the side to move in the node passed to [`resolve`].
    Score(Score),
    /// A *quiet* node: neither side can win with its next stone, and at least two moves do not lose at once.
    Quiet {
        node: Node<G>,
        /// Whether the side to move is unchanged after the forced moves.
        same_side: bool,
    },
}

/// Plays out forced moves from a node without an immediate win. A move is forced if every other move loses
/// immediately. No side wins immediately along the chain of forced moves. The opponent had at most one
/// playable winning cell, which the forced move blocks. The only new playable cell, above the move, does not
/// win, or the move would have lost.
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
/// the two rarely both occur, and mirroring costs more than it saves. On boards of at most 30 cells they may
/// have two near the end.
const MAX_MIRRORED_PLIES: u32 = 12;

/// With at most this many empty cells an entry lives in the thread's own region of the table, which stays in
/// the processor's cache.
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

    /// The table key of `position` for thread 0. Other threads use other table regions near the end, so
    /// lookups miss their entries.
    fn of_position(table: &Table, position: &Position<G>) -> Self {
        Self::new(&Node::new(position), table.placement(0))
    }
}

/// The hash move as a column from 0. Not always the best move.
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
    // The work of a million nodes keeps the entry from being replaced.
    let entry =
        TableEntry { lower: lower as i8, upper: max_score(position.geometry()) as i8, best: None, work: 20 };
    table.store(NodeKey::of_position(table, position).table_key, entry);
}
