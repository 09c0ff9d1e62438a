//! Pictures of what a table's size is worth: nodes, or time, against the memory it takes, a line for each design.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::record::Record;
use super::report::{duration, rounded};

/// Width of a picture and height of one chart in it, in pixels.
const SIZE: (u32, u32) = (900, 360);

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

/// A design's points: powers of two of megabytes and powers of ten of the quantity.
struct Line {
    name: String,
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
/// None but for a fault of the drawing itself.
pub(super) fn draw(records: &[Record], quantity: Quantity) -> Result<Option<String>> {
    let charts = charts(records, quantity);
    if charts.is_empty() {
        return Ok(None);
    }
    let mut picture = String::new();
    draw_all(&charts, quantity, &mut picture)
        .map_err(|error| anyhow!("cannot draw {}: {error}", quantity.name()))?;
    Ok(Some(picture))
}

fn charts(records: &[Record], quantity: Quantity) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    for record in records.iter().filter(|record| record.bytes > 0 && record.nodes > 0) {
        let Record { search, mode, suite, positions, .. } = record;
        let title = format!("{suite}: {}, {positions} positions, {search} search, {mode}", quantity.name());
        let name = record.kind().map(|kind| kind.to_string()).unwrap_or_default();
        let chart = place(
            &mut charts,
            |chart| chart.title == title,
            || Chart { title: title.clone(), lines: Vec::new() },
        );
        let line = place(
            &mut chart.lines,
            |line| line.name == name,
            || Line { name: name.clone(), points: Vec::new() },
        );
        line.points.push(((record.bytes as f64 / f64::from(1 << 20)).log2(), quantity.of(record).log10()));
    }
    charts.retain(|chart| chart.lines.iter().any(|line| line.points.len() > 1));
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

fn draw_all(
    charts: &[Chart],
    quantity: Quantity,
    picture: &mut String,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(picture, (SIZE.0, SIZE.1 * charts.len() as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, Chart { title, lines }) in root.split_evenly((charts.len(), 1)).iter().zip(charts) {
        let points = || lines.iter().flat_map(|line| &line.points);
        let mut chart = ChartBuilder::on(area)
            .caption(title, ("sans-serif", 20))
            .margin(10)
            .margin_right(30)
            .x_label_area_size(35)
            .y_label_area_size(100)
            .build_cartesian_2d(range(points().map(|point| point.0)), range(points().map(|point| point.1)))?;
        chart
            .configure_mesh()
            .x_labels(8)
            .y_labels(6)
            .x_label_formatter(&|power| format!("{} MB", rounded(power.exp2())))
            .y_label_formatter(&|power| quantity.label(10_f64.powf(*power)))
            .label_style(("sans-serif", 15))
            .draw()?;
        for (index, Line { name, points }) in lines.iter().enumerate() {
            let colour = Palette99::pick(index).to_rgba();
            let stroke = colour.stroke_width(2);
            chart
                .draw_series([PathElement::new(points.clone(), stroke)])?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], stroke));
            chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
        }
        let style = ("sans-serif", 15);
        chart
            .configure_series_labels()
            .label_font(style)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK)
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// From the least to the greatest, and some room on either side.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let greatest = values.fold(f64::NEG_INFINITY, f64::max);
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
