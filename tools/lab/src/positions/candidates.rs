//! Positions drawn at random.

use std::collections::HashSet;

use plumb_tools_common::playout::{RandomPosition, random_position};
use plumb_tools_common::random::Random;

use super::class::Class;

/// The endless sequence of positions that a seed stands for: as many stones as a class may have, the game not over and
/// not won by the next stone, and none that is, or mirrors, one before.
pub(super) struct Candidates {
    class: Class,
    random: Random,
    seen: HashSet<u64>,
}

impl Candidates {
    /// The sequence of `seed` for `class`.
    pub(super) fn new(class: Class, seed: u64) -> Self {
        Self { class, random: Random::new(seed, class.number()), seen: HashSet::new() }
    }
}

impl Iterator for Candidates {
    type Item = RandomPosition;

    fn next(&mut self) -> Option<RandomPosition> {
        loop {
            let (first, last) = self.class.stones().into_inner();
            let stones = first + self.random.below(last - first + 1);
            // Most games end early, so each number of stones gets as many tries as it needs: else few would be late.
            let candidate = random_position(&mut self.random, stones);
            let position = &candidate.position;
            let key = position.key().min(position.mirrored().key());
            if !position.can_win_now() && self.seen.insert(key) {
                return Some(candidate);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use plumb::board::Position;

    #[test]
    fn candidates_are_what_they_should_be() {
        for &class in Class::value_variants() {
            let mut keys = HashSet::new();
            let mut counts = HashSet::new();
            for RandomPosition { moves, position } in Candidates::new(class, 7).take(400) {
                let replayed = Position::from_digits(&moves);
                assert_eq!(replayed, Ok(position));
                assert!(position.outcome().is_none() && !position.can_win_now(), "{moves}");
                assert!(class.stones().contains(&position.plies()), "{moves}");
                assert!(keys.insert(position.key()), "{moves} came twice");
                let mirror = position.mirrored().key();
                assert!(mirror == position.key() || !keys.contains(&mirror), "{moves} came mirrored");
                counts.insert(position.plies());
            }
            assert_eq!(counts.len(), class.stones().count(), "{class}");
        }
    }

    #[test]
    fn a_seed_makes_the_same_positions_for_ever() {
        let first = |class, seed| Candidates::new(class, seed).next().expect("endless").moves;
        assert_eq!(first(Class::BeginHard, 1), first(Class::BeginHard, 1));
        assert_ne!(first(Class::BeginHard, 1), first(Class::BeginHard, 2));
        let three: Vec<_> =
            Candidates::new(Class::BeginEasy, 1).take(3).map(|candidate| candidate.moves).collect();
        assert_eq!(
            three,
            ["627636", "171141172", "7125712644163"],
            "the files of old seeds could not be made again"
        );
    }
}
