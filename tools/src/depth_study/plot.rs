//! A picture of what the searches take by depth: a line for each method over a logarithmic axis, with its fit.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use plotters::prelude::*;

use super::method::Method;
use super::summary::{Curve, Figure};
use crate::output::create;

/// Width and height in pixels. The letters are large enough to be read at half of it.
const SIZE: (u32, u32) = (1200, 800);
const LETTERS: (&str, u32) = ("sans-serif", 26);

/// Draws the curves into the file at `path`.
///
/// # Errors
/// If it cannot be written.
pub(super) fn draw(curves: &[Curve], figure: Figure, path: &Path) -> Result<()> {
    let mut picture = String::new();
    // What goes into a string cannot fail but for a fault of the drawing itself.
    draw_all(curves, figure, &mut picture)
        .map_err(|error| anyhow!("cannot draw `{}`: {error}", path.display()))?;
    let mut file = create(path)?;
    let result = file.write_all(picture.as_bytes()).and_then(|()| file.flush());
    result.with_context(|| format!("cannot write to `{}`", path.display()))
}

fn draw_all(
    curves: &[Curve],
    figure: Figure,
    picture: &mut String,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let means = || curves.iter().flat_map(|curve| &curve.means);
    let deepest = means().map(|mean| mean.depth).max().unwrap_or(1);
    let least = means().map(|mean| figure.of(mean)).fold(f64::INFINITY, f64::min);
    let most = means().map(|mean| figure.of(mean)).fold(least, f64::max);
    // Whole decades, and one at least.
    let low = least.log10().floor();
    let decades = low..most.log10().ceil().max(low + 1.0);
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title(figure), ("sans-serif", 32))
        .margin(20)
        .x_label_area_size(70)
        .y_label_area_size(110)
        .build_cartesian_2d(0.8..f64::from(deepest) + 0.2, decades.clone())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(deepest as usize)
        .y_labels((decades.end - decades.start) as usize + 1)
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|power| label(figure, *power))
        .x_desc("depth in plies; thin: the fitted curve")
        .light_line_style(TRANSPARENT)
        .label_style(LETTERS)
        .axis_desc_style(LETTERS)
        .draw()?;
    for curve in curves {
        let colour = colour(curve.method);
        let points: Vec<_> =
            curve.means.iter().map(|mean| (f64::from(mean.depth), figure.of(mean).log10())).collect();
        if let Some(fit) = curve.fit(figure, deepest) {
            let ends = [1.0, f64::from(deepest)].map(|depth| (depth, fit.at(depth).log10()));
            chart.draw_series([PathElement::new(ends, colour.stroke_width(1))])?;
        }
        let line = PathElement::new(points.clone(), colour.stroke_width(4));
        chart
            .draw_series([line])?
            .label(curve.method.name())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 36, y)], colour.stroke_width(6)));
        // Full circles with a table, empty ones without.
        let inside = if curve.method.has_table() { colour } else { WHITE };
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 8, colour.filled())))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, inside.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK)
        .legend_area_size(48)
        .margin(16)
        .label_font(LETTERS)
        .draw()?;
    root.present()?;
    Ok(())
}

fn title(figure: Figure) -> &'static str {
    match figure {
        Figure::Nodes => "Nodes a search, mean of all positions",
        Figure::Time => "Processor time a search, mean of all positions",
    }
}

/// One hue for each pair of methods, the darker one with the table.
fn colour(method: Method) -> RGBColor {
    match method {
        Method::AlphaBeta => RGBColor(100, 170, 220),
        Method::AlphaBetaTable => RGBColor(15, 70, 140),
        Method::Pvs => RGBColor(245, 165, 80),
        Method::PvsTable => RGBColor(190, 75, 0),
        Method::NullWindow => RGBColor(130, 195, 110),
        Method::NullWindowTable => RGBColor(20, 110, 40),
    }
}

/// A power of ten in words; no search has less than one node.
fn label(figure: Figure, power: f64) -> String {
    let units: [&str; 5] = match figure {
        Figure::Nodes => ["", "", " k", " M", " G"],
        Figure::Time => [" ns", " µs", " ms", " s", " ks"],
    };
    let power = power.round() as i32;
    let unit = (power.div_euclid(3) + 1).clamp(0, 4);
    let number = 10_f64.powi(power - 3 * (unit - 1));
    format!("{number}{}", units[unit as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth_study::summary::Mean;

    #[test]
    fn labels_are_round() {
        let labels = |figure| [0.0, 2.0, 3.0, 7.0].map(|power| label(figure, power));
        assert_eq!(labels(Figure::Nodes), ["1", "100", "1 k", "10 M"]);
        assert_eq!(labels(Figure::Time), ["1 µs", "100 µs", "1 ms", "10 s"]);
        assert_eq!(label(Figure::Time, -1.0), "100 ns");
    }

    #[test]
    fn a_picture_names_its_methods() {
        let means = (1..=6).map(|depth| {
            let nodes = 3_f64.powi(depth);
            Mean { depth: depth as u32, nodes, micros: nodes / 10.0 }
        });
        let curves = [Curve { method: Method::PvsTable, means: means.collect() }];
        let mut picture = String::new();
        draw_all(&curves, Figure::Time, &mut picture).expect("it can be drawn");
        assert!(picture.starts_with("<svg") && picture.contains("pvs-table") && picture.contains("10 µs"));
    }
}
