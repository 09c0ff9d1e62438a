//! The results as Markdown tables and plots.

use super::record::Record;
use super::search::Method;
use super::summary::{Curve, Fit, Mean, pairs};
use plumb_lab::plot::{Axis, BLACK, COLOURS, Figure, Line, Panel, Quantity, Stroke, extent};

/// Greatest depth of the essay. Curves are fitted up to this depth and up to the greatest depth.
const ESSAY_DEPTH: u32 = 6;
const ESSAY_METHODS: [Method; 2] = [Method::AlphaBeta, Method::AlphaBetaTable];
/// Mean time of a search in milliseconds at depths 1 to 6: last column of the essay's tables 2 and 3.
const ESSAY_TIMES: [[f64; ESSAY_DEPTH as usize]; 2] =
    [[1.65, 4.82, 19.43, 42.72, 189.86, 547.95], [2.2, 7.61, 22.08, 55.84, 177.35, 465.06]];
const ESSAY_FITS: [Fit; 2] =
    [Fit { a: 0.665, b: 3.064, r_squared: 0.9984 }, Fit { a: 1.15, b: 2.72, r_squared: 0.9994 }];

/// The report. `curves` have all depths up to `max_depth`; `sentences` lists the settings.
pub(crate) fn report(sentences: &str, max_depth: u32, curves: &[Curve], records: &[Record]) -> String {
    let nodes = means(curves, |mean| format!("{:.1}", mean.nodes));
    let times = means(curves, |mean| format!("{:.2}", mean.seconds * 1e6));
    let games = games(curves, records);
    let (fits, crossings, shares) = (fits(curves, max_depth), crossings(curves, max_depth), shares(curves));
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

fn place_in_essay(method: Method) -> Option<usize> {
    ESSAY_METHODS.iter().position(|known| *known == method)
}

/// Times of the essay's methods by game, next to the essay's averages (tables 2 and 3).
fn games(curves: &[Curve], records: &[Record]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for record in records {
        if !names.contains(&record.game.as_str()) {
            names.push(&record.game);
        }
    }
    let mut text = String::new();
    for curve in curves {
        let Some(place) = place_in_essay(curve.method) else { continue };
        let mut columns = Vec::new();
        for name in &names {
            let of_game: Vec<_> = records.iter().filter(|record| record.game == *name).cloned().collect();
            let depths = 1..=curve.means.len() as u32;
            columns.push(((*name).to_owned(), milliseconds(&Curve::of(curve.method, depths, &of_game))));
        }
        columns.push(("all".to_owned(), milliseconds(curve)));
        let mut essay: Vec<_> = ESSAY_TIMES[place].iter().map(|time| format!("{time:.2}")).collect();
        essay.resize(curve.means.len(), "-".to_owned());
        columns.push(("essay".to_owned(), essay));
        let table = by_depth(curves, columns.into_iter());
        text.extend([&format!("## Milliseconds a search, by game: {}\n\n", curve.method), &table, "\n"]);
    }
    text
}

fn milliseconds(curve: &Curve) -> Vec<String> {
    curve.means.iter().map(|mean| format!("{:.4}", mean.seconds * 1e3)).collect()
}

fn fitted_depths(max_depth: u32) -> Vec<u32> {
    let mut depths = vec![ESSAY_DEPTH.min(max_depth), max_depth];
    depths.dedup();
    depths
}

fn means(curves: &[Curve], show: impl Fn(&Mean) -> String) -> String {
    let mut columns = Vec::new();
    for curve in curves {
        columns.push((curve.method.to_string(), curve.means.iter().map(&show).collect()));
    }
    by_depth(curves, columns.into_iter())
}

fn by_depth(curves: &[Curve], columns: impl Iterator<Item = (String, Vec<String>)>) -> String {
    let depths = 1..=curves.first().map_or(0, |curve| curve.means.len());
    let mut rows: Vec<_> = depths.map(|depth| vec![depth.to_string()]).collect();
    let mut headings = vec!["depth".to_owned()];
    for (heading, cells) in columns {
        headings.push(heading);
        rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
    }
    table(&headings, rows)
}

fn fits(curves: &[Curve], max_depth: u32) -> String {
    let heading = ["method", "depths", "nodes a", "nodes b", "nodes R²", "time a", "time b", "time R²"];
    let mut rows = Vec::new();
    for curve in curves {
        for &depth in &fitted_depths(max_depth) {
            let mut row = vec![curve.method.to_string(), format!("1 to {depth}")];
            for (quantity, unit) in Quantity::ALL.into_iter().zip([1.0, 1e6]) {
                row.extend(curve.fit(quantity, depth).map_or([const { "-" }; 3].map(str::to_owned), |fit| {
                    [fit.a * unit, fit.b, fit.r_squared].map(|number| format!("{number:.4}"))
                }));
            }
            rows.push(row);
        }
    }
    for (method, fit) in ESSAY_METHODS.iter().zip(ESSAY_FITS) {
        let mut row = vec![format!("essay, {method}"), format!("1 to {ESSAY_DEPTH}")];
        row.extend(["-"; 3].map(str::to_owned));
        row.extend([fit.a * 1e3, fit.b, fit.r_squared].map(|number| format!("{number:.4}")));
        rows.push(row);
    }
    table(&heading.map(str::to_owned), rows)
}

fn crossings(curves: &[Curve], max_depth: u32) -> String {
    let mut heading = vec!["methods".to_owned()];
    for name in Quantity::ALL.map(Quantity::name) {
        heading.push(format!("{name}, measured"));
        heading.extend(fitted_depths(max_depth).iter().map(|depth| format!("{name}, fits 1 to {depth}")));
    }
    let rows = pairs(curves).map(|(plain, with_table)| {
        let mut row = vec![format!("{}, {}", plain.method, with_table.method)];
        for quantity in Quantity::ALL {
            row.push(runs(&plain.beaten_by(with_table, quantity)));
            row.extend(fitted_depths(max_depth).iter().map(|&depth| {
                let fits = plain.fit(quantity, depth).zip(with_table.fit(quantity, depth));
                let crossing = fits.map(|(plain, with_table)| plain.overtaken_by(&with_table));
                crossing.map_or("-".to_owned(), |crossing| {
                    crossing.map_or("never".to_owned(), |depth| format!("{depth:.1}"))
                })
            }));
        }
        row
    });
    let [plain, with_table] = ESSAY_FITS;
    let crossing = plain.overtaken_by(&with_table).unwrap_or(f64::NAN);
    let essay = "\nThe essay: the table pays from depth 5 on; its two curves cross at depth";
    table(&heading, rows) + &format!("{essay} {crossing:.1}.\n")
}

fn shares(curves: &[Curve]) -> String {
    let columns = pairs(curves).flat_map(|(plain, with_table)| {
        Quantity::ALL.map(|quantity| {
            let shares = plain.shares(with_table, quantity).into_iter();
            let cells = shares.map(|(_, share)| format!("{:.0} %", 100.0 * share));
            (format!("{}: {}", plain.method, quantity.name()), cells.collect())
        })
    });
    let [plain, with_table] = ESSAY_TIMES;
    let mut essay: Vec<_> = plain
        .iter()
        .zip(with_table)
        .map(|(plain, with_table)| format!("{:.0} %", 100.0 * with_table / plain))
        .collect();
    essay.resize(curves.first().map_or(0, |curve| curve.means.len()), "-".to_owned());
    by_depth(curves, columns.chain([("essay: time".to_owned(), essay)]))
}

/// Ascending numbers in words, such as `2, 4 to 6`.
fn runs(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|first, second| first + 1 == *second).map(|run| match run {
        [first, .., last] => format!("{first} to {last}"),
        _ => run.iter().map(ToString::to_string).collect(),
    });
    let text = runs.collect::<Vec<_>>().join(", ");
    if text.is_empty() { "never".to_owned() } else { text }
}

fn table(heading: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut rows: Vec<_> = [heading.to_vec()].into_iter().chain(rows).collect();
    let (mut widths, mut rule) = (Vec::new(), Vec::new());
    for column in 0..heading.len() {
        let width = rows.iter().map(|row| row[column].chars().count()).fold(3, usize::max);
        widths.push(width);
        rule.push(if column == 0 { "-".repeat(width) } else { "-".repeat(width - 1) + ":" });
    }
    rows.insert(1, rule);
    let mut text = String::new();
    for row in &rows {
        text.push('|');
        for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            let padding = " ".repeat(width - cell.chars().count());
            let [left, right] = if column == 0 { ["", &padding] } else { [&padding, ""] };
            text.extend([" ", left, cell, right, " |"]);
        }
        text.push('\n');
    }
    text
}

/// Width and height of a panel in pixels. The letters are readable at half of this size.
const SIZE: (f64, f64) = (560.0, 620.0);
const LETTERS: f64 = 24.0;
const DEPTH_LABELS: u32 = 8;
/// Minimum of the upper end of the axis, in per cent.
const LEAST_SHARE: f64 = 120.0;

/// The cost of the searches over a logarithmic axis, with the fitted curves; a panel for each search.
pub(crate) fn draw(curves: &[Curve], quantity: Quantity) -> String {
    let means: Vec<_> = curves.iter().flat_map(|curve| &curve.means).collect();
    let deepest = means.iter().map(|mean| mean.depth).max().unwrap_or(1);
    let fits = curves.iter().filter_map(|curve| curve.fit(quantity, deepest));
    let ends = fits.flat_map(|fit| [1, deepest].map(|depth| fit.at(f64::from(depth))));
    let values = extent(means.iter().map(|mean| mean.of(quantity)).chain(ends));
    let groups = Method::PAIRS.map(|(plain, with_table)| {
        let chosen = curves.iter().filter(|curve| [plain, with_table].contains(&curve.method));
        (plain.to_string(), chosen.collect::<Vec<_>>())
    });
    let panels = groups.into_iter().filter(|(_, group)| !group.is_empty()).map(|(name, group)| Panel {
        title: name,
        x: depths(deepest),
        y: Axis::log(values.clone(), |value| quantity.label(value)),
        lines: group.iter().flat_map(|curve| lines(curve, quantity, deepest)).collect(),
        ..Panel::default()
    });
    let title = format!("{} a search, mean of all positions", quantity.of("Nodes", "Processor time"));
    let mut entries = vec![("without a table", measured(false)), ("with the table", measured(true))];
    if curves.iter().any(|curve| curve.fit(quantity, deepest).is_some()) {
        entries.push(("fitted", fitted(BLACK)));
    }
    figure(&title, panels.collect(), &entries)
}

/// The cost with a table as a share of the cost without; a panel for each pair of methods.
pub(crate) fn draw_shares(curves: &[Curve]) -> Option<String> {
    let (mut groups, mut deepest, mut most) = (Vec::new(), 1, LEAST_SHARE);
    for (plain, with_table) in pairs(curves) {
        let mut lines = Vec::new();
        for quantity in Quantity::ALL {
            let mut points = Vec::new();
            for (depth, share) in plain.shares(with_table, quantity) {
                points.push((f64::from(depth), 100.0 * share));
                deepest = deepest.max(depth);
                most = most.max(100.0 * share);
            }
            lines.push(Line::new(share(quantity as usize), points));
        }
        groups.push((plain.method.to_string(), lines));
    }
    if groups.is_empty() {
        return None;
    }
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
    let title = "What the search with a table needs, as a share of the one without";
    Some(figure(title, panels.collect(), &entries))
}

fn figure(title: &str, panels: Vec<Panel>, entries: &[(&str, Stroke)]) -> String {
    let entries = entries.iter().map(|(name, stroke)| ((*name).to_owned(), *stroke)).collect();
    Figure { title: title.to_owned(), panels, panel_size: SIZE, letters: LETTERS, entries }.svg()
}

fn depths(deepest: u32) -> Axis {
    Axis::whole(1, deepest, DEPTH_LABELS).titled("depth in plies")
}

fn lines(curve: &Curve, quantity: Quantity, deepest: u32) -> Vec<Line> {
    let stroke = measured(curve.method.has_table());
    let fit = curve.fit(quantity, deepest).map(|fit| {
        let ends = [1, deepest].map(|depth| (f64::from(depth), fit.at(f64::from(depth)).log10()));
        Line::new(fitted(stroke.colour), ends.to_vec())
    });
    let points = curve.means.iter().map(|mean| (f64::from(mean.depth), mean.of(quantity).log10()));
    fit.into_iter().chain([Line::new(stroke, points.collect())]).collect()
}

fn measured(has_table: bool) -> Stroke {
    let number = usize::from(has_table);
    Stroke {
        width: 4 - number as u32,
        radius: 8 - 2 * number as u32,
        is_open: !has_table,
        ..Stroke::plain(COLOURS[number], 4)
    }
}

fn fitted(colour: &'static str) -> Stroke {
    Stroke { dashes: "8 6", ..Stroke::plain(colour, 2) }
}

fn share(number: usize) -> Stroke {
    Stroke {
        width: 5 - 2 * number as u32,
        radius: 7 - 2 * number as u32,
        ..Stroke::plain(COLOURS[number + 2], 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_named_by_their_ends() {
        let cases: [(&[u32], _); 3] =
            [(&[], "never"), (&[2], "2"), (&[1, 3, 4, 7, 8, 9], "1, 3 to 4, 7 to 9")];
        assert!(cases.into_iter().all(|(numbers, text)| runs(numbers) == text));
    }

    #[test]
    fn a_table_has_aligned_columns() {
        let text = table(&["a", "bb"].map(str::to_owned), [["1234", "5"].map(str::to_owned).into()]);
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
        let picture = draw(&some, Quantity::Time);
        for text in ["<svg", "alpha-beta\n", "pvs\n", "null-window\n", "10 µs"] {
            assert!(picture.contains(text), "{text}: {picture}");
        }
        let picture = draw_shares(&some).expect("there is a pair");
        assert!(picture.starts_with("<svg") && picture.contains("nodes") && picture.contains("100 %"));
        assert_eq!(draw_shares(&some[..2]), None);
    }
}
