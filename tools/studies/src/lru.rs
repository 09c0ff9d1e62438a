//! A cache with a fixed capacity that drops the least recently stored entry.

use std::collections::TryReserveError;

use plumb::mix::GOLDEN;

/// An entry, linked into the list of its hash bucket and into the list of all entries by time of storing.
#[derive(Default)]
struct Node<V> {
    key: u64,
    value: V,
    next: u32,
    newer: u32,
    older: u32,
}

/// Index of the sentinel, which ends every list. In the list by time it links the newest entry to the oldest.
const END: u32 = 0;

/// A hash map of fixed capacity. If the map is full, a new key replaces the least recently stored key. A look-up does
/// not change the order.
pub(crate) struct Lru<V> {
    buckets: Vec<u32>,
    nodes: Vec<Node<V>>,
}

impl<V: Copy + Default> Lru<V> {
    pub(crate) const MOST: usize = u32::MAX as usize;
    pub(crate) const ENTRY_BYTES: usize = size_of::<Node<V>>() + size_of::<u32>();

    /// An empty cache for `capacity` values, from 1 to [`MOST`](Self::MOST).
    pub(crate) fn new(capacity: usize) -> Result<Self, TryReserveError> {
        let (mut buckets, mut nodes) = (Vec::new(), Vec::new());
        buckets.try_reserve_exact(capacity)?;
        nodes.try_reserve_exact(capacity + 1)?;
        buckets.resize(capacity, END);
        nodes.push(Node::default());
        Ok(Self { buckets, nodes })
    }

    pub(crate) fn clear(&mut self) {
        for index in 1..self.nodes.len() {
            let bucket = self.bucket(self.nodes[index].key);
            self.buckets[bucket] = END;
        }
        self.nodes.truncate(1);
        self.nodes[0] = Node::default();
    }

    pub(crate) fn get(&self, key: u64) -> Option<V> {
        self.find(key).map(|index| self.nodes[index as usize].value)
    }

    pub(crate) fn put(&mut self, key: u64, value: V) {
        let index = match self.find(key) {
            Some(index) => {
                self.unlink(index);
                index
            }
            None => self.insert(key),
        };
        let newest = self.nodes[END as usize].older;
        let node = &mut self.nodes[index as usize];
        (node.value, node.newer, node.older) = (value, END, newest);
        self.nodes[newest as usize].newer = index;
        self.nodes[END as usize].older = index;
    }

    /// Multiplicative hashing with the golden ratio (Knuth, volume 3, 6.4).
    fn bucket(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(GOLDEN);
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    fn find(&self, key: u64) -> Option<u32> {
        let mut index = self.buckets[self.bucket(key)];
        while index != END {
            let node = &self.nodes[index as usize];
            if node.key == key {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    /// Puts a node for `key` into its hash bucket, but not into the list by time of storing.
    fn insert(&mut self, key: u64) -> u32 {
        let index = if self.nodes.len() > self.buckets.len() {
            self.evict()
        } else {
            self.nodes.push(Node::default());
            (self.nodes.len() - 1) as u32
        };
        let bucket = self.bucket(key);
        let node = &mut self.nodes[index as usize];
        (node.key, node.next) = (key, self.buckets[bucket]);
        self.buckets[bucket] = index;
        index
    }

    fn evict(&mut self) -> u32 {
        let index = self.nodes[END as usize].newer;
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
        self.nodes[newer as usize].older = older;
        self.nodes[older as usize].newer = newer;
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
