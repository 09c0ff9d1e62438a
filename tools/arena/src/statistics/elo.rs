//! Elo differences from the score; the normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, LN_10};
use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::counts::Sample;
use super::{bisected, rounded};

/// Elo difference for odds of ten to one.
const DECADE: f64 = 400.0;

/// Normalised Elo for a score of one standard deviation of a game above ½: the slope of the Elo difference at ½, times
/// the standard deviation ½ of a game without draws. Source: M. Van den Bergh, "Comments on normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
pub const NORMALIZED_PER_DEVIATION: f64 = 800.0 / LN_10;

/// Error probability: share of confidence intervals that miss the true value.
pub const ERROR: f64 = 0.05;

/// Elo difference with its confidence interval: 95 % except in [`cautious_elo`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// In Elo; infinite if one side has all points.
    pub value: f64,
    /// Lower end of the interval, or -∞.
    pub low: f64,
    /// Upper end of the interval, or +∞.
    pub high: f64,
}

/// In JSON, infinite numbers are null.
impl Serialize for Estimate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Estimate", 5)?;
        fields.serialize_field("value", &rounded(self.value))?;
        fields.serialize_field("error", &self.margin().map(rounded))?;
        fields.serialize_field("low", &rounded(self.low))?;
        fields.serialize_field("high", &rounded(self.high))?;
        fields.serialize_field("text", &self.to_string())?;
        fields.end()
    }
}

impl Estimate {
    /// Text of the estimate, or a dash for `None`.
    pub fn or_dash(estimate: Option<Self>) -> String {
        estimate.map_or("-".to_owned(), |estimate| estimate.to_string())
    }

    /// Half the width of the interval. `None` if infinite.
    pub fn margin(&self) -> Option<f64> {
        let margin = (self.high - self.low) / 2.0;
        if margin.is_finite() { Some(margin) } else { None }
    }
}

/// `12.3 ± 8.1`, or `> 312` with one end.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(margin) = self.margin() {
            // Adding 0 turns -0 into 0.
            write!(f, "{:.1} ± {margin:.1}", (self.value * 10.0).round() / 10.0 + 0.0)
        } else if self.low.is_finite() {
            // Rounded so the bound still holds.
            write!(f, "> {:.0}", self.low.floor() + 0.0)
        } else {
            write!(f, "< {:.0}", self.high.ceil() + 0.0)
        }
    }
}

/// Expected score with this Elo advantage, by the logistic model. Source:
/// <https://www.chessprogramming.org/Match_Statistics>.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / DECADE))
}

/// Elo difference of an expected score; infinite at 0 and 1.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    elo_of_odds(score / (1.0 - score))
}

/// Elo difference for a ratio of the points of two engines.
pub(crate) fn elo_of_odds(odds: f64) -> f64 {
    DECADE * odds.log10()
}

/// Logistic Elo difference, with the interval of `score_interval`. `None` without observations.
pub fn elo(sample: &Sample) -> Option<Estimate> {
    let (mean, _) = sample.moments()?;
    let (low, high) = score_interval(sample)?;
    Some(Estimate { value: elo_of_score(mean), low: elo_of_score(low), high: elo_of_score(high) })
}

/// Logistic Elo difference, with an interval that misses it with the probability `error`. The [`cautious`] sample
/// widens it for few or equal observations.
pub fn cautious_elo(sample: &Sample, error: f64) -> Option<Estimate> {
    let (value, _) = sample.moments()?;
    let sample = cautious(sample, error);
    let (mean, variance) = sample.moments()?;
    let margin = deviations(error / 2.0) * standard_error(&sample, variance);
    let [low, high] = [mean - margin, mean + margin].map(|score| elo_of_score(score.clamp(0.0, 1.0)));
    Some(Estimate { value: elo_of_score(value), low, high })
}

/// Sample with z² / 2 more observations at each end, rounded up, where `error` is the probability of a normal variable
/// beyond ± z. Source: A. Agresti, B. Coull, "Approximate is better than “exact” for interval estimation of binomial
/// proportions", 1998, for shares.
pub fn cautious(sample: &Sample, error: f64) -> Sample {
    sample.with_extremes((deviations(error / 2.0).powi(2) / 2.0).ceil() as u64)
}

/// The 95 % confidence interval of the expected score. `None` without observations.
///
/// A normally distributed mean score needs some tens of observations, and a mean away from 0 and 1. Otherwise, and for a few
/// repeated openings, a wider interval holds for any distribution of scores:
/// - For equal scores, it excludes expectations under which these scores are less likely than the error.
/// - For different scores, it is Chernoff's bound.
///
/// If the normal interval reaches only one of 0 and 1, that end is open, and the other end is a one-sided bound.
fn score_interval(sample: &Sample) -> Option<(f64, f64)> {
    let (mean, variance) = sample.moments()?;
    let size = sample.size() as f64;
    if sample.is_uniform() {
        let [one_sided, two_sided] = [ERROR, ERROR / 2.0].map(|error| error.powf(1.0 / size));
        return Some(if mean >= 1.0 {
            (one_sided, 1.0)
        } else if mean <= 0.0 {
            (0.0, 1.0 - one_sided)
        } else {
            (mean * two_sided, 1.0 - (1.0 - mean) * two_sided)
        });
    }
    let margin = TWO_SIDED_95 * standard_error(sample, variance);
    let is_normal = sample.shows_spread();
    Some(match (is_normal && mean - margin > 0.0, is_normal && mean + margin < 1.0) {
        (true, true) => (mean - margin, mean + margin),
        (true, false) => (chernoff(mean, size, ERROR), 1.0),
        (false, true) => (0.0, 1.0 - chernoff(1.0 - mean, size, ERROR)),
        (false, false) => (chernoff(mean, size, ERROR / 2.0), 1.0 - chernoff(1.0 - mean, size, ERROR / 2.0)),
    })
}

/// Standard error of the mean score, from `score_interval`: not 0 for equal observations.
pub(crate) fn score_error(sample: &Sample) -> f64 {
    score_interval(sample).map_or(0.5, |(low, high)| (high - low) / 2.0 / TWO_SIDED_95)
}

/// The lowest expected score with which `size` scores have a mean of `mean` or more with a probability above `error`, whatever
/// their distribution. Source: W. Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables", 1963, inequality
/// 2.1.
fn chernoff(mean: f64, size: f64, error: f64) -> f64 {
    let (low, _) = bisected(0.0, mean, 60, |expected| size * relative_entropy(mean, expected) > -error.ln());
    low
}

fn relative_entropy(mean: f64, expected: f64) -> f64 {
    let mut sum = 0.0;
    for (share, of) in [(mean, expected), (1.0 - mean, 1.0 - expected)] {
        if share > 0.0 {
            sum += share * (share / of).ln();
        }
    }
    sum
}

/// Normalised Elo difference: the mean score above ½ in standard deviations of a game, times
/// [`NORMALIZED_PER_DEVIATION`]. `None` without spread.
///
/// The standard deviation of a game is √2 times the standard deviation of a pair's mean score. As in fishtest, the
/// delta method covers the errors of mean and standard deviation. fastchess omits the second error, which makes its
/// interval too narrow for unequal opponents.
pub fn normalized_elo(sample: &Sample) -> Option<Estimate> {
    let (mean, variance) = sample.moments()?;
    if !sample.shows_spread() {
        return None;
    }
    let deviation = variance.sqrt();
    let t = (mean - 0.5) / deviation;
    // First-order change of t by one more observation, times the number of observations.
    let influence = |score: f64| {
        let z = (score - mean) / deviation;
        z - t * (z * z - 1.0) / 2.0
    };
    let error = standard_error(sample, sample.expectation(|score| influence(score).powi(2))?);
    let of_game = NORMALIZED_PER_DEVIATION / f64::from(sample.games_each()).sqrt();
    let (value, margin) = (t * of_game, TWO_SIDED_95 * error * of_game);
    Some(Estimate { value, low: value - margin, high: value + margin })
}

/// Probability that the engine is stronger, for a normally distributed mean score. `None` without spread. Source:
/// <https://www.chessprogramming.org/Match_Statistics>.
pub fn superiority(sample: &Sample) -> Option<f64> {
    let (mean, variance) = sample.moments()?;
    if !sample.shows_spread() {
        return None;
    }
    Some(cumulative((mean - 0.5) / standard_error(sample, variance)))
}

/// Standard error of the mean. Like fishtest and fastchess, omits Bessel's correction.
fn standard_error(sample: &Sample, variance: f64) -> f64 {
    (variance / sample.size() as f64).sqrt()
}

/// 95 % of a normal distribution lie within this many standard deviations of the mean.
pub(crate) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Probability of a standard normal variable below `x`.
pub(crate) fn cumulative(x: f64) -> f64 {
    libm::erfc(-x * FRAC_1_SQRT_2) / 2.0
}

/// Value that a standard normal variable exceeds with this probability, at most ½.
pub fn deviations(probability: f64) -> f64 {
    bisected(0.0, 40.0, 60, |x| cumulative(-x) > probability).0
}

#[cfg(test)]
mod tests {
    use Sample::{Games, Pairs};

    use super::*;

    fn is_close(computed: f64, printed: f64, digits: i32) -> bool {
        (computed - printed).abs() < 0.501 * 10.0_f64.powi(-digits)
    }

    fn check(sample: Sample, printed: [f64; 4], digits: [i32; 4]) {
        let (logistic, normalized) =
            (elo(&sample).expect("observations"), normalized_elo(&sample).expect("scores that differ"));
        let likelihood = 100.0 * superiority(&sample).expect("scores that differ");
        let computed =
            [logistic.value, logistic.margin().expect("a finite one"), normalized.value, likelihood];
        for ((computed, printed), digits) in computed.into_iter().zip(printed).zip(digits) {
            assert!(is_close(computed, printed, digits), "{sample:?}: {computed}, not {printed}");
        }
    }

    #[test]
    fn differences_are_those_of_fastchess() {
        // From `app/tests/elo_test.cpp` of fastchess at commit 74deac2.
        for (sample, printed) in [
            (Games([96, 111, 136]), [40.70, 30.43, 49.77, 99.60]),
            (Pairs([34, 54, 63, 64, 75]), [55.58, 27.65, 57.94, 100.00]),
            (Pairs([332, 433, 498, 333, 334]), [-8.64, 10.33, -9.17, 5.05]),
            (Pairs([7895, 8757, 5685, 568, 9999]), [-21.04, 2.95, -19.01, 0.00]),
            // From <https://github.com/Disservin/fastchess/issues/807>,
            // <https://github.com/brunocodutra/cinder/pull/727>.
            (Pairs([30, 6, 18, 0, 6]), [-168.40, 73.37, -170.08, 0.00]),
            (Pairs([50, 287, 610, 387, 73]), [18.04, 8.23, 28.19, 100.00]),
        ] {
            check(sample, printed, [2; 4]);
        }
    }

    #[test]
    fn differences_are_those_of_fishtest() {
        // From <https://github.com/official-stockfish/Stockfish/pull/6255> and pull request 4160 of Stockfish,
        // <https://github.com/lichess-org/stockfish-web/pull/10>,
        // <https://tests.stockfishchess.org/tests/view/696a9e83cec152c6220c1d1d>.
        for (sample, printed, margin) in [
            (Pairs([1, 137, 4659, 203, 0]), [2.22, 1.3, 12.00, 100.0], 6.8),
            (Pairs([39, 5335, 18992, 5622, 12]), [1.35, 1.2, 3.13, 98.6], 2.8),
            (Pairs([66, 1042, 2452, 1370, 70]), [11.68, 3.7, 21.55, 100.0], 6.9),
            (Pairs([48, 3203, 14470, 11835, 444]), [55.03, 1.4, 112.79, 100.0], 3.0),
        ] {
            check(sample, printed, [2, 1, 2, 1]);
            let normalized = normalized_elo(&sample).expect("scores that differ");
            assert!(is_close(normalized.margin().expect("a finite one"), margin, 1), "{sample:?}");
        }
    }

    #[test]
    fn a_clean_score_is_a_bound() {
        for (sample, text) in [
            // Bounds of the expected score: 0.05^(1/20) = 0.861, 0.05^(1/5) = 0.549.
            (Pairs([0, 0, 0, 0, 20]), "> 316"),
            (Pairs([20, 0, 0, 0, 0]), "< -316"),
            (Games([5, 0, 0]), "< -34"),
            (Pairs([0, 0, 0, 0, 1]), "> -512"),
            // The score interval has the width 1 - 0.025^(1/50) = 0.071, half of it above ½.
            (Pairs([0, 0, 50, 0, 0]), "0.0 ± 24.8"),
        ] {
            let estimate = elo(&sample).expect("observations");
            assert_eq!(estimate.to_string(), text);
            assert_eq!((normalized_elo(&sample), superiority(&sample)), (None, None));
        }
    }

    #[test]
    fn a_nearly_clean_score_has_a_weaker_bound_than_a_clean_one() {
        // Nine wins and a draw show which engine is stronger, but not by how much.
        let estimate = elo(&Games([0, 1, 9])).expect("observations");
        assert_eq!((estimate.to_string().as_str(), estimate.margin()), ("> 87", None));
        assert_eq!(elo(&Games([9, 1, 0])).expect("observations").to_string(), "< -87");
        assert_eq!(elo(&Games([0, 0, 10])).expect("observations").to_string(), "> 182");
        assert!(superiority(&Games([0, 1, 9])).expect("scores that differ") > 0.999);
        let estimate = elo(&Games([1, 0, 1])).expect("observations");
        assert!(estimate.margin().is_some_and(|margin| margin > 500.0), "{estimate}");
        assert!((chernoff(1.0, 20.0, ERROR) - ERROR.powf(1.0 / 20.0)).abs() < 1e-12);
    }

    #[test]
    fn few_or_even_pairs_have_a_wide_cautious_interval() {
        let ends = |pairs, error| {
            let Estimate { low, high, .. } = cautious_elo(&Pairs(pairs), error).expect("observations");
            (low.round(), high.round())
        };
        assert_eq!(ends([0, 0, 1, 0, 0], ERROR), (-367.0, 367.0));
        // `elo` gives ± 24.8 for 50 even pairs, and ± 6.4 for 200.
        assert_eq!(ends([0, 0, 50, 0, 0], ERROR), (-25.0, 25.0));
        assert_eq!(ends([0, 0, 200, 0, 0], ERROR), (-7.0, 7.0));
        assert_eq!(ends([0, 1, 49, 0, 0], ERROR), (-29.0, 23.0));
        assert_eq!(ends([0, 0, 50, 0, 0], ERROR / 5.0), (-44.0, 44.0));
        assert_eq!(ends([0, 0, 50, 0, 0], ERROR / 10.0), (-48.0, 48.0));
        assert_eq!(ends([10, 0, 0, 0, 0], ERROR), (f64::NEG_INFINITY, -126.0));
        let sample = Pairs([332, 433, 498, 333, 334]);
        let (cautious, normal) = (cautious_elo(&sample, ERROR), elo(&sample));
        let [cautious, normal] = [cautious, normal].map(|one| one.expect("observations"));
        assert!((cautious.low - normal.low).abs() < 0.1 && (cautious.high - normal.high).abs() < 0.1);
    }

    /// The expected error is the root of 0.1657 / 343: the variance of the scores, divided by their number.
    #[test]
    fn the_error_of_a_score_is_the_usual_one_between_the_ends() {
        assert!(is_close(score_error(&Games([96, 111, 136])), 0.02198, 5));
    }

    #[test]
    fn a_difference_is_printed_with_one_digit() {
        let estimate = Estimate { value: -0.04, low: -8.14, high: 8.06 };
        assert_eq!(estimate.to_string(), "0.0 ± 8.1");
        assert_eq!(Estimate { value: 12.34, low: 4.0, high: 20.0 }.to_string(), "12.3 ± 8.0");
    }

    #[test]
    fn the_distribution_has_the_values_of_the_tables() {
        // M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", Table 26.1.
        let known = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ];
        for (x, probability) in known {
            assert!((cumulative(x) - probability).abs() < 1e-15, "{x}");
            assert!((cumulative(-x) - (1.0 - probability)).abs() < 1e-15, "{x}");
        }
        assert!((cumulative(TWO_SIDED_95) - 0.975).abs() < 1e-15);
        assert!((deviations(0.025) - TWO_SIDED_95).abs() < 1e-12 && deviations(0.5).abs() < 1e-12);
        assert!((cumulative(f64::INFINITY) - 1.0).abs() < 1e-15);
        assert!(cumulative(f64::NEG_INFINITY).abs() < 1e-15);
    }
}
