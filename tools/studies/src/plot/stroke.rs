//! How a line looks: its colour, its width, its dashes and the circles at its points.

use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plumb_tools_common::svg::{Area, COLOURS, Drawn};

/// The length of the sample in a legend, in pixels.
pub(super) const SAMPLE: u32 = 52;

/// Dashes in pixels, drawn and left out; nothing is left out of the first kind.
const DASHES: [Option<(i32, i32)>; 3] = [None, Some((16, 10)), Some((4, 8))];

/// How a line looks.
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
