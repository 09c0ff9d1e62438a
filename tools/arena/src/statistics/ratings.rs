//! Ratings of several engines.

use super::bisected;
use super::elo::{ERROR, Estimate, TWO_SIDED_95, elo_of_odds, expected_score};

/// The iteration ends if no logarithm of a strength changes by more than this.
const TOLERANCE: f64 = 1e-9;
/// Maximum number of iterations. Ten engines need a few hundred.
const MAX_STEPS: u32 = 100_000;
/// How far a bound may be beyond the opponents' ratings, in Elo.
const MOST: f64 = 10_000.0;

/// Likeliest Elo ratings of `count` engines, with 95 % confidence intervals. A draw is half a win.
///
/// Engines that won or lost all games get only a bound. They are removed, repeatedly, and the mean rating of the
/// remaining engines is 0. Engines without games have no rating. No engine has a rating if the remaining engines form
/// groups without games between them.
///
/// Model: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952. Algorithm: D. R. Hunter,
/// "MM Algorithms for Generalized Bradley-Terry Models", 2004.
pub(crate) fn ratings(count: usize, pairings: &[Pairing]) -> Vec<Option<Estimate>> {
    let mut ratings = vec![None; count];
    let mut rest: Vec<_> = (0..count).collect();
    rest.retain(|&engine| pairings.iter().any(|pairing| pairing.of(engine).is_some()));
    let mut layers = Vec::new();
    while let Some(layer) = clean_scores(&rest, pairings) {
        rest.retain(|engine| layer.iter().all(|(clean, _)| clean != engine));
        layers.push(layer);
    }
    if !is_connected(&rest, pairings) {
        return ratings;
    }
    for (&engine, estimate) in rest.iter().zip(core(&rest, pairings)) {
        ratings[engine] = Some(estimate);
    }
    for layer in layers.into_iter().rev() {
        // Engines that were removed in one step do not affect each other's bounds.
        let known = ratings.clone();
        for (engine, won) in layer {
            ratings[engine] = bound(engine, won, pairings, &known);
        }
    }
    ratings
}

/// Engines that won (`true`) or lost all games within `rest`. If that is every engine, the only winner or loser is not
/// returned, and serves as the reference.
fn clean_scores(rest: &[usize], pairings: &[Pairing]) -> Option<Vec<(usize, bool)>> {
    let mut clean = Vec::new();
    for &engine in rest {
        let (mut games, mut scored) = (0.0, 0.0);
        for pairing in within(rest, pairings) {
            if let Some((points, _)) = pairing.of(engine) {
                games += pairing.games();
                scored += points;
            }
        }
        let share = scored / games;
        if share >= 1.0 || share <= 0.0 {
            clean.push((engine, share >= 1.0));
        }
    }
    if clean.len() == rest.len() {
        let winners = clean.iter().filter(|(_, won)| *won).count();
        if winners == 1 {
            clean.retain(|(_, won)| !won);
        } else if clean.len() - winners == 1 {
            clean.retain(|(_, won)| *won);
        }
    }
    if clean.is_empty() { None } else { Some(clean) }
}

fn within<'a>(engines: &'a [usize], pairings: &'a [Pairing]) -> impl Iterator<Item = &'a Pairing> {
    pairings.iter().filter(|pairing| pairing.engines.iter().all(|engine| engines.contains(engine)))
}

/// Whether games connect all engines, directly or through common opponents.
fn is_connected(engines: &[usize], pairings: &[Pairing]) -> bool {
    let mut reached: Vec<_> = engines.first().copied().into_iter().collect();
    let mut next = 0;
    while let Some(&engine) = reached.get(next) {
        let met = within(engines, pairings).filter_map(|pairing| Some(pairing.of(engine)?.1));
        let new: Vec<_> = met.filter(|other| !reached.contains(other)).collect();
        reached.extend(new);
        next += 1;
    }
    !engines.is_empty() && reached.len() == engines.len()
}

/// Ratings of engines that are all connected by games.
fn core(engines: &[usize], pairings: &[Pairing]) -> Vec<Estimate> {
    let mut own: Vec<_> = within(engines, pairings).copied().collect();
    for pairing in &mut own {
        for engine in &mut pairing.engines {
            *engine = engines.iter().position(|known| known == engine).unwrap_or_default();
        }
    }
    let strengths = strengths(engines.len(), &own);
    let errors = standard_errors(&strengths, &own);
    let mut ratings = Vec::new();
    for (strength, error) in strengths.into_iter().zip(errors) {
        let value = elo_of_odds(strength);
        let margin = TWO_SIDED_95 * elo_of_odds(error.exp());
        ratings.push(Estimate { value, low: value - margin, high: value + margin });
    }
    ratings
}

/// Bradley-Terry strengths with the geometric mean 1.
fn strengths(count: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut strengths = vec![1.0_f64; count];
    for _ in 0..MAX_STEPS {
        let (mut points, mut expected) = (vec![0.0; count], vec![0.0; count]);
        for pairing in pairings {
            let [one, other] = pairing.engines;
            points[one] += pairing.points[0] + PRIOR_GAMES / 2.0;
            points[other] += pairing.points[1] + PRIOR_GAMES / 2.0;
            let share = (pairing.games() + PRIOR_GAMES) / (strengths[one] + strengths[other]);
            expected[one] += share;
            expected[other] += share;
        }
        let mut new = vec![1.0_f64; count];
        for place in 0..count {
            if expected[place] > 0.0 {
                new[place] = points[place] / expected[place];
            }
        }
        let mean = new.iter().map(|strength| strength.ln()).sum::<f64>() / count.max(1) as f64;
        for strength in &mut new {
            *strength /= mean.exp();
        }
        let moved = new.iter().zip(&strengths).map(|(new, old)| (new / old).ln().abs()).fold(0.0, f64::max);
        strengths = new;
        if moved < TOLERANCE {
            break;
        }
    }
    strengths
}

/// Bound on the rating of an engine that won (or lost) all games. Below (or above) it, this result has a probability
/// below [`ERROR`]. A pair is one observation.
fn bound(engine: usize, won: bool, pairings: &[Pairing], ratings: &[Option<Estimate>]) -> Option<Estimate> {
    let sign = if won { 1.0 } else { -1.0 };
    let mut opponents = Vec::new();
    for pairing in pairings {
        let Some((_, opponent)) = pairing.of(engine) else { continue };
        let Some(Estimate { value, low, high }) = ratings[opponent] else { continue };
        // Only a bound on this opponent's rating is known.
        let rating = if value.is_finite() { value } else { [high, low][usize::from(won)] };
        if rating.is_finite() {
            opponents.push((sign * rating, pairing.games() / 2.0));
        }
    }
    let furthest = opponents.iter().map(|(rating, _)| rating.abs()).reduce(f64::max)?;
    let (low, _) = bisected(-furthest - MOST, furthest + MOST, 60, |rating| {
        let likelihood: f64 =
            opponents.iter().map(|&(other, pairs)| pairs * expected_score(rating - other).ln()).sum();
        likelihood < ERROR.ln()
    });
    Some(if won {
        Estimate { value: f64::INFINITY, low, high: f64::INFINITY }
    } else {
        Estimate { value: f64::NEG_INFINITY, low: f64::NEG_INFINITY, high: -low }
    })
}

/// Standard errors of the logarithms of the likeliest `strengths`, relative to their mean. Games must connect all
/// engines.
///
/// "Sandwich" estimator: inverse information around the covariance of the points. The covariance comes from the
/// results: draws make it smaller, uneven pairs greater. Source: H. White, "Maximum Likelihood Estimation of
/// Misspecified Models", 1982.
fn standard_errors(strengths: &[f64], pairings: &[Pairing]) -> Vec<f64> {
    let count = strengths.len();
    // The mean of the strengths is free. Fixing the mean makes the information matrix invertible.
    let mut information = vec![vec![1.0 / count as f64; count]; count];
    let mut covariance = vec![vec![0.0; count]; count];
    for pairing in pairings {
        let [one, other] = pairing.engines;
        let share = strengths[one] / (strengths[one] + strengths[other]);
        let weight = (pairing.games() + PRIOR_GAMES) * share * (1.0 - share);
        for (matrix, value) in [(&mut information, weight), (&mut covariance, pairing.error.powi(2))] {
            matrix[one][one] += value;
            matrix[other][other] += value;
            matrix[one][other] -= value;
            matrix[other][one] -= value;
        }
    }
    let inverse = inverse(information);
    let mut errors = Vec::new();
    for row in &inverse {
        let spread: Vec<f64> = covariance.iter().map(|column| product(row, column)).collect();
        // The covariance has no part along the mean, so the fixed mean does not change the errors.
        errors.push(product(&spread, row).max(0.0).sqrt());
    }
    errors
}

fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

/// Inverse of a symmetric, positive definite matrix, by Gauss-Jordan elimination without pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for pivot in 0..count {
        let divisor = matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|value| *value /= divisor);
        let line = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(place, _)| *place != pivot) {
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            row.iter_mut().zip(&line).for_each(|(value, of_line)| *value -= factor * of_line);
        }
    }
    matrix
}

/// Number of virtual draws in each pairing. Without virtual draws, a group that won or lost all games would have no
/// rating.
const PRIOR_GAMES: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pairing {
    pub engines: [usize; 2],
    /// Points of both engines. Their sum is the number of games, at least 1.
    pub points: [f64; 2],
    pub error: f64,
}

impl Pairing {
    fn games(&self) -> f64 {
        self.points[0] + self.points[1]
    }

    fn of(&self, engine: usize) -> Option<(f64, usize)> {
        let side = self.engines.iter().position(|known| *known == engine)?;
        Some((self.points[side], self.engines[1 - side]))
    }
}

#[cfg(test)]
mod tests {
    use plumb::mix::Random;

    use super::*;

    fn pairing(engines: [usize; 2], points: [f64; 2]) -> Pairing {
        let games = points[0] + points[1];
        Pairing { engines, points, error: (points[0] * points[1] / games).sqrt() }
    }

    fn values(ratings: &[Option<Estimate>]) -> Vec<f64> {
        ratings.iter().map(|rating| rating.expect("a rating").value).collect()
    }

    fn texts(ratings: &[Option<Estimate>]) -> Vec<String> {
        ratings.iter().copied().map(Estimate::or_dash).collect()
    }

    /// Round robin of engines with the Elo ratings `made`. `points` turns the expected score of the first engine into
    /// its points.
    fn met(made: &[f64], games: f64, mut points: impl FnMut(f64) -> f64) -> Vec<Pairing> {
        let pairs = (0..made.len()).flat_map(|one| (one + 1..made.len()).map(move |other| [one, other]));
        let played = pairs.map(|[one, other]| {
            let scored = points(expected_score(made[one] - made[other]));
            pairing([one, other], [scored, games - scored])
        });
        played.collect()
    }

    #[test]
    fn ratings_that_made_the_scores_are_found_again() {
        let made = [-310.0, -100.0, 0.0, 60.0, 350.0];
        let pairings = met(&made, 1e6, |share| 1e6 * share);
        for (found, made) in values(&ratings(made.len(), &pairings)).into_iter().zip(made) {
            assert!((found - made).abs() < 0.1, "{found} {made}");
        }
    }

    #[test]
    fn a_chain_adds_up() {
        let found = ratings(3, &[pairing([0, 1], [300.0, 700.0]), pairing([1, 2], [300.0, 700.0])]);
        let steps: Vec<_> = values(&found).windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.iter().all(|step| (step - 147.2).abs() < 0.1), "{steps:?}");
        assert!(values(&found).iter().sum::<f64>().abs() < 1e-6);
    }

    #[test]
    fn the_error_of_two_is_that_of_their_difference() {
        // Each rating is half the difference, because the mean is 0.
        let found = ratings(2, &[pairing([0, 1], [600.0, 400.0])]);
        let slope = 400.0 / std::f64::consts::LN_10 / (0.6 * 0.4);
        let expected = 1.96 * slope * (0.6_f64 * 0.4 / 1000.0).sqrt() / 2.0;
        let margin = found[0].expect("a rating").margin().expect("finite");
        assert!((margin / expected - 1.0).abs() < 1e-3, "{margin} {expected}");
    }

    #[test]
    fn intervals_hold_the_true_ratings_in_95_per_cent_of_matches() {
        const MATCHES: usize = 400;
        let made = [-150.0, -20.0, 30.0, 140.0];
        let mut random = Random::new(77, 0);
        let mut held = 0;
        for _ in 0..MATCHES {
            let pairings = met(&made, 200.0, |share| {
                let is_won = |_: &i32| ((random.next() >> 11) as f64) < share * (1_u64 << 53) as f64;
                (0..200).filter(is_won).count() as f64
            });
            let found = ratings(made.len(), &pairings);
            let is_held = |(rating, made): (Option<Estimate>, f64)| {
                let rating = rating.expect("a rating");
                rating.low < made && made < rating.high
            };
            held += found.into_iter().zip(made).filter(|pair| is_held(*pair)).count();
        }
        // Four standard deviations of a binomial count, doubled because the four figures depend on each other.
        let (expected, margin) =
            (0.95 * 4.0 * MATCHES as f64, 8.0 * (4.0 * MATCHES as f64 * 0.95 * 0.05).sqrt());
        assert!((held as f64 - expected).abs() < margin, "{held}");
    }

    #[test]
    fn a_clean_score_is_a_bound() {
        let mut pairings: Vec<_> =
            [[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]].map(|engines| pairing(engines, [40.0, 0.0])).into();
        pairings.push(pairing([1, 2], [20.0, 20.0]));
        // 40 pairs against an opponent of 0: 0.05^(1/40) = 0.928.
        assert_eq!(texts(&ratings(4, &pairings)), ["> 443", "0.0 ± 53.7", "0.0 ± 53.7", "< -443"]);
        // An engine that wins all its games has a lower bound above that of the others, and no upper bound.
        let more: Vec<_> =
            pairings.into_iter().chain((0..4).map(|engine| pairing([4, engine], [40.0, 0.0]))).collect();
        let found = ratings(5, &more);
        assert_eq!(texts(&found)[..4], ["> 443", "0.0 ± 53.7", "0.0 ± 53.7", "< -443"]);
        let best = found[4].expect("a rating");
        assert!(best.low > 700.0 && best.high == f64::INFINITY, "{found:?}");
    }

    #[test]
    fn where_every_score_is_clean_one_engine_is_the_measure() {
        let order = [[0, 1], [0, 2], [1, 2]].map(|engines| pairing(engines, [40.0, 0.0]));
        assert_eq!(texts(&ratings(3, &order)), ["> 316", "0.0 ± 0.0", "< -316"]);
        let gauntlet = [[0, 1], [0, 2]].map(|engines| pairing(engines, [40.0, 0.0]));
        assert_eq!(texts(&ratings(3, &gauntlet)), ["0.0 ± 0.0", "< -316", "< -316"]);
    }

    #[test]
    fn engines_that_have_not_met_are_not_compared() {
        assert_eq!(texts(&ratings(2, &[])), ["-", "-"]);
        let apart = [pairing([0, 1], [3.0, 2.0]), pairing([2, 3], [3.0, 2.0])];
        assert_eq!(texts(&ratings(4, &apart)), ["-", "-", "-", "-"]);
        assert_eq!(texts(&ratings(3, &apart[..1]))[2], "-");
    }
}
