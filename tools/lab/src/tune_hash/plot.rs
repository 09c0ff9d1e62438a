//! Pictures of the figures against the size of the table, and the page with the recommendation, its table and all pictures.
//! The page loads nothing.

use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::output::{print, write};
use crate::plot::{Axis, Figure, Line, Panel, Stroke, extent, html_text};

/// Size of the axes with what is drawn between them, in pixels.
const SIZE: (f64, f64) = (860.0, 500.0);

/// How far apart the points of two curves at one size are drawn, in doublings, so that their spreads do not coincide.
const OFFSET: f64 = 0.02;

/// How far down and up an axis reaches at least, so that small differences look small, and the unit of its labels.
pub(super) type Scale = (f64, f64, &'static str);
/// A multiple of the least of a file, since files are of different sizes.
pub(super) const RATIO: Scale = (0.9, 1.2, "");
pub(super) const PER_CENT: Scale = (0.0, 10.0, " %");
/// As it was measured.
pub(super) const PLAIN: Scale = (0.0, 0.01, "");
/// A difference of Elo.
pub(super) const ELO: Scale = (-20.0, 20.0, "");

/// The name of a curve, and its points.
pub(super) type Curve = (String, Vec<Point>);

/// A size, the value at it, and the ends of the vertical line through that.
pub(super) type Point = (usize, f64, f64, f64);

/// A picture of one quantity.
pub(super) struct Chart {
    pub file: &'static str,
    pub title: &'static str,
    pub scale: Scale,
    pub curves: Vec<Curve>,
}

/// The answer of a run.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    /// Engine, limits and circumstances in words.
    pub setup: &'a str,
    /// The recommendation in words, and what else there is to know.
    pub sentences: &'a [String],
    /// The recommended size in MB, if the measurements decide.
    pub recommended: Option<usize>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a, T> {
    version: &'static str,
    #[serde(flatten)]
    answer: &'a Answer<'a>,
    sizes: &'a [T],
}

/// Draws the charts that have points into files of `directory`, writes the page with them and the figures of the `sizes` as
/// CSV and JSON, and prints table and answer.
pub(super) fn publish(
    directory: &Path,
    answer: &Answer<'_>,
    sizes: &[impl Serialize],
    table: &[String],
    charts: &[Chart],
    note: &str,
) -> Result<()> {
    let mut pictures = Vec::new();
    for chart in charts.iter().filter(|chart| chart.curves.iter().any(|(_, points)| !points.is_empty())) {
        let picture = chart.figure().svg();
        write(&directory.join(chart.file), &picture)?;
        pictures.push(picture);
    }
    let page = page(answer.setup, &answer.sentences.join(". "), table, &pictures, note);
    write(&directory.join("tune-hash.html"), &page)?;
    let document = Document { version: env!("CARGO_PKG_VERSION"), answer, sizes };
    write(&directory.join("tune-hash.json"), &(serde_json::to_string_pretty(&document)? + "\n"))?;
    let mut rows = csv::Writer::from_writer(Vec::new());
    sizes.iter().try_for_each(|size| rows.serialize(size))?;
    let rows = rows.into_inner().map_err(csv::IntoInnerError::into_error)?;
    write(&directory.join("tune-hash-sizes.csv"), &String::from_utf8(rows)?)?;
    table.iter().chain(answer.sentences).try_for_each(|line| print(format_args!("{line}")))?;
    let recommended = answer.recommended.map_or_else(|| "none".to_owned(), |size| size.to_string());
    print(format_args!("recommended Hash={recommended}"))
}

impl Chart {
    fn figure(&self) -> Figure {
        let Self { title, scale, curves, .. } = self;
        let points = || curves.iter().flat_map(|(_, points)| points);
        let sizes = extent(points().map(|point| point.0 as f64));
        let values = extent(points().flat_map(|&(.., low, high)| [low, high]));
        let line = |(number, (name, points)): (usize, &Curve)| {
            let offset = OFFSET * (number as f64 - (curves.len() - 1) as f64 / 2.0);
            let place = |size: usize| (size as f64).log2() + offset;
            let spreads = points.iter().map(|&(size, _, low, high)| (place(size), low, high)).collect();
            let points = points.iter().map(|&(size, value, ..)| (place(size), value)).collect();
            Line { name: name.clone(), stroke: Stroke::of(number), points, spreads }
        };
        let panel = Panel {
            title: (*title).to_owned(),
            x: Axis::doublings(sizes, |size| size.to_string()).titled("Hash in MB"),
            y: axis(*scale, values),
            lines: curves.iter().enumerate().map(line).collect(),
            ..Panel::default()
        };
        Figure::new(vec![panel], SIZE, 20.0)
    }
}

/// An axis for these values.
fn axis((low, high, unit): Scale, values: Range<f64>) -> Axis {
    let range = values.start.min(low)..values.end.max(high);
    Axis::linear(range, 6, |value, decimals| format!("{value:.decimals$}{unit}"))
}

/// Nothing is loaded, from wherever it may be.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "body { font-family: sans-serif; max-width: 72em; margin: 1.5em auto; padding: 0 1em; }\n\
                     figure { margin: 1.5em 0; }\nsvg { max-width: 100%; height: auto; }\npre { overflow-x: auto; }\n";

/// The page as HTML in UTF-8; `setup` names the engine, `pictures` are SVG elements, and `note` explains them.
fn page(setup: &str, recommendation: &str, table: &[String], pictures: &[String], note: &str) -> String {
    let figure = |picture: &String| {
        // In HTML an SVG element needs no name space.
        let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        format!("<figure>{}</figure>\n", picture.trim_end())
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Size of the transposition table</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Size of the transposition table</h1>\n<p>Engine: {}</p>\n<p><strong>{}</strong></p>\n<pre>{}</pre>\n\
         {}<p>{}</p>\n</body>\n</html>\n",
        html_text(setup),
        html_text(recommendation),
        html_text(&table.join("\n")),
        pictures.iter().map(figure).collect::<Vec<_>>().concat(),
        html_text(note),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_figures_look_flat() {
        let labels = |axis: Axis| axis.ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(axis(PER_CENT, 0.0..0.0)), ["0 %", "2 %", "4 %", "6 %", "8 %", "10 %"]);
        assert_eq!(labels(axis(RATIO, 1.0..1.005)).first().map(String::as_str), Some("0.90"));
        assert_eq!(labels(axis(ELO, -1.0..1.0)), ["-20", "-10", "0", "10", "20"]);
        assert_eq!(labels(axis(PLAIN, 1.0..5.0)), ["0", "1", "2", "3", "4", "5"]);
    }
}
