//! The back end for x86-64 processors since about 2013: the four directions of lines side by side in one register.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_testz_si256,
};

use super::backend::Backend;
use super::portable::Portable;
use crate::board::{Bits, Geometry};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
///
/// Boards of more than 64 bits do not fit into the lanes of a register; for these the back end computes as
/// [`Portable`] does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The token, if the processor has every instruction that it stands for.
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

impl Backend for Avx2 {
    #[inline(always)]
    fn has_four<G: Geometry>(self, geometry: G, stones: G::Bits) -> bool {
        if G::Bits::BITS > 64 {
            return Portable.has_four(geometry, stones);
        }
        // SAFETY: only `Avx2::detect` makes a value of this type, and only where the instructions exist.
        unsafe { has_four(geometry, stones.to_wide() as u64) }
    }

    #[inline(always)]
    fn winning_cells<G: Geometry>(self, geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits {
        if G::Bits::BITS > 64 {
            return Portable.winning_cells(geometry, stones, mask);
        }
        // SAFETY: as in `has_four`.
        let cells = unsafe { completing_cells(geometry, stones.to_wide() as u64) };
        G::Bits::from_wide(u128::from(cells)) & (geometry.board() ^ mask)
    }
}

/// The stones in each of the four lanes, one lane a direction.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes(stones: u64) -> __m256i {
    _mm256_set1_epi64x(stones as i64)
}

/// The distances in bits to the cells `steps` away in each direction.
#[inline]
#[target_feature(enable = "avx2")]
fn shifts(geometry: impl Geometry, steps: usize) -> __m256i {
    let [up, right, falling, rising] = geometry.shifts(steps).map(|shift| shift as i64);
    _mm256_setr_epi64x(up, right, falling, rising)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn has_four(geometry: impl Geometry, stones: u64) -> bool {
    let stones = lanes(stones);
    let pairs = _mm256_and_si256(stones, _mm256_srlv_epi64(stones, shifts(geometry, 1)));
    _mm256_testz_si256(pairs, _mm256_srlv_epi64(pairs, shifts(geometry, 2))) == 0
}

/// [`winning_cells`](crate::board::winning_cells) before its result is restricted to empty cells of the board. In the
/// vertical direction this also finds cells below stones, none of which is empty.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn completing_cells(geometry: impl Geometry, stones: u64) -> u64 {
    let stones = lanes(stones);
    let up = [1, 2, 3].map(|steps| _mm256_sllv_epi64(stones, shifts(geometry, steps)));
    let down = [1, 2, 3].map(|steps| _mm256_srlv_epi64(stones, shifts(geometry, steps)));
    let before = _mm256_and_si256(_mm256_and_si256(up[0], up[1]), _mm256_or_si256(up[2], down[0]));
    let behind = _mm256_and_si256(_mm256_and_si256(down[0], down[1]), _mm256_or_si256(down[2], up[0]));
    let cells = _mm256_or_si256(before, behind);
    let half = _mm_or_si128(_mm256_castsi256_si128(cells), _mm256_extracti128_si256(cells, 1));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}
