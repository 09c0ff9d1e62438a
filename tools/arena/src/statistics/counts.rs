//! Results of games, and of the pairs of games that share an opening.

use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

use super::sample::{Sample, Unit};
use super::some_thousandths;

/// The result of a game for the engine that the counts are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The opponent won.
    Loss,
    /// Nobody won.
    Draw,
    /// The engine won.
    Win,
}

impl Outcome {
    /// The result in half points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// Games, and pairs of games, by result. A pair is an opening that is played twice, with the
/// colours swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "CountsFields")]
pub struct Counts {
    /// By half points.
    games: [u64; 3],
    /// By half points.
    pairs: [u64; 5],
}

/// Counts as JSON, with the figures that follow from them. A ratio that is not defined or infinite is null.
#[derive(Serialize)]
struct CountsFields {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    score: Option<f64>,
    pairs: [u64; 5],
    #[serde(serialize_with = "some_thousandths")]
    pairs_ratio: Option<f64>,
    #[serde(serialize_with = "some_thousandths")]
    even_pairs_ratio: Option<f64>,
}

impl From<Counts> for CountsFields {
    fn from(counts: Counts) -> Self {
        Self {
            games: counts.games(),
            wins: counts.wins(),
            draws: counts.draws(),
            losses: counts.losses(),
            points: counts.points(),
            score: counts.score(),
            pairs: counts.pairs,
            pairs_ratio: counts.pairs_ratio(),
            even_pairs_ratio: counts.even_pairs_ratio(),
        }
    }
}

impl Counts {
    /// Counts a game that is not, or not yet, part of a complete pair.
    pub fn add_game(&mut self, outcome: Outcome) {
        self.games[outcome.half_points()] += 1;
    }

    /// Counts a game that completes a pair, the other game of which has been counted with
    /// [`add_game`](Self::add_game) and had the outcome `partner`.
    pub fn add_partner(&mut self, outcome: Outcome, partner: Outcome) {
        self.add_game(outcome);
        self.pairs[outcome.half_points() + partner.half_points()] += 1;
    }

    #[cfg(test)]
    /// Counts both games of a pair, and the pair. The order of the games makes no difference.
    pub fn add_pair(&mut self, first: Outcome, second: Outcome) {
        self.add_game(first);
        self.add_partner(second, first);
    }

    /// Games that the engine won.
    pub fn wins(&self) -> u64 {
        self.games[2]
    }

    /// Games that nobody won.
    pub fn draws(&self) -> u64 {
        self.games[1]
    }

    /// Games that the opponent won.
    pub fn losses(&self) -> u64 {
        self.games[0]
    }

    /// Number of games, in pairs or not.
    pub fn games(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The points of the engine: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        (self.draws() + 2 * self.wins()) as f64 / 2.0
    }

    /// The share of all points, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Number of complete pairs with 0, ½, 1, 1½ and 2 points: LL, LD, DD or WL, WD, WW.
    pub fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// The counts of the opponent.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    /// The observations, each a game or a pair. Incomplete pairs are not among the pairs.
    pub fn sample(&self, unit: Unit) -> Sample {
        match unit {
            Unit::Game => Sample::Games(self.games),
            Unit::Pair => Sample::Pairs(self.pairs),
        }
    }

    /// The share of pairs that neither engine won, from 0 to 1; none without pairs. fishtest and fastchess call it
    /// the draw ratio.
    pub fn even_pairs_ratio(&self) -> Option<f64> {
        ratio(self.pairs[2], self.pairs.iter().sum())
    }

    /// How many pairs were won for each that was lost, from 0, and infinite where none was lost; none where no
    /// pair was won or lost. fishtest and fastchess print it as `PairsRatio`.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [lost_both, lost, _, won, won_both] = self.pairs;
        let (won, lost) = (won + won_both, lost + lost_both);
        if won > 0 && lost == 0 { Some(f64::INFINITY) } else { ratio(won, lost) }
    }
}

/// The pairs for people, by their results: `pairs LL 1, LD 5, WL/DD 80, WD 20, WW 14; pair ratio 5.67; even pairs 66.7 %`.
/// A pair is even at one point for each. The ratio is left out where it would be infinite.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost_both, lost, even, won, won_both] = self.pairs;
        write!(f, "pairs LL {lost_both}, LD {lost}, WL/DD {even}, WD {won}, WW {won_both}")?;
        if let Some(ratio) = self.pairs_ratio().filter(|ratio| ratio.is_finite()) {
            write!(f, "; pair ratio {ratio:.2}")?;
        }
        self.even_pairs_ratio().map_or(Ok(()), |share| write!(f, "; even pairs {:.1} %", 100.0 * share))
    }
}

/// Merges the counts of two parts of a match.
impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games.iter_mut().zip(other.games).for_each(|(count, more)| *count += more);
        self.pairs.iter_mut().zip(other.pairs).for_each(|(count, more)| *count += more);
    }
}

/// The quotient, where it is defined.
fn ratio(of: u64, to: u64) -> Option<f64> {
    (to > 0).then(|| of as f64 / to as f64)
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut counts = Counts::default();
        for first in [Loss, Draw, Win] {
            for second in [Loss, Draw, Win] {
                counts.add_pair(first, second);
            }
        }
        assert_eq!(counts.pairs(), [1, 2, 3, 2, 1]);
        assert_eq!((counts.losses(), counts.draws(), counts.wins()), (6, 6, 6));
        assert_eq!(counts.games(), 18);
        assert!((counts.points() - 9.0).abs() < 1e-15);
    }

    #[test]
    fn an_incomplete_pair_counts_only_as_a_game() {
        let mut counts = Counts::default();
        counts.add_game(Win);
        assert_eq!((counts.games(), counts.pairs()), (1, [0; 5]));
        counts.add_partner(Draw, Win);
        assert_eq!((counts.games(), counts.pairs()), (2, [0, 0, 0, 1, 0]));
        counts.add_game(Loss);
        assert_eq!(counts.sample(Unit::Game), Sample::Games([1, 1, 1]));
        assert_eq!(counts.sample(Unit::Pair), Sample::Pairs([0, 0, 0, 1, 0]));
    }

    #[test]
    fn parts_and_sides_of_a_match_agree() {
        let (mut whole, mut one, mut other) = (Counts::default(), Counts::default(), Counts::default());
        for (part, first, second) in [(&mut one, Win, Win), (&mut other, Loss, Draw)] {
            whole.add_pair(first, second);
            part.add_pair(first, second);
        }
        other.add_game(Draw);
        whole.add_game(Draw);
        one += other;
        assert_eq!(one, whole);
        assert_eq!(whole.reversed().pairs(), [1, 0, 0, 1, 0]);
        assert_eq!((whole.reversed().wins(), whole.reversed().losses()), (1, 2));
        assert_eq!(whole.reversed().reversed(), whole);
    }

    #[test]
    fn pairs_are_told_in_a_line() {
        let counts = Counts { games: [2, 5, 3], pairs: [0, 1, 2, 1, 1] };
        let line = "pairs LL 0, LD 1, WL/DD 2, WD 1, WW 1; pair ratio 2.00; even pairs 40.0 %";
        assert_eq!(counts.to_string(), line);
        assert_eq!(Counts::default().to_string(), "pairs LL 0, LD 0, WL/DD 0, WD 0, WW 0");
        let clean = Counts { games: [0, 0, 2], pairs: [0, 0, 0, 0, 1] }.to_string();
        assert!(!clean.contains("ratio"), "{clean}");
    }

    #[test]
    fn ratios_are_those_that_fishtest_and_fastchess_print() {
        let of = |pairs| Counts { games: [0; 3], pairs };
        // <https://github.com/official-stockfish/Stockfish/pull/6255>,
        // <https://github.com/lichess-org/stockfish-web/pull/10> and, with a draw ratio too,
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
}
