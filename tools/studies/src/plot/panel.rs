//! A panel: axes, and the lines and bars between them; and how a line looks.

use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::axis::Axis;
use super::{Area, Drawn, LegendEntry, text_width};

/// Colours that colour-blind people can distinguish. Source: M. Okabe and K. Ito, "Color Universal Design", 2008.
pub const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

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

impl Line {
    /// A line without an entry in the legend and without spreads.
    pub fn new(stroke: Stroke, points: Vec<(f64, f64)>) -> Self {
        Self { name: String::new(), stroke, points, spreads: Vec::new() }
    }
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
#[derive(Default)]
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

/// The length of the sample in a legend, in pixels.
pub(super) const SAMPLE: u32 = 52;

/// Dashes in pixels, drawn and left out; nothing is left out of the first kind.
const DASHES: [Option<(i32, i32)>; 3] = [None, Some((16, 10)), Some((4, 8))];

/// The looks of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// The colour of line and points.
    pub colour: RGBColor,
    /// The width in pixels.
    pub width: u32,
    /// Pixels drawn and left out.
    pub dashes: Option<(i32, i32)>,
    /// The radius of the circles at the points; 0 for none.
    pub radius: i32,
    /// Whether the circles are empty.
    pub is_open: bool,
}

impl Stroke {
    /// The stroke of the line with this number, counted from 0. A line drawn over one with a lower number leaves some
    /// of it visible, even if both run through the same points: it has gaps, or is narrower, and has smaller circles.
    pub fn of(number: usize) -> Self {
        let round = (number / DASHES.len()) as u32;
        Self {
            colour: COLOURS[number % COLOURS.len()],
            width: 6_u32.saturating_sub(2 * round).max(1),
            dashes: DASHES[number % DASHES.len()],
            radius: 9_i32.saturating_sub(number as i32).max(3),
            is_open: false,
        }
    }

    /// A line without circles or gaps.
    pub fn plain(colour: RGBColor, width: u32) -> Self {
        Self { colour, width, dashes: None, radius: 0, is_open: false }
    }

    /// The line through these points.
    pub fn path<'b, C: Clone + 'static>(self, points: Vec<C>) -> DynElement<'static, SVGBackend<'b>, C> {
        let style = self.colour.stroke_width(self.width);
        match self.dashes {
            None => PathElement::new(points, style).into_dyn(),
            Some((drawn, left_out)) => DashedPathElement::new(points, drawn, left_out, style).into_dyn(),
        }
    }

    /// The circles at these points: a full one for each, and a white one within it if they are open.
    pub fn circles<C: Clone>(self, points: &[C]) -> Vec<Circle<C, i32>> {
        let circle =
            |point: &C, radius, colour: RGBColor| Circle::new(point.clone(), radius, colour.filled());
        let mut circles = Vec::new();
        for point in points.iter().filter(|_| self.radius > 0) {
            circles.push(circle(point, self.radius, self.colour));
            if self.is_open {
                circles.push(circle(point, self.radius / 2, WHITE));
            }
        }
        circles
    }

    /// Draws an entry of a legend: a sample whose left end is at `place`, and a name.
    ///
    /// # Errors
    /// If the drawing itself has a fault.
    pub fn draw_entry(self, area: &Area<'_>, place: (i32, i32), name: &str, letters: u32) -> Drawn {
        let (left, middle) = place;
        let end = left + SAMPLE as i32;
        area.draw(&self.path(vec![(left, middle), (end, middle)]))?;
        for circle in self.circles(&[(i32::midpoint(left, end), middle)]) {
            area.draw(&circle)?;
        }
        let place = (end + 8, middle - letters as i32 * 2 / 5);
        area.draw(&Text::new(name.to_owned(), place, ("sans-serif", letters)))?;
        Ok(())
    }
}
