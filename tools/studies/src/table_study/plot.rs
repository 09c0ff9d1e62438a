//! Pictures of what a table's size is worth: nodes, or time, against the memory it takes, a line for each design.

use std::collections::BTreeSet;

use anyhow::Result;

use super::design::Kind;
use super::record::Record;
use crate::plot::{Axis, Figure, Legend, Line, Panel, Stroke, count_label, seconds_label};
use crate::table_size::MEGABYTE;

/// Width and height of one chart, in pixels.
const SIZE: (u32, u32) = (800, 400);

/// The quantity that is plotted against the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nodes for each position.
    Nodes,
    /// Processor time for each position.
    Time,
}

impl Quantity {
    fn of(self, record: &Record) -> f64 {
        match self {
            Self::Nodes => record.mean_nodes(),
            Self::Time => record.mean_seconds(),
        }
    }

    fn label(self, value: f64) -> String {
        match self {
            Self::Nodes => count_label(value),
            Self::Time => seconds_label(value),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nodes => "mean nodes",
            Self::Time => "mean time",
        }
    }
}

/// A design's points: sizes in megabytes and the quantity. Without a table there is no size, and the line goes all the
/// way across.
struct Series {
    kind: Kind,
    points: Vec<(f64, f64)>,
}

/// A chart for each search, mode and suite in which some design comes in several sizes.
struct Chart {
    title: String,
    series: Vec<Series>,
}

/// Draws a picture of `records`, sorted as in the table; `None` if nothing was measured in several sizes.
///
/// # Errors
/// If the drawing itself has a fault.
pub fn draw(records: &[Record], quantity: Quantity) -> Result<Option<String>> {
    let charts = charts(records, quantity);
    if charts.is_empty() {
        return Ok(None);
    }
    let kinds: BTreeSet<_> =
        charts.iter().flat_map(|chart| chart.series.iter().map(|series| series.kind)).collect();
    let figure = Figure {
        title: String::new(),
        panels: charts.iter().map(|chart| panel(chart, quantity)).collect(),
        columns: 1,
        panel_size: SIZE,
        letters: 18,
        entries: kinds.into_iter().map(|kind| (kind.to_string(), stroke(kind))).collect(),
        legend: Legend::Right,
    };
    figure.svg().map(Some)
}

/// The stroke of a design's line, the same in all charts.
fn stroke(kind: Kind) -> Stroke {
    Stroke::of(kind as usize)
}

fn charts(records: &[Record], quantity: Quantity) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    for record in records.iter().filter(|record| record.nodes > 0) {
        let Record { search, mode, suite, positions, .. } = record;
        let title = format!("{suite}: {}, {positions} positions, {search} search, {mode}", quantity.name());
        let kind = record.design;
        let chart = place(
            &mut charts,
            |chart| chart.title == title,
            || Chart { title: title.clone(), series: Vec::new() },
        );
        let series =
            place(&mut chart.series, |series| series.kind == kind, || Series { kind, points: Vec::new() });
        series.points.push((record.bytes as f64 / MEGABYTE as f64, quantity.of(record)));
    }
    charts.retain(|chart| chart.series.iter().any(|series| series.points.len() > 1));
    for chart in &mut charts {
        let (first, last) =
            bounds(chart.series.iter().flat_map(|series| &series.points).map(|point| point.0));
        for Series { points, .. } in &mut chart.series {
            if let [(0.0, value)] = points[..] {
                *points = vec![(first, value), (last, value)];
            }
        }
    }
    charts
}

/// The element that `is_it`, added if there is none.
fn place<T>(elements: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl Fn() -> T) -> &mut T {
    let index = elements.iter().position(is_it).unwrap_or_else(|| {
        elements.push(new());
        elements.len() - 1
    });
    &mut elements[index]
}

fn panel(chart: &Chart, quantity: Quantity) -> Panel {
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let (smallest, largest) = bounds(points().map(|point| point.0));
    let (least, most) = bounds(points().map(|point| point.1));
    let line = |series: &Series| Line {
        name: series.kind.to_string(),
        stroke: stroke(series.kind),
        points: series.points.iter().map(|(size, value)| (size.log2(), value.log10())).collect(),
        spreads: Vec::new(),
    };
    Panel {
        title: chart.title.clone(),
        x: Axis::doublings(smallest..largest, |size| format!("{size} MB")),
        y: Axis::log(least..most, |value| quantity.label(value)),
        lines: chart.series.iter().map(line).collect(),
        bars: Vec::new(),
    }
}

/// The least and the greatest of the values that are above 0.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| *value > 0.0)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| {
            (least.min(value), greatest.max(value))
        })
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

    #[test]
    fn designs_that_come_to_the_same_are_all_seen() {
        let records: Vec<_> = [Kind::CrtBounds, Kind::Lru, Kind::Bucketed]
            .into_iter()
            .flat_map(|kind| [1 << 20, 1 << 22].map(|size| record(kind, size, "end-easy.txt", Mode::Strong)))
            .collect();
        let strokes: Vec<_> = records.iter().map(|record| stroke(record.design)).collect();
        assert!(strokes[0].dashes != strokes[2].dashes && strokes[2].dashes != strokes[4].dashes);
        let picture = draw(&records, Quantity::Nodes).expect("drawn").expect("two sizes");
        assert!(["crt-bounds", "lru", "bucketed"].iter().all(|name| picture.contains(name)), "{picture}");
    }
}
