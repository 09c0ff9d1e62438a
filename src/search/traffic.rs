//! What a search asks of the table, counted: see [`Counting`](super::kernel::Counting).

/// What a search asked of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How often a position was looked up.
    pub probes: u64,
    /// How often it was found.
    pub hits: u64,
    /// How often something was kept of a position.
    pub stores: u64,
    /// How often what was known of another position was lost by that.
    pub overwrites: u64,
}
