//! Nodes and times of fixed-depth searches as Markdown tables and plots, next to the figures of a student's essay.

use super::record::Record;
use super::search::Method;
use super::summary::{Curve, Fit, pairs};
use plumb_lab::plot::{Axis, BLACK, COLOURS, Figure, Line, Panel, Quantity, Stroke, extent};

/// Greatest depth in the student's essay.
const ESSAY_DEPTH: u32 = 6;
const ESSAY_METHODS: [Method; 2] = [Method::AlphaBeta, Method::AlphaBetaTable];
/// Mean time of a search in milliseconds at depths 1 to 6: last column of the essay's tables 2 and 3.
const ESSAY_TIMES: [[f64; ESSAY_DEPTH as usize]; 2] =
    [[1.65, 4.82, 19.43, 42.72, 189.86, 547.95], [2.2, 7.61, 22.08, 55.84, 177.35, 465.06]];
const ESSAY_FITS: [Fit; 2] =
    [Fit { a: 0.665, b: 3.064, r_squared: 0.9984 }, Fit { a: 1.15, b: 2.72, r_squared: 0.9994 }];

/// The text of `depth-study.md`. `sentences` lists the settings.
pub(crate) fn report(sentences: &str, max_depth: u32, curves: &[Curve], records: &[Record]) -> String {
    let (mut nodes, mut times) = (Vec::new(), Vec::new());
    for curve in curves {
        let method = curve.method.to_string();
        nodes.push(column(&method, &curve.means, |mean| format!("{:.1}", mean.nodes)));
        times.push(column(&method, &curve.means, |mean| format!("{:.2}", mean.seconds * 1e6)));
    }
    let (nodes, times) = (by_depth(max_depth, nodes), by_depth(max_depth, times));
    let games = games(max_depth, curves, records);
    let depths = if max_depth > ESSAY_DEPTH { vec![ESSAY_DEPTH, max_depth] } else { vec![max_depth] };
    let (fits, crossings) = (fits(curves, &depths), crossings(curves, &depths));
    let shares = shares(max_depth, curves);
    format!(
        "# Alpha-beta to a fixed depth, with and without a transposition table\n\n{sentences}\n\
         ## Nodes a search\n\n{nodes}\n\
         ## Processor time a search, in microseconds\n\n{times}\n\
         {games}## Curves a·b^depth\n\nLeast squares in log space, R² of the logarithms; time in microseconds.\n\n{fits}\n\
         ## Where the table pays\n\nMeasured: the depths at which the search with a table needs less. Fits: the \
         depth at which the two curves cross.\n\n{crossings}\n\
         What the search with a table needs, as a share of what the one without needs:\n\n{shares}"
    )
}

/// Heading of a column, and its cells from depth 1 on.
type Column = (String, Vec<String>);

fn column<T>(heading: &str, figures: &[T], show: impl Fn(&T) -> String) -> Column {
    (heading.to_owned(), figures.iter().map(show).collect())
}

/// A table with a row for each depth. Dashes fill columns that are too short.
fn by_depth(max_depth: u32, columns: Vec<Column>) -> String {
    let mut rows: Vec<_> = (1..=max_depth).map(|depth| vec![depth.to_string()]).collect();
    let mut headings = vec!["depth".to_owned()];
    for (heading, cells) in columns {
        headings.push(heading);
        let padded = cells.into_iter().chain(std::iter::repeat("-".to_owned()));
        rows.iter_mut().zip(padded).for_each(|(row, cell)| row.push(cell));
    }
    table(&headings, rows)
}

/// For each method of the student's essay, a table of times by game, with the essay's averages (tables 2 and 3).
fn games(max_depth: u32, curves: &[Curve], records: &[Record]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for record in records {
        if !names.contains(&record.game.as_str()) {
            names.push(&record.game);
        }
    }
    let mut text = String::new();
    for curve in curves {
        let Some(place) = ESSAY_METHODS.iter().position(|method| *method == curve.method) else { continue };
        let mut columns = Vec::new();
        for name in &names {
            columns.push(milliseconds(name, &Curve::of(curve.method, Some(name), max_depth, records)));
        }
        columns.push(milliseconds("all", curve));
        columns.push(column("essay", &ESSAY_TIMES[place], |time| format!("{time:.2}")));
        let table = by_depth(max_depth, columns);
        text.extend([&format!("## Milliseconds a search, by game: {}\n\n", curve.method), &table, "\n"]);
    }
    text
}

fn milliseconds(heading: &str, curve: &Curve) -> Column {
    column(heading, &curve.means, |mean| format!("{:.4}", mean.seconds * 1e3))
}

/// Table of the exponential curves fitted up to each of the `depths`, and of the essay's curves.
fn fits(curves: &[Curve], depths: &[u32]) -> String {
    let heading = ["method", "depths", "nodes a", "nodes b", "nodes R²", "time a", "time b", "time R²"];
    let mut rows = Vec::new();
    for curve in curves {
        for &depth in depths {
            let mut row = vec![curve.method.to_string(), format!("1 to {depth}")];
            row.extend(fit_cells(curve.fit(Quantity::Nodes, depth), 1.0));
            row.extend(fit_cells(curve.fit(Quantity::Time, depth), 1e6));
            rows.push(row);
        }
    }
    for (method, fit) in ESSAY_METHODS.into_iter().zip(ESSAY_FITS) {
        let mut row = vec![format!("essay, {method}"), format!("1 to {ESSAY_DEPTH}")];
        row.extend(fit_cells(None, 1.0));
        row.extend(fit_cells(Some(fit), 1e3));
        rows.push(row);
    }
    table(&heading.map(str::to_owned), rows)
}

fn fit_cells(fit: Option<Fit>, unit: f64) -> [String; 3] {
    let Some(Fit { a, b, r_squared }) = fit else { return ["-"; 3].map(str::to_owned) };
    [a * unit, b, r_squared].map(|number| format!("{number:.4}"))
}

/// Table of the depths at which a transposition table pays: as measured, and where the fitted curves cross.
fn crossings(curves: &[Curve], depths: &[u32]) -> String {
    let mut heading = vec!["methods".to_owned()];
    for name in Quantity::ALL.map(Quantity::name) {
        heading.push(format!("{name}, measured"));
        heading.extend(depths.iter().map(|depth| format!("{name}, fits 1 to {depth}")));
    }
    let mut rows = Vec::new();
    for (plain, with_table) in pairs(curves) {
        let mut row = vec![format!("{}, {}", plain.method, with_table.method)];
        for quantity in Quantity::ALL {
            row.push(runs(&plain.beaten_by(with_table, quantity)));
            for &depth in depths {
                row.push(match (plain.fit(quantity, depth), with_table.fit(quantity, depth)) {
                    (Some(plain), Some(with_table)) => crossing(&plain, &with_table),
                    _ => "-".to_owned(),
                });
            }
        }
        rows.push(row);
    }
    let [plain, with_table] = ESSAY_FITS;
    let essay = "\nThe essay: the table pays from depth 5 on; its two curves cross at depth";
    table(&heading, rows) + &format!("{essay} {}.\n", crossing(&plain, &with_table))
}

fn crossing(plain: &Fit, with_table: &Fit) -> String {
    plain.overtaken_by(with_table).map_or("never".to_owned(), |depth| format!("{depth:.1}"))
}

/// Table of costs with a transposition table, in per cent of costs without.
fn shares(max_depth: u32, curves: &[Curve]) -> String {
    let mut columns = Vec::new();
    for (plain, with_table) in pairs(curves) {
        for quantity in Quantity::ALL {
            let heading = format!("{}: {}", plain.method, quantity.name());
            columns
                .push(column(&heading, &plain.shares(with_table, quantity), |(_, share)| per_cent(*share)));
        }
    }
    let [plain, with_table] = ESSAY_TIMES;
    let essay: Vec<_> = plain.iter().zip(with_table).map(|(plain, with_table)| with_table / plain).collect();
    columns.push(column("essay: time", &essay, |share| per_cent(*share)));
    by_depth(max_depth, columns)
}

fn per_cent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Ascending numbers as text, such as `2, 4 to 6`.
fn runs(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "never".to_owned();
    }
    let runs = numbers.chunk_by(|first, second| first + 1 == *second).map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        _ => run[0].to_string(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// A Markdown table. The first column is left-aligned, the others right-aligned.
fn table(heading: &[String], rows: Vec<Vec<String>>) -> String {
    let mut widths = vec![3; heading.len()];
    for row in [heading].into_iter().chain(rows.iter().map(Vec::as_slice)) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut rule: Vec<_> = widths.iter().map(|width| "-".repeat(width - 1) + ":").collect();
    rule[0] = "-".repeat(widths[0]);
    let mut text = String::new();
    for row in [heading.to_vec(), rule].into_iter().chain(rows) {
        let mut cells = vec![format!("{:1$}", row[0], widths[0])];
        cells.extend(row.iter().zip(&widths).skip(1).map(|(cell, width)| format!("{cell:>width$}")));
        text.extend(["| ", &cells.join(" | "), " |\n"]);
    }
    text
}

/// Width and height of a panel in pixels.
const SIZE: (f64, f64) = (560.0, 620.0);
/// Height of the letters, readable in a picture of half the size.
const LETTERS: f64 = 24.0;
const DEPTH_LABELS: u32 = 8;
/// Least upper end of the axis of shares, in per cent.
const LEAST_SHARE: f64 = 120.0;

const WITHOUT_TABLE: Stroke = Stroke { radius: 8, is_open: true, ..Stroke::plain(COLOURS[0], 4) };
const WITH_TABLE: Stroke = Stroke { radius: 6, ..Stroke::plain(COLOURS[1], 3) };
const NODES_SHARE: Stroke = Stroke { radius: 7, ..Stroke::plain(COLOURS[2], 5) };
const TIME_SHARE: Stroke = Stroke { radius: 5, ..Stroke::plain(COLOURS[3], 3) };
const NO_DIFFERENCE: Stroke = Stroke::plain(BLACK, 2);

const fn fitted(colour: &'static str) -> Stroke {
    Stroke { dashes: "8 6", ..Stroke::plain(colour, 2) }
}

/// Plots nodes or time by depth, with and without a table, and the fitted curves. Each search has a panel.
pub(crate) fn draw(max_depth: u32, curves: &[Curve], quantity: Quantity) -> String {
    let mut values = Vec::new();
    for curve in curves {
        values.extend(curve.means.iter().map(|mean| mean.of(quantity)));
        let fit = curve.fit(quantity, max_depth);
        values.extend(fit.iter().flat_map(|fit| [1, max_depth].map(|depth| fit.at(f64::from(depth)))));
    }
    let y = Axis::log(extent(values.into_iter()), |value| quantity.label(value));
    let mut panels = Vec::new();
    for (plain, with_table) in Method::PAIRS {
        let chosen = curves.iter().filter(|curve| [plain, with_table].contains(&curve.method));
        let lines: Vec<_> = chosen.flat_map(|curve| lines(curve, quantity, max_depth)).collect();
        if !lines.is_empty() {
            let (title, x) = (plain.to_string(), depths(max_depth));
            panels.push(Panel { title, x, y: y.clone(), lines, ..Panel::default() });
        }
    }
    let mut entries = vec![("without a table", WITHOUT_TABLE), ("with the table", WITH_TABLE)];
    if max_depth > 1 {
        entries.push(("fitted", fitted(BLACK)));
    }
    let title = format!("{} a search, mean of all positions", quantity.of("Nodes", "Processor time"));
    figure(&title, panels, &entries)
}

/// The fitted curve, which is straight on a logarithmic axis, and the measured means.
fn lines(curve: &Curve, quantity: Quantity, max_depth: u32) -> Vec<Line> {
    let stroke = if curve.method.has_table() { WITH_TABLE } else { WITHOUT_TABLE };
    let mut lines = Vec::new();
    if let Some(fit) = curve.fit(quantity, max_depth) {
        let ends = [1, max_depth].map(|depth| (f64::from(depth), fit.at(f64::from(depth)).log10()));
        lines.push(Line::new(fitted(stroke.colour), ends.to_vec()));
    }
    let points = curve.means.iter().map(|mean| (f64::from(mean.depth), mean.of(quantity).log10()));
    lines.push(Line::new(stroke, points.collect()));
    lines
}

/// Plots the cost with a table in per cent of the cost without. Each search has a panel.
pub(crate) fn draw_shares(max_depth: u32, curves: &[Curve]) -> Option<String> {
    let (mut panels, mut most) = (Vec::new(), LEAST_SHARE);
    for (plain, with_table) in pairs(curves) {
        let x = depths(max_depth);
        let mut lines = vec![Line::new(NO_DIFFERENCE, vec![(x.range.start, 100.0), (x.range.end, 100.0)])];
        for (quantity, stroke) in Quantity::ALL.into_iter().zip([NODES_SHARE, TIME_SHARE]) {
            let mut points = Vec::new();
            for (depth, share) in plain.shares(with_table, quantity) {
                points.push((f64::from(depth), 100.0 * share));
                most = most.max(100.0 * share);
            }
            lines.push(Line::new(stroke, points));
        }
        panels.push(Panel { title: plain.method.to_string(), x, lines, ..Panel::default() });
    }
    if panels.is_empty() {
        return None;
    }
    for panel in &mut panels {
        panel.y = Axis::linear(0.0..most, 8, |share, _| format!("{share:.0} %"));
    }
    let entries = [("nodes", NODES_SHARE), ("time", TIME_SHARE), ("no difference", NO_DIFFERENCE)];
    let title = "What the search with a table needs, as a share of the one without";
    Some(figure(title, panels, &entries))
}

fn depths(max_depth: u32) -> Axis {
    Axis::whole(1, max_depth, DEPTH_LABELS).titled("depth in plies")
}

fn figure(title: &str, panels: Vec<Panel>, entries: &[(&str, Stroke)]) -> String {
    let entries = entries.iter().map(|(name, stroke)| ((*name).to_owned(), *stroke)).collect();
    Figure { title: title.to_owned(), panels, panel_size: SIZE, letters: LETTERS, entries }.svg()
}

#[cfg(test)]
mod tests {
    use super::super::summary::Mean;
    use super::*;

    #[test]
    fn numbers_in_a_row_are_named_by_their_ends() {
        let cases: [(&[u32], _); 3] =
            [(&[], "never"), (&[2], "2"), (&[1, 3, 4, 7, 8, 9], "1, 3 to 4, 7 to 9")];
        assert!(cases.into_iter().all(|(numbers, text)| runs(numbers) == text));
    }

    #[test]
    fn a_table_has_aligned_columns() {
        let text = table(&["a", "bb"].map(str::to_owned), vec![["1234", "5"].map(str::to_owned).into()]);
        assert_eq!(text, "| a    |  bb |\n| ---- | --: |\n| 1234 |   5 |\n");
    }

    #[test]
    fn a_picture_names_its_searches() {
        let means = (1..=6).map(|depth| {
            let nodes = 3_f64.powi(depth);
            Mean { depth: depth as u32, nodes, seconds: nodes / 1e7 }
        });
        let curve = |&method: &Method| Curve { method, means: means.clone().collect() };
        let of = |methods: &[Method]| methods.iter().map(curve).collect::<Vec<_>>();
        let some = of(&[Method::AlphaBeta, Method::Pvs, Method::PvsTable, Method::NullWindowTable]);
        let picture = draw(6, &some, Quantity::Time);
        for text in ["<svg", "alpha-beta\n", "pvs\n", "null-window\n", "10 µs"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        let picture = draw_shares(6, &some).expect("there is a pair");
        assert!(picture.starts_with("<svg") && picture.contains("nodes") && picture.contains("100 %"));
        assert_eq!(draw_shares(6, &some[..2]), None);
    }
}
