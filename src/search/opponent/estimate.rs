//! Estimate of the opponent's type from its replies in a game.

use super::weights::{PRIOR, TYPES};
use crate::board::{Geometry, Position};

/// One number for each type of player: the share of the type, where they add up to 1; or, of a reply, the probability
/// that a player of the type makes it, where they do not.
pub type TypeShares = [f64; TYPES];

/// The estimate of the opponent's type, by the replies that it chose among those that were open to it. A
/// [`SearchMemory`](crate::search::SearchMemory) holds one, and the searches of a game keep it; outside of the search
/// it is the estimate before the first reply, and stays so.
///
/// It keeps the choices of the game, so that a search on a reply that is then not made, as a ponder miss, or a move that
/// is taken back, leaves no trace: the next position shows which replies were made.
#[derive(Clone, Debug)]
pub struct OpponentEstimate<G: Geometry> {
    shares: TypeShares,
    /// The choices of the game so far, in the order of the moves.
    choices: Vec<Choice<G>>,
}

/// The replies in one position, of which the opponent makes one.
#[derive(Clone, Debug)]
struct Choice<G: Geometry> {
    /// The shares before the reply.
    before: TypeShares,
    /// The position after each reply, with the probability of the reply by a player of each type.
    replies: Vec<(Position<G>, TypeShares)>,
}

impl<G: Geometry> Choice<G> {
    /// Number of stones after the reply.
    fn plies(&self) -> u32 {
        self.replies.first().map_or(0, |(after, _)| after.plies())
    }
}

impl<G: Geometry> OpponentEstimate<G> {
    /// The estimate before the first reply of a game.
    #[must_use]
    pub fn new() -> Self {
        // The shares are written with few decimals, so that their sum is only nearly 1.
        Self { shares: updated(&PRIOR, &[1.0; TYPES]), choices: Vec::new() }
    }

    /// The probability of each type.
    #[must_use]
    pub fn shares(&self) -> TypeShares {
        self.shares
    }

    /// Adds the replies that the opponent chooses from next: the position after each, and its probability by type.
    pub(in crate::search) fn expect(&mut self, replies: Vec<(Position<G>, TypeShares)>) {
        let choice = Choice { before: self.shares, replies };
        self.choices.retain(|earlier| earlier.plies() < choice.plies());
        self.choices.push(choice);
    }

    /// Updates the estimate if `position` is one after a reply that a search has expected; without such a search it
    /// changes nothing, and neither does repeating it.
    pub fn observe(&mut self, position: &Position<G>) {
        for choice in &self.choices {
            if let Some((_, by_type)) = choice.replies.iter().find(|(after, _)| after == position) {
                self.shares = updated(&choice.before, by_type);
            }
        }
    }
}

impl<G: Geometry> Default for OpponentEstimate<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// The shares after a reply that each type makes with the given probability, by Bayes' rule.
#[must_use]
pub(in crate::search) fn updated(shares: &TypeShares, probabilities: &TypeShares) -> TypeShares {
    let mut product = *shares;
    product.iter_mut().zip(probabilities).for_each(|(share, probability)| *share *= probability);
    let sum: f64 = product.iter().sum();
    product.map(|share| share / sum)
}
