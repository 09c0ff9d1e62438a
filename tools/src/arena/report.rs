//! The report of a match: one HTML file with everything in it, which loads nothing and works from a disk.
//!
//! The names of engines, and whatever they said, are untrusted text. It gets into the page through `escape` or as
//! data, of which the script makes text and never markup.

mod blunders;
mod data;
mod elo;
mod page;
mod picture;
mod sprt;
mod tables;
#[cfg(test)]
mod tests;
mod times;

use anyhow::Result;

use super::record::{GameRecord, MatchHeader};
use crate::escape;

/// What a report is made from. The figures come ready; only what is counted from the games is counted here.
#[derive(Clone, Debug)]
pub(crate) struct Report<'a> {
    /// The settings.
    pub(crate) header: &'a MatchHeader,
    /// The games, in any order.
    pub(crate) games: &'a [GameRecord],
    /// The table, best engine first.
    pub(crate) standings: Vec<Standing>,
    /// The heading of [`Standing::elo`].
    pub(crate) strength: &'static str,
    /// The headings of [`Standing::extra`].
    pub(crate) extra: Vec<String>,
    /// Sentences on the result, such as that of the test; shown above the table.
    pub(crate) notes: Vec<String>,
    /// How the ratings went, engine by engine; none for no picture.
    pub(crate) elo: Vec<EloSeries>,
    /// How the sequential test went, if there was one.
    pub(crate) sprt: Option<SprtPath>,
}

/// An engine's row of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// Its name, one of the header.
    pub(crate) engine: String,
    /// Games won.
    pub(crate) wins: u32,
    /// Games drawn.
    pub(crate) draws: u32,
    /// Games lost.
    pub(crate) losses: u32,
    /// The rating with its error, such as `+31 ± 12`.
    pub(crate) elo: String,
    /// Further figures, one for each heading of [`Report::extra`].
    pub(crate) extra: Vec<String>,
}

/// How the rating of an engine went.
#[derive(Clone, Debug)]
pub(crate) struct EloSeries {
    /// Its name, one of the header.
    pub(crate) engine: String,
    /// In ascending order of the games.
    pub(crate) points: Vec<EloPoint>,
}

/// A rating and its error. A rating that is not finite, as after nothing but wins, is left out of the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EloPoint {
    /// The games of the match that it is from.
    pub(crate) games: u32,
    /// The rating.
    pub(crate) elo: f64,
    /// The lower end of the error band.
    pub(crate) low: f64,
    /// The upper end of the error band.
    pub(crate) high: f64,
}

/// How a sequential probability ratio test went.
#[derive(Clone, Debug)]
pub(crate) struct SprtPath {
    /// What is tested and what came out, in words.
    pub(crate) caption: String,
    /// The logarithm of the likelihood ratio at which the null hypothesis is accepted; below 0.
    pub(crate) lower: f64,
    /// The one at which the alternative is accepted; above 0.
    pub(crate) upper: f64,
    /// Games and the logarithm after them, in ascending order of the games.
    pub(crate) points: Vec<(u32, f64)>,
}

impl Report<'_> {
    /// The report as HTML, in UTF-8. Of a thousand games it takes about one megabyte.
    ///
    /// # Errors
    /// Not in practice: only if a picture cannot be drawn or a game not be written as JSON.
    pub(crate) fn to_html(&self) -> Result<String> {
        page::page(self)
    }
}
