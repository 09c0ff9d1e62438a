//! Counters of table accesses.

/// Table accesses of a search, counted where [`Solver::counting`](crate::search::Solver::counting) asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableStatistics {
    /// Lookups of a position.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Entries written.
    pub stores: u64,
    /// Writes that replaced the entry of another position.
    pub overwrites: u64,
}
