//! A small cache in which the entry that was not used for longest is replaced.
//!
//! Source: a student's study, which kept 50,000 entries, under the smaller of the keys of a position and its mirror
//! image, each with a score, a flag that tells whether it is exact or a bound, and the depth it was searched to. Here
//! every search goes to the end of the game, and one depth need not be told from another; and an entry becomes exact when
//! the one bound meets the other. `depth-study` has the cache with the depth.

use anyhow::{Context, Result, ensure};
use plumb::board::Position;

use super::{Bound, Bounds, Design, Proof};
use crate::lru::Lru;
use crate::table_size::Size;

/// The table.
pub struct Cache(Lru<CachedBounds>);

/// A score as a bound of one kind, or of both where it is exact.
#[derive(Clone, Copy)]
struct CachedBounds {
    lower: i8,
    upper: i8,
}

impl Design for Cache {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = Lru::<CachedBounds>::ENTRY_BYTES;
    const DEFAULT: Size = Size::Entries(50_000);

    fn entries(size: Size) -> Result<usize> {
        let entries = size.entries(Self::ENTRY_BYTES);
        let most = Lru::<CachedBounds>::MOST;
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
        let Some(CachedBounds { lower, upper }) = self.0.get(key) else { return Bounds::UNKNOWN };
        Bounds { lower: lower.into(), upper: upper.into() }
    }

    fn store(&mut self, key: u64, proof: &Proof) {
        let Bounds { lower, upper } = proof.known.and(proof.bound);
        let kept = match proof.bound {
            _ if lower == upper => Bounds { lower, upper },
            Bound::Lower(_) => Bounds { lower, ..Bounds::UNKNOWN },
            Bound::Upper(_) => Bounds { upper, ..Bounds::UNKNOWN },
        };
        self.0.put(key, CachedBounds { lower: kept.lower as i8, upper: kept.upper as i8 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_meet_are_exact() {
        let mut cache = Cache::new(3).expect("there is memory");
        for (bound, expected) in [
            (Bound::Lower(-2), Bounds { lower: -2, ..Bounds::UNKNOWN }),
            (Bound::Upper(4), Bounds { upper: 4, ..Bounds::UNKNOWN }),
            (Bound::Lower(4), Bounds { lower: 4, upper: 4 }),
        ] {
            let known = cache.probe(9);
            cache.store(9, &Proof { bound, known, nodes: 1 });
            assert_eq!(cache.probe(9), expected);
        }
        cache.clear();
        assert_eq!(cache.probe(9), Bounds::UNKNOWN);
        let position: Position = "112".parse().expect("legal");
        assert_eq!(Cache::key(&position), Cache::key(&position.mirrored()), "mirror images share an entry");
    }
}
