//! The data of a report.

use crate::record::{GameRecord, MatchHeader};

/// The data of a report. The figures are given; only counts over the games are made here.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The settings.
    pub header: &'a MatchHeader,
    /// The games, in any order.
    pub games: &'a [GameRecord],
    /// The table, best engine first.
    pub standings: Vec<StandingsRow>,
    /// The heading of [`StandingsRow::elo`].
    pub strength: &'static str,
    /// The headings of [`StandingsRow::extra`].
    pub extra: Vec<String>,
    /// Sentences on the result, such as that of the test; shown above the table.
    pub notes: Vec<String>,
    /// How the ratings went, engine by engine; none for no picture.
    pub elo: Vec<EloSeries>,
    /// How the sequential test went, if there was one.
    pub sprt: Option<SprtPath>,
}

/// An engine's row of the table.
#[derive(Clone, Debug, Default)]
pub struct StandingsRow {
    /// Its name, one of the header.
    pub engine: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The rating with its error, such as `+31 ± 12`.
    pub elo: String,
    /// Further figures, one for each heading of [`Report::extra`].
    pub extra: Vec<String>,
}

/// How the rating of an engine went.
#[derive(Clone, Debug)]
pub struct EloSeries {
    /// Its name, one of the header.
    pub engine: String,
    /// In ascending order of the games.
    pub points: Vec<EloPoint>,
}

/// A rating and its error. A rating that is not finite, as after nothing but wins, is left out of the picture.
#[derive(Clone, Copy, Debug)]
pub struct EloPoint {
    /// The games of the match that it is from.
    pub games: u32,
    /// The rating.
    pub elo: f64,
    /// The lower end of the error band.
    pub low: f64,
    /// The upper end of the error band.
    pub high: f64,
}

/// How a sequential probability ratio test went.
#[derive(Clone, Debug)]
pub struct SprtPath {
    /// Hypotheses and result in words.
    pub caption: String,
    /// The logarithm of the likelihood ratio at which the null hypothesis is accepted; below 0.
    pub lower: f64,
    /// The one at which the alternative is accepted; above 0.
    pub upper: f64,
    /// Games and the logarithm after them, in ascending order of the games.
    pub points: Vec<(u32, f64)>,
}
