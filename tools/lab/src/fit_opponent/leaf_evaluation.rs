//! Expected points of the side to move in lost and drawn positions, by distance and stones: the evaluation of the leaves
//! of the engine's tree.

use plumb::board::Standard;
use plumb::score::plies_to_end;

use super::choices::{Choice, fit};
use super::decisions::Decision;
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
pub(super) fn of_types(decisions: &[&Decision], mixture: &Mixture) -> Vec<LeafEvaluation> {
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

/// The coefficients of a logistic regression on rows of a game's number, factors and a share between 0 and 1: a choice
/// between these factors and none.
fn logistic<const N: usize>(rows: &[(usize, [f64; N], f64)], weight: impl Fn(usize) -> f64) -> [f64; N] {
    let alternatives: Vec<_> = rows.iter().map(|(_, factors, _)| [*factors, [0.0; N]]).collect();
    let choices = rows.iter().zip(&alternatives).flat_map(|(&(game, _, share), alternatives)| {
        [share, 1.0 - share]
            .into_iter()
            .enumerate()
            .map(move |(chosen, share)| (game, alternatives, chosen, share))
    });
    let choices = choices.map(|(game, alternatives, chosen, share)| Choice {
        alternatives,
        chosen,
        weight: weight(game) * share,
    });
    fit(&choices.collect::<Vec<_>>(), PENALTY, [0.0; N])
}
