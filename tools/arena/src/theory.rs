//! Matches from theoretically lost or drawn positions, compared with perfect play.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::openings::TheoreticalResult;
use crate::record::{GameRecord, MatchHeader};

/// Column headings. `better` counts results better than with perfect play. The last column includes only moves that
/// keep the result.
pub(crate) const HEADINGS: [&str; 7] =
    ["beyond theory", "games", "better", "points", "a game", "result given away", "score given away"];

/// Results of the engines under test, by opponent.
#[derive(Clone, Debug)]
pub struct TheoryTable {
    starts: TheoreticalResult,
    names: Vec<String>,
    tested: usize,
    results: BTreeMap<(usize, usize), Results>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct TheoryRow {
    engine: String,
    opponent: String,
    games: usize,
    better: usize,
    points: f64,
    #[serde(flatten)]
    judged: JudgedMoves,
    pub cells: [String; HEADINGS.len()],
}

/// Moves with exact scores. `given_away` counts moves that made the result worse.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct JudgedMoves {
    moves: u32,
    given_away: u32,
    score_given_away: i64,
}

#[derive(Clone, Debug, Default)]
struct Results {
    /// Points by opening.
    points: BTreeMap<String, f64>,
    judged: JudgedMoves,
}

impl TheoryTable {
    /// Table of a match from theoretically lost or drawn openings. `None` for other matches.
    pub fn new(header: &MatchHeader) -> Option<Self> {
        let (starts, tested) = (header.settings.theoretical_result()?, header.settings.tested());
        Some(Self { starts, names: header.settings.names(), tested, results: BTreeMap::new() })
    }

    /// Whether the engine is under test.
    pub fn is_tested(&self, name: &str) -> bool {
        self.names.iter().take(self.tested).any(|known| known == name)
    }

    /// Counts a game. If an opening repeats, only the points of the later game count, but the moves of both games.
    pub(crate) fn add(&mut self, game: &GameRecord, [first, second]: [usize; 2]) {
        let side = usize::from(first >= self.tested);
        let places = if side == 0 { (first, second) } else { (second, first) };
        let points = game.result.half_points(side) as f64 / 2.0;
        let results = self.results.entry(places).or_default();
        results.points.insert(game.opening.moves.clone(), points);
        for (ply, made) in (game.opening.moves.len()..).zip(&game.moves) {
            let (Some(loss), Some(exact)) = (made.loss, made.exact) else { continue };
            if ply % 2 == side {
                results.judged.moves += 1;
                if (exact - loss).signum() < exact.signum() {
                    results.judged.given_away += 1;
                } else {
                    results.judged.score_given_away += i64::from(loss);
                }
            }
        }
    }

    pub(crate) fn rows(&self) -> Vec<TheoryRow> {
        let expected = if self.starts == TheoreticalResult::Lost { 0.0 } else { 0.5 };
        let mut rows = Vec::new();
        for (&(engine, opponent), results) in &self.results {
            let [engine, opponent] = [&self.names[engine], &self.names[opponent]];
            let judged = results.judged;
            let JudgedMoves { moves, given_away, score_given_away } = judged;
            let games = results.points.len();
            let better = results.points.values().filter(|&&points| points > expected).count();
            let points: f64 = results.points.values().sum();
            let (given, lost) = if moves == 0 {
                ("-".to_owned(), "-".to_owned())
            } else {
                (format!("{given_away} of {moves}"), score_given_away.to_string())
            };
            let cells = [
                format!("{engine} - {opponent}"),
                games.to_string(),
                format!("{better} ({:.0}%)", 100.0 * better as f64 / games as f64),
                format!("{points:.1}"),
                format!("{:.3}", points / games as f64),
                given,
                lost,
            ];
            let (engine, opponent) = (engine.clone(), opponent.clone());
            rows.push(TheoryRow { engine, opponent, games, better, points, judged, cells });
        }
        rows
    }

    /// Compares the first engine under test with the other tested engines, by common openings and opponents.
    pub(crate) fn differences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        for other in 1..self.tested {
            let mut all = Vec::new();
            for opponent in self.tested..self.names.len() {
                let both = self.against(opponent, other).unwrap_or_default();
                if self.names.len() - self.tested > 1 {
                    let against = format!(" against {}", self.names[opponent]);
                    sentences.extend(self.difference(other, &both, &against));
                }
                all.extend(both);
            }
            sentences.extend(self.difference(other, &all, ""));
        }
        sentences
    }

    /// Points of the first engine minus points of `other`, against `opponent`, by common opening.
    fn against(&self, opponent: usize, other: usize) -> Option<Vec<f64>> {
        let [one, two] = [self.results.get(&(0, opponent))?, self.results.get(&(other, opponent))?];
        let both = one.points.iter();
        Some(both.filter_map(|(opening, points)| Some(points - two.points.get(opening)?)).collect())
    }

    fn difference(&self, other: usize, differences: &[f64], against: &str) -> Option<String> {
        let count = differences.len() as f64;
        if differences.len() < 2 {
            return None;
        }
        let mean = differences.iter().sum::<f64>() / count;
        let variance = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // Equal differences show no spread, so the error is unknown.
        let error = 1.96 * (variance / count).sqrt();
        let error = if error > 0.0 { format!("{error:.3}") } else { "-".to_owned() };
        Some(format!(
            "{} - {}{against}: {mean:+.3} ± {error} points a game (95 %), from {count} games of each from the same openings",
            self.names[0], self.names[other],
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{GameResult, MoveRecord};
    use crate::settings::OpeningSource;
    use crate::test_match;

    #[test]
    fn the_table_counts_points_beyond_theory_and_what_moves_gave_away() {
        let (mut header, mut games) = (test_match::header(), test_match::games(1, 1));
        assert!(TheoryTable::new(&header).is_none(), "no match of this kind");
        header.settings.openings.source = OpeningSource::Theory(TheoreticalResult::Lost);
        let names = header.settings.names();
        let made = |exact, loss| MoveRecord { exact: Some(exact), loss: Some(loss), ..MoveRecord::default() };
        let game = &mut games[0];
        (game.first, game.second) = (names[1].clone(), names[0].clone());
        game.opening.moves = "4455".to_owned();
        game.result = GameResult::SecondWon;
        // The second, fourth and sixth move are by the engine under test.
        game.moves = vec![made(3, 5), made(2, 0), made(-2, 0), made(2, 3), made(1, 0), made(-1, 2)];
        let mut table = TheoryTable::new(&header).expect("such a match");
        table.add(game, [1, 0]);
        let rows = table.rows();
        assert_eq!(rows[0].cells[1..], ["1", "1 (100%)", "1.0", "1.000", "1 of 3", "2"]);
        assert!(table.is_tested(&names[0]) && !table.is_tested(&names[1]));
    }
}
