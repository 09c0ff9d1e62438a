//! The observations of a match.

use super::likelihood::{Condition, log_likelihood_ratio, scores, weighted_log_likelihood_ratio};

/// The unit of observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A game. The variance is too large where games share an opening that favours one side.
    Game,
    /// Two games of one opening, with the colours swapped.
    Pair,
}

/// How often each score was observed. Scores range from 0 to 1, whatever an observation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// The same, where openings were played more than once: the pairs of an opening together have the weight 1, and are one
    /// observation.
    Openings([f64; 5]),
}

/// Openings played more than once, below which they do not show how far scores spread: two that happen to be alike would
/// make any figure that rests on it look certain.
const FEWEST_OPENINGS: u64 = 10;

impl Sample {
    /// Number of observations.
    pub fn size(&self) -> u64 {
        match self {
            Self::Games(counts) => counts.iter().sum(),
            Self::Pairs(counts) => counts.iter().sum(),
            Self::Openings(weights) => weights.iter().sum::<f64>().round() as u64,
        }
    }

    /// This sample, with so many observations more of the lowest score and as many of the highest.
    #[must_use]
    pub fn with_extremes(self, each: u64) -> Self {
        match self {
            Self::Games([losses, draws, wins]) => Self::Games([losses + each, draws, wins + each]),
            Self::Pairs([lost, less, even, more, won]) => {
                Self::Pairs([lost + each, less, even, more, won + each])
            }
            Self::Openings([lost, less, even, more, won]) => {
                Self::Openings([lost + each as f64, less, even, more, won + each as f64])
            }
        }
    }

    /// Number of games in an observation: 1 or 2.
    pub fn games_each(&self) -> u32 {
        match self {
            Self::Games(_) => 1,
            Self::Pairs(_) | Self::Openings(_) => 2,
        }
    }

    /// The mean of a function of the score of an observation; none without observations.
    pub fn expectation(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
        let total = self.size() as f64;
        let sum = match self {
            Self::Games(counts) => sum(&counts.map(|count| count as f64), of),
            Self::Pairs(counts) => sum(&counts.map(|count| count as f64), of),
            Self::Openings(weights) => sum(weights, of),
        };
        (total > 0.0).then(|| sum / total)
    }

    /// Mean and variance of the score of an observation; none without observations.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let mean = self.expectation(|score| score)?;
        Some((mean, self.expectation(|score| (score - mean).powi(2))?))
    }

    /// Whether all observations had the same score, or there are none.
    pub fn is_uniform(&self) -> bool {
        let scores = match self {
            Self::Games(counts) => counts.iter().filter(|&&count| count > 0).count(),
            Self::Pairs(counts) => counts.iter().filter(|&&count| count > 0).count(),
            // What rounding leaves of a weight that was taken away is no weight.
            Self::Openings(weights) => weights.iter().filter(|&&weight| weight > 1e-9).count(),
        };
        scores < 2
    }

    /// Whether the observations show how far scores spread: not so if all had the same score, or if they are a few openings
    /// that were played again and again.
    pub fn shows_spread(&self) -> bool {
        let are_few = matches!(self, Self::Openings(_)) && self.size() < FEWEST_OPENINGS;
        !self.is_uniform() && !are_few
    }

    /// The natural logarithm of how many times likelier the sample is under the second condition than under the
    /// first; 0 without observations.
    pub fn log_likelihood_ratio(&self, first: Condition, second: Condition) -> f64 {
        match self {
            Self::Games(counts) => log_likelihood_ratio(counts, first, second),
            Self::Pairs(counts) => log_likelihood_ratio(counts, first, second),
            Self::Openings(weights) => weighted_log_likelihood_ratio(weights, first, second),
        }
    }
}

/// The sum of a function of the score over all observations.
fn sum<const N: usize>(weights: &[f64; N], of: impl Fn(f64) -> f64) -> f64 {
    weights.iter().zip(scores::<N>()).map(|(weight, score)| weight * of(score)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_share_of_what_can_be_had() {
        let games = Sample::Games([1, 0, 3]);
        let pairs = Sample::Pairs([0, 2, 0, 2, 0]);
        assert_eq!((games.size(), games.games_each(), games.moments()), (4, 1, Some((0.75, 0.1875))));
        assert_eq!((pairs.size(), pairs.games_each(), pairs.moments()), (4, 2, Some((0.5, 0.0625))));
        assert_eq!(Sample::Pairs([0; 5]).moments(), None);
    }

    #[test]
    fn one_score_is_uniform() {
        assert!(Sample::Games([0; 3]).is_uniform() && Sample::Pairs([0, 0, 7, 0, 0]).is_uniform());
        assert!(!Sample::Games([1, 0, 3]).is_uniform() && !Sample::Pairs([0, 0, 7, 0, 1]).is_uniform());
    }

    #[test]
    fn a_few_openings_show_no_spread() {
        let openings = |each: f64| Sample::Openings([0.0, 0.0, 0.0, each, each]);
        assert!(!openings(1.0).is_uniform() && !openings(1.0).shows_spread());
        assert!(openings(5.0).shows_spread() && Sample::Pairs([0, 0, 0, 1, 1]).shows_spread());
        assert!(!Sample::Openings([0.0, 0.0, 0.0, 0.0, 20.0]).shows_spread());
    }
}
