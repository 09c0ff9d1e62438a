//! Positions drawn at random.

use std::collections::HashSet;

use plumb::board::{Bits, Position, Standard};

use super::class::Class;
use crate::random::Random;

/// A position and the moves, as column digits, by which it came about.
pub(super) struct Candidate {
    pub moves: String,
    pub position: Position,
}

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

    /// Random moves from the empty board, all legal ones alike, up to `stones` stones; `None` if the game ended
    /// before that.
    fn play(&mut self, stones: u32) -> Option<Candidate> {
        let mut position = Position::<Standard>::new();
        let mut moves = String::new();
        while position.plies() < stones {
            // None are left when the game is over.
            let count = position.playable().count();
            let nth = self.random.below(count.max(1)) as usize;
            let column = position.legal_columns().nth(nth)?;
            moves.push(char::from(b'1' + column as u8));
            position = position.play(column)?;
        }
        position.outcome().is_none().then_some(Candidate { moves, position })
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        loop {
            let (first, last) = self.class.stones().into_inner();
            let stones = first + self.random.below(last - first + 1);
            // Most games end early, so each number of stones gets as many tries as it needs: else few would be late.
            let candidate = std::iter::repeat_with(|| self.play(stones)).flatten().next()?;
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

    #[test]
    fn candidates_are_what_they_should_be() {
        for &class in Class::value_variants() {
            let mut keys = HashSet::new();
            let mut counts = HashSet::new();
            for Candidate { moves, position } in Candidates::new(class, 7).take(400) {
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
