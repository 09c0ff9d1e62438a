//! Pictures of the figures against the size of the table, and the page with the recommendation, its table and all pictures.
//! The page loads nothing.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use plumb_arena::page::html_text;
use plumb_studies::plot::{Axis, Figure, Line, Panel, Stroke};

use super::recommend::{Run, least, median, most};
use crate::output::{print, write};

/// Size of the axes with what is drawn between them, in pixels.
const SIZE: (u32, u32) = (860, 500);

/// How far apart the points of two curves at one size are drawn, in doublings, so that their spreads do not coincide.
const OFFSET: f64 = 0.02;

/// The unit of an axis.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// A multiple of the least of a file, since files are of different sizes.
    Ratio,
    PerCent,
    /// As it was measured.
    Plain,
    /// A difference of Elo.
    Elo,
}
use Scale::{Elo, PerCent, Plain, Ratio};

/// A quantity that is plotted against the size: file, title, unit, value, and which of the repeats counts.
type Quantity = (&'static str, &'static str, Scale, fn(&Run) -> Option<f64>, fn(&[f64]) -> f64);

/// The quantities; what is shown in per cent is a share.
const QUANTITIES: [Quantity; 6] = [
    ("time.svg", "Time, as a multiple of the best size's", Ratio, |run| Some(run.seconds), least),
    ("nodes.svg", "Nodes, as a multiple of the fewest", Ratio, |run| Some(run.nodes? as f64), median),
    ("speed.svg", "Million nodes per second", Plain, |run| Some(run.nodes? as f64 / run.seconds / 1e6), most),
    ("full.svg", "How full the table was", PerCent, |run| run.full, median),
    ("hits.svg", "Probes that found the position", PerCent, |run| run.hits, median),
    ("overwrites.svg", "Stores that overwrote another position", PerCent, |run| run.overwrites, median),
];

/// A curve: at each size the value, and the ends of the vertical line through it.
pub(super) struct Curve {
    pub name: String,
    pub points: Vec<(usize, f64, Ends)>,
}

/// The ends of a vertical line.
pub(super) type Ends = (f64, f64);

/// A picture of one quantity.
pub(super) struct Chart {
    pub file: &'static str,
    pub title: &'static str,
    pub scale: Scale,
    pub curves: Vec<Curve>,
}

/// The chart of each quantity.
pub(super) fn charts(runs: &[Run]) -> Vec<Chart> {
    let chart = |quantity: Quantity| {
        let (file, title, scale, ..) = quantity;
        Chart { file, title, scale, curves: curves(runs, quantity) }
    };
    QUANTITIES.map(chart).into()
}

/// Draws the charts that have points into files of `directory`, writes the page with them, and prints table and
/// sentences.
pub(super) fn publish(
    directory: &Path,
    setup: &str,
    sentences: &[String],
    table: &[String],
    charts: &[Chart],
    note: &str,
) -> Result<()> {
    let mut pictures = Vec::new();
    for chart in charts.iter().filter(|chart| chart.curves.iter().any(|curve| !curve.points.is_empty())) {
        let picture = chart.figure().svg()?;
        write(&directory.join(chart.file), &picture)?;
        pictures.push(picture);
    }
    let page = page(setup, &sentences.join(". "), table, &pictures, note);
    write(&directory.join("tune-hash.html"), &page)?;
    table.iter().chain(sentences).try_for_each(|line| print(format_args!("{line}")))
}

fn curves(runs: &[Run], (_, _, scale, of, pick): Quantity) -> Vec<Curve> {
    let mut groups: BTreeMap<String, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
    for run in runs {
        if let Some(value) = of(run).filter(|value| value.is_finite()) {
            groups.entry(run.group()).or_default().entry(run.megabytes).or_default().push(value);
        }
    }
    let curve = |(name, sizes): (String, BTreeMap<usize, Vec<f64>>)| {
        let picked: Vec<_> = sizes.values().map(|values| pick(values)).collect();
        let unit = match scale {
            Ratio => least(&picked).max(f64::MIN_POSITIVE),
            PerCent => 0.01,
            Plain | Elo => 1.0,
        };
        let point = |(&size, values): (&usize, &Vec<f64>)| {
            (size, pick(values) / unit, (least(values) / unit, most(values) / unit))
        };
        Curve { name, points: sizes.iter().map(point).collect() }
    };
    groups.into_iter().map(curve).collect()
}

impl Chart {
    fn figure(&self) -> Figure {
        let Self { title, scale, curves, .. } = self;
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let sizes: Vec<_> = points().map(|point| point.0 as f64).collect();
        let values: Vec<_> = points().flat_map(|(_, _, (low, high))| [*low, *high]).collect();
        let line = |(number, curve): (usize, &Curve)| {
            let offset = OFFSET * (number as f64 - (curves.len() - 1) as f64 / 2.0);
            let place = |size: usize| (size as f64).log2() + offset;
            let points = curve.points.iter().map(|&(size, value, _)| (place(size), value)).collect();
            let spreads =
                curve.points.iter().map(|&(size, _, (low, high))| (place(size), low, high)).collect();
            Line { name: curve.name.clone(), spreads, ..Line::new(Stroke::of(number), points) }
        };
        let panel = Panel {
            title: (*title).to_owned(),
            x: Axis::doublings(least(&sizes)..most(&sizes), |size| size.to_string()).titled("Hash in MB"),
            y: scale.axis(least(&values)..most(&values)),
            lines: curves.iter().enumerate().map(line).collect(),
            ..Panel::default()
        };
        Figure { entries: panel.entries(), ..Figure::new(vec![panel], SIZE, 20) }
    }
}

impl Scale {
    /// An axis for these values, and so wide that small differences look small.
    fn axis(self, values: Range<f64>) -> Axis {
        let (start, end) = match self {
            Ratio => (values.start.min(0.9), values.end.max(1.2)),
            PerCent => (0.0, values.end.max(10.0)),
            Elo => (values.start.min(-20.0), values.end.max(20.0)),
            Plain => (0.0, values.end.max(0.01)),
        };
        let unit = if self == PerCent { " %" } else { "" };
        Axis::linear(start..end, 6, |value, decimals| format!("{value:.decimals$}{unit}"))
    }
}

/// Nothing is loaded, from wherever it may be.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE: &str = "body { font-family: sans-serif; max-width: 72em; margin: 1.5em auto; padding: 0 1em; }\n\
                     figure { margin: 1.5em 0; }\nsvg { max-width: 100%; height: auto; }\npre { overflow-x: auto; }\n";

/// The page as HTML in UTF-8; `setup` names the engine, `pictures` are SVG elements, and `note` explains them.
fn page(setup: &str, recommendation: &str, table: &[String], pictures: &[String], note: &str) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Size of the transposition table</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Size of the transposition table</h1>\n<p>Engine: {}</p>\n<p><strong>{}</strong></p>\n<pre>{}</pre>\n",
        html_text(setup),
        html_text(recommendation),
        html_text(&table.join("\n")),
    );
    for picture in pictures {
        // In HTML an SVG element needs no name space.
        let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
        // What goes into a string cannot fail.
        let _ = writeln!(html, "<figure>{}</figure>", picture.trim_end());
    }
    format!("{html}<p>{}</p>\n</body>\n</html>\n", html_text(note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_figures_look_flat() {
        let labels = |axis: Axis| axis.ticks.into_iter().map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels(PerCent.axis(0.0..0.0)), ["0 %", "2 %", "4 %", "6 %", "8 %", "10 %"]);
        assert_eq!(labels(Ratio.axis(1.0..1.005)).first().map(String::as_str), Some("0.90"));
        assert_eq!(labels(Elo.axis(-1.0..1.0)), ["-20", "-10", "0", "10", "20"]);
        assert_eq!(labels(Plain.axis(1.0..5.0)), ["0", "1", "2", "3", "4", "5"]);
    }
}
