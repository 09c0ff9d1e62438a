//! No table: what the search costs without one.

use anyhow::Result;
use plumb::board::Position;

use super::{Bounds, Design, Proof};
use crate::table_size::Size;

/// Remembers nothing.
pub struct NoTable;

impl Design for NoTable {
    type Key = ();
    const KEEPS_LOWER: bool = false;
    const ENTRY_BYTES: usize = 0;
    const DEFAULT: Size = Size::Entries(0);

    /// None, whatever the size: all sizes are one.
    fn entries(_size: Size) -> Result<usize> {
        Ok(0)
    }

    fn new(_entries: usize) -> Result<Self> {
        Ok(Self)
    }

    fn clear(&mut self) {}

    #[inline]
    fn key(_position: &Position) {}

    #[inline]
    fn probe(&mut self, (): ()) -> Bounds {
        Bounds::UNKNOWN
    }

    #[inline]
    fn store(&mut self, (): (), _proof: &Proof) {}
}
