//! The oracle for all positions of a board at once: plain minimax, one layer of positions with equally many stones after
//! the other.

use crate::board::{Narrow, Outcome, Position, StaticGeometry, mirror};
use crate::score::{Score, win_with_stone};

use super::minimax::Oracle;

/// The scores of all positions that a game can reach and that are not over, by plain minimax without bounds or cutoffs.
/// A position and its mirror image share a place, which takes 9 bytes on a board of 64 bits: 5x5 takes 300 MB, where
/// [`Oracle`] would take gigabytes.
pub(super) struct Layers<G: StaticGeometry> {
    /// By number of stones.
    layers: Vec<Layer<G>>,
}

/// The positions with one number of stones.
struct Layer<G: StaticGeometry> {
    /// The keys of the positions, each the lesser one of position and mirror image, in ascending order.
    keys: Vec<G::Bits>,
    /// The score for the side to move, for each key.
    scores: Vec<i8>,
}

impl<G: StaticGeometry> Layers<G> {
    pub(super) fn of_whole_board() -> Self {
        let mut layers = vec![Layer::<G> { keys: vec![key(&Position::<G>::new())], scores: vec![] }];
        for plies in 0..G::CELLS as usize {
            let mut keys: Vec<_> = layers[plies].positions().flat_map(open_successors).collect();
            keys.sort_unstable();
            keys.dedup();
            layers.push(Layer { keys, scores: vec![] });
        }
        let mut layers = Self { layers };
        for plies in (0..G::CELLS as usize).rev() {
            let score = |position| layers.best_score(&position) as i8;
            layers.layers[plies].scores = layers.layers[plies].positions().map(score).collect();
        }
        layers
    }

    /// The score of `position` for its side to move.
    pub(super) fn score(&self, position: &Position<G>) -> Score {
        match position.outcome() {
            Some(Outcome::Win(_)) => -win_with_stone(G::default(), position.plies()),
            Some(Outcome::Draw) => 0,
            None => {
                let layer = &self.layers[position.plies() as usize];
                let index = layer.keys.binary_search(&key(position)).expect("every position has its place");
                Score::from(layer.scores[index])
            }
        }
    }

    /// Every position, one of each pair of mirror images.
    pub(super) fn positions(&self) -> impl Iterator<Item = Position<G>> {
        self.layers.iter().flat_map(Layer::positions)
    }

    fn best_score(&self, position: &Position<G>) -> Score {
        let moves = (0..G::WIDTH).filter_map(|column| position.play(column));
        moves.map(|next| -self.score(&next)).max().expect("an open position has a move")
    }
}

impl<G: StaticGeometry> Layer<G> {
    fn positions(&self) -> impl Iterator<Item = Position<G>> {
        self.keys.iter().map(|&key| Position::from_key(key).expect("the key of a position"))
    }
}

/// The keys of the positions after one move that are not over.
fn open_successors<G: StaticGeometry>(position: Position<G>) -> impl Iterator<Item = G::Bits> {
    let successors = (0..G::WIDTH).filter_map(move |column| position.play(column));
    successors.filter(|next| next.outcome().is_none()).map(|next| key(&next))
}

/// The key of a position or of its mirror image, whichever is less.
fn key<G: StaticGeometry>(position: &Position<G>) -> G::Bits {
    let key = position.key();
    key.min(mirror(G::default(), key))
}

#[test]
fn both_oracles_agree() {
    let layers = Layers::<Narrow<4, 4>>::of_whole_board();
    let oracle = Oracle::<Narrow<4, 4>>::of_whole_board();
    let mut places = std::collections::HashSet::new();
    for (position, score) in oracle.positions() {
        assert_eq!(layers.score(position), score, "\n{position}");
        places.insert(key(position));
    }
    assert_eq!(layers.positions().count(), places.len());
}
