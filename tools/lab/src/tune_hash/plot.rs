//! Plots of measurements by table size, and an HTML page with the recommendation, the table and all plots.

use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use plumb::VERSION;
use serde::Serialize;

use crate::output::{print, write};
use crate::plot::{Axis, Figure, Line, Panel, Stroke, extent, html_text};

/// Width and height of the plot area in pixels.
const SIZE: (f64, f64) = (860.0, 500.0);

/// Horizontal distance between two curves in doublings, so their error bars do not overlap.
const OFFSET: f64 = 0.02;

/// Minimum range of an axis, so small differences look small, and the unit of its labels.
pub(super) type Scale = (f64, f64, &'static str);
/// Scale of values divided by the value of the best size.
pub(super) const RATIO: Scale = (0.9, 1.2, "");
pub(super) const PER_CENT: Scale = (0.0, 10.0, " %");
/// Scale of measured values.
pub(super) const PLAIN: Scale = (0.0, 0.01, "");
pub(super) const ELO: Scale = (-20.0, 20.0, "");

pub(super) type Curve = (String, Vec<Point>);

/// Size in MB, value, and both ends of the error bar.
pub(super) type Point = (usize, f64, f64, f64);

pub(super) struct Chart {
    pub file: &'static str,
    pub title: &'static str,
    pub scale: Scale,
    pub curves: Vec<Curve>,
}

#[derive(Serialize)]
pub(super) struct Answer<'a> {
    /// Engine, limits and conditions.
    pub setup: &'a str,
    /// Recommendation and warnings.
    pub sentences: &'a [String],
    /// Recommended size in MB, if decided.
    pub recommended: Option<usize>,
}

#[derive(Serialize)]
struct Document<'a, T> {
    version: &'static str,
    #[serde(flatten)]
    answer: &'a Answer<'a>,
    sizes: &'a [T],
}

/// Writes the plots, the page, CSV and JSON into `directory`, and prints table and answer.
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
    let document = Document { version: VERSION, answer, sizes };
    write(&directory.join("tune-hash.json"), &(serde_json::to_string_pretty(&document)? + "\n"))?;
    let mut rows = csv::Writer::from_writer(Vec::new());
    sizes.iter().try_for_each(|size| rows.serialize(size))?;
    write(&directory.join("tune-hash-sizes.csv"), &String::from_utf8(rows.into_inner()?)?)?;
    print(format_args!("{}", answer.setup))?;
    table.iter().chain(answer.sentences).try_for_each(|line| print(format_args!("{line}")))?;
    let recommended = answer.recommended.map_or_else(|| "none".to_owned(), |size| size.to_string());
    print(format_args!("recommended Hash={recommended}"))
}

impl Chart {
    fn figure(&self) -> Figure {
        let points: Vec<&Point> = self.curves.iter().flat_map(|(_, points)| points).collect();
        let sizes = extent(points.iter().map(|point| point.0 as f64));
        let values = extent(points.iter().flat_map(|&&(.., low, high)| [low, high]));
        let mut lines = Vec::new();
        for (number, (name, points)) in self.curves.iter().enumerate() {
            let offset = OFFSET * (number as f64 - (self.curves.len() - 1) as f64 / 2.0);
            let mut line = Line { name: name.clone(), ..Line::new(Stroke::of(number), Vec::new()) };
            for &(size, value, low, high) in points {
                let x = (size as f64).log2() + offset;
                line.points.push((x, value));
                line.spreads.push((x, low, high));
            }
            lines.push(line);
        }
        let panel = Panel {
            title: self.title.to_owned(),
            x: Axis::doublings(sizes, |size| size.to_string()).titled("Hash in MB"),
            y: axis(self.scale, values),
            lines,
            ..Panel::default()
        };
        Figure::new(vec![panel], SIZE, 20.0)
    }
}

fn axis((low, high, unit): Scale, values: Range<f64>) -> Axis {
    let range = values.start.min(low)..values.end.max(high);
    Axis::linear(range, 6, |value, decimals| format!("{value:.decimals$}{unit}"))
}

/// Content Security Policy: the page cannot load anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "body { font-family: sans-serif; max-width: 72em; margin: 1.5em auto; padding: 0 1em; }\n\
                     figure { margin: 1.5em 0; }\nsvg { max-width: 100%; height: auto; }\npre { overflow-x: auto; }\n";

/// The HTML page. `pictures` are SVG elements, and `note` explains them.
fn page(setup: &str, recommendation: &str, table: &[String], pictures: &[String], note: &str) -> String {
    let mut figures = String::new();
    for picture in pictures {
        // In HTML an SVG element needs no name space.
        let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        figures.extend(["<figure>", picture.trim_end(), "</figure>\n"]);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Size of the transposition table</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Size of the transposition table</h1>\n<p>Engine: {}</p>\n<p><strong>{}</strong></p>\n<pre>{}</pre>\n\
         {figures}<p>{}</p>\n</body>\n</html>\n",
        html_text(setup),
        html_text(recommendation),
        html_text(&table.join("\n")),
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
