//! Figures of the studies: panels of lines and bars in a grid, with one legend beside or above them.
//!
//! The legend has a place of its own, so it covers neither data nor ticks. Lines that coincide are all seen: each has
//! its own dashes, and those drawn later are narrower.

mod axis;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

pub use axis::{Axis, Quantity, seconds_label};

/// The result of drawing.
type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;
/// The area of a picture.
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The margin around everything, in pixels.
const MARGIN: u32 = 12;

/// An entry of the legend.
pub type LegendEntry = (String, Stroke);

/// Where the legend stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// Right of the panels, an entry below the other.
    Right,
    /// Above the panels, side by side.
    Above,
}

/// Panels in rows from left to right, and what they have in common.
pub struct Figure {
    /// The heading; empty if the titles of the panels say it all.
    pub title: String,
    /// The charts, row by row.
    pub panels: Vec<Panel>,
    /// The number of panels side by side.
    pub columns: usize,
    /// Width and height of a panel in pixels.
    pub panel_size: (u32, u32),
    /// The height of the letters in pixels.
    pub letters: u32,
    /// No legend is drawn if there are no entries.
    pub entries: Vec<LegendEntry>,
    /// The place of the legend.
    pub legend: Legend,
}

impl Figure {
    /// Panels below each other, without title and legend.
    pub fn new(panels: Vec<Panel>, panel_size: (u32, u32), letters: u32) -> Self {
        let (title, entries) = (String::new(), Vec::new());
        Self { title, panels, columns: 1, panel_size, letters, entries, legend: Legend::Right }
    }

    /// The figure as an SVG file.
    ///
    /// # Errors
    /// If the drawing itself has a fault: what goes into a string cannot fail otherwise.
    pub fn svg(&self) -> Result<String> {
        let mut svg = String::new();
        let area = SVGBackend::with_string(&mut svg, self.size()).into_drawing_area();
        let drawn = self.draw(&area);
        drop(area);
        drawn.map(|()| svg).map_err(|error| anyhow!("cannot draw {}: {error}", self.title))
    }

    fn size(&self) -> (u32, u32) {
        let (width, height) = self.panel_size;
        let rows = self.panels.len().div_ceil(self.columns);
        let (legend_width, legend_height) = self.legend_size();
        (
            2 * MARGIN + width * self.columns as u32 + legend_width,
            2 * MARGIN
                + self.title_height()
                + (height * rows as u32 + legend_height).max(self.column_height()),
        )
    }

    fn title_height(&self) -> u32 {
        if self.title.is_empty() { 0 } else { 2 * self.letters }
    }

    /// Width and height that the legend adds.
    fn legend_size(&self) -> (u32, u32) {
        let widest = self.entries.iter().map(|(name, _)| entry_width(name, self.letters)).max();
        match (self.legend, widest) {
            (_, None) => (0, 0),
            (Legend::Right, Some(width)) => (width, 0),
            (Legend::Above, Some(_)) => (0, 2 * self.letters),
        }
    }

    fn draw(&self, root: &Area<'_>) -> Drawn {
        root.fill(&WHITE)?;
        let area = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (title, area) = area.split_vertically(self.title_height());
        if !self.title.is_empty() {
            title.titled(&self.title, ("sans-serif", self.letters * 5 / 4))?;
        }
        let (legend_width, legend_height) = self.legend_size();
        let (above, area) = area.split_vertically(legend_height);
        let (panels, right) = area.split_horizontally(area.dim_in_pixel().0 - legend_width);
        match self.legend {
            Legend::Above => self.draw_row(&above)?,
            Legend::Right => self.draw_column(&right)?,
        }
        let rows = self.panels.len().div_ceil(self.columns);
        // Axes below each other begin at the same place.
        let left = self.panels.iter().map(|panel| panel.label_width(self.letters)).max().unwrap_or(0);
        for (place, panel) in panels.split_evenly((rows, self.columns)).iter().zip(&self.panels) {
            panel.draw(place, self.letters, left)?;
        }
        Ok(root.present()?)
    }

    /// The height of a legend beside the panels.
    fn column_height(&self) -> u32 {
        if self.legend == Legend::Right { self.entry_height() * (self.entries.len() as u32 + 1) } else { 0 }
    }

    fn entry_height(&self) -> u32 {
        self.letters * 8 / 5
    }

    fn draw_column(&self, area: &Area<'_>) -> Drawn {
        let line = self.entry_height() as i32;
        for ((name, stroke), row) in self.entries.iter().zip(1..) {
            stroke.draw_entry(area, (8, line * row + line / 2), name, self.letters)?;
        }
        Ok(())
    }

    fn draw_row(&self, area: &Area<'_>) -> Drawn {
        let widths = || self.entries.iter().map(|(name, _)| entry_width(name, self.letters) as i32);
        let mut left = (area.dim_in_pixel().0 as i32 - widths().sum::<i32>()).max(0) / 2;
        for ((name, stroke), width) in self.entries.iter().zip(widths()) {
            stroke.draw_entry(area, (left, self.letters as i32), name, self.letters)?;
            left += width;
        }
        Ok(())
    }
}

/// The width of an entry with its sample, in pixels; that of the letters is an estimate.
fn entry_width(name: &str, letters: u32) -> u32 {
    text_width(name, letters) + SAMPLE + 3 * letters / 2
}

/// The width of a text, in pixels, with letters of an average width.
fn text_width(text: &str, letters: u32) -> u32 {
    text.chars().count() as u32 * letters * 3 / 5
}

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
const SAMPLE: u32 = 52;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(legend: Legend) -> Figure {
        let axis = || Axis::linear(0.0..10.0, 5, |value, _| format!("{value}"));
        let line = |place, name: &str| Line {
            name: name.to_owned(),
            spreads: vec![(3.0, 0.0, 2.0)],
            ..Line::new(Stroke::of(place), vec![(0.0, 1.0), (9.0, 1.0)])
        };
        let panel = Panel {
            title: "<panel>".to_owned(),
            x: axis().titled("across"),
            y: axis(),
            lines: vec![line(0, "one"), line(1, "other")],
            bars: vec![Bar { left: 1.0, right: 2.0, top: 4.0 }],
        };
        let entries = panel.entries();
        Figure { entries, legend, ..Figure::new(vec![panel], (600, 300), 18) }
    }

    #[test]
    fn lines_that_coincide_are_drawn_apart() {
        let svg = figure(Legend::Right).svg().expect("drawn");
        assert!(svg.contains("&lt;panel&gt;") && svg.contains("across"), "{svg}");
        let strokes = |place: usize| {
            let plotters::style::RGBColor(red, green, blue) = Stroke::of(place).colour;
            let colour = format!("stroke=\"#{red:02X}{green:02X}{blue:02X}\"");
            svg.lines().filter(|line| line.starts_with("<polyline") && line.contains(&colour)).count()
        };
        // A solid line, its spread and its sample; the other one consists of dashes.
        assert_eq!(strokes(0), 3, "{svg}");
        assert!(strokes(1) > 10, "{svg}");
    }

    #[test]
    fn a_legend_has_a_place_of_its_own() {
        let bare = Figure { entries: Vec::new(), ..figure(Legend::Right) };
        let [right, above] = [Legend::Right, Legend::Above].map(|legend| figure(legend).size());
        let (width, height) = bare.size();
        assert!(right.0 > width && right.1 == height, "{right:?}");
        assert!(above.0 == width && above.1 > height, "{above:?}");
        let entries = vec![("name".to_owned(), Stroke::of(0)); 100];
        assert!(Figure { entries, ..figure(Legend::Right) }.size().1 > 1800, "a long legend is not cut off");
    }
}
