//! The numbers of a sequential test, as the command line and the record have them.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use plumb_arena::statistics::sprt::{Model, Parameters, Sprt};

/// The numbers of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SprtSettings {
    pub(super) elo: [f64; 2],
    pub(super) errors: [f64; 2],
    pub(super) model: Model,
}

impl FromStr for SprtSettings {
    type Err = &'static str;

    /// Reads `ELO0,ELO1` and perhaps `,ALPHA,BETA`, then perhaps ` normalised`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (text, model) = match text.strip_suffix(" normalised") {
            Some(text) => (text, Model::Normalized),
            None => (text, Model::Logistic),
        };
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Ok(Self { elo: [elo0, elo1], errors: [0.05; 2], model }),
            Ok(&[elo0, elo1, alpha, beta]) => Ok(Self { elo: [elo0, elo1], errors: [alpha, beta], model }),
            _ => Err("expected two numbers ELO0,ELO1, or four with ALPHA,BETA"),
        }
    }
}

impl fmt::Display for SprtSettings {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo: [elo0, elo1], errors: [alpha, beta], model } = self;
        write!(f, "{elo0},{elo1},{alpha},{beta}")?;
        if *model == Model::Normalized { f.write_str(" normalised") } else { Ok(()) }
    }
}

impl SprtSettings {
    /// The test itself.
    ///
    /// # Errors
    /// If the numbers make none.
    pub(super) fn sprt(self) -> Result<Sprt> {
        let Self { elo: [elo0, elo1], errors: [alpha, beta], model } = self;
        let sprt = Sprt::new(Parameters { model, elo0, elo1, alpha, beta });
        sprt.map_err(|error| anyhow!("--sprt: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_read_as_they_are_written() {
        for text in ["0,5,0.05,0.05", "-3.5,2,0.1,0.01 normalised"] {
            assert_eq!(text.parse::<SprtSettings>().map(|test| test.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "1", "1,2,3", "0,5,0.1,x"] {
            assert!(text.parse::<SprtSettings>().is_err(), "{text}");
        }
    }
}
