//! The results as tables in Markdown.

use std::fmt::Write;

use super::summary::{Curve, Fit, Mean, pairs};
use crate::plot::Quantity;

/// The depth to which the study measured; curves are fitted up to there as well as to the greatest depth.
const STUDY_DEPTH: u32 = 6;

/// The fits that the study printed, without and with a table. What they count does not matter here: the growth with
/// each ply and the depth at which they cross are the same in any unit.
const STUDY_FITS: [Fit; 2] =
    [Fit { a: 0.665, b: 3.064, r_squared: f64::NAN }, Fit { a: 1.15, b: 2.72, r_squared: f64::NAN }];

/// The report on these curves, up to a depth in plies, with sentences on how the searches were done.
pub fn report(sentences: &[String], max_depth: u32, curves: &[Curve]) -> String {
    let mut text = "# Alpha-beta to a fixed depth, with and without a transposition table\n\n".to_owned();
    for line in sentences {
        let _ = writeln!(text, "- {line}");
    }
    text += "\n## Nodes a search\n\n";
    text += &means(curves, |mean| format!("{:.1}", mean.nodes));
    text += "\n## Processor time a search, in microseconds\n\n";
    text += &means(curves, |mean| format!("{:.2}", mean.seconds * 1e6));
    text += "\n## Curves a·b^depth\n\nLeast squares in log space, R² of the logarithms; time in microseconds.\n\n";
    text += &fits(curves, max_depth);
    text += "\n## Where the table pays\n\nMeasured: the depths at which the search with a table needs less. Fits: the ";
    text += "depth at which the two curves cross.\n\n";
    text += &crossings(curves, max_depth);
    text += "\nWhat the search with a table needs, as a share of what the one without needs:\n\n";
    text += &shares(curves);
    text
}

/// The depths up to which curves are fitted.
fn fitted(max_depth: u32) -> Vec<u32> {
    let mut depths = vec![STUDY_DEPTH.min(max_depth), max_depth];
    depths.dedup();
    depths
}

/// A row a depth, a column a method.
fn means(curves: &[Curve], show: impl Fn(&Mean) -> String) -> String {
    let mut heading = vec!["depth".to_owned()];
    heading.extend(curves.iter().map(|curve| curve.method.to_string()));
    let depths = curves.iter().flat_map(|curve| &curve.means).map(|mean| mean.depth).max().unwrap_or(0);
    let rows =
        (1..=depths).map(|depth| {
            let mut row = vec![depth.to_string()];
            row.extend(curves.iter().map(|curve| {
                curve.means.iter().find(|mean| mean.depth == depth).map_or("-".to_owned(), &show)
            }));
            row
        });
    table(&heading, rows)
}

/// A row for each method and range of depths, and those of the study.
fn fits(curves: &[Curve], max_depth: u32) -> String {
    let heading = ["method", "depths", "nodes a", "nodes b", "nodes R²", "time a", "time b", "time R²"];
    let mut rows = Vec::new();
    for curve in curves {
        for &depth in &fitted(max_depth) {
            let mut row = vec![curve.method.to_string(), format!("1 to {depth}")];
            for (quantity, unit) in Quantity::ALL.into_iter().zip([1.0, 1e6]) {
                row.extend(curve.fit(quantity, depth).map_or([const { "-" }; 3].map(str::to_owned), |fit| {
                    [fit.a * unit, fit.b, fit.r_squared].map(|number| format!("{number:.4}"))
                }));
            }
            rows.push(row);
        }
    }
    let [plain, with_table] = STUDY_FITS.map(|fit| format!("{} · {}^depth", fit.a, fit.b));
    let mut text = table(&heading.map(str::to_owned), rows);
    let _ = writeln!(
        text,
        "\nThe study, depth 1 to {STUDY_DEPTH}: {plain} without a table, {with_table} with one. What is counted, and \
         in which unit, is not known here, so compare b; as these differ at depth 1, where a table has nothing to save, \
         they are most likely times."
    );
    text
}

/// A row for each pair of methods that differ by the table alone, and that of the study.
fn crossings(curves: &[Curve], max_depth: u32) -> String {
    let mut heading = vec!["methods".to_owned()];
    for name in Quantity::ALL.map(Quantity::name) {
        heading.push(format!("{name}, measured"));
        heading.extend(fitted(max_depth).iter().map(|depth| format!("{name}, fits 1 to {depth}")));
    }
    let rows = pairs(curves).map(|(plain, with_table)| {
        let mut row = vec![format!("{}, {}", plain.method, with_table.method)];
        for quantity in Quantity::ALL {
            row.push(runs(&plain.beaten_by(with_table, quantity)));
            row.extend(fitted(max_depth).iter().map(|&depth| {
                let fits = plain.fit(quantity, depth).zip(with_table.fit(quantity, depth));
                let crossing = fits.map(|(plain, with_table)| plain.overtaken_by(&with_table));
                crossing.map_or("-".to_owned(), |crossing| {
                    crossing.map_or("never".to_owned(), |depth| format!("{depth:.1}"))
                })
            }));
        }
        row
    });
    let mut text = table(&heading, rows);
    let [plain, with_table] = STUDY_FITS;
    let own = plain.overtaken_by(&with_table).unwrap_or(f64::NAN);
    let _ = writeln!(
        text,
        "\nThe study: between depth 5 and 6 as measured; its two curves cross at depth {own:.1}."
    );
    text
}

/// A row a depth, two columns for each pair of methods.
fn shares(curves: &[Curve]) -> String {
    let mut heading = vec!["depth".to_owned()];
    for (plain, _) in pairs(curves) {
        heading.extend(Quantity::ALL.map(|quantity| format!("{}: {}", plain.method, quantity.name())));
    }
    let depths = curves.first().map_or(0, |curve| curve.means.len());
    let rows = (0..depths).map(|index| {
        let mut row = vec![(index + 1).to_string()];
        for (plain, with_table) in pairs(curves) {
            let share = |quantity| plain.shares(with_table, quantity)[index].1;
            row.extend(Quantity::ALL.map(|quantity| format!("{:.0} %", 100.0 * share(quantity))));
        }
        row
    });
    table(&heading, rows)
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

/// A table in Markdown, its columns aligned for those who read it as it is.
fn table(heading: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut rows: Vec<_> = [heading.to_vec()].into_iter().chain(rows).collect();
    for row in &mut rows {
        row.resize(heading.len(), String::new());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).fold(3, usize::max);
    let widths: Vec<_> = (0..heading.len()).map(width).collect();
    let rule = |(column, &width): (usize, &usize)| match column {
        0 => "-".repeat(width),
        _ => "-".repeat(width - 1) + ":",
    };
    rows.insert(1, widths.iter().enumerate().map(rule).collect());
    let cell = |(column, (text, &width)): (usize, (&String, &usize))| match column {
        0 => format!(" {text:<width$} |"),
        _ => format!(" {text:>width$} |"),
    };
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(cell);
        ["|".to_owned()].into_iter().chain(cells).chain(["\n".to_owned()]).collect::<String>()
    };
    rows.iter().map(line).collect()
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
        let text = table(&["a", "bb"].map(str::to_owned), [vec!["1234".to_owned()]]);
        assert_eq!(text, "| a    |  bb |\n| ---- | --: |\n| 1234 |     |\n");
    }
}
