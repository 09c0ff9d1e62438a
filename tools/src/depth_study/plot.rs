//! Pictures of what the searches take by depth, and of what the table saves.

use anyhow::Result;
use plotters::prelude::*;

use super::method::Method;
use super::summary::{Curve, Figure, pairs};
use crate::svg::{Area, Chart, Drawn, svg_on_white};

/// Width and height in pixels. The letters are large enough to be read at half of it.
const SIZE: (u32, u32) = (1200, 800);
const LETTERS: (&str, u32) = ("sans-serif", 26);

/// A line for each method over a logarithmic axis, with its fit.
///
/// # Errors
/// None but for a fault of the drawing itself.
pub(super) fn curves(curves: &[Curve], figure: Figure) -> Result<String> {
    svg_on_white(title(figure), SIZE, |area| draw_curves(curves, figure, area))
}

/// What the searches with a table need as a share of those without; `None` where there are no such pairs.
///
/// # Errors
/// None but for a fault of the drawing itself.
pub(super) fn shares(curves: &[Curve]) -> Result<Option<String>> {
    if pairs(curves).all(|(plain, _)| plain.means.is_empty()) {
        return Ok(None);
    }
    svg_on_white("the shares", SIZE, |area| draw_shares(curves, area)).map(Some)
}

fn draw_curves(curves: &[Curve], figure: Figure, area: &Area<'_>) -> Drawn {
    let means = || curves.iter().flat_map(|curve| &curve.means);
    let deepest = means().map(|mean| mean.depth).max().unwrap_or(1);
    let least = means().map(|mean| figure.of(mean)).fold(f64::INFINITY, f64::min);
    let most = means().map(|mean| figure.of(mean)).fold(least, f64::max);
    // Whole decades, and one at least.
    let low = least.log10().floor();
    let decades = low..most.log10().ceil().max(low + 1.0);
    let mut chart = ChartBuilder::on(area)
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
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}

fn draw_shares(curves: &[Curve], area: &Area<'_>) -> Drawn {
    let mut lines = Vec::new();
    for (plain, with_table) in pairs(curves) {
        for (figure, name) in [(Figure::Nodes, "nodes"), (Figure::Time, "time")] {
            let colour = colour(if figure == Figure::Time { with_table } else { plain }.method);
            let shares = plain.shares(with_table, figure).into_iter();
            let points: Vec<_> = shares.map(|(depth, share)| (f64::from(depth), 100.0 * share)).collect();
            lines.push((format!("{}: {name}", plain.method), colour, points));
        }
    }
    let points = || lines.iter().flat_map(|line| &line.2);
    let deepest = points().map(|point| point.0).fold(1.0, f64::max);
    let most = points().map(|point| point.1).fold(120.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption("What the search with a table needs of what the one without needs", ("sans-serif", 32))
        .margin(20)
        .x_label_area_size(70)
        .y_label_area_size(110)
        // Room for the names at the right, where no curve is.
        .build_cartesian_2d(0.8..deepest * 1.5 + 0.2, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels((deepest * 1.5) as usize)
        .y_labels(8)
        .x_label_formatter(&|depth| if *depth <= deepest { format!("{depth:.0}") } else { String::new() })
        .y_label_formatter(&|share| format!("{share:.0} %"))
        .x_desc("depth in plies; above the black line the table costs more than it saves")
        .light_line_style(TRANSPARENT)
        .label_style(LETTERS)
        .axis_desc_style(LETTERS)
        .draw()?;
    chart.draw_series([PathElement::new([(0.8, 100.0), (deepest + 0.2, 100.0)], BLACK.stroke_width(2))])?;
    for (name, colour, points) in lines {
        chart
            .draw_series([PathElement::new(points.clone(), colour.stroke_width(4))])?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 36, y)], colour.stroke_width(6)));
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 6, colour.filled())))?;
    }
    legend(&mut chart, SeriesLabelPosition::UpperRight)
}

/// The names of the lines.
fn legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, position: SeriesLabelPosition) -> Drawn {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE)
        .border_style(BLACK)
        .legend_area_size(48)
        .margin(16)
        .label_font(LETTERS)
        .draw()?;
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
        let means: Vec<_> = means.collect();
        let with_table = Curve { method: Method::PvsTable, means: means.clone() };
        let picture = curves(&[with_table], Figure::Time).expect("it can be drawn");
        assert!(picture.starts_with("<svg") && picture.contains("pvs-table") && picture.contains("10 µs"));

        let pair = [Method::Pvs, Method::PvsTable].map(|method| Curve { method, means: means.clone() });
        let picture = shares(&pair).expect("it can be drawn").expect("there is a pair");
        assert!(picture.starts_with("<svg") && picture.contains("pvs: nodes") && picture.contains("100 %"));
        assert_eq!(shares(&pair[..1]).expect("nothing fails"), None);
    }
}
