//! The style of the pictures: size, letters, and colours that follow the page's.

use std::ops::Range;

use anyhow::{Context, Result};
use plotters::prelude::*;
use plumb_tools_common::svg::{Area, Chart, Drawn, svg};

use crate::escape::Text;

/// Width and height, in units that are at most a pixel.
const SIZE: (u32, u32) = (640, 320);
/// Letters are still readable on a telephone, at half the size.
const LETTERS: (&str, i32) = ("sans-serif", 24);
/// Engines beyond these have the colours of the first ones again.
const COLOURS: usize = 8;

/// The colour of letters and axes. Like all colours here it stands for one of the style sheet: see [`finish`].
const INK: RGBColor = RGBColor(1, 2, 3);
/// The colour of the lines behind.
const GRID: RGBColor = RGBColor(1, 2, 4);
/// The colour of limits.
pub(super) const LIMIT: RGBColor = RGBColor(1, 2, 5);

/// The colour of an engine by its number in the header.
pub(super) fn colour(engine: usize) -> RGBColor {
    RGBColor(1, 3, (engine % COLOURS) as u8)
}

/// The class of the style sheet that has the same colour as background.
pub(super) fn swatch(engine: usize) -> String {
    format!("s{}", engine % COLOURS)
}

/// An SVG element, described by `label` for those who do not see it.
///
/// # Errors
/// If the drawing itself has a fault.
pub(super) fn picture(label: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String> {
    finish(&svg(label, SIZE, draw)?, label)
}

/// The range of a chart and how its axes are labelled.
pub(super) struct Axes<'a> {
    pub x: Range<f64>,
    pub y: Range<f64>,
    pub x_title: &'a str,
    pub y_title: &'a str,
    /// How many labels there are at most along the axes.
    pub labels: (usize, usize),
    pub x_label: &'a dyn Fn(f64) -> String,
    pub y_label: &'a dyn Fn(f64) -> String,
}

/// The axes of a chart.
///
/// # Errors
/// If they cannot be drawn.
pub(super) fn axes<'a, 'b>(
    area: &'a Area<'b>,
    axes: &Axes<'_>,
) -> std::result::Result<Chart<'a, 'b>, Box<dyn std::error::Error>> {
    let mut chart = ChartBuilder::on(area)
        .margin_top(12)
        .margin_right(24)
        .x_label_area_size(60)
        .y_label_area_size(122)
        .build_cartesian_2d(axes.x.clone(), axes.y.clone())?;
    let letters = LETTERS.into_font().color(&INK);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(INK)
        .label_style(letters.clone())
        .axis_desc_style(letters)
        .x_desc(axes.x_title)
        .y_desc(axes.y_title)
        .x_labels(axes.labels.0)
        .y_labels(axes.labels.1)
        .x_label_formatter(&|value| (axes.x_label)(*value))
        .y_label_formatter(&|value| (axes.y_label)(*value))
        .draw()?;
    Ok(chart)
}

/// A line through points, in the width that all pictures have.
pub(super) fn line(points: Vec<(f64, f64)>, colour: RGBColor) -> PathElement<(f64, f64)> {
    PathElement::new(points, colour.stroke_width(3))
}

/// The band between two lines from left to right; fainter if it is one of many.
pub(super) fn band(
    low: Vec<(f64, f64)>,
    high: Vec<(f64, f64)>,
    colour: RGBColor,
    bands: usize,
) -> Polygon<(f64, f64)> {
    let outline: Vec<_> = low.into_iter().chain(high.into_iter().rev()).collect();
    Polygon::new(outline, colour.mix(0.4 / bands.max(2) as f64))
}

/// Downsamples to about 300 values, and keeps the last.
pub(super) fn thin<T: Copy>(values: &[T]) -> Vec<T> {
    let step = values.len().div_ceil(300).max(1);
    let kept = values.iter().copied().step_by(step);
    kept.chain(values.last().copied().filter(|_| !(values.len() - 1).is_multiple_of(step))).collect()
}

/// Lets a drawing follow the page: colours become those of the style sheet, the size that of the place. The name
/// space goes, as HTML needs none.
fn finish(svg: &str, label: &str) -> Result<String> {
    let body = svg.split_once('>').context("a picture begins with an element")?.1;
    let mut body = body.replace("\"#010203\"", "\"currentColor\"");
    for (colour, name) in [("#010204", "grid"), ("#010205", "limit")] {
        body = body.replace(&format!("\"{colour}\""), &format!("\"var(--{name})\""));
    }
    for engine in 0..COLOURS {
        body = body.replace(&format!("\"#0103{engine:02X}\""), &format!("\"var(--s{engine})\""));
    }
    let (width, height) = SIZE;
    let label = Text(label);
    Ok(format!("<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{body}"))
}
