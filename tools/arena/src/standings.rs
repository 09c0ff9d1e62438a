//! The standings of a match for people, in lines.

use crate::statistics::sprt::{Decision, Sprt};
use crate::tally::Tally;
use crate::text_table::{Column, lines, wrapped};

/// The standings in lines of at most `width` characters: a table of the engines; of two engines the statistics of
/// their pairs; a note on repeated openings; and the state of the test. In a match from lost or drawn positions the results
/// beside those of theory follow the table instead.
#[must_use]
pub fn standings(tally: &Tally, sprt: Option<&Sprt>, width: usize) -> Vec<String> {
    let mut rows = lines(columns(tally), width);
    if let Some(theory) = tally.theory() {
        // The games of such a match make no pairs.
        rows.extend(theory.lines(width));
        return rows;
    }
    let first = &tally.names()[0];
    let mut say = |sentence: String| rows.extend(wrapped(&sentence, width));
    if tally.names().len() == 2 {
        say(format!("{first}: {}", tally.standing(0, None)));
        say(format!("{first}: {}", tally.of(0)));
    }
    tally.repeated_openings().into_iter().for_each(&mut say);
    if let Some((sprt, test)) = sprt.and_then(|sprt| Some((sprt, tally.standing(0, Some(sprt)).test?))) {
        let decision = match test.decision {
            Decision::Continue => "not decided",
            Decision::AcceptH0 => "H0 accepted",
            Decision::AcceptH1 => "H1 accepted",
        };
        say(format!("{first}: {test}, {}: {decision}", sprt.parameters()));
    }
    rows
}

/// The table of the engines, best first.
fn columns(tally: &Tally) -> Vec<Column> {
    let ranking = tally.ranking();
    let column = |heading, expendable, cell: &dyn Fn(usize) -> String| Column {
        heading,
        cells: ranking.iter().map(|&place| cell(place)).collect(),
        expendable,
    };
    let score = |place| {
        let counts = tally.of(place);
        format!("{:.1}%", 100.0 * counts.points() / (counts.games().max(1) as f64))
    };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let standing = |place| tally.standing(place, None);
    let mut columns = vec![column("engine", 0, &|place| tally.names()[place].clone())];
    let ratings = tally.ratings();
    if let Some(ratings) = &ratings {
        columns.push(column("rating", 0, &|place| or_dash(ratings[place].map(|rating| rating.to_string()))));
    }
    columns.extend([
        column("games", 0, &|place| tally.of(place).games().to_string()),
        column("won", 0, &|place| tally.of(place).wins().to_string()),
        column("drawn", 0, &|place| tally.of(place).draws().to_string()),
        column("lost", 0, &|place| tally.of(place).losses().to_string()),
        column("score", 0, &score),
    ]);
    // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
    if tally.theory().is_none() {
        // Beside a rating, the Elo against the opponents can be left out.
        columns.push(column("Elo", u32::from(ratings.is_some()), &|place| {
            or_dash(standing(place).elo.map(|elo| elo.to_string()))
        }));
    }
    // Of a match of two these stand below the table.
    if ratings.is_some() {
        columns.extend([
            column("nElo", 3, &|place| or_dash(standing(place).normalized_elo.map(|elo| elo.to_string()))),
            column("LOS", 2, &|place| {
                or_dash(standing(place).superiority.map(|share| format!("{:.1}%", 100.0 * share)))
            }),
        ]);
    }
    columns.push(column("faults", 0, &|place| tally.faults(place).to_string()));
    if (0..tally.names().len()).any(|place| tally.marked(place)[0] > 0) {
        columns.push(column("blunders", 0, &|place| {
            let [moves, blunders] = tally.marked(place);
            format!("{blunders} of {moves}")
        }));
    }
    columns
}
