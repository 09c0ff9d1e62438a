//! The instruction sets that the exact search is compiled for, and the choice between them when the program runs.
//!
//! A [`Kernel`] says how the two questions about lines are answered that the search asks all the time. Every kernel
//! gives the same answers, so scores and node counts do not depend on it. The search is generic over it and enters
//! each node through [`Kernel::search`], where the compiler is told which instructions it may use.

use super::control::Halt;
use super::negamax::{Place, Prover};
use super::resolve::Node;
use crate::board::{Geometry, has_four, winning_cells};
use crate::score::Score;

/// An instruction set.
pub(crate) trait Kernel: Copy {
    /// Whether the search counts what it asks of the table.
    const COUNTS: bool = false;

    /// Whether `stones` hold four in a row.
    fn has_four<G: Geometry>(stones: G::Bits) -> bool;

    /// The empty cells that would complete four of `stones`; see [`winning_cells`].
    fn winning_cells<G: Geometry>(stones: G::Bits, mask: G::Bits) -> G::Bits;

    /// [`Prover::search`], compiled for this instruction set.
    ///
    /// # Errors
    /// If the search was broken off.
    fn search<G: Geometry>(
        prover: &mut Prover<'_, G>,
        node: &Node<G>,
        place: Place,
        beta: Score,
    ) -> Result<Score, Halt> {
        prover.search::<Self>(node, place, beta)
    }
}

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn has_four<G: Geometry>(stones: G::Bits) -> bool {
        has_four::<G>(stones)
    }

    #[inline(always)]
    fn winning_cells<G: Geometry>(stones: G::Bits, mask: G::Bits) -> G::Bits {
        winning_cells::<G>(stones, mask)
    }
}

/// [`Portable`], counting what is asked of the table: a kernel of its own, so that the others need not even know that
/// there is something to count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting;

impl Kernel for Counting {
    const COUNTS: bool = true;

    #[inline(always)]
    fn has_four<G: Geometry>(stones: G::Bits) -> bool {
        Portable::has_four::<G>(stones)
    }

    #[inline(always)]
    fn winning_cells<G: Geometry>(stones: G::Bits, mask: G::Bits) -> G::Bits {
        Portable::winning_cells::<G>(stones, mask)
    }
}

/// Which kernel to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// [`Portable`].
    Portable,
    /// [`Counting`].
    Counting,
    /// [`Avx2`](x86::Avx2): to be chosen by [`Choice::best`] only, which has made sure that it is there.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Choice {
    /// The fastest one that this machine has.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if x86::is_there() {
            return Self::Avx2;
        }
        Self::Portable
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    //! The four directions of a line side by side in one register of AVX2.

    use std::arch::x86_64::{
        __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x,
        _mm256_setr_epi64x, _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_testz_si256,
    };

    use super::{Geometry, Halt, Kernel, Node, Place, Portable, Prover, Score};
    use crate::board::Bits;

    /// Whether this machine has every instruction that [`Avx2`] uses.
    pub(crate) fn is_there() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// x86-64 processors since about 2013. Must not be used where [`is_there`] says no.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2;

    /// One board a direction. To be called, as the functions below, only where the machine has AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn lanes(stones: u64) -> __m256i {
        _mm256_set1_epi64x(stones as i64)
    }

    /// The distances to the neighbours `steps` away in each direction.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn shifts<G: Geometry>(steps: u32) -> __m256i {
        let shift = |direction: usize| i64::from(G::DIRECTIONS[direction] * steps);
        _mm256_setr_epi64x(shift(0), shift(1), shift(2), shift(3))
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn has_four<G: Geometry>(stones: u64) -> bool {
        let stones = lanes(stones);
        let pairs = _mm256_and_si256(stones, _mm256_srlv_epi64(stones, shifts::<G>(1)));
        _mm256_testz_si256(pairs, _mm256_srlv_epi64(pairs, shifts::<G>(2))) == 0
    }

    /// As [`crate::board::winning_cells`], but for the mask. Upright it also finds cells under stones, none of which
    /// is empty.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn completing_cells<G: Geometry>(stones: u64) -> u64 {
        let stones = lanes(stones);
        let up = [1, 2, 3].map(|steps| _mm256_sllv_epi64(stones, shifts::<G>(steps)));
        let down = [1, 2, 3].map(|steps| _mm256_srlv_epi64(stones, shifts::<G>(steps)));
        let before = _mm256_and_si256(_mm256_and_si256(up[0], up[1]), _mm256_or_si256(up[2], down[0]));
        let behind = _mm256_and_si256(_mm256_and_si256(down[0], down[1]), _mm256_or_si256(down[2], up[0]));
        let cells = _mm256_or_si256(before, behind);
        let half = _mm_or_si128(_mm256_castsi256_si128(cells), _mm256_extracti128_si256(cells, 1));
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn search<G: Geometry>(
        prover: &mut Prover<'_, G>,
        node: &Node<G>,
        place: Place,
        beta: Score,
    ) -> Result<Score, Halt> {
        prover.search::<Avx2>(node, place, beta)
    }

    impl Kernel for Avx2 {
        #[inline(always)]
        fn has_four<G: Geometry>(stones: G::Bits) -> bool {
            if G::Bits::BITS > 64 {
                return Portable::has_four::<G>(stones);
            }
            // SAFETY: this kernel is used only where `is_there` has found the instructions.
            unsafe { has_four::<G>(stones.to_wide() as u64) }
        }

        #[inline(always)]
        fn winning_cells<G: Geometry>(stones: G::Bits, mask: G::Bits) -> G::Bits {
            if G::Bits::BITS > 64 {
                return Portable::winning_cells::<G>(stones, mask);
            }
            // SAFETY: as above.
            let cells = unsafe { completing_cells::<G>(stones.to_wide() as u64) };
            G::Bits::from_wide(u128::from(cells)) & (G::board() ^ mask)
        }

        #[inline(always)]
        fn search<G: Geometry>(
            prover: &mut Prover<'_, G>,
            node: &Node<G>,
            place: Place,
            beta: Score,
        ) -> Result<Score, Halt> {
            // SAFETY: as above.
            unsafe { search(prover, node, place, beta) }
        }
    }
}
