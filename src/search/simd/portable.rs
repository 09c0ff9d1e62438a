//! The back end for every machine.

use super::backend::Backend;
use crate::board::{self, Geometry};

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
