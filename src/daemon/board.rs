//! The board of a session: its size may change, so it is known at run time only.
//!
//! The session has few positions to look at, so code for one kind of board, in words of 128 bits, serves it for all
//! sizes. Searches have kinds of their own (`memory.rs`).

use crate::board::{self, AnyBoard, BoardSize, UnsupportedSize};

/// A board of any size.
pub(super) type Board = AnyBoard<u128>;

/// A position on a board of any size.
pub(super) type Position = board::Position<Board>;

/// The board of this size.
///
/// # Errors
/// If there is no such board.
pub(super) fn board(size: BoardSize) -> Result<Board, UnsupportedSize> {
    AnyBoard::new(size)
}
