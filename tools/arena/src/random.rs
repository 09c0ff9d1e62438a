//! Pseudorandom numbers that never change, so seeded output is reproducible.

use plumb::board::{Bits, Geometry, Position, Standard, column_name};
use plumb::mix::{GOLDEN, mix};

/// `SplitMix64`: a counter whose values are scrambled. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014, with the constants of S. Vigna's `splitmix64.c`.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Generator of an independent `stream` of `seed`, seeded by number `stream` (from 0) of the generator at `seed`.
    pub fn new(seed: u64, stream: u32) -> Self {
        let mut seeds = Self { state: seed.wrapping_add(GOLDEN.wrapping_mul(stream.into())) };
        Self { state: seeds.next() }
    }

    /// The next number of 64 bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "the numbers never end, so an `Option` would only be in the way"
    )]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Number below `count`, which must not be 0. The bias is at most `count` / 2^64.
    pub fn below(&mut self, count: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(count)) >> 64) as u32
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index as u32 + 1) as usize);
        }
    }
}

/// Position with its moves.
pub struct RandomPosition<G: Geometry = Standard> {
    /// Column digits, or letters on more than 9 columns.
    pub moves: String,
    /// Position after the moves.
    pub position: Position<G>,
}

/// First undecided position with `stones`, fewer than cells, after random moves.
///
/// Most games end early: a fixed number of tries would give few late positions.
pub fn random_position(random: &mut Random, stones: u32) -> RandomPosition {
    loop {
        if let Some(played) = play(Standard::default(), random, stones) {
            return played;
        }
    }
}

/// On 7x6 with 41 stones one in 300 is undecided, on 8x8 with 63 stones one in 55,000. On 10x10 the longest of 400,000
/// games had 79 stones.
const MAX_GAMES: u32 = 1 << 24;

/// Like [`random_position`], on any board. `None` if millions of games ended early.
pub fn random_position_on<G: Geometry>(
    board: G,
    random: &mut Random,
    stones: u32,
) -> Option<RandomPosition<G>> {
    (0..MAX_GAMES).find_map(|_| play(board, random, stones))
}

fn play<G: Geometry>(board: G, random: &mut Random, stones: u32) -> Option<RandomPosition<G>> {
    let mut position = Position::empty(board);
    let mut moves = String::new();
    while position.plies() < stones {
        let count = position.playable().count();
        let nth = random.below(count.max(1)) as usize;
        let column = position.legal_columns().nth(nth)?;
        moves.push(column_name(board.width(), column));
        position = position.play(column)?;
    }
    if position.outcome().is_some() { None } else { Some(RandomPosition { moves, position }) }
}

#[cfg(test)]
mod tests {
    use plumb::board::Board;

    use super::*;

    #[test]
    fn a_board_whose_games_all_end_early_has_no_position() {
        let mut random = Random::new(1, 0);
        let mut has_any = |size: &str, stones| {
            let board = size.parse::<Board>().expect("a board");
            (0..10_000).any(|_| play(board, &mut random, stones).is_some())
        };
        assert!(has_any("7x6", 41) && !has_any("10x10", 99));
    }

    #[test]
    fn the_numbers_are_the_published_ones() {
        let mut random = Random { state: 1_234_567 };
        let drawn = [(); 3].map(|()| random.next());
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn streams_of_a_seed_differ_and_draws_stay_in_range() {
        let first = |seed, stream| Random::new(seed, stream).next();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        let mut random = Random::new(1, 0);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[random.below(7) as usize] += 1);
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }
}
