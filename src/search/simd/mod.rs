//! Lines of four on bit boards, compiled for several instruction sets.
//!
//! [`Portable`] works everywhere. [`Avx2`] exists only where run-time detection has found its instructions. Functions
//! that are generic over a [`Backend`] are compiled once for each; they gain from it only if they are inlined into a
//! function with the matching `#[target_feature]`, of which the exact search has one for its recursion.
//!
//! WebAssembly's SIMD128 has no back end: its shifts move all lanes by one distance, and the directions need one each. Nor
//! has Arm's NEON: scalar instructions that shift an operand are as fast (`tools/research/notes/search-experiments.md`).

use crate::board::{self, Geometry};

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

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

/// Plain integer arithmetic, one direction of lines after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Backend for Portable {
    #[inline(always)]
    fn has_four<G: Geometry>(self, geometry: G, stones: G::Bits) -> bool {
        board::has_four(geometry, stones)
    }

    #[inline(always)]
    fn winning_cells<G: Geometry>(self, geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits {
        board::winning_cells(geometry, stones, mask)
    }
}
