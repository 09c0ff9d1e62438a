//! The interface of a SIMD back end.

use crate::board::Geometry;

/// An instruction set that lines of four are found with.
///
/// All back ends give the same answers, so scores and node counts do not depend on the machine. An implementation is a
/// token: a value of it proves that the processor has the instructions.
pub(crate) trait Backend: Copy {
    /// Whether `stones` hold four in a row; see [`has_four`](crate::board::has_four).
    fn has_four<G: Geometry>(self, geometry: G, stones: G::Bits) -> bool;

    /// The empty cells that would complete four of `stones`, where `mask` holds the stones of both sides; see
    /// [`winning_cells`](crate::board::winning_cells).
    fn winning_cells<G: Geometry>(self, geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits;
}
