//! A table for a board whose size is known at run time.

use std::fmt::{self, Debug, Formatter};

use super::{Table, TableError};
use crate::board::{AnyBoard, Board, Geometry, Kind, Standard, each_kind, map_kind};

/// A [`Table`] for a board of any size: for 7x6, for other boards in words of 64 bits, or for those that need 128 (`Kind`).
///
/// ```
/// use plumb::board::{Board, Geometry};
/// use plumb::table::AnyTable;
///
/// let board = "9x7".parse::<Board>()?;
/// let table = AnyTable::new(board, 1)?; // 1 MB
/// assert_eq!(table.board().size().to_string(), "9x7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AnyTable(pub(crate) Kind<Table<Standard>, Table<AnyBoard<u64>>, Table<Board>>);

/// Methods of [`AnyTable`] that return what those of [`Table`] do.
macro_rules! getters {
    ($($(#[$doc:meta])+ $name:ident: $type:ty)+) => {$(
        $(#[$doc])+
        #[must_use]
        pub fn $name(&self) -> $type {
            each_kind!(&self.0, table => table.$name())
        }
    )+};
}

impl AnyTable {
    /// An empty table of at most `megabytes` (2^20 bytes each; 0 counts as 1); see [`Table::new`].
    ///
    /// # Errors
    /// As [`Table::new`].
    pub fn new(board: Board, megabytes: usize) -> Result<Self, TableError> {
        Ok(Self(map_kind!(Kind::of(board), geometry => Table::new_on(geometry, megabytes)?)))
    }

    /// This table, emptied, with all of its size in use from the start; see [`Table::at_full_size`].
    #[must_use]
    pub fn at_full_size(self) -> Self {
        Self(map_kind!(self.0, table => table.at_full_size()))
    }

    /// This table for another board, emptied, with the same memory.
    #[must_use]
    pub fn for_board(self, board: Board) -> Self {
        each_kind!(self.0, table => {
            Self(map_kind!(Kind::of(board), geometry => table.for_board(geometry)))
        })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        let size = each_kind!(&self.0, table => table.geometry().size());
        let Ok(board) = Board::new(size) else { unreachable!("every board fits 128 bits") };
        board
    }

    getters! {
        /// The size in megabytes of 2^20 bytes.
        megabytes: usize
        /// Megabytes in use: the table doubles them until it has its size.
        megabytes_in_use: usize
        /// The number of entries that the table has room for at its full size.
        entries: usize
        /// Whether a probe can never return the entry of another position.
        is_exact: bool
        /// Occupancy of the table in permille of its full size, from a sample of a thousand entries.
        hashfull: u16
    }

    /// Changes the size to `megabytes` and empties the table, unless that is its size; see [`Table::resize`].
    ///
    /// # Errors
    /// As [`Table::resize`].
    pub fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        each_kind!(&mut self.0, table => table.resize(megabytes))
    }

    /// Removes all entries, and starts small again; see [`Table::clear`].
    pub fn clear(&mut self) {
        each_kind!(&mut self.0, table => table.clear());
    }
}

impl Debug for AnyTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        each_kind!(&self.0, table => table.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::BoardSize;

    #[test]
    fn a_table_keeps_its_memory_from_board_to_board() {
        let mut table = AnyTable::new(Board::default(), 1).expect("one megabyte");
        for size in BoardSize::all() {
            let board = Board::new(size).expect("a board");
            table = table.for_board(board);
            assert_eq!((table.board(), table.megabytes()), (board, 1));
        }
    }
}
