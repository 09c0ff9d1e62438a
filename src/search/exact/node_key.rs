//! Where the exact search keeps a position in the transposition table, and access to its entry by position.

use super::node::Node;
use crate::board::{Bits, Geometry, Position, mirror};
use crate::score::{Score, max_score};
use crate::table::{Region, Table, TableEntry, TableKey};

/// Up to this many stones a position and its mirror image share a table entry, unless they are so near the end that
/// they live in the region of a thread. Later the two rarely both occur, and the mirroring costs more than it saves.
const MAX_MIRRORED_PLIES: u32 = 12;

/// With this many empty cells or fewer a position is near the end: its entry lives in the thread's own region of the
/// table, which stays in the processor's cache. Most nodes are such positions, and there latency costs more than lost
/// entries.
const MAX_REGION_EMPTY_CELLS: u32 = 18;

/// The key of a node in the table, and whether that is the key of its mirror image.
#[derive(Clone, Copy)]
pub(super) struct NodeKey<G: Geometry> {
    pub(super) table_key: TableKey<G>,
    is_mirrored: bool,
}

impl<G: Geometry> NodeKey<G> {
    /// The key of `node`, where `region` is the thread's own region of the table.
    #[inline(always)]
    pub(super) fn new(node: &Node<G>, region: Region) -> Self {
        let geometry = node.geometry;
        let key = node.own.plus(node.mask);
        if node.plies <= MAX_MIRRORED_PLIES {
            let image = mirror(geometry, key);
            if image < key {
                return Self { table_key: TableKey::from_key_on(geometry, image), is_mirrored: true };
            }
        }
        let key = TableKey::from_key_on(geometry, key);
        let is_in_region = geometry.cells() - node.plies <= MAX_REGION_EMPTY_CELLS;
        Self { table_key: if is_in_region { key.in_region(region) } else { key }, is_mirrored: false }
    }

    /// The column in the table's orientation for a column of the node, and the other way round.
    #[inline]
    pub(super) fn map_column(self, geometry: G, column: u8) -> u8 {
        if self.is_mirrored { geometry.width() as u8 - 1 - column } else { column }
    }

    /// The key of `position` with region 0 of `table`, that of the lead.
    fn of_position(table: &Table<G>, position: &Position<G>) -> Self {
        Self::new(&Node::new(position), table.region(0))
    }
}

/// The best column (from 0) of `position` in the table. A hint: the move need not be best.
pub(crate) fn table_move<G: Geometry>(table: &Table<G>, position: &Position<G>) -> Option<u32> {
    let key = NodeKey::of_position(table, position);
    let column = table.probe(key.table_key)?.best?;
    Some(u32::from(key.map_column(position.geometry(), column)))
}

/// The proven bounds of the score of `position` in the table, the lower one first.
pub(crate) fn table_bounds<G: Geometry>(table: &Table<G>, position: &Position<G>) -> Option<(Score, Score)> {
    let entry = table.probe(NodeKey::of_position(table, position).table_key)?;
    Some((Score::from(entry.lower), Score::from(entry.upper)))
}

/// Stores a lower bound of the score of `position` that was proven without the table.
pub(crate) fn store_lower_bound<G: Geometry>(table: &Table<G>, position: &Position<G>, lower: Score) {
    // Weighed like a search of a million nodes, so that the entry is kept while the position is searched.
    let entry =
        TableEntry { lower: lower as i8, upper: max_score(position.geometry()) as i8, best: None, work: 20 };
    table.store(NodeKey::of_position(table, position).table_key, entry);
}
