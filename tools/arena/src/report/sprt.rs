//! The picture of a sequential test: the way between its two bounds.

use anyhow::Result;

use super::model::SprtPath;
use super::picture::{Axes, LIMIT, axes, colour, line, picture, thin};

/// Draws the path in the colour of `engine`; nothing if it has no point.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn draw(path: &SprtPath, engine: usize) -> Result<Option<String>> {
    let points: Vec<_> = path.points.iter().filter(|(_, ratio)| ratio.is_finite()).copied().collect();
    let Some(&(last, _)) = points.last() else { return Ok(None) };
    let points: Vec<_> = thin(&points).into_iter().map(|(games, ratio)| (f64::from(games), ratio)).collect();
    let ends = points.iter().map(|(_, ratio)| *ratio).chain([path.lower, path.upper]);
    let (low, high) = ends.fold((0.0, 0.0), |(low, high), end| (f64::min(low, end), f64::max(high, end)));
    let margin = ((high - low) * 0.08).max(0.1);
    let end = f64::from(last.max(1));
    let svg = picture("Log likelihood ratio over the games, between the two bounds of the test", |area| {
        let mut chart = axes(
            area,
            &Axes {
                x: 0.0..end,
                y: low - margin..high + margin,
                x_title: "games",
                y_title: "LLR",
                labels: (6, 5),
                x_label: &|games| format!("{games:.0}"),
                y_label: &|ratio| if ratio.abs() < 0.05 { "0".into() } else { format!("{ratio:+.1}") },
            },
        )?;
        for bound in [path.lower, path.upper] {
            chart.draw_series([line(vec![(0.0, bound), (end, bound)], LIMIT)])?;
        }
        chart.draw_series([line(points.clone(), colour(engine))])?;
        Ok(())
    })?;
    Ok(Some(svg))
}
