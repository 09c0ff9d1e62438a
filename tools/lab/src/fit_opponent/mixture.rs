//! The types of players: shares and weights, by expectation maximisation.

use plumb::search::opponent::{FEATURES, Features, choice_probabilities, softmax};
use plumb_tools_common::random::Random;

use super::choices::{Choice, fit};
use super::decisions::Decision;

/// Strength of the penalty on large weights.
const PENALTY: f64 = 0.5;
/// Rounds of expectation and maximisation.
const ROUNDS: usize = 20;

/// Types of players.
pub(super) struct Mixture {
    /// The share of each type among the games.
    pub(super) shares: Vec<f64>,
    pub(super) weights: Vec<Features>,
}

impl Mixture {
    /// The mixture of this many types that makes the decisions likeliest, from a starting point by `seed`.
    pub(super) fn fit(decisions: &[&Decision], types: usize, seed: u64) -> Self {
        let games = decisions.iter().map(|one| one.game + 1).max().unwrap_or(0);
        let mut random = Random::new(seed, types as u32);
        // Logarithms of numbers from 0 to 1, any of which is as likely: shares of exponentially distributed numbers.
        let mut drawn = || (-(f64::from(random.below(1 << 20) + 1) / f64::from(1 << 20)).ln()).ln();
        let mut of_game: Vec<Vec<f64>> =
            (0..games).map(|_| softmax(&[1.0], &(0..types).map(|_| [drawn()]).collect::<Vec<_>>())).collect();
        let mut mixture =
            Self { shares: vec![1.0 / types as f64; types], weights: vec![[0.0; FEATURES]; types] };
        for _ in 0..if types == 1 { 1 } else { ROUNDS } {
            for (number, weights) in mixture.weights.iter_mut().enumerate() {
                let choices = decisions.iter().map(|one| Choice {
                    alternatives: &one.replies,
                    chosen: one.chosen,
                    weight: of_game[one.game][number],
                });
                *weights = fit(&choices.collect::<Vec<_>>(), PENALTY, *weights);
            }
            of_game = mixture.types_of_games(decisions, games);
            let mut learned: Vec<usize> = decisions.iter().map(|one| one.game).collect();
            learned.dedup();
            for (number, share) in mixture.shares.iter_mut().enumerate() {
                let sum: f64 = learned.iter().map(|&game| of_game[game][number]).sum();
                *share = sum / learned.len() as f64;
            }
        }
        mixture
    }

    /// The probability of each type in each game, given all of its decisions.
    pub(super) fn types_of_games(&self, decisions: &[&Decision], games: usize) -> Vec<Vec<f64>> {
        let prior: Vec<_> = self.shares.iter().map(|share| [share.ln()]).collect();
        let mut logarithms = vec![prior; games];
        for decision in decisions {
            for ([sum], all) in logarithms[decision.game].iter_mut().zip(self.probabilities(decision)) {
                *sum += all[decision.chosen].ln();
            }
        }
        logarithms.iter().map(|of_game| softmax(&[1.0], of_game)).collect()
    }

    /// The probability of each legal move, by type.
    pub(super) fn probabilities(&self, decision: &Decision) -> Vec<Vec<f64>> {
        self.weights.iter().map(|weights| choice_probabilities(weights, &decision.replies)).collect()
    }
}
