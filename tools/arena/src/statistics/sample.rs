//! The observations of a match: pairs or games; where openings were repeated, all pairs of an opening.
//!
//! Engines that always answer alike play the same games from the same opening, so further pairs say nothing new; those of
//! other engines resemble each other, and say little about other openings. So an opening is one observation, and its pairs
//! share its weight. If they are all alike, this is as if each had been played once; if not, the spread within an opening
//! makes the errors larger than those of the means of openings would be, never smaller.

use std::collections::HashMap;
use std::ops::AddAssign;

use super::likelihood::{Condition, log_likelihood_ratio, weighted_log_likelihood_ratio};

/// The unit of observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A game. The variance is too large where games share an opening that favours one side.
    Game,
    /// Two games of one opening, with the colours swapped.
    Pair,
}

/// Observations by score. Scores range from 0 to 1, whatever an observation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// Losses, draws and wins.
    Games([u64; 3]),
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    Pairs([u64; 5]),
    /// Pairs by points, where openings were played more than once: the pairs of an opening together have the weight 1, and are one
    /// observation.
    Openings([f64; 5]),
}

/// Openings played more than once, below which they do not show how far scores spread: two that happen to be alike would
/// make any figure that rests on it look certain.
const FEWEST_OPENINGS: u64 = 10;

impl Sample {
    /// Number of observations.
    pub fn size(&self) -> u64 {
        self.weights().iter().sum::<f64>().round() as u64
    }

    /// The number of observations of each score, in order of the scores.
    fn weights(&self) -> Vec<f64> {
        let floats = |counts: &[u64]| counts.iter().map(|&count| count as f64).collect();
        match self {
            Self::Games(counts) => floats(counts),
            Self::Pairs(counts) => floats(counts),
            Self::Openings(weights) => weights.to_vec(),
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
        let (total, weights) = (self.size() as f64, self.weights());
        let greatest = (weights.len() - 1) as f64;
        let sum: f64 =
            (0..).zip(weights).map(|(place, weight)| weight * of(f64::from(place) / greatest)).sum();
        (total > 0.0).then(|| sum / total)
    }

    /// Mean and variance of the score of an observation; none without observations.
    pub fn moments(&self) -> Option<(f64, f64)> {
        let mean = self.expectation(|score| score)?;
        Some((mean, self.expectation(|score| (score - mean).powi(2))?))
    }

    /// Whether all observations had the same score, or there are none.
    pub fn is_uniform(&self) -> bool {
        // What rounding leaves of a weight that was taken away is no weight.
        self.weights().iter().filter(|&&weight| weight > 1e-9).count() < 2
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

/// Complete pairs between two engines, by opening.
#[derive(Clone, Debug, Default)]
pub struct PairsByOpening {
    /// Pairs of each opening by half points.
    openings: HashMap<String, [u64; 5]>,
    weights: Weights,
}

/// Pairs by half points, where those of one opening together have the weight 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    by_half_points: [f64; 5],
    openings: u64,
    pairs: u64,
}

impl PairsByOpening {
    /// Counts a pair that came to so many half points, 0 to 4.
    pub fn add(&mut self, opening: &str, half_points: usize) {
        let pairs = self.openings.entry(opening.to_owned()).or_default();
        let before: u64 = pairs.iter().sum();
        let share = |count: u64, of: u64| if of == 0 { 0.0 } else { count as f64 / of as f64 };
        for (outcome, (count, weight)) in pairs.iter_mut().zip(&mut self.weights.by_half_points).enumerate() {
            let old = share(*count, before);
            *count += u64::from(outcome == half_points);
            *weight += share(*count, before + 1) - old;
        }
        self.weights.openings += u64::from(before == 0);
        self.weights.pairs += 1;
    }

    /// The weights of all pairs.
    pub fn weights(&self) -> Weights {
        self.weights
    }
}

impl Weights {
    /// The weights of the opponent.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.by_half_points.reverse();
        self
    }

    /// The observations, if an opening was played more than once; `None` if each pair is an observation of its own.
    pub fn sample(&self) -> Option<Sample> {
        (self.openings < self.pairs).then_some(Sample::Openings(self.by_half_points))
    }

    /// A sentence about openings that were played more than once, if there are any.
    pub fn note(&self) -> Option<String> {
        let Self { openings, pairs, .. } = self;
        (openings < pairs).then(|| {
            format!(
                "{openings} different openings in {pairs} pairs: in ratings, Elo, nElo, LOS and tests each counts once"
            )
        })
    }
}

/// Adds those of other pairings, which are other observations, whatever their openings.
impl AddAssign for Weights {
    fn add_assign(&mut self, other: Self) {
        self.by_half_points.iter_mut().zip(other.by_half_points).for_each(|(weight, more)| *weight += more);
        self.openings += other.openings;
        self.pairs += other.pairs;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standing;
    use super::super::sprt::{Model, Parameters, Sprt};
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

    /// Openings, each with the half points of a pair from it, each pair played so many times.
    fn played(openings: &[(&str, usize)], times: usize) -> Weights {
        let mut pairs = PairsByOpening::default();
        for &(opening, half_points) in std::iter::repeat_n(openings, times).flatten() {
            pairs.add(opening, half_points);
        }
        pairs.weights()
    }

    /// Twelve openings: `[1, 2, 4, 3, 2]`.
    const TWELVE: [(&str, usize); 12] = [
        ("1", 0),
        ("2", 1),
        ("3", 1),
        ("4", 2),
        ("5", 2),
        ("6", 2),
        ("7", 2),
        ("11", 3),
        ("12", 3),
        ("13", 3),
        ("14", 4),
        ("15", 4),
    ];

    #[test]
    fn copies_of_games_change_no_figure() {
        let sprt =
            Sprt::new(Parameters { model: Model::Logistic, elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 });
        let sprt = sprt.expect("a test");
        let once = Standing::new(&Sample::Pairs([1, 2, 4, 3, 2]), Some(&sprt)).to_string();
        assert_eq!(played(&TWELVE, 1).sample(), None);
        for times in [2, 3, 50] {
            let weights = played(&TWELVE, times);
            let sample = weights.sample().expect("repeated openings");
            assert_eq!(Standing::new(&sample, Some(&sprt)).to_string(), once);
            assert!(weights.note().is_some_and(|note| note.starts_with("12 different openings in ")));
        }
    }

    #[test]
    fn pairs_of_one_opening_share_its_weight() {
        let mut weights = played(&[("4", 4), ("4", 4), ("4", 2), ("4", 0), ("1", 3)], 1);
        assert_eq!(weights.sample(), Some(Sample::Openings([0.25, 0.0, 0.25, 1.0, 0.5])));
        assert_eq!(weights.reversed().sample(), Some(Sample::Openings([0.5, 1.0, 0.25, 0.0, 0.25])));
        weights += played(&[("4", 4)], 1);
        assert_eq!(weights.sample(), Some(Sample::Openings([0.25, 0.0, 0.25, 1.0, 1.5])));
        assert_eq!(
            weights.note().as_deref().map(|note| &note[..33]),
            Some("3 different openings in 6 pairs: ")
        );
    }

    #[test]
    fn two_openings_have_a_wide_error() {
        let sample = played(&[("4", 4), ("1", 3)], 30).sample().expect("repeated openings");
        assert_eq!(Standing::new(&sample, None).to_string(), "Elo 338.0 ± 1755.7, nElo -, LOS -");
        // 0.05^(1/2) = 0.224.
        let sample = played(&[("4", 4), ("1", 4)], 30).sample().expect("repeated openings");
        assert_eq!(Standing::new(&sample, None).to_string(), "Elo > -217, nElo -, LOS -");
    }
}
