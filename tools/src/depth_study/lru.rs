//! The transposition table of the study: a cache that forgets what was not used for longest.

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flag {
    Exact,
    /// The true value is at least the stored one.
    Lower,
    /// The true value is at most the stored one.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub value: i32,
    pub flag: Flag,
    /// The depth below the position to which `value` was searched.
    pub depth: u32,
}

/// No node; past every index.
const NONE: u32 = u32::MAX;

/// An entry, in a list of the entries of its bucket and in one of all entries, ordered by when they were used.
struct Node {
    key: u64,
    entry: Entry,
    /// The next node of the bucket.
    next: u32,
    newer: u32,
    older: u32,
}

/// A map from keys to entries that holds a fixed number of them; a new one then takes the place of the least recently
/// used one.
///
/// Everything takes constant time. To empty it takes time only for the entries that are there, so that a table that is
/// emptied before each search does not burden the small ones.
pub(super) struct Lru {
    /// The first node of each bucket.
    buckets: Vec<u32>,
    nodes: Vec<Node>,
    capacity: usize,
    newest: u32,
    oldest: u32,
}

impl Lru {
    /// An empty one for at most so many entries, at least 1.
    pub(super) fn new(capacity: usize) -> Self {
        let buckets = vec![NONE; capacity.next_power_of_two().max(2)];
        Self { buckets, nodes: Vec::with_capacity(capacity), capacity, newest: NONE, oldest: NONE }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for index in 0..self.nodes.len() {
            let bucket = self.bucket(self.nodes[index].key);
            self.buckets[bucket] = NONE;
        }
        self.nodes.clear();
        (self.newest, self.oldest) = (NONE, NONE);
    }

    /// The entry of `key`, which is now the one most recently used.
    pub(super) fn get(&mut self, key: u64) -> Option<Entry> {
        let index = self.find(key)?;
        self.unlink(index);
        self.link(index);
        Some(self.nodes[index as usize].entry)
    }

    /// Stores the entry of `key` in place of the one that there may be; it is now the one most recently used.
    pub(super) fn put(&mut self, key: u64, entry: Entry) {
        let index = if let Some(index) = self.find(key) {
            self.unlink(index);
            self.nodes[index as usize].entry = entry;
            index
        } else {
            let bucket = self.bucket(key);
            let index = if self.nodes.len() < self.capacity { self.nodes.len() as u32 } else { self.evict() };
            let node = Node { key, entry, next: self.buckets[bucket], newer: NONE, older: NONE };
            match self.nodes.get_mut(index as usize) {
                Some(vacant) => *vacant = node,
                None => self.nodes.push(node),
            }
            self.buckets[bucket] = index;
            index
        };
        self.link(index);
    }

    /// The bucket of `key`, by Fibonacci hashing: the top bits of a product with 2^64 divided by the golden ratio.
    fn bucket(&self, key: u64) -> usize {
        let bits = self.buckets.len().ilog2();
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
    }

    fn find(&self, key: u64) -> Option<u32> {
        let mut index = self.buckets[self.bucket(key)];
        while index != NONE {
            let node = &self.nodes[index as usize];
            if node.key == key {
                return Some(index);
            }
            index = node.next;
        }
        None
    }

    /// Takes the least recently used node out of both its lists; returns its index.
    fn evict(&mut self) -> u32 {
        let index = self.oldest;
        self.unlink(index);
        let Node { key, next, .. } = self.nodes[index as usize];
        let bucket = self.bucket(key);
        let mut before = self.buckets[bucket];
        if before == index {
            self.buckets[bucket] = next;
            return index;
        }
        while self.nodes[before as usize].next != index {
            before = self.nodes[before as usize].next;
        }
        self.nodes[before as usize].next = next;
        index
    }

    /// Takes a node out of the list by use.
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

    /// Puts a node at the recent end of the list by use.
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
    use crate::random::Random;

    fn entry(value: i32) -> Entry {
        Entry { value, flag: Flag::Exact, depth: 1 }
    }

    #[test]
    fn the_least_recently_used_entry_makes_room() {
        let mut table = Lru::new(3);
        (1..=3).for_each(|key| table.put(key, entry(key as i32)));
        // 1 is read and 2 written anew, so 3 is the one that was not used for longest.
        assert_eq!(table.get(1), Some(entry(1)));
        table.put(2, entry(20));
        table.put(4, entry(4));
        assert_eq!(
            [1, 2, 3, 4].map(|key| table.get(key).map(|entry| entry.value)),
            [Some(1), Some(20), None, Some(4)]
        );
        table.clear();
        assert!((1..=4).all(|key| table.get(key).is_none()));
        table.put(5, entry(5));
        assert_eq!(table.get(5), Some(entry(5)));
    }

    #[test]
    fn it_does_as_a_plain_list_does() {
        for capacity in [1, 2, 7, 50] {
            let (mut table, mut list) = (Lru::new(capacity), Vec::<(u64, i32)>::new());
            let mut random = Random::new(1, 0);
            for step in 0..20_000 {
                let key = u64::from(random.below(80));
                let known = list.iter().position(|(found, _)| *found == key).map(|index| list.remove(index));
                match random.below(1_000) {
                    0 => {
                        table.clear();
                        list.clear();
                    }
                    1..500 => {
                        assert_eq!(table.get(key).map(|entry| entry.value), known.map(|(_, value)| value));
                        list.extend(known);
                    }
                    _ => {
                        table.put(key, entry(step));
                        if list.len() == capacity {
                            list.remove(0);
                        }
                        list.push((key, step));
                    }
                }
            }
        }
    }
}
