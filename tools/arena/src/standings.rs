//! The standings of a match for people, in lines.

use crate::statistics::elo::Estimate;
use crate::summary::{PairingRow, StandingsRow, Summary, TheorySummary};
use crate::text_table::{Column, lines, wrapped};
use crate::theory::HEADINGS;

/// The number of pairings up to which their table is shown: those of ten engines.
const MAX_PAIRINGS: usize = 45;

/// The figures of `summary` in lines of at most `width` characters: a table of the engines; of three or more one of their
/// pairings; the results beside those of theory, in a match from lost or drawn positions; of two engines the statistics of their pairs; notes; and the state of the
/// test.
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
        say(format!("{first}: {}", row.standing));
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
        let faults: u32 = summary.standings.iter().map(|row| row.faults).sum();
        let among = if faults > 0 { format!("; {faults} games were lost by faults") } else { String::new() };
        say(format!("{first}: {}, {}: {}{among}", test.status, test.parameters, test.status.decision));
    }
    text
}

/// The results of each two engines against each other.
fn pairing_columns(summary: &Summary) -> Vec<Column> {
    let column = |heading, cell: &dyn Fn(&PairingRow) -> String| Column {
        heading,
        cells: summary.pairings.iter().map(cell).collect(),
        expendable: 0,
    };
    vec![
        column("pairing", &|row| format!("{} - {}", row.first, row.second)),
        column("won", &|row| row.counts.wins().to_string()),
        column("drawn", &|row| row.counts.draws().to_string()),
        column("lost", &|row| row.counts.losses().to_string()),
        column("Elo", &|row| row.elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string())),
    ]
}

fn theory_columns(theory: &TheorySummary) -> Vec<Column> {
    let column = |(index, &heading): (usize, &&'static str)| Column {
        heading,
        cells: theory.rows.iter().map(|row| row.cells[index].clone()).collect(),
        expendable: 0,
    };
    HEADINGS.iter().enumerate().map(column).collect()
}

/// The table of the engines, best first.
fn columns(summary: &Summary) -> Vec<Column> {
    let column = |heading, expendable, cell: &dyn Fn(&StandingsRow) -> String| Column {
        heading,
        cells: summary.standings.iter().map(cell).collect(),
        expendable,
    };
    let elo = |elo: Option<Estimate>| elo.map_or_else(|| "-".to_owned(), |elo| elo.to_string());
    let percent =
        |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    let has_elo = summary.theory.is_none();
    let has_ratings = has_elo && summary.standings.len() > 2;
    let mut columns = vec![column("engine", 0, &|row| row.name.clone())];
    if has_ratings {
        columns.push(column("rating", 0, &|row| elo(row.rating)));
    }
    columns.extend([
        column("games", 0, &|row| row.counts.games().to_string()),
        column("won", 0, &|row| row.counts.wins().to_string()),
        column("drawn", 0, &|row| row.counts.draws().to_string()),
        column("lost", 0, &|row| row.counts.losses().to_string()),
        column("score", 0, &|row| percent(row.counts.score())),
    ]);
    // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
    if has_elo {
        // Beside a rating, the Elo against the opponents can be left out.
        columns.push(column("Elo", u32::from(has_ratings), &|row| elo(row.standing.elo)));
    }
    // Of a match of two these stand below the table.
    if has_ratings {
        columns.extend([
            column("nElo", 3, &|row| elo(row.standing.normalized_elo)),
            column("LOS", 2, &|row| percent(row.standing.superiority)),
        ]);
    }
    columns.push(column("faults", 0, &|row| row.faults.to_string()));
    if summary.standings.iter().any(|row| row.checked > 0) {
        columns.push(column("blunders", 0, &|row| format!("{} of {}", row.blunders, row.checked)));
    }
    columns
}
