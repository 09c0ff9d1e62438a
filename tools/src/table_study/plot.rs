//! Pictures of what a table's size is worth: nodes, or time, against the memory it takes, a line for each design.

use anyhow::Result;
use plotters::prelude::*;

use super::record::Record;
use super::report::{duration, rounded};
use crate::svg::{Area, COLOURS, Drawn, svg_on_white};

/// Width of a picture and height of one chart in it, in pixels.
const SIZE: (u32, u32) = (900, 400);

/// What is drawn against the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Nodes,
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
            Self::Nodes => rounded(value),
            Self::Time => duration(value),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nodes => "mean nodes",
            Self::Time => "mean time",
        }
    }
}

/// A design's points: powers of two of megabytes and powers of ten of the quantity. Without a table there is no size, and
/// the line goes all the way across.
struct Line {
    name: String,
    /// The same in all charts.
    colour: RGBColor,
    points: Vec<(f64, f64)>,
}

/// A chart for each search, mode and suite in which some design comes in several sizes.
struct Chart {
    title: String,
    lines: Vec<Line>,
}

/// Draws a picture of `records`, sorted as in the table; `None` if nothing was measured in several sizes.
///
/// # Errors
/// If a record is of no design that is known, or the drawing itself has a fault.
pub(super) fn draw(records: &[Record], quantity: Quantity) -> Result<Option<String>> {
    let charts = charts(records, quantity)?;
    if charts.is_empty() {
        return Ok(None);
    }
    let size = (SIZE.0, SIZE.1 * charts.len() as u32);
    svg_on_white(quantity.name(), size, |area| draw_all(&charts, quantity, area)).map(Some)
}

fn charts(records: &[Record], quantity: Quantity) -> Result<Vec<Chart>> {
    let mut charts: Vec<Chart> = Vec::new();
    for record in records.iter().filter(|record| record.nodes > 0) {
        let Record { search, mode, suite, positions, .. } = record;
        let title = format!("{suite}: {}, {positions} positions, {search} search, {mode}", quantity.name());
        let kind = record.kind()?;
        let (name, colour) = (kind.to_string(), COLOURS[kind as usize % COLOURS.len()]);
        let chart = place(
            &mut charts,
            |chart| chart.title == title,
            || Chart { title: title.clone(), lines: Vec::new() },
        );
        let line = place(
            &mut chart.lines,
            |line| line.name == name,
            || Line { name: name.clone(), colour, points: Vec::new() },
        );
        line.points.push(((record.bytes as f64 / f64::from(1 << 20)).log2(), quantity.of(record).log10()));
    }
    charts.retain(|chart| chart.lines.iter().any(|line| line.points.len() > 1));
    for Chart { lines, .. } in &mut charts {
        let sizes = lines.iter().flat_map(|line| &line.points).map(|point| point.0);
        let (first, last) = bounds(sizes.filter(|size| size.is_finite()));
        for Line { points, .. } in lines {
            if let [(size, value)] = points[..]
                && size.is_infinite()
            {
                *points = vec![(first, value), (last, value)];
            }
        }
    }
    Ok(charts)
}

/// The element that `is_it`, added if there is none.
fn place<T>(elements: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl Fn() -> T) -> &mut T {
    let index = elements.iter().position(is_it).unwrap_or_else(|| {
        elements.push(new());
        elements.len() - 1
    });
    &mut elements[index]
}

fn draw_all(charts: &[Chart], quantity: Quantity, root: &Area<'_>) -> Drawn {
    for (area, Chart { title, lines }) in root.split_evenly((charts.len(), 1)).iter().zip(charts) {
        let points = || lines.iter().flat_map(|line| &line.points);
        let sizes = range(points().map(|point| point.0));
        // Room for the names at the right, where no line is.
        let whole = sizes.start..sizes.end + 0.25 * (sizes.end - sizes.start);
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 20))
            .margin(10)
            .margin_right(30)
            .x_label_area_size(40)
            .y_label_area_size(110)
            .build_cartesian_2d(whole.clone(), range(points().map(|point| point.1)))?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels((whole.end - whole.start).ceil() as usize)
            .y_labels(6)
            .x_label_formatter(&|power| {
                let label = format!("{} MB", rounded(power.exp2()));
                if *power <= sizes.end { short(&label) } else { String::new() }
            })
            .y_label_formatter(&|power| short(&quantity.label(two_digits(10_f64.powf(*power)))))
            .label_style(("sans-serif", 18))
            .draw()?;
        for Line { name, colour, points } in lines {
            let stroke = colour.stroke_width(3);
            chart
                .draw_series([PathElement::new(points.clone(), stroke)])?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], stroke));
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(("sans-serif", 18))
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
    }
    Ok(())
}

/// The number with two significant digits, which is what an axis has room for.
fn two_digits(number: f64) -> f64 {
    let unit = 10_f64.powf(number.log10().floor() - 1.0);
    (number / unit).round() * unit
}

/// A number and its unit, without zeros that say nothing.
fn short(label: &str) -> String {
    let (number, unit) = label.split_once(' ').unwrap_or((label, ""));
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number} {unit}").trim_end().to_owned()
}

/// The least and the greatest.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), value| {
        (least.min(value), greatest.max(value))
    })
}

/// From the least to the greatest, and some room on either side.
fn range(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (least, greatest) = bounds(values);
    let room = (greatest - least).max(0.1) * 0.1;
    least - room..greatest + room
}

#[cfg(test)]
mod tests {
    use super::super::design::Kind;
    use super::super::record::tests::record;
    use super::super::subject::Mode;
    use super::*;

    #[test]
    fn labels_are_short() {
        let labels = ["4.000 MB", "0.2500 MB", "630,000", "100", "63.10 µs"].map(short);
        assert_eq!(labels, ["4 MB", "0.25 MB", "630,000", "100", "63.1 µs"]);
        assert_eq!(rounded(two_digits(630_957.3)), "630,000");
    }

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
