//! The sequential probability ratio test: whether an engine is stronger, with as few games as that takes.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::{NORMALIZED_PER_DEVIATION, expected_score};
use super::likelihood::Condition;
use super::sample::Sample;

/// Differences that a hypothesis may be about range from minus this to this, in Elo of either model. Much further
/// out, the expected score could no longer be told from 0 or 1.
const MAX_ELO: f64 = 2000.0;

/// The Elo model of the hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// The expected score: 400 Elo are odds of ten to one.
    Logistic,
    /// The expected score in standard deviations, so that the length of a test does not depend on the draw ratio.
    Normalized,
}

/// Hypotheses and error rates of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// The Elo model of `elo0` and `elo1`.
    pub model: Model,
    /// The difference under the hypothesis H0, from -2000 to 2000 Elo.
    pub elo0: f64,
    /// The difference under the hypothesis H1, above that of H0 and at most 2000 Elo.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 is true, above 0.
    pub alpha: f64,
    /// The probability of accepting H0 where H1 is true, above 0 and below 1 - `alpha`.
    pub beta: f64,
}

/// Why parameters do not make a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterError {
    /// A difference, with its name, is not within the limits.
    Difference(&'static str, f64),
    /// The differences are not in order: those of H0 and H1.
    Order(f64, f64),
    /// The probability of an error, with its name, is not one that a test can have.
    Probability(&'static str, f64),
    /// The probabilities of the errors, alpha and beta, are those of a test no better than chance.
    Sum(f64, f64),
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Difference(name, value) => {
                write!(f, "{name} must be an Elo difference from -{MAX_ELO} to {MAX_ELO}, not {value}")
            }
            Self::Order(elo0, elo1) => write!(f, "elo0 must be below elo1, which is {elo1}, not {elo0}"),
            Self::Probability(name, value) => {
                write!(f, "{name} must be a probability above 0 and below 1, not {value}")
            }
            Self::Sum(alpha, beta) => {
                write!(f, "alpha and beta must add up to less than 1, not to {alpha} + {beta}")
            }
        }
    }
}

impl Error for ParameterError {}

/// The hypotheses: `H0: 0 nElo, H1: 5 nElo`.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.model {
            Model::Logistic => "Elo",
            Model::Normalized => "nElo",
        };
        write!(f, "H0: {} {unit}, H1: {} {unit}", self.elo0, self.elo1)
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Neither hypothesis is likely enough yet.
    Continue,
    /// The difference is that of H0 rather than that of H1.
    AcceptH0,
    /// The difference is that of H1 rather than that of H0.
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

/// A generalised sequential probability ratio test. Source: A. Wald, "Sequential Tests of Statistical Hypotheses",
/// 1945, for the bounds, and for the ratio that of
/// [`log_likelihood_ratio`](super::likelihood::log_likelihood_ratio).
///
/// Since the ratio passes a bound by some amount, errors are mostly rarer than they may be. The test is to be
/// asked after each observation and believed when it first decides; to go on playing makes errors more frequent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Sprt {
    parameters: Parameters,
}

impl TryFrom<Parameters> for Sprt {
    type Error = ParameterError;

    fn try_from(parameters: Parameters) -> Result<Self, ParameterError> {
        Self::new(parameters)
    }
}

impl From<Sprt> for Parameters {
    fn from(test: Sprt) -> Self {
        test.parameters
    }
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `ELO0,ELO1` and perhaps `,ALPHA,BETA`, as logistic Elo.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => (elo0, elo1, 0.05, 0.05),
            Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
            _ => return Err("expected two numbers ELO0,ELO1, or four with ALPHA,BETA".to_owned()),
        };
        Self::new(Parameters { model: Model::Logistic, elo0, elo1, alpha, beta })
            .map_err(|error| error.to_string())
    }
}

impl Sprt {
    /// The test with these parameters.
    ///
    /// # Errors
    ///
    /// Any of [`ParameterError`], for the first of the parameters that is not as [`Parameters`] says.
    pub fn new(parameters: Parameters) -> Result<Self, ParameterError> {
        let Parameters { elo0, elo1, alpha, beta, .. } = parameters;
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            // Neither holds for what is not a number.
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(ParameterError::Difference(name, value));
            }
        }
        if elo0 >= elo1 {
            return Err(ParameterError::Order(elo0, elo1));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(f64::MIN_POSITIVE..1.0).contains(&value) {
                return Err(ParameterError::Probability(name, value));
            }
        }
        if alpha + beta >= 1.0 {
            return Err(ParameterError::Sum(alpha, beta));
        }
        Ok(Self { parameters })
    }

    /// Hypotheses and error rates.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The log-likelihood ratio at or below which H0 is accepted; it is negative.
    pub fn lower_bound(&self) -> f64 {
        (self.parameters.beta / (1.0 - self.parameters.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which H1 is accepted; it is positive.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.parameters.beta) / self.parameters.alpha).ln()
    }

    /// The natural logarithm of how many times likelier the sample is under H1 than under H0; 0 without
    /// observations.
    pub fn log_likelihood_ratio(&self, sample: &Sample) -> f64 {
        let condition = |elo: f64| match self.parameters.model {
            Model::Logistic => Condition::Mean(expected_score(elo)),
            Model::Normalized => {
                // An observation's score has 1 / √n of the standard deviation of its n games.
                let deviations = f64::from(sample.games_each()).sqrt();
                Condition::TValue(deviations * elo / NORMALIZED_PER_DEVIATION)
            }
        };
        sample.log_likelihood_ratio(condition(self.parameters.elo0), condition(self.parameters.elo1))
    }

    /// The state of the test at this log-likelihood ratio.
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
mod tests;
