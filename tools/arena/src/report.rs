//! The report of a match: one HTML file with everything in it, which loads nothing and works from a disk.
//!
//! The names of engines, and whatever they said, are untrusted text. It gets into the page through `escape` or as
//! data, of which the script makes text and never markup.

mod blunders;
mod data;
mod elo;
mod model;
mod page;
mod picture;
mod sprt;
mod tables;
#[cfg(test)]
mod tests;
mod times;

use anyhow::Result;

pub use model::{EloPoint, EloSeries, Report, SprtPath, StandingsRow};

impl Report<'_> {
    /// The report as HTML, in UTF-8. Of a thousand games it takes about one megabyte.
    ///
    /// # Errors
    /// Not in practice: only if a picture cannot be drawn or a game not be written as JSON.
    pub fn to_html(&self) -> Result<String> {
        page::page(self)
    }
}
