//! Sequential probability ratio test: whether an engine is stronger, with few games.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::counts::Sample;
use super::elo::{NORMALIZED_PER_DEVIATION, expected_score};
use super::likelihood::Condition;

/// Greatest Elo difference of a hypothesis. Beyond it, the expected score is too close to 0 or 1.
const MAX_ELO: f64 = 2000.0;

/// The Elo model of the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// Logistic Elo: 400 Elo are odds of ten to one.
    Logistic,
    /// Normalised Elo: expected score in standard deviations. The length of a test does not depend on the draw ratio.
    Normalized,
}

impl Model {
    fn condition(self, elo: f64, sample: &Sample) -> Condition {
        match self {
            Self::Logistic => Condition::Mean(expected_score(elo)),
            Self::Normalized => {
                // The mean score of n games has 1 / √n of the standard deviation of a game.
                let deviations = f64::from(sample.games_each()).sqrt();
                Condition::TValue(deviations * elo / NORMALIZED_PER_DEVIATION)
            }
        }
    }
}

/// Hypotheses and error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Elo model of both hypotheses.
    pub model: Model,
    /// Difference under H0, from -2000 to 2000 Elo.
    pub elo0: f64,
    /// Difference under H1, above `elo0`, at most 2000 Elo.
    pub elo1: f64,
    /// Probability of accepting H1 under H0, above 0.
    pub alpha: f64,
    /// Probability of accepting H0 under H1, above 0 and below 1 - `alpha`.
    pub beta: f64,
}

/// `H0: 0 nElo, H1: 5 nElo`.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.model {
            Model::Logistic => "Elo",
            Model::Normalized => "nElo",
        };
        write!(f, "H0: {} {unit}, H1: {} {unit}", self.elo0, self.elo1)
    }
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Neither hypothesis yet.
    Continue,
    /// H0 is accepted.
    AcceptH0,
    /// H1 is accepted.
    AcceptH1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Continue => "not decided",
            Self::AcceptH0 => "H0 accepted",
            Self::AcceptH1 => "H1 accepted",
        })
    }
}

/// Sequential probability ratio test. Source of the bounds: A. Wald, "Sequential Tests of Statistical
/// Hypotheses", 1945. The ratio is the generalised likelihood ratio.
///
/// The ratio jumps past a bound, so errors are rarer than allowed. Call `decision` after each observation, and keep the
/// first decision: playing on makes errors more frequent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Sprt {
    parameters: Parameters,
}

impl TryFrom<Parameters> for Sprt {
    type Error = String;

    fn try_from(parameters: Parameters) -> Result<Self, String> {
        let Parameters { elo0, elo1, alpha, beta, .. } = parameters;
        // NaN is in no range.
        let wrong_elo = [("elo0", elo0), ("elo1", elo1)]
            .into_iter()
            .find(|(_, value)| !(-MAX_ELO..=MAX_ELO).contains(value));
        let wrong_probability = [("alpha", alpha), ("beta", beta)]
            .into_iter()
            .find(|(_, value)| !(f64::MIN_POSITIVE..1.0).contains(value));
        Err(if let Some((name, value)) = wrong_elo {
            format!("{name} must be an Elo difference from -{MAX_ELO} to {MAX_ELO}, not {value}")
        } else if elo0 >= elo1 {
            format!("elo0 = {elo0} must be below elo1 = {elo1}")
        } else if let Some((name, value)) = wrong_probability {
            format!("{name} must be a probability above 0 and below 1, not {value}")
        } else if alpha + beta >= 1.0 {
            format!("alpha and beta must add up to less than 1, not to {alpha} + {beta}")
        } else {
            return Ok(Self { parameters });
        })
    }
}

impl From<Sprt> for Parameters {
    fn from(test: Sprt) -> Self {
        test.parameters
    }
}

impl FromStr for Sprt {
    type Err = String;

    /// `ELO0,ELO1[,ALPHA,BETA]`, as logistic Elo.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => (elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
            _ => return Err("expected two numbers ELO0,ELO1, or four with ALPHA,BETA".to_owned()),
        };
        Self::try_from(Parameters { model: Model::Logistic, elo0, elo1, alpha, beta })
    }
}

impl Sprt {
    /// Hypotheses and error rates.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Log-likelihood ratio that accepts H0; negative.
    pub(crate) fn lower_bound(&self) -> f64 {
        (self.parameters.beta / (1.0 - self.parameters.alpha)).ln()
    }

    /// Log-likelihood ratio that accepts H1; positive.
    pub(crate) fn upper_bound(&self) -> f64 {
        ((1.0 - self.parameters.beta) / self.parameters.alpha).ln()
    }

    /// Natural logarithm of the likelihood ratio of H1 to H0; 0 without observations.
    pub fn log_likelihood_ratio(&self, sample: &Sample) -> f64 {
        let Parameters { model, elo0, elo1, .. } = self.parameters;
        let [first, second] = [elo0, elo1].map(|elo| model.condition(elo, sample));
        sample.log_likelihood_ratio(first, second)
    }

    /// Decision at this log-likelihood ratio.
    pub fn decision(&self, log_likelihood_ratio: f64) -> Decision {
        if log_likelihood_ratio >= self.upper_bound() {
            Decision::AcceptH1
        } else if log_likelihood_ratio <= self.lower_bound() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }
}

#[cfg(test)]
mod tests {
    use Model::{Logistic, Normalized};
    use Sample::{Games, Pairs};

    use super::*;

    fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
        Sprt::try_from(Parameters { model, elo0, elo1, alpha: 0.05, beta: 0.05 }).expect("a test")
    }

    #[test]
    fn ratios_are_those_of_other_programs() {
        for row in include_str!("ratios.tsv").lines().filter(|row| !row.starts_with('#')) {
            let fields: Vec<_> = row.split('\t').collect();
            let &[model, elo0, elo1, counts, printed, tolerance] = fields.as_slice() else { panic!("{row}") };
            let model = if model == "normalized" { Normalized } else { Logistic };
            let counts: Vec<_> = counts.split(' ').map(|count| count.parse().expect(row)).collect();
            let sample = match counts.as_slice() {
                &[losses, draws, wins] => Games([losses, draws, wins]),
                counts => Pairs(counts.try_into().expect(row)),
            };
            let numbers = [elo0, elo1, printed, tolerance];
            let [elo0, elo1, printed, tolerance] = numbers.map(|number| number.parse::<f64>().expect(row));
            let ratio = sprt(model, elo0, elo1).log_likelihood_ratio(&sample);
            assert!((ratio - printed).abs() < tolerance, "{row}: {ratio}");
        }
    }

    #[test]
    fn one_sided_matches_have_a_ratio() {
        // Two samples failed in fastchess: one had no ratio, and one ended with H0 after a single pair, with a ratio of -111:
        // <https://github.com/Disservin/fastchess/issues/879>, <https://github.com/Disservin/fastchess/pull/881>.
        let wide = sprt(Normalized, -1500.0, -500.0);
        let ratio = wide.log_likelihood_ratio(&Pairs([144, 3, 1, 0, 0]));
        assert_eq!(wide.decision(ratio), Decision::AcceptH0, "{ratio}");
        let ratio = wide.log_likelihood_ratio(&Pairs([1, 0, 0, 0, 0]));
        assert!(-1.0 < ratio && ratio < 0.0, "{ratio}");
        for model in [Logistic, Normalized] {
            for (elo0, elo1) in [(-2000.0, 2000.0), (1999.0, 2000.0), (0.0, 5.0)] {
                let sprt = sprt(model, elo0, elo1);
                for sample in
                    [Games([1000, 0, 0]), Games([0, 1, 0]), Pairs([0, 0, 1000, 0, 0]), Pairs([0, 0, 0, 0, 9])]
                {
                    let ratio = sprt.log_likelihood_ratio(&sample);
                    assert!(ratio.is_finite(), "{model:?} {elo0} {elo1} {sample:?}: {ratio}");
                }
                let better = sprt.log_likelihood_ratio(&Games([1, 2, 7]));
                let worse = sprt.log_likelihood_ratio(&Games([2, 2, 6]));
                assert!(better > worse, "{model:?} {elo0} {elo1}: {better} {worse}");
            }
        }
        let nothing = sprt(Logistic, 0.0, 5.0).log_likelihood_ratio(&Pairs([0; 5]));
        assert_eq!(nothing.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn a_decision_is_made_at_the_bounds() {
        let even = sprt(Logistic, 0.0, 5.0);
        assert!((even.upper_bound() - 2.944_438_979).abs() < 1e-9);
        assert!((even.lower_bound() + 2.944_438_979).abs() < 1e-9);
        let uneven =
            Sprt::try_from(Parameters { alpha: 0.01, beta: 0.1, ..even.parameters() }).expect("a test");
        assert!((uneven.lower_bound() + 2.292_534_757).abs() < 1e-9);
        assert!((uneven.upper_bound() - 4.499_809_670).abs() < 1e-9);
        assert_eq!(uneven.decision(uneven.upper_bound()), Decision::AcceptH1);
        assert_eq!(uneven.decision(uneven.upper_bound().next_down()), Decision::Continue);
        assert_eq!(uneven.decision(uneven.lower_bound().next_up()), Decision::Continue);
        assert_eq!(uneven.decision(uneven.lower_bound()), Decision::AcceptH0);
    }

    #[test]
    fn parameters_that_make_no_test_are_refused() {
        let good = sprt(Logistic, 0.0, 5.0).parameters();
        let (elo, share) = ("an Elo difference from -2000 to 2000", "a probability above 0 and below 1");
        for (parameters, name, expected, found) in [
            (Parameters { elo0: f64::NAN, ..good }, "elo0", elo, "NaN"),
            (Parameters { elo1: 2001.0, ..good }, "elo1", elo, "2001"),
            (Parameters { alpha: 0.0, ..good }, "alpha", share, "0"),
            (Parameters { beta: 1.0, ..good }, "beta", share, "1"),
            (Parameters { beta: f64::NAN, ..good }, "beta", share, "NaN"),
        ] {
            let message = format!("{name} must be {expected}, not {found}");
            assert_eq!(Sprt::try_from(parameters).expect_err("no test"), message);
        }
        let equal = Sprt::try_from(Parameters { elo0: 5.0, ..good });
        assert_eq!(equal.expect_err("no test"), "elo0 = 5 must be below elo1 = 5");
        let even = Parameters { alpha: 0.5, beta: 0.5, ..good };
        let message = "alpha and beta must add up to less than 1, not to 0.5 + 0.5";
        assert_eq!(Sprt::try_from(even).expect_err("no test"), message);
        let widest = Parameters { elo0: -2000.0, elo1: 2000.0, alpha: 0.5, beta: 0.49, ..good };
        assert!(Sprt::try_from(widest).is_ok());
    }
}
