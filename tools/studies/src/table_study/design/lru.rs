//! A small cache in which the entry that was not used for longest is replaced.
//!
//! Source: a student's study, which kept 50,000 entries, under the smaller of the keys of a position and its mirror
//! image, each with a score, a flag that tells whether it is exact or a bound, and the depth it was searched to. Here
//! every search goes to the end of the game, and one depth need not be told from another; and an entry becomes exact when
//! the one bound meets the other. `depth-study` has the cache with the depth.

use anyhow::{Context, Result, ensure};
use plumb::board::Position;
use plumb::score::Score;

use super::{Bound, Bounds, Design, Proof};
use crate::lru::Lru;
use crate::table_size::Size;

/// The table.
pub struct Cache(Lru<CachedBound>);

/// The meaning of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoundKind {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct CachedBound {
    score: i8,
    flag: BoundKind,
}

impl CachedBound {
    fn bounds(self) -> Bounds {
        let score = Score::from(self.score);
        match self.flag {
            BoundKind::Exact => Bounds { lower: score, upper: score },
            BoundKind::Lower => Bounds { lower: score, ..Bounds::UNKNOWN },
            BoundKind::Upper => Bounds { upper: score, ..Bounds::UNKNOWN },
        }
    }
}

impl Design for Cache {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = Lru::<CachedBound>::ENTRY_BYTES;
    const DEFAULT: Size = Size::Entries(50_000);

    fn entries(size: Size) -> Result<usize> {
        let entries = size.entries(Self::ENTRY_BYTES);
        ensure!(entries > 0, "{size}: a table needs at least one entry");
        let most = Lru::<CachedBound>::MOST;
        ensure!(entries <= most, "{size}: this table has at most {most} entries");
        Ok(entries)
    }

    fn new(entries: usize) -> Result<Self> {
        Ok(Self(
            Lru::new(entries)
                .with_context(|| format!("there is no memory for a table of {entries} entries"))?,
        ))
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.canonical_key()
    }

    fn probe(&mut self, key: u64) -> Bounds {
        self.0.get(key).map_or(Bounds::UNKNOWN, CachedBound::bounds)
    }

    fn store(&mut self, key: u64, proof: &Proof) {
        let Bounds { lower, upper } = proof.known.and(proof.bound);
        let (score, flag) = match proof.bound {
            _ if lower == upper => (lower, BoundKind::Exact),
            Bound::Lower(_) => (lower, BoundKind::Lower),
            Bound::Upper(_) => (upper, BoundKind::Upper),
        };
        self.0.put(key, CachedBound { score: score as i8, flag });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_tools_common::random::Random;

    fn proof(bound: Bound, known: Bounds) -> Proof {
        Proof { bound, known, nodes: 1 }
    }

    #[test]
    fn bounds_that_meet_are_exact() {
        let mut cache = Cache::new(3).expect("there is memory");
        for (bound, expected) in [
            (Bound::Lower(-2), Bounds { lower: -2, ..Bounds::UNKNOWN }),
            (Bound::Upper(4), Bounds { upper: 4, ..Bounds::UNKNOWN }),
            (Bound::Lower(4), Bounds { lower: 4, upper: 4 }),
        ] {
            let known = cache.probe(9);
            cache.store(9, &proof(bound, known));
            assert_eq!(cache.probe(9), expected);
        }
        cache.clear();
        assert_eq!(cache.probe(9), Bounds::UNKNOWN);
    }

    #[test]
    fn a_position_and_its_mirror_image_share_an_entry() {
        let mut random = Random::new(2, 0);
        let mut cache = Cache::new(100).expect("there is memory");
        for stones in 0..30 {
            let position = plumb_tools_common::random::random_position(&mut random, stones).position;
            let key = Cache::key(&position);
            assert_eq!(key, position.key().min(position.mirrored().key()));
            cache.store(key, &proof(Bound::Upper(1), Bounds::UNKNOWN));
            assert_eq!(cache.probe(Cache::key(&position.mirrored())).upper, 1);
        }
    }
}
