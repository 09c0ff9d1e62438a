//! What the replies of a game tell about the opponent.

use super::weights::{PRIOR, TYPES};
use crate::board::{Geometry, Position};

/// The probability of each type of player; they add up to 1.
pub type TypeShares = [f64; TYPES];

/// The estimate of the opponent's type, and the replies that it can choose from next.
#[derive(Clone, Debug)]
pub struct OpponentEstimate<G: Geometry> {
    shares: TypeShares,
    expected: Option<ExpectedReplies<G>>,
}

/// The replies of which one will be made.
#[derive(Clone, Debug)]
struct ExpectedReplies<G: Geometry> {
    /// The position after each reply, with the reply's probability by type.
    after: Vec<(G::Bits, TypeShares)>,
}

impl<G: Geometry> OpponentEstimate<G> {
    /// The estimate before the first reply of a game.
    #[must_use]
    pub fn new() -> Self {
        // The shares are written with few decimals, so that their sum is only nearly 1.
        Self { shares: updated(&PRIOR, &[1.0; TYPES]), expected: None }
    }

    /// The probability of each type.
    #[must_use]
    pub fn shares(&self) -> TypeShares {
        self.shares
    }

    /// Sets the replies that the opponent chooses from next: the position after each, and its probability by type.
    pub(in crate::search) fn expect(&mut self, replies: &[(Position<G>, TypeShares)]) {
        let after = replies.iter().map(|(next, by_type)| (next.key(), *by_type)).collect();
        self.expected = Some(ExpectedReplies { after });
    }

    /// Updates the estimate if `position` is one after an expected reply.
    pub fn observe(&mut self, position: &Position<G>) {
        let Some(expected) = self.expected.take() else { return };
        let made = expected.after.iter().find(|(key, _)| *key == position.key());
        if let Some((_, probabilities)) = made {
            self.shares = updated(&self.shares, probabilities);
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
