//! Figures of the studies: panels of lines and bars in a grid, with one legend beside or above them.
//!
//! The legend has a place of its own, so it covers neither data nor ticks. Lines that coincide are all seen: each has
//! its own dashes, and those drawn later are narrower.

mod axis;
mod panel;

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend, WHITE};

pub use axis::{Axis, Quantity, seconds_label};
pub use panel::{Bar, COLOURS, Line, Panel, Stroke};

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
        {
            let area = SVGBackend::with_string(&mut svg, self.size()).into_drawing_area();
            area.fill(&WHITE)
                .map_err(Into::into)
                .and_then(|()| self.draw(&area))
                .and_then(|()| Ok(area.present()?))
                .map_err(|error| anyhow!("cannot draw {}: {error}", self.title))?;
        }
        Ok(svg)
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
        Ok(())
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
    text_width(name, letters) + panel::SAMPLE + 3 * letters / 2
}

/// The width of a text, in pixels, with letters of an average width.
fn text_width(text: &str, letters: u32) -> u32 {
    text.chars().count() as u32 * letters * 3 / 5
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
