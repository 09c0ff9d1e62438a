//! A model of the opponent: which reply a player chooses that does not know the exact scores.
//!
//! Players are of a few types. A player of one type chooses each reply with a probability that is a softmax over the
//! [features](features()) of the replies (a conditional logit), with weights of its own. How a type weighs wins, losses
//! and estimates tells how deep it sees. [`OpponentEstimate`] starts from the shares of the types among the players
//! that the model was fitted on, and is updated by Bayes' rule on each reply of a game.
//!
//! The weights come from `plumb-lab fit-opponent`; `src/search/SWINDLE.md` has their evidence.

mod estimate;
mod features;
mod weights;

pub(super) use estimate::updated;
pub use estimate::{OpponentEstimate, TypeShares};
pub use features::{CERTAIN, DEEP, FEATURE_NAMES, FEATURES, Features, Reply, SHALLOW, features};
pub use weights::TYPES;
pub(super) use weights::{OUTLOOK_DRAWN, OUTLOOK_LOST};

/// Lowest probability of any legal reply, so that no single reply rules out a type.
const LEAST_PROBABILITY: f64 = 0.002;

/// The probability of each reply, in the order of `replies`, by a player of each type.
#[must_use]
pub fn reply_probabilities(replies: &[Features]) -> Vec<[f64; TYPES]> {
    let mut all = vec![[0.0; TYPES]; replies.len()];
    for (number, weights) in weights::WEIGHTS.iter().enumerate() {
        for (probabilities, probability) in all.iter_mut().zip(softmax(weights, replies)) {
            let rest = 1.0 - LEAST_PROBABILITY * replies.len() as f64;
            probabilities[number] = LEAST_PROBABILITY + rest * probability;
        }
    }
    all
}

/// The probabilities of replies by a player with these weights.
pub fn softmax(weights: &Features, replies: &[Features]) -> Vec<f64> {
    let utility =
        |reply: &Features| weights.iter().zip(reply).map(|(weight, feature)| weight * feature).sum();
    let utilities: Vec<f64> = replies.iter().map(utility).collect();
    let greatest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = utilities.iter().map(|utility| (utility - greatest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|exponential| exponential / sum).collect()
}
