//! The standings of a match for people, in lines.

use plumb_protocol::shortened;

use crate::pgn::{filled, size};
use crate::statistics::elo::Estimate;
use crate::summary::{Summary, TheorySummary};
use crate::theory::table::HEADINGS;

/// The number of pairings up to which their table is shown: those of ten engines.
const MAX_PAIRINGS: usize = 45;

/// The figures of `summary` in lines of at most `width` characters, where tables and words fit: a table of the engines; of
/// three to about ten one of their pairings; the results beside those of theory, in a match from lost or drawn positions; of
/// two engines the statistics of their pairs; notes; and the state of the test.
pub fn standings(summary: &Summary, width: usize) -> Vec<String> {
    let mut text = lines(columns(summary), width);
    if summary.standings.len() > 2 && summary.theory.is_none() && summary.pairings.len() <= MAX_PAIRINGS {
        text.push(String::new());
        text.extend(lines(pairing_columns(summary), width));
    }
    text.extend(summary.theory.iter().flat_map(|theory| lines(theory_columns(theory), width)));
    let first = summary.first();
    let mut say = |sentence: String| text.extend(wrapped(&sentence, width));
    // The games of a match from lost or drawn positions make no pairs.
    let has_pairs = summary.standings.len() == 2 && summary.theory.is_none();
    if let Some(row) = summary.standings.iter().find(|row| has_pairs && row.name == first) {
        say(format!("{first}: {}", row.elo_figures));
        // Games whose openings are played once make no pairs.
        if row.counts.pairs().iter().any(|&pairs| pairs > 0) {
            say(format!("{first}: {}", row.counts));
        }
        let [as_first, as_second] =
            row.by_colour.map(|[won, drawn, lost]| format!("+{won} ={drawn} -{lost}"));
        say(format!("{first}: {as_first} as the first player, {as_second} as the second"));
    }
    summary.notes.iter().cloned().for_each(&mut say);
    if let Some(test) = &summary.sprt {
        let forfeits: u32 = summary.standings.iter().map(|row| row.forfeits).sum();
        let among = if forfeits > 0 { format!("; games forfeited: {forfeits}") } else { String::new() };
        say(format!("{first}: {}, {}: {}{among}", test.status, test.parameters, test.status.decision));
    }
    text
}

/// A column with a cell for each of `rows`.
fn column<R>(rows: &[R], heading: &str, expendable: u32, cell: impl Fn(&R) -> String) -> Column {
    Column { cells: std::iter::once(heading.to_owned()).chain(rows.iter().map(cell)).collect(), expendable }
}

/// The results of each two engines against each other.
fn pairing_columns(summary: &Summary) -> Vec<Column> {
    let rows = &summary.pairings[..];
    vec![
        column(rows, "pairing", 0, |row| format!("{} - {}", row.first, row.second)),
        column(rows, "won", 0, |row| row.counts.wins().to_string()),
        column(rows, "drawn", 0, |row| row.counts.draws().to_string()),
        column(rows, "lost", 0, |row| row.counts.losses().to_string()),
        column(rows, "Elo", 0, |row| Estimate::or_dash(row.elo)),
    ]
}

fn theory_columns(theory: &TheorySummary) -> Vec<Column> {
    let column = |index: usize| column(&theory.rows, HEADINGS[index], 0, |row| row.cells[index].clone());
    (0..HEADINGS.len()).map(column).collect()
}

/// The table of the engines, best first.
fn columns(summary: &Summary) -> Vec<Column> {
    let rows = &summary.standings[..];
    let percent =
        |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
    let has_elo = summary.theory.is_none();
    let has_ratings = has_elo && summary.standings.len() > 2;
    let is_checked = summary.standings.iter().any(|row| row.moves.checked > 0);
    let columns = [
        (true, column(rows, "engine", 0, |row| row.name.clone())),
        (has_ratings, column(rows, "rating", 0, |row| Estimate::or_dash(row.rating))),
        (true, column(rows, "games", 0, |row| row.counts.games().to_string())),
        (true, column(rows, "won", 0, |row| row.counts.wins().to_string())),
        (true, column(rows, "drawn", 0, |row| row.counts.draws().to_string())),
        (true, column(rows, "lost", 0, |row| row.counts.losses().to_string())),
        (true, column(rows, "score", 0, |row| percent(row.counts.score()))),
        // Beside a rating, the Elo against the opponents can be left out.
        (has_elo, column(rows, "Elo", u32::from(has_ratings), |row| Estimate::or_dash(row.elo_figures.elo))),
        // Of a match of two these stand below the table.
        (has_ratings, column(rows, "nElo", 3, |row| Estimate::or_dash(row.elo_figures.normalized_elo))),
        (has_ratings, column(rows, "LOS", 2, |row| percent(row.elo_figures.superiority))),
        (true, column(rows, "forfeits", 0, |row| row.forfeits.to_string())),
        (
            is_checked,
            column(rows, "blunders", 0, |row| format!("{} of {}", row.moves.blunders, row.moves.checked)),
        ),
    ];
    columns.into_iter().filter_map(|(is_shown, column)| is_shown.then_some(column)).collect()
}

/// Blanks between two columns.
const GAP: usize = 2;
/// Least length of a shortened name, in characters.
const SHORTEST_NAME: usize = 8;

/// A column of a table.
pub(crate) struct Column {
    /// The heading and the figures; as many as the other columns have.
    pub cells: Vec<String>,
    /// Order in which columns are dropped if the table is too wide: the greatest first, 0 never.
    pub expendable: u32,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| size(cell)).max().unwrap_or(0)
    }
}

/// The lines of a table of at most `width` characters, if the columns that are always shown fit: the headings and the
/// rows. The first column has names, on the left; the others have figures, on the right. Where there is not enough
/// room, columns are left out, then names are shortened.
pub(crate) fn lines(mut columns: Vec<Column>, width: usize) -> Vec<String> {
    let total = |columns: &[Column]| -> usize {
        columns.iter().map(|column| column.width() + GAP).sum::<usize>().saturating_sub(GAP)
    };
    while total(&columns) > width
        && let Some(most) = columns.iter().map(|column| column.expendable).max().filter(|most| *most > 0)
    {
        columns.retain(|column| column.expendable != most);
    }
    let excess = total(&columns).saturating_sub(width);
    if let Some(names) = columns.first_mut().filter(|_| excess > 0) {
        let most = names.width().saturating_sub(excess).max(SHORTEST_NAME);
        names.cells.iter_mut().skip(1).for_each(|name| *name = shortened(name, most));
    }
    let widths: Vec<_> = columns.iter().map(Column::width).collect();
    let line = |row: usize| -> String {
        let padded = |(index, (column, &width)): (usize, (&Column, &usize))| {
            let text = &column.cells[row];
            if index == 0 { format!("{text:<width$}") } else { format!("{text:>0$}", width + GAP) }
        };
        columns.iter().zip(&widths).enumerate().map(padded).collect()
    };
    let rows = columns.first().map_or(0, |column| column.cells.len());
    (0..rows).map(line).collect()
}

/// The sentence in lines of at most `width` characters or a word, those after the first one indented.
pub(crate) fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    filled(sentence.split(' '), width, "  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        let column = |heading, cells: [&str; 2], expendable| {
            super::column(&cells, heading, expendable, |cell| (*cell).to_owned())
        };
        vec![
            column("engine", ["a long name", "b"], 0),
            column("won", ["12", "3"], 0),
            column("Elo", ["1.0 ± 2.0", "-"], 1),
            column("nElo", ["3.0 ± 4.0", "-"], 2),
        ]
    }

    #[test]
    fn a_table_shrinks_to_the_width() {
        let wide = ["engine       won        Elo       nElo", "a long name   12  1.0 ± 2.0  3.0 ± 4.0"];
        assert_eq!(lines(columns(), 80)[..2], wide);
        assert_eq!(lines(columns(), 38)[..2], wide);
        assert_eq!(lines(columns(), 37)[1], "a long name   12  1.0 ± 2.0");
        assert_eq!(lines(columns(), 26)[1], "a long name   12");
        assert_eq!(lines(columns(), 14), ["engine     won", "a long n…   12", "b            3"]);
    }

    #[test]
    fn a_sentence_is_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 80), ["one two three"]);
        assert_eq!(wrapped("one two three four", 9), ["one two", "  three", "  four"]);
        assert_eq!(wrapped("level 5.0 % of", 9), ["level 5.0 %", "  of"]);
        assert_eq!(wrapped("unbreakable", 5), ["unbreakable"]);
    }
}
