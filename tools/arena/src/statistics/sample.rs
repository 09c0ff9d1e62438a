//! Observations of a match: pairs or games, or openings if repeated.
//!
//! Engines that always answer alike play equal games from an opening. Further pairs say little about other openings, so
//! an opening is one observation, whose pairs share its weight.

use super::likelihood::{Condition, log_likelihood_ratio};

/// The unit of observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Game. The variance is too large if games share an opening that favours one side.
    Game,
    /// Two games of one opening, with swapped colours.
    Pair,
}

/// Observations by score, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// Pairs by points. The pairs of an opening have the weight 1 together.
    Openings([f64; 5]),
}

/// Fewer openings say nothing about the spread of scores: two openings with equal scores would look certain.
const FEWEST_OPENINGS: u64 = 10;

impl Sample {
    /// Number of observations.
    pub fn size(&self) -> u64 {
        self.weights().iter().sum::<f64>().round() as u64
    }

    fn weights(&self) -> Vec<f64> {
        match self {
            Self::Games(counts) => counts.map(|count| count as f64).to_vec(),
            Self::Pairs(counts) => counts.map(|count| count as f64).to_vec(),
            Self::Openings(weights) => weights.to_vec(),
        }
    }

    /// Adds `each` observations of the lowest and highest score.
    #[must_use]
    pub fn with_extremes(mut self, each: u64) -> Self {
        match &mut self {
            Self::Games([lost, .., won]) | Self::Pairs([lost, .., won]) => {
                *lost += each;
                *won += each;
            }
            Self::Openings([lost, .., won]) => {
                *lost += each as f64;
                *won += each as f64;
            }
        }
        self
    }

    /// Games in an observation: 1 or 2.
    pub fn games_each(&self) -> u32 {
        if matches!(self, Self::Games(_)) { 1 } else { 2 }
    }

    /// Mean of a function of the score. `None` without observations.
    pub fn expectation(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
        let (total, weights) = (self.size() as f64, self.weights());
        let greatest = (weights.len() - 1) as f64;
        let sum: f64 =
            (0..).zip(weights).map(|(place, weight)| weight * of(f64::from(place) / greatest)).sum();
        if total > 0.0 { Some(sum / total) } else { None }
    }

    /// Mean and variance. `None` without observations.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let mean = self.expectation(|score| score)?;
        Some((mean, self.expectation(|score| (score - mean).powi(2))?))
    }

    /// Whether all scores are equal, or there are none.
    pub fn is_uniform(&self) -> bool {
        // Rounding may leave a tiny weight.
        self.weights().iter().filter(|&&weight| weight > 1e-9).count() < 2
    }

    /// Whether the observations differ, and are not just a few repeated openings.
    pub fn shows_spread(&self) -> bool {
        let are_few = matches!(self, Self::Openings(_)) && self.size() < FEWEST_OPENINGS;
        !self.is_uniform() && !are_few
    }

    /// Natural logarithm of the likelihood ratio of `second` to `first`; 0 without observations.
    pub fn log_likelihood_ratio(&self, first: Condition, second: Condition) -> f64 {
        match self {
            Self::Games(counts) => log_likelihood_ratio(&counts.map(|count| count as f64), first, second),
            Self::Pairs(counts) => log_likelihood_ratio(&counts.map(|count| count as f64), first, second),
            Self::Openings(weights) => log_likelihood_ratio(weights, first, second),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_openings_show_no_spread() {
        let openings = |each: f64| Sample::Openings([0.0, 0.0, 0.0, each, each]);
        assert!(!openings(1.0).is_uniform() && !openings(1.0).shows_spread());
        assert!(openings(5.0).shows_spread() && Sample::Pairs([0, 0, 0, 1, 1]).shows_spread());
        assert!(!Sample::Openings([0.0, 0.0, 0.0, 0.0, 20.0]).shows_spread());
    }
}
