//! Playing below full strength, for opponents that want a chance.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::control::Halt;
use super::driver::Driver;
use crate::board::Geometry;

/// The least Elo of `UCI_Elo`, that of the weakest level.
pub const MIN_ELO: i32 = 500;
/// The greatest Elo of `UCI_Elo`, just below full strength.
pub const MAX_ELO: i32 = 2500;
/// The level from which on play is at full strength.
pub const FULL_LEVEL: f64 = 20.0;

/// The level, 0.0 to 20.0, whose play comes nearest to `elo`.
#[must_use]
pub fn level_for_elo(elo: i32) -> f64 {
    let elo = elo.clamp(MIN_ELO, MAX_ELO);
    f64::from(elo - MIN_ELO) / f64::from(MAX_ELO - MIN_ELO) * (FULL_LEVEL - 1.0)
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
            blunder: 0.6 * (1.0 - strength).powi(2),
            noise: 100.0 * (1.0 - strength),
        }
    }
}

/// Numbers that differ from game to game.
struct Random(u64);

impl Random {
    fn new() -> Self {
        Self(RandomState::new().build_hasher().finish() | 1)
    }

    /// A number from 0.0 up to 1.0. Source: George Marsaglia, "Xorshift RNGs" (2003).
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Chooses a move as a player of `level` would, and puts it first at the root.
///
/// # Errors
/// If the search was broken off; the best move found up to then is first.
pub(crate) fn play<G: Geometry>(driver: &mut Driver<'_, G>, level: f64) -> Result<(), Halt> {
    let handicap = Handicap::of(level);
    let mut random = Random::new();
    for depth in 1..=handicap.depth.min(driver.depth_limit()) {
        driver.iterate(depth)?;
    }
    let moves = &mut driver.root.moves;
    let chosen = if random.next() < handicap.blunder {
        (random.next() * moves.len() as f64) as usize
    } else {
        let noisy = |m: &super::root::RootMove<G>, random: &mut Random| {
            f64::from(m.estimate) + handicap.noise * (random.next() + random.next() - 1.0)
        };
        let mut best = (0, f64::MIN);
        for (index, m) in moves.iter().enumerate() {
            let value = noisy(m, &mut random);
            if value > best.1 {
                best = (index, value);
            }
        }
        best.0
    };
    let chosen = chosen.min(moves.len() - 1);
    moves.swap(0, chosen);
    Ok(())
}
