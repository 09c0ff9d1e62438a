//! Expected points of the side to move in lost and drawn positions, by distance and stones: the evaluation of the leaves
//! of the engine's tree.

use plumb::board::Standard;
use plumb::score::plies_to_end;

use super::decisions::Decision;
use super::maximise::{Expansion, maximise};
use super::mixture::Mixture;

/// Strength of the penalty on large coefficients.
const PENALTY: f64 = 0.1;

/// The coefficients of the leaf evaluation against one type of opponents.
pub(super) struct LeafEvaluation {
    /// In lost positions: constant, distance to the end, second player, stones.
    pub(super) lost: [f64; 4],
    /// In drawn positions: constant, second player, stones.
    pub(super) drawn: [f64; 3],
}

/// The evaluation against each type.
pub(super) fn fit(decisions: &[&Decision], mixture: &Mixture) -> Vec<LeafEvaluation> {
    let games = decisions.iter().map(|one| one.game + 1).max().unwrap_or(0);
    let types = mixture.types_of_games(decisions, games);
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

/// The coefficients of a logistic regression on rows of a game's number, factors and a share between 0 and 1.
fn logistic<const N: usize>(rows: &[(usize, [f64; N], f64)], weight: impl Fn(usize) -> f64) -> [f64; N] {
    maximise([0.0; N], |coefficients| {
        let mut sum = Expansion::penalty(coefficients, PENALTY);
        for (game, factors, share) in rows {
            let weight = weight(*game);
            let utility: f64 = coefficients.iter().zip(factors).map(|(one, factor)| one * factor).sum();
            let expected = 1.0 / (1.0 + (-utility).exp());
            // The logarithms of the probabilities, without loss of accuracy where one is near 0.
            let [yes, no] = [-utility, utility].map(|x: f64| -(x.max(0.0) + (-x.abs()).exp().ln_1p()));
            sum.value += weight * (share * yes + (1.0 - share) * no);
            for row in 0..N {
                sum.gradient[row] += weight * (share - expected) * factors[row];
                for column in 0..N {
                    sum.curvature[row][column] +=
                        weight * expected * (1.0 - expected) * factors[row] * factors[column];
                }
            }
        }
        sum
    })
}
