//! Pictures of the figures against the size of the table.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use plotters::prelude::*;

use super::recommend::{bounds, median};
use super::run::Run;
use crate::output::write;
use crate::svg::{Area, COLOURS, Drawn, svg_on_white};

/// Size of a picture in pixels.
const SIZE: (u32, u32) = (900, 560);

/// What a picture shows.
struct Figure {
    file: &'static str,
    title: &'static str,
    of: fn(&Run) -> Option<f64>,
    /// Which of the repeats counts.
    pick: fn(&[f64]) -> f64,
    /// Whether what counts is the ratio to the least of a file, since files are of different sizes.
    is_ratio: bool,
}

const FIGURES: [Figure; 6] = [
    Figure {
        file: "time.svg",
        title: "Time, as a multiple of the best size's",
        of: |run| Some(run.seconds),
        pick: |times| bounds(times).0,
        is_ratio: true,
    },
    Figure {
        file: "nodes.svg",
        title: "Nodes, as a multiple of the fewest",
        of: |run| run.nodes.map(|nodes| nodes as f64),
        pick: median,
        is_ratio: true,
    },
    Figure {
        file: "speed.svg",
        title: "Million nodes per second",
        of: |run| run.nodes.map(|nodes| nodes as f64 / run.seconds / 1e6),
        pick: |speeds| bounds(speeds).1,
        is_ratio: false,
    },
    Figure {
        file: "full.svg",
        title: "How full the table was, in per cent",
        of: |run| run.full.map(|share| 100.0 * share),
        pick: median,
        is_ratio: false,
    },
    Figure {
        file: "hits.svg",
        title: "Looks that found the position, in per cent",
        of: |run| run.hits.map(|share| 100.0 * share),
        pick: median,
        is_ratio: false,
    },
    Figure {
        file: "overwrites.svg",
        title: "Stores that lost another position, in per cent",
        of: |run| run.overwrites.map(|share| 100.0 * share),
        pick: median,
        is_ratio: false,
    },
];

/// A curve: at each size the repeat that counts, the least and the greatest.
struct Curve {
    name: String,
    points: Vec<(usize, f64, (f64, f64))>,
}

/// Draws a picture of each figure that the runs have into `directory`.
///
/// # Errors
/// If one cannot be written.
pub(super) fn draw_all(runs: &[Run], directory: &Path) -> Result<()> {
    for figure in &FIGURES {
        let curves = curves(runs, figure);
        if curves.iter().all(|curve| curve.points.is_empty()) {
            continue;
        }
        let picture = svg_on_white(figure.title, SIZE, |area| draw(figure, &curves, area))?;
        write(&directory.join(figure.file), &picture)?;
    }
    Ok(())
}

fn curves(runs: &[Run], figure: &Figure) -> Vec<Curve> {
    let mut groups: BTreeMap<String, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
    for run in runs {
        if let Some(value) = (figure.of)(run) {
            groups.entry(run.group()).or_default().entry(run.megabytes).or_default().push(value);
        }
    }
    let curve = |(name, sizes): (String, BTreeMap<usize, Vec<f64>>)| {
        let least = sizes.values().map(|values| (figure.pick)(values)).fold(f64::INFINITY, f64::min);
        let unit = if figure.is_ratio { least } else { 1.0 };
        let point = |(&size, values): (&usize, &Vec<f64>)| {
            let (low, high) = bounds(values);
            (size, (figure.pick)(values) / unit, (low / unit, high / unit))
        };
        Curve { name, points: sizes.iter().map(point).collect() }
    };
    groups.into_iter().map(curve).collect()
}

fn draw(figure: &Figure, curves: &[Curve], area: &Area<'_>) -> Drawn {
    let sizes = curves.iter().flat_map(|curve| curve.points.iter().map(|point| (point.0 as f64).log2()));
    let (first, last) = bounds(&sizes.collect::<Vec<_>>());
    let values = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.2.1));
    let highest = values.fold(0.0, f64::max);
    let lowest = if figure.is_ratio {
        curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.2.0)).fold(1.0, f64::min)
    } else {
        0.0
    };
    let margin = ((highest - lowest) * 0.08).max(0.01);
    let mut chart = ChartBuilder::on(area)
        .caption(figure.title, ("sans-serif", 28))
        .margin(15)
        .margin_right(30)
        .x_label_area_size(60)
        .y_label_area_size(80)
        .build_cartesian_2d(
            first - 0.2..last + 0.2,
            lowest - margin * f64::from(u8::from(figure.is_ratio))..highest + 3.0 * margin,
        )?;
    let decimals = if highest - lowest < 0.5 { 2 } else { usize::from(highest - lowest < 10.0) };
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels((last - first) as usize + 1)
        .y_labels(6)
        .x_desc("Hash in MB")
        .x_label_formatter(&|power| format!("{:.0}", power.exp2()))
        .y_label_formatter(&|value| format!("{value:.decimals$}"))
        .label_style(("sans-serif", 20))
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let place = |size: usize| (size as f64).log2();
        let line = curve.points.iter().map(|&(size, middle, _)| (place(size), middle));
        chart
            .draw_series([PathElement::new(line.clone().collect::<Vec<_>>(), colour.stroke_width(3))])?
            .label(&curve.name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 25, y)], colour.stroke_width(3)));
        chart.draw_series(line.map(|point| Circle::new(point, 4, colour.filled())))?;
        // The spread of the repeats.
        chart.draw_series(curve.points.iter().map(|&(size, _, (low, high))| {
            PathElement::new([(place(size), low), (place(size), high)], colour.stroke_width(1))
        }))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.2))
        .label_font(("sans-serif", 20))
        .draw()?;
    Ok(())
}
