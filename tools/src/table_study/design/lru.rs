//! A small cache in which the entry that was not used for longest is replaced.
//!
//! Source: a student's study, which kept 50,000 entries, under the smaller of the keys of a position and its mirror
//! image, each with a score, a flag that tells whether it is exact or a bound, and the depth it was searched to. Here a
//! search goes to the end of the game, so the depth is the number of empty cells, always deep enough; and an entry becomes
//! exact when the one bound meets the other.

use anyhow::{Result, ensure};
use plumb::board::Position;
use plumb::score::Score;

use super::{Bound, Bounds, Design, Proof, filled};
use crate::table_study::size::Size;

/// The cache: entries in a list from the one used last to the one not used for longest, and in a chain for each hash.
pub(in super::super) struct Lru {
    entries: Vec<Entry>,
    /// The first entry of each chain.
    heads: Vec<u32>,
    newest: u32,
    oldest: u32,
}

/// No entry.
const NIL: u32 = u32::MAX;

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flag {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// Its neighbours in the order of use, and the next of its chain.
    newer: u32,
    older: u32,
    chained: u32,
    score: i8,
    flag: Flag,
    depth: u8,
}

impl Entry {
    fn bounds(self) -> Bounds {
        let score = Score::from(self.score);
        match self.flag {
            Flag::Exact => Bounds { lower: score, upper: score },
            Flag::Lower => Bounds { lower: score, ..Bounds::UNKNOWN },
            Flag::Upper => Bounds { upper: score, ..Bounds::UNKNOWN },
        }
    }
}

impl Lru {
    /// The chain in which `key` is.
    #[inline]
    fn chain(&self, key: u64) -> usize {
        // A multiple of the golden ratio as a fraction of the chains (Knuth, vol. 3, 6.4).
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((u128::from(hash) * self.heads.len() as u128) >> 64) as usize
    }

    /// The entry with this key.
    #[inline]
    fn find(&self, key: u64) -> Option<u32> {
        let mut at = self.heads[self.chain(key)];
        while at != NIL {
            let entry = &self.entries[at as usize];
            if entry.key == key {
                return Some(at);
            }
            at = entry.chained;
        }
        None
    }

    /// Takes an entry out of the order of use.
    fn unlink(&mut self, at: u32) {
        let Entry { newer, older, .. } = self.entries[at as usize];
        match newer {
            NIL => self.newest = older,
            newer => self.entries[newer as usize].older = older,
        }
        match older {
            NIL => self.oldest = newer,
            older => self.entries[older as usize].newer = newer,
        }
    }

    /// Puts an entry that is not in the order of use at its beginning.
    fn link(&mut self, at: u32) {
        let older = std::mem::replace(&mut self.newest, at);
        let entry = &mut self.entries[at as usize];
        (entry.newer, entry.older) = (NIL, older);
        match older {
            NIL => self.oldest = at,
            older => self.entries[older as usize].newer = at,
        }
    }

    /// Takes an entry out of its chain.
    fn unchain(&mut self, at: u32) {
        let Entry { key, chained: next, .. } = self.entries[at as usize];
        let chain = self.chain(key);
        if self.heads[chain] == at {
            self.heads[chain] = next;
            return;
        }
        let mut before = self.heads[chain];
        while self.entries[before as usize].chained != at {
            before = self.entries[before as usize].chained;
        }
        self.entries[before as usize].chained = next;
    }

    /// Adds an entry for a key that has none, in the place of the one not used for longest if all are taken.
    fn add(&mut self, mut entry: Entry) {
        let chain = self.chain(entry.key);
        let at = if self.entries.len() < self.heads.len() {
            entry.chained = self.heads[chain];
            self.entries.push(entry);
            self.entries.len() as u32 - 1
        } else {
            let at = self.oldest;
            self.unlink(at);
            self.unchain(at);
            // Only now: the entry that was taken out may have been the first of the chain.
            entry.chained = self.heads[chain];
            self.entries[at as usize] = entry;
            at
        };
        self.heads[chain] = at;
        self.link(at);
    }
}

impl Design for Lru {
    type Key = u64;
    const KEEPS_LOWER: bool = true;
    const ENTRY_BYTES: usize = size_of::<Entry>() + size_of::<u32>();
    const DEFAULT: Size = Size::Entries(50_000);

    fn entries(size: Size) -> Result<usize> {
        let entries = size.entries(Self::ENTRY_BYTES);
        ensure!(entries > 0, "{size}: a table needs at least one entry");
        ensure!(entries < NIL as usize, "{size}: this table has fewer than {NIL} entries");
        Ok(entries)
    }

    /// As many chains as entries.
    fn new(entries: usize) -> Result<Self> {
        let nothing =
            Entry { key: 0, newer: NIL, older: NIL, chained: NIL, score: 0, flag: Flag::Exact, depth: 0 };
        let mut lru = Self {
            entries: filled(entries, nothing)?,
            heads: filled(entries, NIL)?,
            newest: NIL,
            oldest: NIL,
        };
        lru.entries.clear();
        Ok(lru)
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.heads.fill(NIL);
        (self.newest, self.oldest) = (NIL, NIL);
    }

    #[inline]
    fn key(position: &Position) -> u64 {
        position.canonical_key()
    }

    fn probe(&mut self, key: u64) -> Bounds {
        let Some(at) = self.find(key) else { return Bounds::UNKNOWN };
        if at != self.newest {
            self.unlink(at);
            self.link(at);
        }
        self.entries[at as usize].bounds()
    }

    fn store(&mut self, key: u64, proof: &Proof) {
        let Bounds { lower, upper } = proof.known.and(proof.bound);
        let (score, flag) = match proof.bound {
            _ if lower == upper => (lower, Flag::Exact),
            Bound::Lower(_) => (lower, Flag::Lower),
            Bound::Upper(_) => (upper, Flag::Upper),
        };
        let (score, depth) = (score as i8, proof.empty as u8);
        if let Some(at) = self.find(key) {
            self.unlink(at);
            self.link(at);
            let entry = &mut self.entries[at as usize];
            debug_assert_eq!(entry.depth, depth, "a position always has the same empty cells");
            (entry.score, entry.flag) = (score, flag);
        } else {
            self.add(Entry { key, newer: NIL, older: NIL, chained: NIL, score, flag, depth });
        }
    }
}

#[cfg(test)]
#[path = "lru_tests.rs"]
mod tests;
