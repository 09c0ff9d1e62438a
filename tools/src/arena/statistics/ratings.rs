//! Ratings of several engines from all their games together.

use super::elo::elo_of_odds;

/// Virtual games, drawn, between each two that have met: without them one that won or lost everything had no rating.
const PRIOR: f64 = 0.1;
/// The ratings are good enough when none moves by more than this in a step, in natural logarithms of strength.
const TOLERANCE: f64 = 1e-9;
/// Steps at most. Ten engines take some hundred.
const MOST_STEPS: u32 = 100_000;

/// What two engines scored against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pairing {
    /// Their places.
    pub engines: [usize; 2],
    /// Their points; together as many as games.
    pub points: [f64; 2],
}

/// The Elo ratings of `count` engines that make what they scored likeliest, a draw being half a win; their mean is 0.
/// Those of engines that never met, not even by way of others, say nothing about each other.
///
/// Model: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952. Algorithm: D. R. Hunter, "MM
/// Algorithms for Generalized Bradley-Terry Models", 2004.
#[must_use]
pub(crate) fn ratings(count: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut strengths = vec![1.0_f64; count];
    for _ in 0..MOST_STEPS {
        let (mut points, mut expected) = (vec![0.0; count], vec![0.0; count]);
        for &Pairing { engines: [one, other], points: [of_one, of_other] } in pairings {
            let games = of_one + of_other + PRIOR;
            points[one] += of_one + PRIOR / 2.0;
            points[other] += of_other + PRIOR / 2.0;
            let share = games / (strengths[one] + strengths[other]);
            expected[one] += share;
            expected[other] += share;
        }
        let next = |place: usize| if expected[place] > 0.0 { points[place] / expected[place] } else { 1.0 };
        let mut new: Vec<f64> = (0..count).map(next).collect();
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
    strengths.into_iter().map(elo_of_odds).collect()
}

#[cfg(test)]
mod tests {
    use super::super::elo::expected_score;
    use super::*;

    #[test]
    fn ratings_that_made_the_scores_are_found_again() {
        let made = [-310.0, -100.0, 0.0, 60.0, 350.0];
        let mut pairings = Vec::new();
        for one in 0..made.len() {
            for other in one + 1..made.len() {
                let share = expected_score(made[one] - made[other]);
                pairings.push(Pairing { engines: [one, other], points: [1e6 * share, 1e6 * (1.0 - share)] });
            }
        }
        for (found, made) in ratings(made.len(), &pairings).into_iter().zip(made) {
            assert!((found - made).abs() < 0.1, "{found} {made}");
        }
    }

    #[test]
    fn a_chain_adds_up_and_a_clean_score_is_not_infinite() {
        let pairing = |one, points| Pairing { engines: [one, one + 1], points };
        let found =
            ratings(4, &[pairing(0, [300.0, 700.0]), pairing(1, [300.0, 700.0]), pairing(2, [0.0, 50.0])]);
        let steps: Vec<_> = found.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!((steps[0] - 147.2).abs() < 0.1 && (steps[1] - 147.2).abs() < 0.1, "{steps:?}");
        assert!(steps[2] > 400.0 && steps[2].is_finite(), "{steps:?}");
        assert!(found.iter().sum::<f64>().abs() < 1e-6);
        assert_eq!(ratings(2, &[]), [0.0, 0.0]);
    }
}
