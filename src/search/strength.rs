//! Playing below full strength, for opponents that want a chance.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::NonZeroU32;

use super::control::Halt;
use super::driver::Driver;
use crate::board::Geometry;

/// The Elo of levels 0 to 19. Where the scale begins is arbitrary: level 0 is barely better than chance.
///
/// Measured in a round robin of all levels, full strength included, 60 games each two (`plumb-lab match` with 4 random
/// plies, 30 rounds, 50 ms a move); each figure is within some 30. Full strength was at 2135: a search that proves is a
/// class of its own.
const LADDER: [i32; 20] = [
    1000, 1050, 1120, 1155, 1205, 1220, 1265, 1305, 1360, 1410, 1430, 1495, 1555, 1580, 1660, 1715, 1760,
    1825, 1860, 1880,
];
/// The least Elo of `UCI_Elo`: that of level 0.
pub const MIN_ELO: i32 = LADDER[0];
/// The greatest Elo of `UCI_Elo`: that of level 19, just below full strength.
pub const MAX_ELO: i32 = LADDER[LADDER.len() - 1];
/// The level from which on play is at full strength.
pub const FULL_LEVEL: f64 = 20.0;

/// The level, 0.0 to 19.0, whose play comes nearest to `elo`; values outside the range count as its ends. Between two
/// levels the scale is a straight line.
#[must_use]
pub fn level_for_elo(elo: i32) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    let above = LADDER.partition_point(|&rung| rung <= elo).min(LADDER.len() - 1);
    let (low, high) = (LADDER[above - 1], LADDER[above]);
    (above - 1) as f64 + f64::from(elo - low) / f64::from(high - low)
}

/// How a level plays.
struct Handicap {
    /// Depth of the search, in plies.
    depth: u32,
    /// Chance of a move at random.
    blunder: f64,
    /// Width of the noise added to each estimate, in centipawns.
    noise: f64,
}

impl Handicap {
    fn of(level: f64) -> Self {
        let strength = (level / FULL_LEVEL).clamp(0.0, 1.0);
        Self {
            depth: 1 + (strength * 12.0) as u32,
            blunder: 0.9 * (1.0 - strength).powi(2),
            noise: 120.0 * (1.0 - strength),
        }
    }
}

/// A stream of random numbers.
struct Random(u64);

impl Random {
    /// A stream that is the same each time for a seed and a position with this key; without a seed, another one each time.
    fn new(seed: Option<NonZeroU32>, key: u128) -> Self {
        let state = match seed {
            Some(seed) => mix(mix(mix(seed.get().into()) ^ key as u64) ^ (key >> 64) as u64),
            None => RandomState::new().build_hasher().finish(),
        };
        Self(state | 1)
    }

    /// A number from 0.0 up to 1.0. Source: George Marsaglia, "Xorshift RNGs" (2003).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A number that looks unlike those of neighbouring `value`s. Source: the finisher of `SplitMix64` (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ value >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ value >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ value >> 31
}

/// Chooses a move as a player of `level` would, and puts it first at the root.
///
/// # Errors
/// If the search was broken off; the choice is then made by the estimates found up to then.
pub(crate) fn play<G: Geometry>(driver: &mut Driver<'_, G>, level: f64) -> Result<(), Halt> {
    let handicap = Handicap::of(level);
    let mut random = Random::new(driver.seed(), driver.position_key());
    let result = (1..=handicap.depth.min(driver.depth_limit())).try_for_each(|depth| driver.iterate(depth));
    let moves = &mut driver.root.moves;
    let chosen = if random.next() < handicap.blunder {
        ((random.next() * moves.len() as f64) as usize).min(moves.len() - 1)
    } else {
        // The sum of two is likelier to be small than large.
        let mut noisy =
            |estimate: i32| f64::from(estimate) + handicap.noise * (random.next() + random.next() - 1.0);
        let values: Vec<f64> = moves.iter().map(|m| noisy(m.estimate)).collect();
        (0..moves.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0)
    };
    moves.swap(0, chosen);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elo_scale_covers_the_levels_below_full_strength() {
        let ends = (
            level_for_elo(i32::MIN),
            level_for_elo(MIN_ELO),
            level_for_elo(MAX_ELO),
            level_for_elo(i32::MAX),
        );
        assert_eq!(ends, (0.0, 0.0, FULL_LEVEL - 1.0, FULL_LEVEL - 1.0));
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
        let levels: Vec<_> = (0..=20).map(|level| Handicap::of(f64::from(level))).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].depth <= pair[1].depth);
            assert!(pair[0].blunder > pair[1].blunder && pair[0].noise > pair[1].noise);
        }
        assert_eq!((levels[20].blunder, levels[20].noise), (0.0, 0.0));
    }
}
