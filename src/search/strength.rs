//! Play below full strength: levels and their Elo.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZeroU32;

use crate::mix::{GOLDEN, mix};

/// The Elo of levels 0 to 19. The zero of the scale is arbitrary: level 0 is slightly better than random
/// moves.
///
/// From a round robin of levels and full strength, 60 games for each pair (`plumb-lab match`, 4 random plies,
/// 50 ms a move). The error is about 30. Full strength had 2135: only it uses the exact search.
const LADDER: [i32; 20] = [
    1000, 1050, 1120, 1155, 1205, 1220, 1265, 1305, 1360, 1410, 1430, 1495, 1555, 1580, 1660, 1715, 1760,
    1825, 1860, 1880,
];
/// Least value of `UCI_Elo`: the Elo of level 0.
pub const MIN_ELO: i32 = LADDER[0];
/// Greatest value of `UCI_Elo`: the Elo of level 19.
pub const MAX_ELO: i32 = LADDER[LADDER.len() - 1];
/// The first level at full strength.
pub const FULL_LEVEL: f64 = 20.0;

/// The level, 0.0 to 19.0, for an Elo, clamped and interpolated linearly.
#[must_use]
pub fn level_for_elo(elo: i32) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = LADDER.partition_point(|&rung| rung <= elo).min(LADDER.len() - 1);
    let (low, high) = (LADDER[above - 1], LADDER[above]);
    (above - 1) as f64 + f64::from(elo - low) / f64::from(high - low)
}

/// The Elo of a whole level, 0 to 19. `None` for other levels.
#[must_use]
pub fn elo_of_level(level: u8) -> Option<i32> {
    LADDER.get(usize::from(level)).copied()
}

pub(super) struct WeakPlayer {
    pub(super) depth: u32,
    blunder: f64,
    noise: f64,
    random: Random,
}

impl WeakPlayer {
    /// Without a seed the random choices differ each time.
    pub(super) fn new(level: f64, seed: Option<NonZeroU32>, position_key: u128) -> Self {
        let strength = (level / FULL_LEVEL).clamp(0.0, 1.0);
        Self {
            depth: 1 + (strength * 12.0) as u32,
            blunder: 0.9 * (1.0 - strength).powi(2),
            noise: 120.0 * (1.0 - strength),
            random: Random::new(seed, position_key),
        }
    }

    pub(super) fn choose(&mut self, estimates: &[i32]) -> usize {
        if self.random.next() < self.blunder {
            return ((self.random.next() * estimates.len() as f64) as usize).min(estimates.len() - 1);
        }
        // The noise is a sum of two random numbers, less 1, so it is mostly small.
        let mut values = Vec::with_capacity(estimates.len());
        for &estimate in estimates {
            let noise = self.noise * (self.random.next() + self.random.next() - 1.0);
            values.push(f64::from(estimate) + noise);
        }
        (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
    }
}

struct Random(u64);

impl Random {
    fn new(seed: Option<NonZeroU32>, key: u128) -> Self {
        let hash = |word: u64| mix(word.wrapping_add(GOLDEN));
        let state = match seed {
            Some(seed) => hash(hash(hash(seed.get().into()) ^ key as u64) ^ (key >> 64) as u64),
            None => RandomState::new().build_hasher().finish(),
        };
        Self(state | 1)
    }

    /// Random number from 0.0 to below 1.0. Source: George Marsaglia, "Xorshift RNGs" (2003).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elo_scale_covers_the_levels_below_full_strength() {
        assert_eq!((level_for_elo(i32::MIN), level_for_elo(MIN_ELO)), (0.0, 0.0));
        let highest = (level_for_elo(MAX_ELO), level_for_elo(i32::MAX));
        assert_eq!(highest, (FULL_LEVEL - 1.0, FULL_LEVEL - 1.0));
        assert!((MIN_ELO..MAX_ELO).all(|elo| level_for_elo(elo) < level_for_elo(elo + 1)));
        for (level, &elo) in LADDER.iter().enumerate() {
            assert!((level_for_elo(elo) - level as f64).abs() < 1e-9, "{level}");
        }
    }

    #[test]
    fn seeds_and_positions_make_streams_of_their_own() {
        let first = |seed, key| (Random::new(NonZeroU32::new(seed), key).next() * 1e9) as u64;
        assert_eq!(first(1, 7), first(1, 7));
        let mut firsts: Vec<_> =
            (1..100).flat_map(|seed| (0..100).map(move |key| first(seed, key))).collect();
        firsts.sort_unstable();
        let middle = firsts[firsts.len() / 2];
        assert!((480_000_000..520_000_000).contains(&middle), "{middle}");
        firsts.dedup();
        assert!(firsts.len() > 9_890);
        assert_ne!(Random::new(None, 7).next().to_bits(), Random::new(None, 7).next().to_bits());
    }

    #[test]
    fn handicaps_shrink_with_the_level() {
        let levels: Vec<_> = (0..=20).map(|level| WeakPlayer::new(f64::from(level), None, 0)).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].depth <= pair[1].depth);
            assert!(pair[0].blunder > pair[1].blunder && pair[0].noise > pair[1].noise);
        }
        assert_eq!((levels[20].blunder, levels[20].noise), (0.0, 0.0));
    }
}
