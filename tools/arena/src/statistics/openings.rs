//! Pairs of games by their opening: pairs from one opening are one observation.
//!
//! Engines that always answer alike play the same games from the same opening, so further pairs say nothing new; those of
//! other engines resemble each other, and say little about other openings. So an opening is one observation, and its pairs
//! share its weight. If they are all alike, this is as if each had been played once; if not, the spread within an opening
//! makes the errors larger than those of the means of openings would be, never smaller.

use std::collections::HashMap;
use std::ops::AddAssign;

use super::sample::Sample;

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
    /// The same as the opponent counts it.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.by_half_points.reverse();
        self
    }

    /// What was observed, if an opening was played more than once; otherwise each pair is an observation of its own.
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
