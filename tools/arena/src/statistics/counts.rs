//! Counts of games and pairs by result. Statistics observe pairs or games, or openings if repeated.
//!
//! Further pairs from an opening say little about other openings. A repeated opening is therefore one observation, whose
//! pairs share its weight.

use std::fmt;
use std::iter::Sum;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::likelihood::{Condition, log_likelihood_ratio};
use super::rounded;

/// Games and pairs by result. The games of a pair have the same opening, with swapped colours.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Lost, drawn and won games.
    games: [u64; 3],
    /// Pairs by half points, 0 to 4.
    pairs: [u64; 5],
    /// Like `pairs`, but all pairs from one opening together weigh 1.
    weights: [f64; 5],
    openings: u64,
}

/// In JSON, undefined or infinite ratios are null.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Counts", 9)?;
        fields.serialize_field("games", &self.games())?;
        fields.serialize_field("wins", &self.wins())?;
        fields.serialize_field("draws", &self.draws())?;
        fields.serialize_field("losses", &self.losses())?;
        fields.serialize_field("points", &self.points())?;
        fields.serialize_field("score", &self.score())?;
        fields.serialize_field("pairs", &self.pairs)?;
        fields.serialize_field("pairs_ratio", &self.pairs_ratio().map(rounded))?;
        fields.serialize_field("even_pairs_ratio", &self.even_pairs_ratio().map(rounded))?;
        fields.end()
    }
}

impl Counts {
    /// Counts a game by half points: 0, 1 or 2.
    pub(crate) fn add_game(&mut self, half_points: usize) {
        self.games[half_points] += 1;
    }

    /// Counts a pair by half points, 0 to 4. `of_opening` has the earlier pairs from its opening.
    pub(crate) fn add_pair(&mut self, half_points: usize, of_opening: &mut [u64; 5]) {
        self.pairs[half_points] += 1;
        let before: u64 = of_opening.iter().sum();
        for (outcome, (count, weight)) in of_opening.iter_mut().zip(&mut self.weights).enumerate() {
            let old = ratio(*count, before).unwrap_or_default();
            *count += u64::from(outcome == half_points);
            *weight += *count as f64 / (before + 1) as f64 - old;
        }
        self.openings += u64::from(before == 0);
    }

    /// Games won.
    pub fn wins(&self) -> u64 {
        self.games[2]
    }

    /// Games drawn.
    pub fn draws(&self) -> u64 {
        self.games[1]
    }

    /// Games lost.
    pub fn losses(&self) -> u64 {
        self.games[0]
    }

    /// Games, in pairs or not.
    pub fn games(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Points: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        (self.draws() + 2 * self.wins()) as f64 / 2.0
    }

    /// Share of points, from 0 to 1. `None` without games.
    pub fn score(&self) -> Option<f64> {
        if self.games() == 0 { None } else { Some(self.points() / self.games() as f64) }
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    #[must_use]
    pub(crate) fn reversed(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self.weights.reverse();
        self
    }

    /// Observations: games or pairs, or openings if repeated.
    pub fn sample(&self, unit: Unit) -> Sample {
        match unit {
            Unit::Game => Sample::Games(self.games),
            Unit::Pair if self.openings < self.pairs.iter().sum() => Sample::Openings(self.weights),
            Unit::Pair => Sample::Pairs(self.pairs),
        }
    }

    pub(crate) fn note(&self) -> Option<String> {
        let (openings, pairs) = (self.openings, self.pairs.iter().sum());
        if openings >= pairs {
            return None;
        }
        Some(format!(
            "{pairs} pairs from repeated openings count as {openings} in ratings, Elo, nElo, LOS and tests: each opening \
             once for each two engines"
        ))
    }

    /// Share of even pairs, from 0 to 1, called draw ratio by fishtest and fastchess.
    pub fn even_pairs_ratio(&self) -> Option<f64> {
        ratio(self.pairs[2], self.pairs.iter().sum())
    }

    /// Won pairs for each lost pair; infinite if none was lost, `None` if all were even. fishtest and fastchess call it
    /// `PairsRatio`.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.pairs;
        let (won, lost) = (won + won_both, lost + lost_both);
        if won > 0 && lost == 0 { Some(f64::INFINITY) } else { ratio(won, lost) }
    }
}

/// `pairs LL 1, LD 5, WL/DD 80, WD 20, WW 14; pair ratio 5.67; even pairs 66.7 %`.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost_both, lost, even, won, won_both] = self.pairs;
        write!(f, "pairs LL {lost_both}, LD {lost}, WL/DD {even}, WD {won}, WW {won_both}")?;
        if let Some(ratio) = self.pairs_ratio().filter(|ratio| ratio.is_finite()) {
            write!(f, "; pair ratio {ratio:.2}")?;
        }
        if let Some(share) = self.even_pairs_ratio() {
            write!(f, "; even pairs {:.1} %", 100.0 * share)?;
        }
        Ok(())
    }
}

/// An opening is a separate observation for each opponent.
impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, other| {
            sum.games.iter_mut().zip(other.games).for_each(|(count, more)| *count += more);
            sum.pairs.iter_mut().zip(other.pairs).for_each(|(count, more)| *count += more);
            sum.weights.iter_mut().zip(other.weights).for_each(|(weight, more)| *weight += more);
            Self { openings: sum.openings + other.openings, ..sum }
        })
    }
}

fn ratio(of: u64, to: u64) -> Option<f64> {
    if to == 0 { None } else { Some(of as f64 / to as f64) }
}

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
    /// Like `Pairs`, but all pairs from one opening together weigh 1.
    Openings([f64; 5]),
}

/// Minimum number of openings, each played several times, for an estimate of the spread between openings. Two openings
/// with equal scores would have an error of 0.
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
    pub(crate) fn with_extremes(mut self, each: u64) -> Self {
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
    pub(crate) fn games_each(&self) -> u32 {
        if matches!(self, Self::Games(_)) { 1 } else { 2 }
    }

    /// Mean of a function of the score. `None` without observations.
    pub(crate) fn expectation(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
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

    pub(crate) fn is_uniform(&self) -> bool {
        // Rounding may leave a tiny weight.
        self.weights().iter().filter(|&&weight| weight > 1e-9).count() < 2
    }

    /// Whether the observations differ, and are not just a few repeated openings.
    pub(crate) fn shows_spread(&self) -> bool {
        let are_few = matches!(self, Self::Openings(_)) && self.size() < FEWEST_OPENINGS;
        !self.is_uniform() && !are_few
    }

    pub(crate) fn log_likelihood_ratio(&self, first: Condition, second: Condition) -> f64 {
        match self {
            Self::Games(counts) => log_likelihood_ratio(&counts.map(|count| count as f64), first, second),
            Self::Pairs(counts) => log_likelihood_ratio(&counts.map(|count| count as f64), first, second),
            Self::Openings(weights) => log_likelihood_ratio(weights, first, second),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::statistics::EloFigures;
    use crate::statistics::sprt::Sprt;

    fn played(openings: &[(&str, usize)], times: usize) -> Counts {
        let (mut counts, mut pairs) = (Counts::default(), HashMap::<_, [u64; 5]>::new());
        for &(opening, half_points) in std::iter::repeat_n(openings, times).flatten() {
            counts.add_game(half_points / 2);
            counts.add_game(half_points.div_ceil(2));
            counts.add_pair(half_points, pairs.entry(opening).or_default());
        }
        counts
    }

    #[test]
    fn games_and_pairs_are_counted_by_their_points() {
        let mut counts = played(&[("1", 4), ("2", 1)], 1);
        assert_eq!((counts.losses(), counts.draws(), counts.wins()), (1, 1, 2));
        counts.add_game(0);
        assert_eq!((counts.games(), counts.points(), counts.score()), (5, 2.5, Some(0.5)));
        assert_eq!(counts.sample(Unit::Game), Sample::Games([2, 1, 2]));
        assert_eq!(counts.sample(Unit::Pair), Sample::Pairs([0, 1, 0, 0, 1]), "one game is of no pair");
        let reversed = counts.reversed();
        assert_eq!((reversed.pairs(), reversed.wins(), reversed.losses()), ([1, 0, 0, 1, 0], 2, 2));
        assert_eq!(reversed.reversed(), counts);
    }

    #[test]
    fn copies_of_games_change_no_figure() {
        let twelve: Vec<_> = "ABCDEFGHIJKL".split("").filter(|name| !name.is_empty()).collect();
        let twelve: Vec<_> = twelve.into_iter().zip([0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4]).collect();
        let sprt = "0,20".parse::<Sprt>().expect("a test");
        let figures = |times| {
            let counts = played(&twelve, times);
            (EloFigures::new(&counts.sample(Unit::Pair), Some(&sprt)).to_string(), counts.note())
        };
        let (once, note) = figures(1);
        assert_eq!(note, None);
        for times in [2, 3, 50] {
            let (again, note) = figures(times);
            assert_eq!(again, once);
            assert!(note.is_some_and(|note| note.contains(" from repeated openings count as 12 in ")));
        }
    }

    #[test]
    fn pairs_of_one_opening_share_its_weight() {
        let counts = played(&[("4", 4), ("4", 4), ("4", 2), ("4", 0), ("1", 3)], 1);
        let sample = |counts: Counts| counts.sample(Unit::Pair);
        assert_eq!(sample(counts), Sample::Openings([0.25, 0.0, 0.25, 1.0, 0.5]));
        assert_eq!(sample(counts.reversed()), Sample::Openings([0.5, 1.0, 0.25, 0.0, 0.25]));
        let counts: Counts = [counts, played(&[("4", 4)], 1)].into_iter().sum();
        assert_eq!(sample(counts), Sample::Openings([0.25, 0.0, 0.25, 1.0, 1.5]));
        assert!(
            counts
                .note()
                .is_some_and(|note| note.starts_with("6 pairs from repeated openings count as 3 in "))
        );
    }

    #[test]
    fn two_openings_have_a_wide_error() {
        for (half_points, figures) in [
            (3, "Elo 338.0 ± 1755.7, nElo -, LOS -"),
            // The bound of the expected score is 0.05^(1/2) = 0.224.
            (4, "Elo > -217, nElo -, LOS -"),
        ] {
            let counts = played(&[("4", 4), ("1", half_points)], 30);
            assert_eq!(EloFigures::new(&counts.sample(Unit::Pair), None).to_string(), figures);
        }
    }

    #[test]
    fn pairs_are_told_in_a_line() {
        let counts = Counts { pairs: [0, 1, 2, 1, 1], ..Counts::default() };
        let line = "pairs LL 0, LD 1, WL/DD 2, WD 1, WW 1; pair ratio 2.00; even pairs 40.0 %";
        assert_eq!(counts.to_string(), line);
        assert_eq!(Counts::default().to_string(), "pairs LL 0, LD 0, WL/DD 0, WD 0, WW 0");
        let clean = Counts { pairs: [0, 0, 0, 0, 1], ..Counts::default() }.to_string();
        assert!(!clean.contains("ratio"), "{clean}");
    }

    #[test]
    fn ratios_are_those_that_fishtest_and_fastchess_print() {
        let of = |pairs| Counts { pairs, ..Counts::default() };
        // Sources: <https://github.com/official-stockfish/Stockfish/pull/6255>,
        // <https://github.com/lichess-org/stockfish-web/pull/10>, and with a draw ratio
        // <https://github.com/Disservin/fastchess/issues/807>.
        for (pairs, ratio) in
            [([1, 137, 4659, 203, 0], 1.47), ([66, 1042, 2452, 1370, 70], 1.30), ([30, 6, 18, 0, 6], 0.17)]
        {
            assert!((of(pairs).pairs_ratio().expect("decided pairs") - ratio).abs() < 0.005, "{pairs:?}");
        }
        assert_eq!(of([30, 6, 18, 0, 6]).even_pairs_ratio(), Some(0.3));
        assert_eq!(of([0, 0, 3, 1, 0]).pairs_ratio(), Some(f64::INFINITY));
        assert_eq!(of([0, 1, 3, 0, 0]).pairs_ratio(), Some(0.0));
        assert_eq!(of([0, 0, 3, 0, 0]).pairs_ratio(), None);
        assert_eq!(of([0; 5]).even_pairs_ratio(), None);
    }

    #[test]
    fn a_few_openings_show_no_spread() {
        let openings = |each: f64| Sample::Openings([0.0, 0.0, 0.0, each, each]);
        assert!(!openings(1.0).is_uniform() && !openings(1.0).shows_spread());
        assert!(openings(5.0).shows_spread() && Sample::Pairs([0, 0, 0, 1, 1]).shows_spread());
        assert!(!Sample::Openings([0.0, 0.0, 0.0, 0.0, 20.0]).shows_spread());
    }
}
