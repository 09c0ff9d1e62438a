//! A position as the exact search sees it: bit boards with the winning cells of both sides kept up to date, its static
//! resolution, and its place in the transposition table.

use crate::board::{Bits, Geometry, Position, mirror};
use crate::score::{Score, max_score, win_with_stone};
use crate::search::simd::Backend;
use crate::table::{Placement, Table, TableEntry, TableKey};

/// A position with the winning cells of both sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<G: Geometry> {
    /// The board.
    pub geometry: G,
    /// Stones of the side to move.
    pub own: G::Bits,
    /// Stones of both sides.
    pub mask: G::Bits,
    /// Empty cells that would complete four of the side to move.
    pub own_wins: G::Bits,
    /// Empty cells that would complete four of the other side.
    pub opponent_wins: G::Bits,
    /// Number of stones.
    pub plies: u32,
}

impl<G: Geometry> Node<G> {
    /// The node of `position`.
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

    /// Stones of the side that moved last.
    #[inline]
    pub(crate) fn opponent(&self) -> G::Bits {
        self.own ^ self.mask
    }

    /// The cells where a stone can land, one in each column that is not full.
    #[inline]
    pub(crate) fn playable(&self) -> G::Bits {
        self.mask.plus(self.geometry.bottom()) & self.geometry.board()
    }

    /// The node after a stone on `cell`, which must be playable. Only the mover's winning cells are computed: the other
    /// side can lose no more than the cell that was filled.
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

    /// The moves after which the other side cannot win at once, in a [quiet](Resolved::Quiet) node.
    #[inline]
    pub(crate) fn non_losing_moves(&self) -> G::Bits {
        self.playable() & !(self.opponent_wins >> 1)
    }
}

/// The result of [`resolve`].
pub(crate) enum Resolved<G: Geometry> {
    /// The exact score for the side that was to move in the node that was resolved.
    Score(Score),
    /// A *quiet* node: neither side can win with its next stone, and the side to move has at least two moves that do
    /// not lose at once.
    Quiet {
        node: Node<G>,
        /// Whether the side to move in `node` is the side to move in the node that was resolved.
        same_side: bool,
    },
}

/// Plays out forced moves from a node in which the side to move cannot win at once.
///
/// A move is forced if it is the only one that does not lose at once. The chain ends with a score where every move
/// loses: the other side then wins with its next stone, the second from there. It ends with a draw on a full board.
///
/// The side to move can never win at once along the chain: its playable winning cells were all blocked (there was at
/// most one), and the only newly playable cell, the one above the move, is no winning cell of that side, or the move
/// would have lost.
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

/// Up to this many stones a position and its mirror image share a table entry, that of the smaller key. Later the two rarely
/// both occur, and the mirroring costs more than it saves. On boards of at most 30 cells a position with so few stones may
/// be near the end as well. The two then have an entry each, both under the smaller key: the position that has this key
/// itself in the region of the thread, its mirror image outside.
const MAX_MIRRORED_PLIES: u32 = 12;

/// With this many empty cells or fewer a position is near the end: its entry, but for a mirrored one, lives in the
/// thread's region of the table, which stays in the processor's cache. Most nodes are such positions, and there
/// latency costs more than lost entries.
const MAX_REGION_EMPTY_CELLS: u32 = 18;

/// The key of a node in the table, and whether that is the key of its mirror image.
#[derive(Clone, Copy)]
pub(super) struct NodeKey<G: Geometry> {
    pub(super) table_key: TableKey<G>,
    is_mirrored: bool,
}

impl<G: Geometry> NodeKey<G> {
    /// The key of `node` for the thread with this placement.
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

    /// The column in the table's orientation for a column of the node, and the other way round.
    #[inline]
    pub(super) fn map_column(self, geometry: G, column: u8) -> u8 {
        if self.is_mirrored { geometry.width() as u8 - 1 - column } else { column }
    }

    /// The key of `position` with region 0 of `table`, that of the thread which called the search. A solver with another
    /// [thread number](crate::search::Solver::thread_number) does not find its own entries near the end by it, which costs a
    /// hint.
    fn of_position(table: &Table, position: &Position<G>) -> Self {
        Self::new(&Node::new(position), table.placement(0))
    }
}

/// The best column (from 0) of `position` in the table. A hint: the move need not be best.
pub(crate) fn table_move<G: Geometry>(table: &Table, position: &Position<G>) -> Option<u32> {
    let key = NodeKey::of_position(table, position);
    let column = table.probe(key.table_key)?.best?;
    Some(u32::from(key.map_column(position.geometry(), column)))
}

/// The proven bounds of the score of `position` in the table, the lower one first.
pub(crate) fn table_bounds<G: Geometry>(table: &Table, position: &Position<G>) -> Option<(Score, Score)> {
    let entry = table.probe(NodeKey::of_position(table, position).table_key)?;
    Some((Score::from(entry.lower), Score::from(entry.upper)))
}

/// Stores a lower bound of the score of `position` that was proven without the table.
pub(crate) fn store_lower_bound<G: Geometry>(table: &Table, position: &Position<G>, lower: Score) {
    // Weighed like a search of a million nodes, so that the entry is kept while the position is searched.
    let entry =
        TableEntry { lower: lower as i8, upper: max_score(position.geometry()) as i8, best: None, work: 20 };
    table.store(NodeKey::of_position(table, position).table_key, entry);
}
