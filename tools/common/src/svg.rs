//! SVG pictures, for files and pages.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

/// The result of drawing.
pub type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;
/// The area of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

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

/// A picture of a size in pixels, on white; `what` names it in an error.
///
/// # Errors
/// If the drawing itself has a fault: what goes into a string cannot fail otherwise.
pub fn svg_on_white(what: &str, size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)
            .map_err(Into::into)
            .and_then(|()| draw(&area))
            .and_then(|()| Ok(area.present()?))
            .map_err(|error| anyhow!("cannot draw {what}: {error}"))?;
    }
    Ok(svg)
}
