//! The back end for x86-64 processors with AVX2 (since about 2013): a register lane for each direction of
//! lines.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_sllv_epi64,
    _mm256_srlv_epi64, _mm256_sub_epi64, _mm256_testz_si256,
};

use super::{Backend, Portable};
use crate::board::{Bits, Geometry};

/// Proof that the processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
///
/// Bitboards of more than 64 bits take two registers, one for each half ([`Halves`]). Boards of more than
/// [`MAX_HEIGHT_IN_HALVES`] rows use [`Portable`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if has_all { Some(Self(())) } else { None }
    }
}

impl Backend for Avx2 {
    #[inline(always)]
    fn has_four<G: Geometry>(self, geometry: G, stones: G::Bits) -> bool {
        if G::Bits::BITS <= 64 {
            // SAFETY: `self` proves the instructions: only `Avx2::detect` makes a value of this type.
            unsafe { has_four(geometry, stones.to_wide() as u64) }
        } else if geometry.height() <= MAX_HEIGHT_IN_HALVES {
            // SAFETY: `self` proves that the instructions exist.
            unsafe { has_four_in_halves(geometry, stones.to_wide()) }
        } else {
            Portable.has_four(geometry, stones)
        }
    }

    #[inline(always)]
    fn winning_cells<G: Geometry>(self, geometry: G, stones: G::Bits, mask: G::Bits) -> G::Bits {
        let cells = if G::Bits::BITS <= 64 {
            // SAFETY: `self` proves that the instructions exist.
            u128::from(unsafe { completing_cells(geometry, stones.to_wide() as u64) })
        } else if geometry.height() <= MAX_HEIGHT_IN_HALVES {
            // SAFETY: `self` proves that the instructions exist.
            unsafe { completing_cells_in_halves(geometry, stones.to_wide()) }
        } else {
            return Portable.winning_cells(geometry, stones, mask);
        };
        G::Bits::from_wide(cells) & (geometry.board() ^ mask)
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn lanes(stones: u64) -> __m256i {
    _mm256_set1_epi64x(stones as i64)
}

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

/// Like [`winning_cells`](crate::board::winning_cells), but the result may include occupied cells.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn completing_cells(geometry: impl Geometry, stones: u64) -> u64 {
    let stones = lanes(stones);
    let up = [1, 2, 3].map(|steps| _mm256_sllv_epi64(stones, shifts(geometry, steps)));
    let down = [1, 2, 3].map(|steps| _mm256_srlv_epi64(stones, shifts(geometry, steps)));
    let before = _mm256_and_si256(_mm256_and_si256(up[0], up[1]), _mm256_or_si256(up[2], down[0]));
    let behind = _mm256_and_si256(_mm256_and_si256(down[0], down[1]), _mm256_or_si256(down[2], up[0]));
    any_direction(_mm256_or_si256(before, behind))
}

#[inline]
#[target_feature(enable = "avx2")]
fn any_direction(cells: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(cells), _mm256_extracti128_si256(cells, 1));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Up to this height the longest shift, three steps along a rising diagonal, is below 64 bits.
const MAX_HEIGHT_IN_HALVES: u32 = 19;

/// A bitboard of up to 128 bits in two halves. Each half has four lanes, one for each direction.
#[derive(Clone, Copy)]
struct Halves {
    low: __m256i,
    high: __m256i,
}

impl Halves {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(stones: u128) -> Self {
        Self { low: lanes(stones as u64), high: lanes((stones >> 64) as u64) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn and(self, other: Self) -> Self {
        Self { low: _mm256_and_si256(self.low, other.low), high: _mm256_and_si256(self.high, other.high) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn or(self, other: Self) -> Self {
        Self { low: _mm256_or_si256(self.low, other.low), high: _mm256_or_si256(self.high, other.high) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn shifted_left(self, shifts: __m256i) -> Self {
        let carried = _mm256_srlv_epi64(self.low, _mm256_sub_epi64(_mm256_set1_epi64x(64), shifts));
        Self {
            low: _mm256_sllv_epi64(self.low, shifts),
            high: _mm256_or_si256(_mm256_sllv_epi64(self.high, shifts), carried),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn shifted_right(self, shifts: __m256i) -> Self {
        let carried = _mm256_sllv_epi64(self.high, _mm256_sub_epi64(_mm256_set1_epi64x(64), shifts));
        Self {
            low: _mm256_or_si256(_mm256_srlv_epi64(self.low, shifts), carried),
            high: _mm256_srlv_epi64(self.high, shifts),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn has_four_in_halves(geometry: impl Geometry, stones: u128) -> bool {
    let stones = Halves::new(stones);
    let pairs = stones.and(stones.shifted_right(shifts(geometry, 1)));
    let fours = pairs.and(pairs.shifted_right(shifts(geometry, 2)));
    let any = _mm256_or_si256(fours.low, fours.high);
    _mm256_testz_si256(any, any) == 0
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn completing_cells_in_halves(geometry: impl Geometry, stones: u128) -> u128 {
    let stones = Halves::new(stones);
    let by = [1, 2, 3].map(|steps| shifts(geometry, steps));
    let up = [stones.shifted_left(by[0]), stones.shifted_left(by[1]), stones.shifted_left(by[2])];
    let down = [stones.shifted_right(by[0]), stones.shifted_right(by[1]), stones.shifted_right(by[2])];
    let before = up[0].and(up[1]).and(up[2].or(down[0]));
    let behind = down[0].and(down[1]).and(down[2].or(up[0]));
    let cells = before.or(behind);
    u128::from(any_direction(cells.high)) << 64 | u128::from(any_direction(cells.low))
}
