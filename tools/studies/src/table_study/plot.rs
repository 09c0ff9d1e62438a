//! Pictures of what a table's size is worth: nodes, or time, against the memory it takes, a line for each design.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::design::Kind;
use super::record::Record;
use crate::plot::{Axis, Figure, Line, Panel, Quantity, Stroke};
use crate::table_size::MEGABYTE;

/// Width and height of one chart, in pixels.
const SIZE: (u32, u32) = (800, 400);

/// The points of the designs in a chart: sizes in megabytes and the quantity.
type Series = BTreeMap<Kind, Vec<(f64, f64)>>;

/// Draws a picture of `records`, sorted as in the table; `None` if nothing was measured in several sizes.
///
/// # Errors
/// If the drawing itself has a fault.
pub fn draw(records: &[Record], quantity: Quantity) -> Result<Option<String>> {
    let charts = charts(records, quantity);
    if charts.is_empty() {
        return Ok(None);
    }
    let kinds: BTreeSet<_> = charts.iter().flat_map(|(_, series)| series.keys()).collect();
    let entries = kinds.into_iter().map(|&kind| (kind.to_string(), stroke(kind))).collect();
    let panels = charts.into_iter().map(|(title, series)| panel(title, &series, quantity)).collect();
    Figure { entries, ..Figure::new(panels, SIZE, 18) }.svg().map(Some)
}

/// The stroke of a design's line, the same in all charts.
fn stroke(kind: Kind) -> Stroke {
    Stroke::of(kind as usize)
}

/// Title and series of a chart for each search, mode and suite in which some design comes in several sizes.
fn charts(records: &[Record], quantity: Quantity) -> Vec<(String, Series)> {
    let mut charts: Vec<(String, Series)> = Vec::new();
    for record in records.iter().filter(|record| record.nodes > 0) {
        let Record { search, mode, suite, positions, .. } = record;
        let what = quantity.name();
        let title = format!("{suite}: mean {what}, {positions} positions, {search} search, {mode}");
        let index = charts.iter().position(|chart| chart.0 == title).unwrap_or_else(|| {
            charts.push((title, Series::new()));
            charts.len() - 1
        });
        let value = match quantity {
            Quantity::Nodes => record.mean_nodes(),
            Quantity::Time => record.mean_seconds(),
        };
        let points = charts[index].1.entry(record.design).or_default();
        points.push((record.bytes as f64 / MEGABYTE as f64, value));
    }
    charts.retain(|(_, series)| series.values().any(|points| points.len() > 1));
    for (_, series) in &mut charts {
        let (first, last) = bounds(series.values().flatten().map(|point| point.0));
        // Without a table there is no size, and the line goes all the way across.
        for points in series.values_mut() {
            if let [(0.0, value)] = points[..] {
                *points = vec![(first, value), (last, value)];
            }
        }
    }
    charts
}

fn panel(title: String, series: &Series, quantity: Quantity) -> Panel {
    let points = || series.values().flatten();
    let (smallest, largest) = bounds(points().map(|point| point.0));
    let (least, most) = bounds(points().map(|point| point.1));
    let line = |(&kind, points): (&Kind, &Vec<(f64, f64)>)| {
        Line::new(stroke(kind), points.iter().map(|(size, value)| (size.log2(), value.log10())).collect())
    };
    Panel {
        title,
        x: Axis::doublings(smallest..largest, |size| format!("{size} MB")),
        y: Axis::log(least..most, |value| quantity.label(value)),
        lines: series.iter().map(line).collect(),
        ..Panel::default()
    }
}

/// The least and the greatest of the values that are above 0.
fn bounds(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let values = values.filter(|value| *value > 0.0);
    (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::super::solver::Mode;
    use super::*;

    #[test]
    fn several_sizes_make_a_picture() {
        let of = |sizes: &[usize]| -> Vec<_> {
            sizes.iter().map(|&size| record(Kind::CrtUpper, size, "end-easy.txt", Mode::Weak)).collect()
        };
        for quantity in [Quantity::Nodes, Quantity::Time] {
            assert_eq!(draw(&of(&[131_101]), quantity).expect("drawn"), None);
            let picture = draw(&of(&[131_101, 8_388_617]), quantity).expect("drawn").expect("two sizes");
            assert!(picture.starts_with("<svg") && picture.contains("crt-upper"), "{picture}");
            assert!(picture.contains("end-easy.txt"), "{picture}");
        }
    }
}
