//! A cache with a fixed capacity that drops the least recently stored entry.

use std::collections::TryReserveError;

use plumb::mix::GOLDEN;

/// Index of no node.
const NONE: u32 = u32::MAX;

/// An entry in two lists: the entries of its bucket, and all entries by time of storing.
struct Node<V> {
    key: u64,
    value: V,
    next: u32,
    newer: u32,
    older: u32,
}

/// A map of fixed capacity. If it is full, a new key replaces the least recently stored key, as in appendix C of the
/// student's essay. A look-up does not change the order.
///
/// Operations take constant time, except [`clear`](Self::clear), which takes time for each value.
pub(crate) struct Lru<V> {
    buckets: Vec<u32>,
    nodes: Vec<Node<V>>,
    newest: u32,
    oldest: u32,
}

impl<V: Copy> Lru<V> {
    /// Maximum number of values.
    pub(crate) const MOST: usize = NONE as usize;
    /// Memory per value.
    pub(crate) const ENTRY_BYTES: usize = size_of::<Node<V>>() + size_of::<u32>();

    /// An empty cache for `capacity` values, from 1 to [`MOST`](Self::MOST), if there is memory for it.
    pub(crate) fn new(capacity: usize) -> Result<Self, TryReserveError> {
        let (mut buckets, mut nodes) = (Vec::new(), Vec::new());
        buckets.try_reserve_exact(capacity)?;
        nodes.try_reserve_exact(capacity)?;
        buckets.resize(capacity, NONE);
        Ok(Self { buckets, nodes, newest: NONE, oldest: NONE })
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for index in 0..self.nodes.len() {
            let bucket = self.bucket(self.nodes[index].key);
            self.buckets[bucket] = NONE;
        }
        self.nodes.clear();
        (self.newest, self.oldest) = (NONE, NONE);
    }

    /// The value of `key`.
    pub(crate) fn get(&self, key: u64) -> Option<V> {
        self.find(key).map(|index| self.nodes[index as usize].value)
    }

    /// Stores or replaces the value of `key`.
    pub(crate) fn put(&mut self, key: u64, value: V) {
        if let Some(index) = self.find(key) {
            self.unlink(index);
            self.link(index);
            self.nodes[index as usize].value = value;
            return;
        }
        let bucket = self.bucket(key);
        let index =
            if self.nodes.len() < self.buckets.len() { self.nodes.len() as u32 } else { self.evict() };
        let node = Node { key, value, next: self.buckets[bucket], newer: NONE, older: NONE };
        match self.nodes.get_mut(index as usize) {
            Some(vacant) => *vacant = node,
            None => self.nodes.push(node),
        }
        self.buckets[bucket] = index;
        self.link(index);
    }

    /// Multiplicative hashing with the golden ratio (Knuth, volume 3, 6.4).
    fn bucket(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(GOLDEN);
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    fn find(&self, key: u64) -> Option<u32> {
        let mut index = self.buckets[self.bucket(key)];
        while self.nodes.get(index as usize)?.key != key {
            index = self.nodes[index as usize].next;
        }
        Some(index)
    }

    /// Removes the least recently stored node and returns its index.
    fn evict(&mut self) -> u32 {
        let index = self.oldest;
        self.unlink(index);
        let Node { key, next, .. } = self.nodes[index as usize];
        let bucket = self.bucket(key);
        let mut link = &mut self.buckets[bucket];
        while *link != index {
            let before = *link as usize;
            link = &mut self.nodes[before].next;
        }
        *link = next;
        index
    }

    fn unlink(&mut self, index: u32) {
        let Node { newer, older, .. } = self.nodes[index as usize];
        match self.nodes.get_mut(newer as usize) {
            Some(node) => node.older = older,
            None => self.newest = older,
        }
        match self.nodes.get_mut(older as usize) {
            Some(node) => node.newer = newer,
            None => self.oldest = newer,
        }
    }

    fn link(&mut self, index: u32) {
        let before = std::mem::replace(&mut self.newest, index);
        let node = &mut self.nodes[index as usize];
        (node.newer, node.older) = (NONE, before);
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.newer = index,
            None => self.oldest = index,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::mix::Random;

    #[test]
    fn it_does_what_a_plain_list_does() {
        for capacity in [1, 2, 7, 50] {
            let mut cache = Lru::new(capacity).expect("there is memory");
            let mut list = Vec::<(u64, i32)>::new();
            let mut random = Random::new(1, 0);
            for step in 0..20_000 {
                let key = u64::from(random.below(80));
                let known = list.iter().position(|(found, _)| *found == key);
                match random.below(1_000) {
                    0 => {
                        cache.clear();
                        list.clear();
                    }
                    1..500 => assert_eq!(cache.get(key), known.map(|index| list[index].1)),
                    _ => {
                        cache.put(key, step);
                        if let Some(index) = known {
                            list.remove(index);
                        } else if list.len() == capacity {
                            list.remove(0);
                        }
                        list.push((key, step));
                    }
                }
            }
        }
    }
}
