//! The picture of the ratings with their error bands.

use anyhow::Result;

use super::model::{EloPoint, EloSeries};
use super::picture::{Axes, axes, band, colour, line, picture, thin};

/// Draws the series, each with the number of its engine; returns the numbers of those drawn, too. Nothing if no series has
/// two finite points, as where all games were won by one side: one point makes no line.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn draw(series: &[(usize, &EloSeries)]) -> Result<Option<(String, Vec<usize>)>> {
    let series: Vec<_> = series
        .iter()
        .map(|(engine, series)| (*engine, drawn(&series.points)))
        .filter(|(_, points)| points.len() > 1)
        .collect();
    let Some(y) = range(&series) else { return Ok(None) };
    let last = series.iter().filter_map(|(_, points)| points.last()).map(|point| point.games).max();
    let svg = picture("Elo over the games, with error bands", |area| {
        let mut chart = axes(
            area,
            &Axes {
                x: 0.0..f64::from(last.unwrap_or(1).max(1)),
                y: y.clone(),
                x_title: "games",
                y_title: "Elo",
                labels: (6, 6),
                x_label: &|games| format!("{games:.0}"),
                y_label: &|elo| if elo.abs() < 0.5 { "0".into() } else { format!("{elo:+.0}") },
            },
        )?;
        // What lies beyond the axes would be drawn there.
        let place = |games: u32, elo: f64| (f64::from(games), elo.clamp(y.start, y.end));
        let outline = |points: &[EloPoint], value: fn(&EloPoint) -> f64| {
            points.iter().map(|point| place(point.games, value(point))).collect::<Vec<_>>()
        };
        // The lines above all of the bands.
        chart.draw_series(series.iter().map(|(engine, points)| {
            let (low, high) = (outline(points, |point| point.low), outline(points, |point| point.high));
            band(low, high, colour(*engine), series.len())
        }))?;
        chart.draw_series(
            series.iter().map(|(engine, points)| line(outline(points, |point| point.elo), colour(*engine))),
        )?;
        Ok(())
    })?;
    Ok(Some((svg, series.iter().map(|(engine, _)| *engine).collect())))
}

fn drawn(points: &[EloPoint]) -> Vec<EloPoint> {
    // The band of one with a single bound goes to the edge of the picture.
    let is_drawn = |point: &&EloPoint| point.elo.is_finite() && !point.low.is_nan() && !point.high.is_nan();
    thin(&points.iter().filter(is_drawn).copied().collect::<Vec<_>>())
}

/// From the lowest to the highest that matters: all but the first tenth, in which the bands are as wide as the axis
/// could ever be.
fn range(series: &[(usize, Vec<EloPoint>)]) -> Option<std::ops::Range<f64>> {
    let late = series.iter().flat_map(|(_, points)| &points[points.len() / 10..]);
    let ends = late.flat_map(|point| [point.low, point.elo, point.high]);
    let ends: Vec<_> = ends.filter(|end| end.is_finite()).collect();
    let low = ends.iter().copied().reduce(f64::min)?;
    let high = ends.iter().copied().reduce(f64::max)?;
    let margin = ((high - low) * 0.05).max(1.0);
    Some(low - margin..high + margin)
}
