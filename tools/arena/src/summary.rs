//! The figures of a match, once for all that show them: `summary.json`, the table in a terminal, the page, Python.

mod moves;

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::exact::max_empty;
use crate::record::{GameRecord, MatchHeader, Reason};
use crate::settings::MatchSettings;
use crate::statistics::counts::Counts;
use crate::statistics::elo::Estimate;
use crate::statistics::sprt::{Decision, Parameters};
use crate::statistics::{EloFigures, SprtStatus, rounded};
use crate::tally::Tally;
use crate::theory::table::{HEADINGS, TheoryRow, TheoryTable};
use moves::MoveCounts;

/// The number of the format.
const FORMAT: u32 = 1;
/// Points of a curve, at most; an even number, as a full curve loses every second point.
const MAX_POINTS: usize = 500;

/// Games, the Elo difference after them, and its error.
type EloPoint = (usize, f64, f64);
/// Games, and the logarithm of the likelihood ratio after them.
type RatioPoint = (usize, f64);

/// Whether a match goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchState {
    /// Games are being played.
    Running,
    /// All games were played, or a test was decided.
    Finished,
    /// Games are missing: the match ended early, or goes on in a process that cannot be asked.
    Interrupted,
}

/// The figures after some games. In JSON a figure that is not defined is null.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    format: u32,
    title: String,
    program: String,
    started: String,
    state: MatchState,
    games: GameCount,
    settings: MatchSettings,
    /// The limits of the engines in words.
    time_control: String,
    openings: Openings,
    /// The engines, best first.
    pub(crate) standings: Vec<StandingsRow>,
    pub(crate) pairings: Vec<PairingRow>,
    elo_curve: Vec<EloPoint>,
    pub(crate) sprt: Option<TestSummary>,
    /// Sentences on the result.
    pub(crate) notes: Vec<String>,
    /// The results beside those of theory, of a match from lost or drawn positions.
    pub(crate) theory: Option<TheorySummary>,
}

impl Summary {
    /// The figures for spectators, with [`MatchSettings::public`].
    #[must_use]
    pub fn public(&self) -> Self {
        let settings = self.settings.public();
        let openings = Openings { source: settings.openings_text(), ..self.openings };
        Self { settings, openings, ..self.clone() }
    }
}

/// The results beside those of theory, as a table.
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
    /// Their source in words.
    source: String,
    /// The number of different openings that were played.
    different: usize,
}

/// The figures of an engine.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StandingsRow {
    pub name: String,
    #[serde(flatten)]
    pub counts: Counts,
    /// Games won, drawn and lost as the first player, and as the second.
    pub by_colour: [[u32; 3]; 2],
    /// The rating from the games of all engines, if there are three or more.
    pub rating: Option<Estimate>,
    #[serde(flatten)]
    pub elo_figures: EloFigures,
    /// Forfeited games, losses on time among them.
    pub faults: u32,
    /// Forfeited games by reason.
    fault_kinds: BTreeMap<Reason, u32>,
    /// Moves that were checked for blunders, and blunders.
    pub checked: u32,
    pub blunders: u32,
    /// Times, and blunders by the phase of the game.
    #[serde(flatten)]
    moves: MoveCounts,
}

/// The games of two engines against each other, as the first one counts them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PairingRow {
    pub first: String,
    pub second: String,
    #[serde(flatten)]
    pub counts: Counts,
    pub elo: Option<Estimate>,
}

/// A sequential test.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TestSummary {
    #[serde(flatten)]
    pub parameters: Parameters,
    #[serde(flatten)]
    pub status: SprtStatus,
    path: Vec<RatioPoint>,
}

impl Summary {
    /// The name of the first engine on the command line, which the test is about.
    pub(crate) fn first(&self) -> &str {
        self.settings.engines.first().and_then(|engine| engine.get("name")).unwrap_or_default()
    }
}

/// The figures of a match, from which summaries are made, as its games end.
pub struct Progress {
    header: MatchHeader,
    tally: Tally,
    /// By engine, in the order of the header.
    moves: Vec<MoveCounts>,
    openings: HashSet<String>,
    played: usize,
    planned: usize,
    elo: Vec<EloPoint>,
    ratios: Vec<RatioPoint>,
    /// Games from one point of the curves to the next; a power of two.
    step: usize,
}

impl Progress {
    /// The figures of a match after `games`, which stand in the order in which they ended.
    pub fn new(header: &MatchHeader, games: &[GameRecord]) -> Self {
        let mut progress = Self {
            header: header.clone(),
            tally: Tally::new(header),
            moves: vec![MoveCounts::default(); header.settings.engines.len()],
            openings: HashSet::new(),
            played: 0,
            planned: header.games(),
            elo: Vec::new(),
            ratios: Vec::new(),
            step: 1,
        };
        for game in games {
            progress.add(game);
        }
        progress
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.tally.add(game);
        let board = self.header.settings.board;
        let cells = (board.width * board.height) as usize;
        let index = |name: &String| self.tally.names().iter().position(|known| known == name);
        let engines = [&game.first, &game.second].map(index);
        for (stones, made) in (game.opening.moves.len()..).zip(&game.moves) {
            if let Some(engine) = engines[stones % 2] {
                self.moves[engine].add(made, stones, cells);
            }
        }
        self.openings.insert(game.opening.moves.clone());
        self.played += 1;
        if !self.played.is_multiple_of(self.step) {
            return;
        }
        let (elo, ratio) = self.point();
        self.elo.extend(elo);
        self.ratios.extend(ratio);
        if self.elo.len().max(self.ratios.len()) >= MAX_POINTS {
            self.step *= 2;
            let step = self.step;
            self.elo.retain(|(games, ..)| games.is_multiple_of(step));
            self.ratios.retain(|(games, _)| games.is_multiple_of(step));
        }
    }

    /// The results by pair of engines.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The number of games counted.
    pub fn played(&self) -> usize {
        self.played
    }

    /// Whether the sequential test, if there is one, has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.elo_figures().test.is_some_and(|test| test.decision != Decision::Continue)
    }

    /// The state of a match of which no more games are played.
    pub fn final_state(&self) -> MatchState {
        let is_over = self.played >= self.planned || self.is_decided();
        if is_over { MatchState::Finished } else { MatchState::Interrupted }
    }

    /// The figures of the first engine, with those of the test.
    pub fn elo_figures(&self) -> EloFigures {
        self.tally.elo_figures(0, self.header.settings.sprt.as_ref())
    }

    /// The present points of both curves, where they are defined.
    fn point(&self) -> (Option<EloPoint>, Option<RatioPoint>) {
        let figures = self.elo_figures();
        // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
        let has_curve = self.tally.names().len() == 2 && self.tally.theory.is_none();
        let elo = figures.elo.filter(|elo| has_curve && elo.value.is_finite());
        let elo = elo.and_then(|elo| Some((self.played, rounded(elo.value), rounded(elo.margin()?))));
        let ratio = figures.test.map(|test| (self.played, rounded(test.log_likelihood_ratio)));
        (elo, ratio)
    }

    /// The figures of the games so far.
    pub fn summary(&self, state: MatchState) -> Summary {
        let (last_elo, last_ratio) = self.point();
        // The curves end with the present state.
        let elo = self.elo.iter().filter(|(games, ..)| *games < self.played).copied().chain(last_elo);
        let ratios = self.ratios.iter().filter(|(games, _)| *games < self.played).copied().chain(last_ratio);
        let ratings = self.tally.ratings();
        let rating = |index: usize| ratings.as_ref().and_then(|ratings| ratings[index]);
        let theory = self.tally.theory.as_ref();
        let notes = self.header.oversubscription().into_iter().chain(self.tally.forfeit_notes());
        let engines = self.tally.names().iter().zip(&self.moves);
        let pv_notes = engines.filter_map(|(name, counts)| Some(format!("{name}: {}", counts.note()?)));
        let notes =
            notes.chain(pv_notes).chain(self.tally.repeated_openings()).chain(self.blunder_check_note());
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
            standings: self.tally.ranking().into_iter().map(|index| self.row(index, rating(index))).collect(),
            pairings: self.pairings(),
            elo_curve: elo.collect(),
            sprt: self.test(ratios.collect()),
            notes: notes.chain(theory.into_iter().flat_map(TheoryTable::differences)).collect(),
            theory: theory.map(|theory| TheorySummary { headings: HEADINGS, rows: theory.rows() }),
        }
    }

    /// A sentence on the moves that were checked for blunders, if not all could be.
    fn blunder_check_note(&self) -> Option<String> {
        let is_checked = self.moves.iter().any(|counts| counts.checked()[0] > 0);
        let most = max_empty(self.header.settings.board).filter(|_| is_checked)?;
        Some(format!("Moves were checked for blunders once there were at most {most} empty cells."))
    }

    /// The figures of the engine of this index.
    fn row(&self, index: usize, rating: Option<Estimate>) -> StandingsRow {
        let [checked, blunders] = self.moves[index].checked();
        let has_elo = self.tally.theory.is_none();
        StandingsRow {
            name: self.tally.names()[index].clone(),
            counts: self.tally.of(index),
            by_colour: self.tally.by_colour[index],
            rating,
            elo_figures: if has_elo { self.tally.elo_figures(index, None) } else { EloFigures::default() },
            faults: self.tally.forfeits(index).values().sum(),
            fault_kinds: self.tally.forfeits(index).clone(),
            checked,
            blunders,
            moves: self.moves[index].clone(),
        }
    }

    fn pairings(&self) -> Vec<PairingRow> {
        let name = |index: usize| self.tally.names()[index].clone();
        let row = |([one, other], counts, elo): ([usize; 2], Counts, Option<Estimate>)| {
            let elo = elo.filter(|_| self.tally.theory.is_none());
            PairingRow { first: name(one), second: name(other), counts, elo }
        };
        self.tally.pairings().map(row).collect()
    }

    fn test(&self, path: Vec<RatioPoint>) -> Option<TestSummary> {
        let parameters = self.header.settings.sprt?.parameters();
        Some(TestSummary { parameters, status: self.elo_figures().test?, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_match;

    fn progress(games: u32) -> (Progress, Vec<GameRecord>) {
        let mut header = test_match::header();
        header.settings.sprt = Some("0,5".parse().expect("a test"));
        header.settings.rounds = 1000;
        let games = test_match::games(9, games);
        (Progress::new(&header, &games), games)
    }

    #[test]
    fn a_summary_has_the_figures_of_the_tally() {
        let (progress, games) = progress(60);
        let summary = serde_json::to_value(progress.summary(MatchState::Running)).expect("JSON");
        assert_eq!((&summary["format"], &summary["state"]), (&1.into(), &"running".into()));
        assert_eq!(summary["games"], serde_json::json!({"played": 60, "planned": 2000}));
        let rows = summary["standings"].as_array().expect("rows");
        let sum = |key: &str| rows.iter().filter_map(|row| row[key].as_f64()).sum::<f64>();
        assert_eq!((sum("games") as usize, sum("points") as usize), (120, 60));
        let colours: Vec<[[u32; 3]; 2]> = rows
            .iter()
            .map(|row| serde_json::from_value(row["by_colour"].clone()).expect("counts"))
            .collect();
        for (row, [first, second]) in rows.iter().zip(&colours) {
            let sums = [0, 1, 2].map(|index| first[index] + second[index]);
            assert_eq!(
                sums.map(u64::from),
                ["wins", "draws", "losses"].map(|key| row[key].as_u64().expect("a number"))
            );
        }
        assert_eq!(colours[0][0], [2, 1, 0].map(|index| colours[1][1][index]));
        assert_eq!(sum("faults") as usize, games.iter().filter(|game| game.reason.is_forfeit()).count());
        // The first player makes the first move after an opening of an even number of moves.
        let moves_of = |name: &serde_json::Value| {
            let side = |game: &GameRecord, side: usize| {
                if side == 0 { game.first == *name } else { game.second == *name }
            };
            let own = |game: &&GameRecord| {
                let opening = game.opening.moves.len();
                (0..game.moves.len()).filter(|index| side(game, (opening + index) % 2)).count()
            };
            games.iter().map(|game| own(&game)).sum::<usize>()
        };
        for row in rows {
            assert_eq!(row["moves"], moves_of(&row["name"]), "{row}");
        }
        assert!(sum("blunders") > 0.0 && rows[0]["elo"]["error"].as_f64() > Some(1.0));
        assert!(
            (rows[0]["elo"]["value"].as_f64().expect("Elo") + rows[1]["elo"]["value"].as_f64().expect("Elo"))
                .abs()
                < 1e-6
        );
        assert_eq!(rows[0]["rating"], serde_json::Value::Null);
        let pairing = &summary["pairings"][0];
        assert_eq!(pairing["first"], test_match::NAMES[0]);
        let value = |elo: &serde_json::Value| elo["value"].as_f64().map(f64::abs);
        assert_eq!(value(&pairing["elo"]), value(&rows[0]["elo"]));
        let curve = summary["elo_curve"].as_array().expect("a curve");
        assert_eq!(curve.last().expect("a point")[0], 60);
        let test = &summary["sprt"];
        assert_eq!(test["path"].as_array().and_then(|path| path.last()).expect("a point")[1], test["llr"]);
        assert!(test["decision"] == "continue" && test["lower"].as_f64() < Some(-2.9));
    }

    #[test]
    fn curves_stay_short_and_end_with_the_present() {
        let (progress, _) = progress(1501);
        let summary = progress.summary(MatchState::Finished);
        let games: Vec<_> = summary.elo_curve.iter().map(|(games, ..)| *games).collect();
        assert!((250..=MAX_POINTS).contains(&games.len()) && games.is_sorted(), "{games:?}");
        assert_eq!(games.last(), Some(&1501));
    }

    #[test]
    fn a_match_without_games_has_a_summary() {
        let progress = Progress::new(&test_match::header(), &[]);
        let summary = serde_json::to_value(progress.summary(MatchState::Interrupted)).expect("JSON");
        assert!(summary["standings"][0]["elo"].is_null() && summary["sprt"].is_null());
    }
}
