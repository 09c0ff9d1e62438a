//! Statistics of a match for `summary.json`, the terminal, the page and Python.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::exact::max_empty;
use crate::record::{MatchHeader, Reason};
use crate::results::{MatchResults, MoveCounts};
use crate::settings::MatchSettings;
use crate::statistics::counts::Counts;
use crate::statistics::elo::{Estimate, elo};
use crate::statistics::sprt::Parameters;
use crate::statistics::{EloFigures, SprtStatus};
use crate::theory::{HEADINGS, TheoryRow, TheoryTable};

const FORMAT: u32 = 1;

/// The state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchState {
    /// Games are being played.
    Running,
    /// All games are played, or the SPRT has decided.
    Finished,
    /// Games are missing, and the match does not run, or cannot be checked for a running process.
    #[serde(rename = "interrupted")]
    Incomplete,
}

/// Statistics of the games so far. Undefined numbers are null in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    format: u32,
    title: String,
    program: String,
    started: String,
    state: MatchState,
    games: GameCount,
    settings: MatchSettings,
    time_control: String,
    openings: Openings,
    pub(crate) standings: Vec<StandingsRow>,
    pub(crate) pairings: Vec<PairingRow>,
    elo_curve: Vec<(usize, f64, f64)>,
    pub(crate) sprt: Option<TestSummary>,
    pub(crate) notes: Vec<String>,
    pub(crate) theory: Option<TheorySummary>,
}

impl Summary {
    #[must_use]
    pub(crate) fn public(&self) -> Self {
        let settings = self.settings.public();
        let openings = Openings { source: settings.openings_text(), ..self.openings };
        Self { settings, openings, ..self.clone() }
    }

    pub(crate) fn note_last_games(&mut self, count: usize) {
        let all = self.games.played;
        if count < all {
            self.notes.push(format!("This page has the last {count} of {all} games."));
        }
    }

    pub(crate) fn first(&self) -> &str {
        self.settings.engines.first().map_or("", |engine| &engine.name)
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct TheorySummary {
    headings: [&'static str; HEADINGS.len()],
    pub rows: Vec<TheoryRow>,
}

#[derive(Clone, Debug, Serialize)]
struct GameCount {
    played: usize,
    planned: usize,
}

#[derive(Clone, Debug, Serialize)]
struct Openings {
    source: String,
    different: usize,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct StandingsRow {
    pub name: String,
    #[serde(flatten)]
    pub counts: Counts,
    /// Games won, drawn and lost as the first player, and as the second.
    pub by_colour: [[u32; 3]; 2],
    pub rating: Option<Estimate>,
    #[serde(flatten)]
    pub elo_figures: EloFigures,
    /// Forfeited games, including time forfeits. Format 1 calls them `faults`.
    #[serde(rename = "faults")]
    pub forfeits: u32,
    #[serde(rename = "fault_kinds")]
    forfeit_kinds: BTreeMap<Reason, u32>,
    #[serde(flatten)]
    pub moves: MoveCounts,
}

/// Results from the view of the first engine.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PairingRow {
    pub first: String,
    pub second: String,
    #[serde(flatten)]
    pub counts: Counts,
    pub elo: Option<Estimate>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct TestSummary {
    #[serde(flatten)]
    pub parameters: Parameters,
    #[serde(flatten)]
    pub status: SprtStatus,
    path: Vec<(usize, f64)>,
}

impl MatchResults {
    /// State of a match that no process is playing.
    pub fn final_state(&self) -> MatchState {
        let is_over = self.played >= self.planned || self.is_decided();
        if is_over { MatchState::Finished } else { MatchState::Incomplete }
    }

    /// Statistics of the games so far.
    pub fn summary(&self, state: MatchState) -> Summary {
        let before = self.points.iter().filter(|(games, ..)| *games < self.played).copied();
        let points: Vec<_> = before.chain([self.point()]).collect();
        let elo =
            points.iter().filter_map(|&(games, elo, _)| elo.map(|(value, error)| (games, value, error)));
        let path = points.iter().filter_map(|&(games, _, ratio)| Some((games, ratio?))).collect();
        let test = self.header.settings.sprt.zip(self.elo_figures().test);
        let theory = self.theory.as_ref();
        let notes = self.header.oversubscription().into_iter().chain(self.forfeit_notes());
        let engines = self.names.iter().zip(&self.moves);
        let pv_notes = engines.filter_map(|(name, counts)| Some(format!("{name}: {}", counts.note()?)));
        let notes = notes.chain(pv_notes).chain(self.repeated_openings()).chain(self.blunder_check_note());
        let MatchHeader { title, program, started, settings, .. } = self.header.clone();
        Summary {
            format: FORMAT,
            title,
            program,
            started,
            state,
            games: GameCount { played: self.played, planned: self.planned },
            time_control: settings.time_control(),
            openings: Openings { source: settings.openings_text(), different: self.openings.len() },
            settings,
            standings: self.rows(),
            pairings: self.pairings(),
            elo_curve: elo.collect(),
            sprt: test.map(|(sprt, status)| TestSummary { parameters: sprt.parameters(), status, path }),
            notes: notes.chain(theory.into_iter().flat_map(TheoryTable::differences)).collect(),
            theory: theory.map(|theory| TheorySummary { headings: HEADINGS, rows: theory.rows() }),
        }
    }

    fn blunder_check_note(&self) -> Option<String> {
        let is_checked = self.moves.iter().any(|counts| counts.checked > 0);
        if !is_checked {
            return None;
        }
        let most = max_empty(self.header.settings.board)?;
        Some(format!("Moves were checked for blunders once there were at most {most} empty cells."))
    }

    fn rows(&self) -> Vec<StandingsRow> {
        let ratings = self.ratings().unwrap_or_else(|| vec![None; self.names.len()]);
        self.ranking().into_iter().map(|index| self.row(index, ratings[index])).collect()
    }

    fn row(&self, index: usize, rating: Option<Estimate>) -> StandingsRow {
        let elo_figures = EloFigures::new(&self.sample(index), None);
        StandingsRow {
            name: self.names[index].clone(),
            counts: self.of(index),
            by_colour: self.by_colour[index],
            rating,
            elo_figures: if self.theory.is_none() { elo_figures } else { EloFigures::default() },
            forfeits: self.forfeits[index].values().sum(),
            forfeit_kinds: self.forfeits[index].clone(),
            moves: self.moves[index].clone(),
        }
    }

    fn pairings(&self) -> Vec<PairingRow> {
        let mut rows = Vec::new();
        for (&(one, other), &counts) in &self.counts {
            let [first, second] = [one, other].map(|index| self.names[index].clone());
            let elo = if self.theory.is_some() { None } else { elo(&counts.sample(self.unit)) };
            rows.push(PairingRow { first, second, counts, elo });
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::record::GameRecord;
    use crate::results::MAX_POINTS;
    use crate::test_match;

    fn results(games: u32) -> (MatchResults, Vec<GameRecord>) {
        let mut header = test_match::header();
        header.settings.sprt = Some("0,5".parse().expect("a test"));
        header.settings.rounds = 1000;
        let games = test_match::games(9, games);
        let mut results = MatchResults::new(&header);
        for game in &games {
            results.add(game);
        }
        (results, games)
    }

    #[test]
    fn a_summary_has_the_figures_of_the_games() {
        let (results, games) = results(60);
        let summary = results.summary(MatchState::Running);
        let json = serde_json::to_value(&summary).expect("JSON");
        assert_eq!((&json["format"], &json["state"]), (&1.into(), &"running".into()));
        assert_eq!(json["games"], json!({"played": 60, "planned": 2000}));
        for (row, json) in summary.standings.iter().zip(json["standings"].as_array().expect("rows")) {
            let own_moves = |game: &GameRecord| {
                let (players, opening) = ([&game.first, &game.second], game.opening.moves.len());
                (opening..opening + game.moves.len()).filter(|ply| *players[ply % 2] == row.name).count()
            };
            assert_eq!(json["moves"], games.iter().map(own_moves).sum::<usize>());
            let is_lost = |game: &&GameRecord| game.reason.is_forfeit() && game.loser() == Some(&row.name);
            assert_eq!(json["faults"], games.iter().filter(is_lost).count());
            let [first, second] = row.by_colour;
            let sums = [0, 1, 2].map(|index| first[index] + second[index]);
            assert_eq!(json!(sums), json!(["wins", "draws", "losses"].map(|key| &json[key])));
            assert_eq!((&json["games"], &json["rating"]), (&60.into(), &Value::Null));
            assert!(row.moves.blunders > 0 && json["elo"]["error"].as_f64() > Some(1.0));
        }
        let [one, other] = &summary.standings[..] else { panic!("two engines") };
        assert_eq!(one.by_colour[0], [2, 1, 0].map(|index| other.by_colour[1][index]));
        assert_eq!(Some(one.counts.points() + other.counts.points()), Some(60.0));
        let [one, other, pairing] = [one.elo_figures.elo, other.elo_figures.elo, summary.pairings[0].elo]
            .map(|elo| elo.expect("Elo").value);
        assert!((one + other).abs() < 1e-6 && (pairing.abs() - one.abs()).abs() < 1e-6);
        assert_eq!(summary.pairings[0].first, test_match::NAMES[0]);
        assert_eq!(summary.elo_curve.last().map(|(games, ..)| *games), Some(60));
        let test = &json["sprt"];
        assert_eq!(test["path"].as_array().and_then(|path| path.last()).expect("a point")[1], test["llr"]);
        assert!(test["decision"] == "continue" && test["lower"].as_f64() < Some(-2.9));
    }

    #[test]
    fn curves_stay_short_and_end_with_the_present() {
        let (results, _) = results(1501);
        let summary = results.summary(MatchState::Finished);
        let games: Vec<_> = summary.elo_curve.iter().map(|(games, ..)| *games).collect();
        assert!((250..=MAX_POINTS).contains(&games.len()) && games.is_sorted(), "{games:?}");
        assert_eq!(games.last(), Some(&1501));
    }

    #[test]
    fn a_match_without_games_has_a_summary() {
        let results = MatchResults::new(&test_match::header());
        let summary = serde_json::to_value(results.summary(MatchState::Incomplete)).expect("JSON");
        assert!(summary["standings"][0]["elo"].is_null() && summary["sprt"].is_null());
    }
}
