//! Pictures of what the searches take by depth, and of what the table saves: a panel for each search, without and with
//! the table.

use anyhow::Result;
use plotters::style::{BLACK, RGBColor};

use super::method::Method;
use super::summary::{Curve, pairs};
use crate::plot::{Axis, COLOURS, Figure, Legend, Line, Panel, Quantity, Stroke};

/// Width and height of a panel, in pixels. The letters are large enough to be read at half of it.
const SIZE: (u32, u32) = (560, 620);
const LETTERS: u32 = 24;
/// The most depths that are labelled.
const DEPTH_LABELS: u32 = 8;
/// The least share that the axis reaches up to, in per cent.
const LEAST_SHARE: f64 = 120.0;

/// The cost of the searches over a logarithmic axis, with the fitted curves; a panel for each search.
///
/// # Errors
/// If the drawing itself has a fault.
pub fn curves(curves: &[Curve], quantity: Quantity) -> Result<String> {
    let means = || curves.iter().flat_map(|curve| &curve.means);
    let deepest = means().map(|mean| mean.depth).max().unwrap_or(1);
    let least = means().map(|mean| mean.of(quantity)).fold(f64::INFINITY, f64::min);
    let most = means().map(|mean| mean.of(quantity)).fold(least, f64::max);
    let values = || if least.is_finite() { least..most } else { 1.0..10.0 };
    let groups = Method::PAIRS.map(|(plain, with_table)| {
        let chosen = curves.iter().filter(|curve| [plain, with_table].contains(&curve.method));
        (plain.to_string(), chosen.collect::<Vec<_>>())
    });
    let panels = groups.into_iter().filter(|(_, group)| !group.is_empty()).map(|(name, group)| Panel {
        title: name,
        x: depths(deepest),
        y: Axis::log(values(), |value| quantity.label(value)),
        lines: group.iter().flat_map(|curve| lines(curve, quantity, deepest)).collect(),
        ..Panel::default()
    });
    let title = match quantity {
        Quantity::Nodes => "Nodes a search, mean of all positions",
        Quantity::Time => "Processor time a search, mean of all positions",
    };
    let mut entries = vec![("without a table", measured(false)), ("with the table", measured(true))];
    if curves.iter().any(|curve| curve.fit(quantity, deepest).is_some()) {
        entries.push(("fitted", fitted(BLACK)));
    }
    figure(title, panels.collect(), &entries)
}

/// The cost of the searches with a table as a share of those without, a panel for each pair; `None` where there is none.
///
/// # Errors
/// If the drawing itself has a fault.
pub fn shares(curves: &[Curve]) -> Result<Option<String>> {
    let pairs: Vec<_> = pairs(curves).filter(|(plain, _)| !plain.means.is_empty()).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let lines = |(plain, with_table): &(&Curve, &Curve)| {
        Quantity::ALL.map(|quantity| {
            let shares = plain.shares(with_table, quantity).into_iter();
            let points = shares.map(|(depth, share)| (f64::from(depth), 100.0 * share));
            Line::new(share(quantity as usize), points.collect())
        })
    };
    let groups: Vec<_> = pairs.iter().map(|pair| (pair.0.method.to_string(), lines(pair))).collect();
    let points = || groups.iter().flat_map(|(_, lines)| lines).flat_map(|line| &line.points);
    let deepest = points().map(|point| point.0).fold(1.0, f64::max) as u32;
    let most = points().map(|point| point.1).fold(LEAST_SHARE, f64::max);
    let limit = Stroke::plain(BLACK, 2);
    let panels = groups.iter().map(|(name, lines)| {
        let x = depths(deepest);
        let even = Line::new(limit, vec![(x.range.start, 100.0), (x.range.end, 100.0)]);
        Panel {
            title: name.clone(),
            x,
            y: Axis::linear(0.0..most, 8, |share, _| format!("{share:.0} %")),
            lines: [even].into_iter().chain(lines.iter().cloned()).collect(),
            ..Panel::default()
        }
    });
    let entries = [("nodes", share(0)), ("time", share(1)), ("no difference", limit)];
    figure("What the search with a table needs, as a share of the one without", panels.collect(), &entries)
        .map(Some)
}

/// Panels beside each other.
fn figure(title: &str, panels: Vec<Panel>, entries: &[(&str, Stroke)]) -> Result<String> {
    let figure = Figure {
        title: title.to_owned(),
        columns: panels.len().max(1),
        entries: entries.iter().map(|(name, stroke)| ((*name).to_owned(), *stroke)).collect(),
        legend: Legend::Above,
        ..Figure::new(panels, SIZE, LETTERS)
    };
    figure.svg()
}

fn depths(deepest: u32) -> Axis {
    Axis::whole(1, deepest, DEPTH_LABELS).titled("depth in plies")
}

/// The curve through the means of a method, above the one that is fitted to them.
fn lines(curve: &Curve, quantity: Quantity, deepest: u32) -> Vec<Line> {
    let stroke = measured(curve.method.has_table());
    let fit = curve.fit(quantity, deepest).map(|fit| {
        let ends = [1, deepest].map(|depth| (f64::from(depth), fit.at(f64::from(depth)).log10()));
        Line::new(fitted(stroke.colour), ends.to_vec())
    });
    let points = curve.means.iter().map(|mean| (f64::from(mean.depth), mean.of(quantity).log10()));
    fit.into_iter().chain([Line::new(stroke, points.collect())]).collect()
}

/// The stroke of what was measured.
fn measured(has_table: bool) -> Stroke {
    let number = usize::from(has_table);
    Stroke {
        width: 4 - number as u32,
        radius: 8 - 2 * number as i32,
        is_open: !has_table,
        ..Stroke::plain(COLOURS[number], 4)
    }
}

/// The stroke of a fitted curve.
fn fitted(colour: RGBColor) -> Stroke {
    Stroke { dashes: Some((8, 6)), ..Stroke::plain(colour, 2) }
}

/// The stroke of the share of nodes, 0, or of time, 1.
fn share(number: usize) -> Stroke {
    Stroke {
        width: 5 - 2 * number as u32,
        radius: 7 - 2 * number as i32,
        ..Stroke::plain(COLOURS[number + 2], 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::depth_study::summary::Mean;

    #[test]
    fn a_picture_names_its_searches() {
        let means = (1..=6).map(|depth| {
            let nodes = 3_f64.powi(depth);
            Mean { depth: depth as u32, nodes, seconds: nodes / 1e7 }
        });
        let means: Vec<_> = means.collect();
        let with_table = Curve { method: Method::PvsTable, means: means.clone() };
        let picture = curves(&[with_table], Quantity::Time).expect("it can be drawn");
        assert!(
            picture.starts_with("<svg") && picture.contains("pvs\n") && picture.contains("10 µs"),
            "{picture}"
        );

        let pair = [Method::Pvs, Method::PvsTable].map(|method| Curve { method, means: means.clone() });
        let picture = shares(&pair).expect("it can be drawn").expect("there is a pair");
        assert!(picture.starts_with("<svg") && picture.contains("nodes") && picture.contains("100 %"));
        assert_eq!(shares(&pair[..1]).expect("nothing fails"), None);
        let all = Method::PAIRS.map(|(plain, _)| Curve { method: plain, means: means.clone() });
        let picture = curves(&all, Quantity::Nodes).expect("it can be drawn");
        assert!(
            ["alpha-beta\n", "pvs\n", "null-window\n"].iter().all(|name| picture.contains(name)),
            "{picture}"
        );
    }
}
