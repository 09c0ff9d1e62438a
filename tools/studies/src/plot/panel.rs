//! A panel: axes, and the lines and bars between them.

use plotters::prelude::*;
use plumb_tools_common::svg::{Area, COLOURS, Drawn};

use super::axis::Axis;
use super::stroke::Stroke;
use super::{LegendEntry, text_width};

/// The lines behind the data.
const GRID: RGBColor = RGBColor(205, 205, 205);
const FAINT_GRID: RGBColor = RGBColor(238, 238, 238);

/// A line through points, in places of the axes.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name in the legend; empty if it has no entry of its own.
    pub name: String,
    /// The looks of the line.
    pub stroke: Stroke,
    /// The points, in units of the axes.
    pub points: Vec<(f64, f64)>,
    /// A place across, and from where to where the repeats of the point there extend.
    pub spreads: Vec<(f64, f64, f64)>,
}

/// A bar that stands on the axis.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// The left edge.
    pub left: f64,
    /// The right edge.
    pub right: f64,
    /// The upper edge; the lower one is 0.
    pub top: f64,
}

/// Axes, and the lines and bars between them.
pub struct Panel {
    /// The heading above the chart.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The later ones are drawn above the earlier ones.
    pub lines: Vec<Line>,
    /// The bars of a histogram.
    pub bars: Vec<Bar>,
}

impl Panel {
    /// The entries of its lines in a legend.
    pub fn entries(&self) -> Vec<LegendEntry> {
        let named = self.lines.iter().filter(|line| !line.name.is_empty());
        named.map(|line| (line.name.clone(), line.stroke)).collect()
    }

    /// The width that the labels of the upright axis need, in pixels.
    pub fn label_width(&self, letters: u32) -> u32 {
        text_width(self.y.widest_label(), letters) + 20 + title_height(&self.y, letters)
    }

    /// Draws it into `area` with letters of this height, the upright axis `left` pixels from its left side.
    ///
    /// # Errors
    /// If the drawing itself has a fault.
    pub fn draw(&self, area: &Area<'_>, letters: u32, left: u32) -> Drawn {
        let font = ("sans-serif", letters);
        let (x, y) = (&self.x, &self.y);
        let mut builder = ChartBuilder::on(area);
        if !self.title.is_empty() {
            builder.caption(&self.title, ("sans-serif", letters * 10 / 9));
        }
        let mut chart = builder
            .margin(6)
            // Half of the last label stands beyond the axis.
            .margin_right(6 + text_width(x.widest_label(), letters) / 2)
            .x_label_area_size(letters * 2 + title_height(x, letters))
            .y_label_area_size(left)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .bold_line_style(GRID)
            .light_line_style(FAINT_GRID)
            .x_desc(&x.title)
            .y_desc(&y.title)
            .label_style(font)
            .axis_desc_style(font)
            .draw()?;
        chart.draw_series(self.bars.iter().map(|bar| {
            Rectangle::new([(bar.left, y.range.start), (bar.right, bar.top)], COLOURS[0].filled())
        }))?;
        for line in &self.lines {
            let thin = Stroke::plain(line.stroke.colour, 2);
            chart.draw_series(
                line.spreads.iter().map(|&(place, low, high)| thin.path(vec![(place, low), (place, high)])),
            )?;
        }
        for line in &self.lines {
            chart.draw_series([line.stroke.path(line.points.clone())])?;
        }
        for line in &self.lines {
            chart.draw_series(line.stroke.circles(&line.points))?;
        }
        Ok(())
    }
}

/// The height that the title of an axis needs, in pixels.
fn title_height(axis: &Axis, letters: u32) -> u32 {
    if axis.title.is_empty() { 0 } else { letters * 3 / 2 }
}
