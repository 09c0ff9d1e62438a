//! Elo differences, ratings, and the sequential probability ratio test.

pub mod counts;
pub mod elo;
mod likelihood;
pub(crate) mod ratings;
pub mod sprt;

use std::fmt;

use counts::Sample;
use elo::{Estimate, elo, normalized_elo, superiority};
use serde::{Serialize, Serializer};
use sprt::{Decision, Sprt};

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct EloFigures {
    /// Logistic Elo difference. `None` without observations.
    pub elo: Option<Estimate>,
    /// Normalised Elo difference. `None` if the scores show no spread.
    pub normalized_elo: Option<Estimate>,
    /// Likelihood of superiority, from 0 to 1. `None` if the scores show no spread.
    #[serde(serialize_with = "thousandths")]
    pub superiority: Option<f64>,
    #[serde(skip)]
    pub test: Option<SprtStatus>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct SprtStatus {
    /// Natural logarithm of the likelihood ratio of H1 to H0.
    #[serde(rename = "llr", serialize_with = "thousandths")]
    pub log_likelihood_ratio: f64,
    #[serde(rename = "lower", serialize_with = "thousandths")]
    pub lower_bound: f64,
    #[serde(rename = "upper", serialize_with = "thousandths")]
    pub upper_bound: f64,
    pub decision: Decision,
}

impl EloFigures {
    pub(crate) fn new(sample: &Sample, sprt: Option<&Sprt>) -> Self {
        let test = sprt.map(|sprt| {
            let log_likelihood_ratio = sprt.log_likelihood_ratio(sample);
            SprtStatus {
                log_likelihood_ratio,
                lower_bound: sprt.lower_bound(),
                upper_bound: sprt.upper_bound(),
                decision: sprt.decision(log_likelihood_ratio),
            }
        });
        let (elo, normalized_elo) = (elo(sample), normalized_elo(sample));
        Self { elo, normalized_elo, superiority: superiority(sample), test }
    }
}

impl fmt::Display for EloFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [elo, normalized] = [self.elo, self.normalized_elo].map(Estimate::or_dash);
        let likelihood = self.superiority.map_or("-".to_owned(), |it| format!("{:.1} %", 100.0 * it));
        write!(f, "Elo {elo}, nElo {normalized}, LOS {likelihood}")?;
        if let Some(test) = self.test {
            write!(f, ", {test}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SprtStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        let ratio = (self.log_likelihood_ratio * 100.0).round() / 100.0 + 0.0;
        write!(f, "LLR {ratio:.2} ({:.2}, {:.2})", self.lower_bound, self.upper_bound)
    }
}

pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Lower and upper bound of the value up to which `is_below` holds, by bisection.
fn bisected(mut low: f64, mut high: f64, halvings: u32, is_below: impl Fn(f64) -> bool) -> (f64, f64) {
    for _ in 0..halvings {
        let middle = f64::midpoint(low, high);
        if is_below(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

/// Serializes a number with three decimals, or null if it is not finite.
pub(crate) fn thousandths<T: Copy + Into<Option<f64>>, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    (*value).into().map(rounded).serialize(serializer)
}

#[cfg(test)]
mod simulations;

#[cfg(test)]
mod tests {
    use super::sprt::{Model, Parameters};
    use super::*;

    #[test]
    fn a_line_shows_what_is_known() {
        let logistic = "0,5".parse::<Sprt>().expect("a test").parameters();
        let sprt = Sprt::try_from(Parameters { model: Model::Normalized, ..logistic }).expect("a test");
        // The figures of fastchess with fewer digits, except the margin of normalised Elo:
        // <https://github.com/brunocodutra/cinder/pull/727>.
        let figures = EloFigures::new(&Sample::Pairs([50, 287, 610, 387, 73]), Some(&sprt));
        let line = "Elo 18.0 ± 8.2, nElo 28.2 ± 12.9, LOS 100.0 %, LLR 2.97 (-2.94, 2.94)";
        assert_eq!(figures.to_string(), line);
        assert_eq!(figures.test.expect("a test").decision, Decision::AcceptH1);
        let figures = EloFigures::new(&Sample::Pairs([30, 6, 18, 0, 6]), None);
        assert_eq!(figures.to_string(), "Elo -168.4 ± 73.4, nElo -170.1 ± 84.4, LOS 0.0 %");
        let figures = EloFigures::new(&Sample::Pairs([0, 0, 1, 0, 0]), Some(&sprt));
        assert_eq!(figures.to_string(), "Elo 0.0 ± 759.1, nElo -, LOS -, LLR 0.00 (-2.94, 2.94)");
        let figures = EloFigures::new(&Sample::Games([0; 3]), None);
        assert_eq!(figures.to_string(), "Elo -, nElo -, LOS -");
    }
}
