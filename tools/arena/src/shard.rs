//! Shares of work for several machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Shard `number` (from 1) of `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// Shard 1 of 1: all work.
    pub const WHOLE: Self = Self { number: 1, count: 1 };

    /// Consecutive items of this shard. Shard sizes differ by at most one item.
    pub fn of<T>(self, all: &[T]) -> &[T] {
        let Range { start, end } = self.range(all.len() as u64);
        &all[start as usize..end as usize]
    }

    /// Indices of this shard among `length` items.
    pub fn range(self, length: u64) -> Range<u64> {
        self.end(self.number - 1, length)..self.end(self.number, length)
    }

    fn end(self, shards: u32, length: u64) -> u64 {
        (u128::from(length) * u128::from(shards) / u128::from(self.count)) as u64
    }

    /// Every `count`-th item, for lists whose later items take more work.
    pub fn dealt<T>(self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        all.into_iter().skip(self.number as usize - 1).step_by(self.count as usize)
    }

    /// Whether both shards have the same `count`.
    pub fn is_of_as_many(self, other: Self) -> bool {
        self.count == other.count
    }

    /// Number of this shard, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Message about shards missing in `found`. `None` if all are there, or if `found` is empty or has different
    /// counts.
    pub fn missing(found: &[Self]) -> Option<String> {
        let count = found.first()?.count;
        if found.iter().any(|shard| shard.count != count) {
            return None;
        }
        let open = (1..=count).map(|number| Self { number, count }).filter(|shard| !found.contains(shard));
        let open: Vec<_> = open.map(|shard| shard.to_string()).collect();
        match &open[..] {
            [] => None,
            [only] => Some(format!("shard {only} is missing")),
            _ => Some(format!("shards {} are missing", open.join(", "))),
        }
    }

    /// Whether this is shard 1 of 1.
    pub fn is_whole(&self) -> bool {
        *self == Self::WHOLE
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, count) = text.split_once('/').unwrap_or_default();
        match (number.parse(), count.parse()) {
            (Ok(number), Ok(count)) if 1 <= number && number <= count => Ok(Self { number, count }),
            _ => Err("expected I/N with I from 1 to N, such as 2/8"),
        }
    }
}

serialize_as_text!(Shard);

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shards_are_all_of_it_and_nothing_twice() {
        for length in [0, 1, 7, 100] {
            let all: Vec<_> = (0..length).collect();
            for count in 1..=9 {
                let shares: Vec<_> =
                    (1..=count).map(|number| Shard { number, count }.of(&all).to_vec()).collect();
                assert_eq!(shares.concat(), all);
                let lengths = shares.iter().map(Vec::len);
                assert!(lengths.clone().max().unwrap_or(0) - lengths.min().unwrap_or(0) <= 1);
            }
        }
    }

    #[test]
    fn shards_that_are_dealt_out_are_all_of_it_and_nothing_twice() {
        let shard = |text: &str| text.parse::<Shard>().expect(text);
        let dealt = ["1/3", "2/3", "3/3"].map(|text| shard(text).dealt(0..7).collect::<Vec<_>>());
        assert_eq!(dealt, [vec![0, 3, 6], vec![1, 4], vec![2, 5]]);
        assert_eq!(shard("5/9").dealt(0..3).count(), 0);
        assert!(Shard::WHOLE.dealt(0..3).eq(0..3));
    }

    #[test]
    fn missing_shards_are_named() {
        let missing = |texts: &[&str]| {
            Shard::missing(&texts.iter().map(|text| text.parse().expect(text)).collect::<Vec<_>>())
        };
        assert_eq!(missing(&["2/3", "1/3", "3/3"]), None);
        assert_eq!(missing(&["2/3", "3/3"]).as_deref(), Some("shard 1/3 is missing"));
        assert_eq!(missing(&["2/4", "2/4"]).as_deref(), Some("shards 1/4, 3/4, 4/4 are missing"));
        assert_eq!((missing(&["2/4", "1/3"]), missing(&[])), (None, None));
    }

    #[test]
    fn text_is_read_as_it_is_written() {
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        assert_eq!("3/8".parse::<Shard>().map(|shard| shard.to_string()), Ok("3/8".to_owned()));
        for text in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
