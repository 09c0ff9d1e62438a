use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::iter;

use crate::board::{Bits, Narrow, Outcome, Position, StaticGeometry};
use crate::score::{Score, win_with_stone};

const CAPACITY: usize = 1 << 16;

/// Minimax without pruning. Shares only rules, mirror image and the meaning of a score with the tested
/// search.
pub(in crate::search) struct Oracle<G: StaticGeometry> {
    /// The hash has no random seed, so every run has the same order.
    scores: HashMap<G::Bits, i8, BuildHasherDefault<DefaultHasher>>,
}

impl<G: StaticGeometry> Oracle<G> {
    pub(in crate::search) fn new() -> Self {
        Self { scores: HashMap::default() }
    }

    pub(super) fn of_whole_board() -> Self {
        let mut oracle = Self::new();
        oracle.minimax(&Position::new());
        oracle
    }

    pub(super) fn clear(&mut self) {
        self.scores.clear();
    }

    pub(in crate::search) fn score(&mut self, position: &Position<G>) -> Score {
        if self.scores.len() > CAPACITY && !self.scores.contains_key(&G::Bits::ZERO) {
            self.scores.clear();
        }
        self.minimax(position)
    }

    pub(super) fn move_scores(&mut self, position: &Position<G>) -> Vec<(u32, Score)> {
        let columns = (0..G::WIDTH).filter_map(|column| position.play(column).map(|next| (column, next)));
        columns.map(|(column, next)| (column, -self.score(&next))).collect()
    }

    /// All known positions. After [`of_whole_board`](Self::of_whole_board), all reachable positions that are
    /// not over.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Position<G>, Score)> {
        let halves = self.half_of_positions();
        halves.flat_map(|(position, score)| {
            let image = Some(position.mirrored()).filter(|image| *image != position);
            iter::once(position).chain(image).map(move |position| (position, score))
        })
    }

    pub(super) fn half_of_positions(&self) -> impl Iterator<Item = (Position<G>, Score)> {
        let position = |key| Position::from_key(key).expect("the key of a position");
        self.scores.iter().map(move |(&key, &score)| (position(key), Score::from(score)))
    }

    fn minimax(&mut self, position: &Position<G>) -> Score {
        match position.outcome() {
            Some(Outcome::Win(_)) => return -win_with_stone(G::default(), position.plies()),
            Some(Outcome::Draw) => return 0,
            None => {}
        }
        let key = position.canonical_key();
        if let Some(&score) = self.scores.get(&key) {
            return Score::from(score);
        }
        let moves = (0..G::WIDTH).filter_map(|column| position.play(column));
        let score = moves.map(|next| -self.minimax(&next)).max().expect("an open position has a move");
        self.scores.insert(key, score as i8);
        score
    }
}

#[test]
fn the_oracle_knows_the_rules() {
    let oracle = Oracle::<Narrow<4, 4>>::of_whole_board();
    // Open and finished positions are the 161,029 that John Tromp counted on 4x4.
    let finished: std::collections::HashSet<_> = oracle
        .positions()
        .flat_map(|(position, _)| (0..4).filter_map(move |column| position.play(column)))
        .filter(|next| next.outcome().is_some())
        .collect();
    assert_eq!(oracle.positions().count() + finished.len(), 161_029);

    let mut oracle = Oracle::<crate::board::Standard>::new();
    // Two positions from Pascal Pons's suite `end-easy`.
    let known =
        [("2252576253462244111563365343671351441", -1), ("23163416124767223154467471272416755633", 0)];
    for (digits, score) in known {
        let position = Position::from_digits(digits).expect("legal");
        assert_eq!(oracle.score(&position), score, "{digits}");
    }
}
