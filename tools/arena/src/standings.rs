//! Standings as lines of text.

use plumb_protocol::shortened;

use crate::pgn::{filled, size};
use crate::statistics::elo::Estimate;
use crate::summary::{Summary, TheorySummary};
use crate::theory::HEADINGS;

/// Maximum number of listed pairings: enough for ten engines.
const MAX_PAIRINGS: usize = 45;

/// Standings and notes in lines of at most `width` characters.
pub fn standings(summary: &Summary, width: usize) -> Vec<String> {
    let mut text = lines(columns(summary), width);
    if summary.standings.len() > 2 && summary.theory.is_none() && summary.pairings.len() <= MAX_PAIRINGS {
        text.push(String::new());
        text.extend(lines(pairing_columns(summary), width));
    }
    text.extend(summary.theory.iter().flat_map(|theory| lines(theory_columns(theory), width)));
    let first = summary.first();
    let mut say = |sentence: String| text.extend(wrapped(&sentence, width));
    // From theoretically lost or drawn openings, engines under test play one side only, so games form no pairs.
    let has_pairs = summary.standings.len() == 2 && summary.theory.is_none();
    if let Some(row) = summary.standings.iter().find(|row| has_pairs && row.name == first) {
        say(format!("{first}: {}", row.elo_figures));
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

fn column<R>(rows: &[R], heading: &str, expendable: u32, cell: impl Fn(&R) -> String) -> Column {
    Column { cells: std::iter::once(heading.to_owned()).chain(rows.iter().map(cell)).collect(), expendable }
}

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
    let headings = HEADINGS.iter().enumerate();
    headings
        .map(|(index, heading)| column(&theory.rows, heading, 0, |row| row.cells[index].clone()))
        .collect()
}

fn columns(summary: &Summary) -> Vec<Column> {
    let rows = &summary.standings[..];
    let percent =
        |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    // From theoretically lost or drawn openings, the score does not measure Elo.
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
        (has_elo, column(rows, "Elo", u32::from(has_ratings), |row| Estimate::or_dash(row.elo_figures.elo))),
        (has_ratings, column(rows, "nElo", 3, |row| Estimate::or_dash(row.elo_figures.normalized_elo))),
        (has_ratings, column(rows, "LOS", 2, |row| percent(row.elo_figures.superiority))),
        (true, column(rows, "forfeits", 0, |row| row.forfeits.to_string())),
        (
            is_checked,
            column(rows, "blunders", 0, |row| format!("{} of {}", row.moves.blunders, row.moves.checked)),
        ),
    ];
    columns.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, column)| column).collect()
}

const GAP: usize = 2;
const SHORTEST_NAME: usize = 8;

pub(crate) struct Column {
    pub cells: Vec<String>,
    /// Order in which a wide table drops columns: the greatest number first, 0 never.
    pub expendable: u32,
}

impl Column {
    fn width(&self) -> usize {
        self.cells.iter().map(|cell| size(cell)).max().unwrap_or(0)
    }
}

/// Drops columns, then shortens names, to fit `width` characters.
pub(crate) fn lines(mut columns: Vec<Column>, width: usize) -> Vec<String> {
    while total(&columns) > width
        && let Some(most) = columns.iter().map(|column| column.expendable).max().filter(|most| *most > 0)
    {
        columns.retain(|column| column.expendable != most);
    }
    let excess = total(&columns).saturating_sub(width);
    if let Some(names) = columns.first_mut()
        && excess > 0
    {
        let most = names.width().saturating_sub(excess).max(SHORTEST_NAME);
        names.cells.iter_mut().skip(1).for_each(|name| *name = shortened(name, most));
    }
    let widths: Vec<_> = columns.iter().map(Column::width).collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let mut lines = vec![String::new(); rows];
    for (index, (column, width)) in columns.iter().zip(widths).enumerate() {
        for (line, text) in lines.iter_mut().zip(&column.cells) {
            let cell =
                if index == 0 { format!("{text:<width$}") } else { format!("{text:>0$}", width + GAP) };
            line.push_str(&cell);
        }
    }
    lines
}

fn total(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width() + GAP).sum::<usize>().saturating_sub(GAP)
}

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
