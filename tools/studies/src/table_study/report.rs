//! Nodes and times of table designs: a Markdown table like the tables of Pascal Pons's tutorial, and plots against
//! memory.

use std::collections::BTreeMap;
use std::ops::Range;

use super::design::Design;
use super::record::{POSITIONS, Record};
use plumb_lab::arguments::MEGABYTE;
use plumb_lab::plot::{Axis, Figure, Line, Panel, Quantity, Stroke, extent};

pub(crate) fn markdown(records: &[Record]) -> String {
    let heading = format!(
        "# Transposition tables\n\n\
         The same search with one table after the other, empty before each position. Times are those of the processor on \
         one thread, positions are nodes of the search. The published figures are Pascal Pons's, \"Solving Connect 4\", parts \
         11 and 12, on a machine of his own and over {POSITIONS} positions of each class. A file is compared if its contents \
         are those of a class, whatever its name. The deviation is that of the positions, where the table is as large and all \
         of the class were solved.\n\n\
         |Solver|Test set|of|mean time|mean nb pos|K pos/s|published time|published nb pos|deviation|\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|\n"
    );
    std::iter::once(heading).chain(records.iter().map(row)).collect()
}

fn row(record: &Record) -> String {
    let published = record.published();
    let cells = [
        solver(record),
        record.class().to_owned(),
        record.positions.to_string(),
        duration(record.mean_seconds()),
        rounded(record.mean_nodes()),
        or_dash(record.speed().map(rounded)),
        or_dash(published.map(|published| duration(published.0))),
        or_dash(published.map(|published| rounded(published.1))),
        or_dash(record.deviation().map(signed)),
    ];
    format!("|{}|\n", cells.join("|"))
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

fn solver(record: &Record) -> String {
    let Record { search, design, entries, mode, .. } = record;
    let megabytes = rounded(record.bytes as f64 / f64::from(1 << 20));
    match entries {
        0 => format!("{search}, {design} ({mode} solver)"),
        _ => format!(
            "{search}, {design}, {} entries, {megabytes} MB ({mode} solver)",
            grouped(*entries as u64)
        ),
    }
}

/// A time with four significant digits.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{} µs", rounded(seconds * 1e6)),
        ..1.0 => format!("{} ms", rounded(seconds * 1e3)),
        _ => format!("{} s", rounded(seconds)),
    }
}

/// A percentage with its sign and two decimals.
pub(crate) fn signed(per_cent: f64) -> String {
    // Avoids -0.00.
    let rounded = (per_cent * 100.0).round() / 100.0;
    if rounded == 0.0 { "0.00 %".to_owned() } else { format!("{rounded:+.2} %") }
}

/// A number with four significant digits.
pub(crate) fn rounded(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let magnitude = number.abs().log10().floor() as i32;
    if magnitude >= 3 {
        let unit = 10_f64.powi(magnitude - 3);
        return grouped(((number / unit).round() * unit).round() as u64);
    }
    format!("{number:.0$}", (3 - magnitude).min(9) as usize)
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = (digits.len() + 2) % 3 + 1;
    let mut groups = vec![&digits[..first.min(digits.len())]];
    groups.extend((first..digits.len()).step_by(3).map(|at| &digits[at..at + 3]));
    groups.join(",")
}

const SIZE: (f64, f64) = (800.0, 400.0);

/// Points by design: size in megabytes, and nodes or seconds.
type Series = BTreeMap<Design, Vec<(f64, f64)>>;

/// Plots nodes or time against the size of the table. `None` if no design was measured in several sizes.
pub(crate) fn draw(records: &[Record], quantity: Quantity) -> Option<String> {
    let mut panels = Vec::new();
    for (title, series) in charts(records, quantity) {
        panels.push(panel(title, &series, quantity));
    }
    if panels.is_empty() { None } else { Some(Figure::new(panels, SIZE, 18.0).svg()) }
}

/// Title and points of each chart. Searches, modes and suites have their own charts.
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
        let value = quantity.of(record.mean_nodes(), record.mean_seconds());
        let points = charts[index].1.entry(record.design).or_default();
        points.push((record.bytes as f64 / MEGABYTE as f64, value));
    }
    charts.retain(|(_, series)| series.values().any(|points| points.len() > 1));
    for (_, series) in &mut charts {
        let Range { start, end } = bounds(series, |point| point.0);
        // The search without a table has no size. Its line crosses the chart.
        for points in series.values_mut() {
            if let [(0.0, value)] = points[..] {
                *points = vec![(start, value), (end, value)];
            }
        }
    }
    charts
}

fn panel(title: String, series: &Series, quantity: Quantity) -> Panel {
    let mut lines = Vec::new();
    for (&design, points) in series {
        let points = points.iter().map(|(size, value)| (size.log2(), value.log10())).collect();
        // A design has the same colour in all charts.
        lines.push(Line { name: design.to_string(), ..Line::new(Stroke::of(design as usize), points) });
    }
    Panel {
        title,
        x: Axis::doublings(bounds(series, |point| point.0), |size| format!("{size} MB")),
        y: Axis::log(bounds(series, |point| point.1), |value| quantity.label(value)),
        lines,
        ..Panel::default()
    }
}

fn bounds(series: &Series, figure: fn(&(f64, f64)) -> f64) -> Range<f64> {
    extent(series.values().flatten().map(figure).filter(|figure| *figure > 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::record::ENTRIES;
    use super::super::solver::Mode;
    use super::*;

    #[test]
    fn numbers_are_written_as_in_the_tutorial() {
        let numbers = [54.93, 517.4, 48_451.2, 3_693.0, 1_459_000.0, 72_494_999.0, 0.0, 0.5, 999.96];
        assert_eq!(
            numbers.map(rounded),
            ["54.93", "517.4", "48,450", "3,693", "1,459,000", "72,490,000", "0", "0.5000", "1000.0"]
        );
        let times = [4.722e-6, 3.736e-3, 5.667, 113.4e-3];
        assert_eq!(times.map(duration), ["4.722 µs", "3.736 ms", "5.667 s", "113.4 ms"]);
        let numbers = [1, 12, 123, 1234, 123_456, 8_388_617].map(grouped);
        assert_eq!(numbers[3..], ["1,234", "123,456", "8,388,617"]);
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([-0.004, 0.0, 0.006, -1.694].map(signed), ["0.00 %", "0.00 %", "+0.01 %", "-1.69 %"]);
    }

    #[test]
    fn published_figures_stand_beside_ours() {
        let text = markdown(&[
            Record::example(Design::CrtUpper, ENTRIES, "end-easy.txt", Mode::Strong).of_class(0),
            Record::example(Design::None, 0, "own.txt", Mode::Weak),
        ]);
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with("|plain")).collect();
        let expected = [
            "|plain, crt-upper, 8,388,617 entries, 40.00 MB (strong solver)|end-easy|1000|6.000 µs|54.00|9,000|\
             4.722 µs|54.93|-1.69 %|",
            "|plain, none (weak solver)|own|1000|6.000 µs|54.00|9,000|-|-|-|",
        ];
        assert_eq!(rows, expected);
        let columns = |line: &str| line.matches('|').count();
        assert!(text.lines().filter(|line| line.starts_with('|')).all(|line| columns(line) == 10), "{text}");
    }

    #[test]
    fn several_sizes_make_a_picture() {
        let of = |sizes: &[usize]| {
            let of_size = |&size| Record::example(Design::CrtUpper, size, "end-easy.txt", Mode::Weak);
            sizes.iter().map(of_size).collect::<Vec<_>>()
        };
        // The processor time of a short search may be 0.
        for (quantity, timeless) in
            Quantity::ALL.into_iter().flat_map(|quantity| [(quantity, 1), (quantity, 2)])
        {
            assert_eq!(draw(&of(&[131_101]), quantity), None);
            let mut records = of(&[131_101, 8_388_617]);
            for record in &mut records[..timeless] {
                record.cpu_seconds = 0.0;
            }
            let picture = draw(&records, quantity).expect("two sizes");
            assert!(picture.starts_with("<svg") && picture.contains("crt-upper"), "{picture}");
            assert!(picture.contains("end-easy.txt"), "{picture}");
            assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
            for record in &mut records {
                record.nodes = 0;
            }
            assert_eq!(draw(&records, quantity), None);
        }
    }
}
