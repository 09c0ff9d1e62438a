//! What one search leaves to the next, for a board of any size.

use std::fmt::{self, Debug, Formatter};

use super::board::Board;
use crate::board::{AnyBoard, Geometry, Standard};
use crate::search::SearchMemory;
use crate::table::{Table, TableError};

/// The memory for searches on one kind of board.
pub(super) struct MemoryOn<G: Geometry> {
    pub(super) table: Table<G>,
    pub(super) search: SearchMemory<G>,
}

/// The memory for searches on a board of one size. There are three kinds of boards, and code for each: a search of the
/// standard board has its masks as constants; all other boards look them up, in words of 64 bits where these suffice.
pub(super) enum Memory {
    Standard(MemoryOn<Standard>),
    Words64(MemoryOn<AnyBoard<u64>>),
    Words128(MemoryOn<Board>),
}

/// The same expression for each kind of board.
macro_rules! on_each {
    ($memory:expr, $on:ident => $value:expr) => {
        match $memory {
            Memory::Standard($on) => $value,
            Memory::Words64($on) => $value,
            Memory::Words128($on) => $value,
        }
    };
}

impl<G: Geometry> MemoryOn<G> {
    fn new(table: Table<G>) -> Self {
        Self { table, search: SearchMemory::new() }
    }
}

/// A table for some board, as the memory for searches there. Its contents, if any, are lost, its pages kept.
fn of_table<G: Geometry>(table: Table<G>, board: Board) -> Memory {
    let size = board.size();
    let standard = Standard::default();
    if size == standard.size() {
        Memory::Standard(MemoryOn::new(table.for_board(standard)))
    } else if let Ok(narrow) = AnyBoard::new(size) {
        Memory::Words64(MemoryOn::new(table.for_board(narrow)))
    } else {
        Memory::Words128(MemoryOn::new(table.for_board(board)))
    }
}

impl Memory {
    /// Memory for searches on `board` with a table of `megabytes`, which must be prepared.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub(super) fn new(board: Board, megabytes: usize) -> Result<Self, TableError> {
        Ok(of_table(Table::reserve_on(board, megabytes)?, board))
    }

    /// The same memory, emptied, for another board; the table must be prepared again.
    pub(super) fn for_board(self, board: Board) -> Self {
        on_each!(self, on => of_table(on.table, board))
    }

    /// Whether it is for the board of this size.
    pub(super) fn is_for(&self, board: Board) -> bool {
        on_each!(self, on => on.table.geometry().size() == board.size())
    }

    /// The size of the table in megabytes.
    pub(super) fn megabytes(&self) -> usize {
        on_each!(self, on => on.table.megabytes())
    }

    /// Whether all pages of the table have been written.
    pub(super) fn is_ready(&self) -> bool {
        on_each!(self, on => on.table.is_ready())
    }

    /// Whether some pages of the table have been written.
    pub(super) fn is_partly_ready(&self) -> bool {
        on_each!(self, on => on.table.is_partly_ready())
    }

    /// Writes pages of the table; see [`Table::prepare`].
    pub(super) fn prepare(&mut self, threads: usize, enough: &(impl Fn() -> bool + Sync)) {
        on_each!(self, on => on.table.prepare(threads, enough));
    }

    /// Gives the table another size; see [`Table::resize`].
    ///
    /// # Errors
    /// As there.
    pub(super) fn resize(&mut self, megabytes: usize) -> Result<(), TableError> {
        on_each!(self, on => on.table.resize(megabytes))
    }

    /// Forgets all searches; the table must be prepared again.
    pub(super) fn clear(&mut self) {
        on_each!(self, on => {
            on.table.forget();
            on.search.clear();
        });
    }
}

impl Debug for Memory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        on_each!(self, on => on.table.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::board;
    use super::*;
    use crate::board::BoardSize;

    #[test]
    fn each_board_has_the_fastest_kind_that_it_fits() {
        let mut memory = Memory::new(board(BoardSize::STANDARD).expect("7x6"), 1).expect("one megabyte");
        for size in BoardSize::all() {
            let board = board(size).expect("a board");
            memory = memory.for_board(board);
            let expected = match size.width * (size.height + 1) {
                49 if size == BoardSize::STANDARD => "standard",
                ..=64 => "64-bit words",
                _ => "128-bit words",
            };
            let found = match &memory {
                Memory::Standard(_) => "standard",
                Memory::Words64(_) => "64-bit words",
                Memory::Words128(_) => "128-bit words",
            };
            assert_eq!(found, expected, "{size}");
            assert!(memory.is_for(board) && memory.megabytes() == 1);
        }
    }
}
