//! Lines of four on bitboards, compiled for several instruction sets.
//!
//! Generic functions gain from a [`Backend`] only if they are inlined into a function with the matching
//! `#[target_feature]`.
//!
//! WebAssembly's SIMD128 has no back end: its shifts move all lanes by one distance. With Arm's NEON, scalar
//! instructions are as fast (`tools/research/notes/search-experiments.md`).

use crate::board::{self, Geometry};

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;

/// An instruction set for finding lines of four. A value proves that the processor has the instructions.
///
/// All back ends give the same results, so scores and node counts do not depend on the machine.
pub(crate) trait Backend: Copy {
    fn has_four<G: Geometry>(self, geometry: G, stones: G::Bits) -> bool;

    fn winning_cells<G: Geometry>(self, geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits;
}

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
