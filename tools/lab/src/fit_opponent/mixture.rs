//! The types of players: shares and weights, by expectation maximisation.

use plumb::search::opponent::{FEATURES, Features, choice_probabilities, softmax};
use plumb_tools_common::random::Random;

use super::decisions::Decision;
use super::maximise::{Expansion, maximise};

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
        let mut of_game: Vec<Vec<f64>> = (0..games)
            .map(|_| {
                normalised(
                    (0..types)
                        .map(|_| -(f64::from(random.below(1 << 20) + 1) / f64::from(1 << 20)).ln())
                        .collect(),
                )
            })
            .collect();
        let mut mixture =
            Self { shares: vec![1.0 / types as f64; types], weights: vec![[0.0; FEATURES]; types] };
        for _ in 0..if types == 1 { 1 } else { ROUNDS } {
            for (number, weights) in mixture.weights.iter_mut().enumerate() {
                let share = |decision: &Decision| of_game[decision.game][number];
                *weights = fit_weights(decisions, share, *weights);
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
        let prior: Vec<f64> = self.shares.iter().map(|share| share.ln()).collect();
        let mut logarithms = vec![prior; games];
        for decision in decisions {
            let likelihoods = self.likelihoods(decision);
            for (sum, likelihood) in logarithms[decision.game].iter_mut().zip(likelihoods) {
                *sum += likelihood.ln();
            }
        }
        let exponentials = |sums: Vec<f64>| {
            let greatest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            normalised(sums.iter().map(|sum| (sum - greatest).exp()).collect())
        };
        logarithms.into_iter().map(exponentials).collect()
    }

    /// The probability of each legal move, by type.
    pub(super) fn probabilities(&self, decision: &Decision) -> Vec<Vec<f64>> {
        self.weights.iter().map(|weights| choice_probabilities(weights, &decision.replies)).collect()
    }

    /// The probability of the chosen move, by type.
    pub(super) fn likelihoods(&self, decision: &Decision) -> Vec<f64> {
        self.probabilities(decision).iter().map(|all| all[decision.chosen]).collect()
    }
}

/// The weights of one type. `share` is the weight of each decision.
fn fit_weights(decisions: &[&Decision], share: impl Fn(&Decision) -> f64, start: Features) -> Features {
    maximise(start, |weights| {
        let mut sum = Expansion::penalty(weights, PENALTY);
        for decision in decisions {
            let share = share(decision);
            if share < 1e-6 {
                continue;
            }
            let probabilities = softmax(weights, &decision.replies);
            sum.value += share * probabilities[decision.chosen].max(1e-300).ln();
            let mut mean = [0.0; FEATURES];
            for (probability, features) in probabilities.iter().zip(&decision.replies) {
                mean.iter_mut().zip(features).for_each(|(sum, feature)| *sum += probability * feature);
            }
            for (place, expected) in mean.iter().enumerate() {
                sum.gradient[place] += share * (decision.replies[decision.chosen][place] - expected);
            }
            for (probability, features) in probabilities.iter().zip(&decision.replies) {
                for row in 0..FEATURES {
                    let scaled = share * probability * (features[row] - mean[row]);
                    for column in 0..FEATURES {
                        sum.curvature[row][column] += scaled * (features[column] - mean[column]);
                    }
                }
            }
        }
        sum
    })
}

/// The numbers divided by their sum.
fn normalised(numbers: Vec<f64>) -> Vec<f64> {
    let sum: f64 = numbers.iter().sum();
    numbers.into_iter().map(|number| number / sum).collect()
}
