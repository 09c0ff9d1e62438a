//! The model: types of players, by expectation maximisation of a choice model; and the evaluation of leaves against each.
//!
//! In the choice model the probability of an alternative is proportional to the exponential of its utility, the sum of its
//! features times weights, which are fitted by Newton's method; of a move it is at least 0.002.

use plumb::board::Standard;
use plumb::score::plies_to_end;
use plumb::search::opponent::{FEATURES, Features, choice_probabilities, softmax};
use plumb_arena::random::Random;

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
        let mut random = Random::new(seed, types as u32);
        // Logarithms of numbers from 0 to 1, any of which is as likely: shares of exponentially distributed numbers.
        let mut drawn = || (-(f64::from(random.below(1 << 20) + 1) / f64::from(1 << 20)).ln()).ln();
        let mut of_game: Vec<Vec<f64>> = (0..games(decisions))
            .map(|_| softmax(&[1.0], &(0..types).map(|_| [drawn()]).collect::<Vec<_>>()))
            .collect();
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
            of_game = mixture.types_of_games(decisions);
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
    pub(super) fn types_of_games(&self, decisions: &[&Decision]) -> Vec<Vec<f64>> {
        let prior: Vec<_> = self.shares.iter().map(|share| [share.ln()]).collect();
        let mut logarithms = vec![prior; games(decisions)];
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

/// The number of games up to the last one with a decision: games are numbered from 0, and `decisions` are sorted by them.
fn games(decisions: &[&Decision]) -> usize {
    decisions.last().map_or(0, |last| last.game + 1)
}

/// Strength of the penalty on large coefficients.
const LEAF_PENALTY: f64 = 0.1;

/// The coefficients of the leaf evaluation against one type of opponents.
pub(super) struct LeafEvaluation {
    /// In lost positions: constant, distance to the end, second player, stones.
    pub(super) lost: [f64; 4],
    /// In drawn positions: constant, second player, stones.
    pub(super) drawn: [f64; 3],
}

/// The evaluation against each type.
pub(super) fn of_types(decisions: &[&Decision], mixture: &Mixture) -> Vec<LeafEvaluation> {
    let types = mixture.types_of_games(decisions);
    let (mut lost, mut drawn) = (Vec::new(), Vec::new());
    for decision in decisions {
        let plies = decision.plies + 1;
        let (second, stones) = (f64::from(plies % 2), f64::from(plies) / 10.0);
        if decision.score_after < 0 {
            let distance = f64::from(plies_to_end(Standard::default(), decision.score_after, plies)) / 10.0;
            lost.push((decision.game, [1.0, distance, second, stones], decision.points));
        } else if decision.score_after == 0 {
            // Half a point is certain.
            drawn.push((decision.game, [1.0, second, stones], (2.0 * decision.points - 1.0).max(0.0)));
        }
    }
    let of_type = |number: usize| LeafEvaluation {
        lost: logistic(&lost, |game| types[game][number]),
        drawn: logistic(&drawn, |game| types[game][number]),
    };
    (0..mixture.shares.len()).map(of_type).collect()
}

/// The coefficients of a logistic regression on rows of a game's number, factors and a share between 0 and 1: a choice
/// between these factors and none.
fn logistic<const N: usize>(rows: &[(usize, [f64; N], f64)], weight: impl Fn(usize) -> f64) -> [f64; N] {
    let alternatives: Vec<_> = rows.iter().map(|(_, factors, _)| [*factors, [0.0; N]]).collect();
    let choices = rows.iter().zip(&alternatives).flat_map(|(&(game, _, share), alternatives)| {
        let choice = |chosen, share| Choice { alternatives, chosen, weight: weight(game) * share };
        [choice(0, share), choice(1, 1.0 - share)]
    });
    fit(&choices.collect::<Vec<_>>(), LEAF_PENALTY, [0.0; N])
}

/// Iterations at most; a dozen are plenty.
const MAX_ITERATIONS: usize = 50;

/// An observed choice.
struct Choice<'a, const N: usize> {
    /// The features of each alternative.
    alternatives: &'a [[f64; N]],
    /// The place of the chosen one.
    chosen: usize,
    /// How much the choice counts.
    weight: f64,
}

/// The penalised log-likelihood of weights, which is concave, with its gradient and the negated matrix of its second
/// derivatives.
struct Expansion<const N: usize> {
    value: f64,
    gradient: [f64; N],
    curvature: [[f64; N]; N],
}

/// The weights that make the choices likeliest, from a start on. The penalty is the square of the distance from the origin
/// times its strength; it keeps the maximum finite.
fn fit<const N: usize>(choices: &[Choice<'_, N>], penalty: f64, start: [f64; N]) -> [f64; N] {
    let mut at = start;
    let mut here = expand(choices, penalty, &at);
    for _ in 0..MAX_ITERATIONS {
        let step = solve(here.curvature, here.gradient);
        let mut scale = 1.0;
        let (next, there) = loop {
            let mut next = at;
            next.iter_mut().zip(&step).for_each(|(one, step)| *one += scale * step);
            let there = expand(choices, penalty, &next);
            if there.value >= here.value || scale < 1e-6 {
                break (next, there);
            }
            scale /= 2.0;
        };
        let gain = there.value - here.value;
        (at, here) = (next, there);
        if gain < 1e-9 * (1.0 + here.value.abs()) {
            break;
        }
    }
    at
}

fn expand<const N: usize>(choices: &[Choice<'_, N>], penalty: f64, at: &[f64; N]) -> Expansion<N> {
    let mut sum = Expansion {
        value: -penalty * at.iter().map(|one| one * one).sum::<f64>(),
        gradient: at.map(|one| -2.0 * penalty * one),
        curvature: [[0.0; N]; N],
    };
    (0..N).for_each(|index| sum.curvature[index][index] = 2.0 * penalty);
    for Choice { alternatives, chosen, weight } in choices.iter().filter(|choice| choice.weight >= 1e-6) {
        let probabilities = softmax(at, alternatives);
        sum.value += weight * probabilities[*chosen].max(1e-300).ln();
        let mut mean = [0.0; N];
        for (probability, features) in probabilities.iter().zip(*alternatives) {
            mean.iter_mut().zip(features).for_each(|(sum, feature)| *sum += probability * feature);
        }
        for (place, expected) in mean.iter().enumerate() {
            sum.gradient[place] += weight * (alternatives[*chosen][place] - expected);
        }
        for (probability, features) in probabilities.iter().zip(*alternatives) {
            for row in 0..N {
                let scaled = weight * probability * (features[row] - mean[row]);
                for column in 0..N {
                    sum.curvature[row][column] += scaled * (features[column] - mean[column]);
                }
            }
        }
    }
    sum
}

/// The solution of a system of linear equations with a positive definite matrix.
fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for pivot in 0..N {
        for row in pivot + 1..N {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(&above).for_each(|(one, above)| *one -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    for pivot in (0..N).rev() {
        let known: f64 = (pivot + 1..N).map(|column| matrix[pivot][column] * right[column]).sum();
        right[pivot] = (right[pivot] - known) / matrix[pivot][pivot];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_weights_are_found() {
        // Three heads of four: the logarithm of the odds is that of three. With a feature that only heads of the second
        // coin have, whose odds are one, the second weight takes those of the first away.
        let sides = [[[1.0, 0.0], [0.0, 0.0]], [[1.0, 1.0], [0.0, 0.0]]];
        let choice = |coin: usize, chosen, weight| Choice { alternatives: &sides[coin], chosen, weight };
        let choices = [choice(0, 0, 3.0), choice(0, 1, 1.0), choice(1, 0, 2.0), choice(1, 1, 2.0)];
        let at = fit(&choices, 0.0, [0.0; 2]);
        assert!((at[0] - 3.0_f64.ln()).abs() < 1e-6 && (at[0] + at[1]).abs() < 1e-6, "{at:?}");
        let weak = fit(&choices, 1.0, [0.0; 2]);
        assert!(weak[0] > 0.0 && weak[0] < at[0], "a penalty draws to the origin: {weak:?}");
    }
}
