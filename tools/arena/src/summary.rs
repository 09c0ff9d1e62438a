//! The figures of a match for its page: standings, pairings, and how Elo and a sequential test went, game by game.

mod moves;

use plumb::board::{BoardSize, Geometry};
use serde::Serialize;

use crate::exact::max_empty;
use crate::record::{GameRecord, MatchHeader};
use crate::statistics::counts::Counts;
use crate::statistics::elo::Estimate;
use crate::statistics::sprt::{Decision, Sprt};
use crate::tally::Tally;
use crate::theory::{HEADINGS, TheoryTable};
use moves::{MoveCounts, MoveFigures};

/// The number of the format.
const FORMAT: u32 = 1;
/// Points of a curve, at most. It is an even number.
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
    /// It ended early.
    Interrupted,
}

/// The figures of a match, from which summaries are made, as its games end.
pub struct Progress {
    title: String,
    board: BoardSize,
    tally: Tally,
    /// By engine, in the order of the header.
    moves: Vec<MoveCounts>,
    sprt: Option<Sprt>,
    /// Games to be played, of which some may have been.
    planned: usize,
    played: usize,
    elo: Vec<EloPoint>,
    ratios: Vec<RatioPoint>,
    /// Games from one point of the curves to the next; a power of two.
    step: usize,
}

/// The figures after some games. Those that are not defined are `None`.
#[derive(Debug, Serialize)]
pub struct Summary {
    format: u32,
    title: String,
    state: MatchState,
    games: GameCount,
    standings: Vec<StandingsRow>,
    pairings: Vec<PairingRow>,
    elo_curve: Vec<EloPoint>,
    sprt: Option<TestSummary>,
    /// Sentences on the result.
    notes: Vec<String>,
    /// The results beside those of theory, of a match from lost or drawn positions.
    theory: Option<TheorySummary>,
}

#[derive(Debug, Serialize)]
struct TheorySummary {
    headings: [&'static str; HEADINGS.len()],
    rows: Vec<[String; HEADINGS.len()]>,
}

#[derive(Debug, Serialize)]
struct GameCount {
    played: usize,
    planned: usize,
}

/// The figures of an engine, best first. Of three engines or more `elo` is the rating from all games.
#[derive(Debug, Serialize)]
struct StandingsRow {
    name: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    elo: Option<f64>,
    error: Option<f64>,
    /// Elo in words: also the bound where one side won everything, such as `> 312`.
    elo_text: Option<String>,
    normalized_elo: Option<String>,
    /// The likelihood of superiority, from 0 to 1.
    superiority: Option<f64>,
    /// Pairs of games by half points.
    pairs: [u64; 5],
    faults: u32,
    /// Moves that were checked for blunders, and blunders.
    checked: u32,
    blunders: u32,
    /// Times, and blunders by the phase of the game.
    #[serde(flatten)]
    moves: MoveFigures,
}

/// The games of two engines against each other, as the first one counts them.
#[derive(Debug, Serialize)]
struct PairingRow {
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
    elo: Option<f64>,
    error: Option<f64>,
}

#[derive(Debug, Serialize)]
struct TestSummary {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
    llr: f64,
    path: Vec<RatioPoint>,
    verdict: Option<&'static str>,
    /// Hypotheses in words.
    hypotheses: String,
}

impl Progress {
    /// No games yet of the match with this header, `planned` of which are to be played.
    #[must_use]
    pub fn new(header: &MatchHeader, sprt: Option<Sprt>, planned: usize) -> Self {
        Self {
            title: header.title.clone(),
            // A record that names no board that exists is not read at all.
            board: header.board().unwrap_or_default().size(),
            tally: Tally::of_match(header),
            moves: vec![MoveCounts::default(); header.engines.len()],
            sprt,
            planned,
            played: 0,
            elo: Vec::new(),
            ratios: Vec::new(),
            step: 1,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.tally.add(game);
        let cells = (self.board.width * self.board.height) as usize;
        moves::for_each(game, |name, made, stones| {
            let engine = self.tally.names().iter().position(|known| known == name);
            if let Some(counts) = engine.and_then(|engine| self.moves.get_mut(engine)) {
                counts.add(made, stones, cells);
            }
        });
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

    /// The number of games counted.
    #[must_use]
    pub fn played(&self) -> usize {
        self.played
    }

    /// Whether the sequential test, if there is one, has accepted a hypothesis.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let test = self.sprt.as_ref().and_then(|sprt| self.tally.standing(0, Some(sprt)).test);
        test.is_some_and(|test| test.decision != Decision::Continue)
    }

    /// The present points of both curves, where they are defined.
    fn point(&self) -> (Option<EloPoint>, Option<RatioPoint>) {
        let standing = self.tally.standing(0, self.sprt.as_ref());
        // From lost and drawn positions the sides are not equal, so that the score tells no Elo.
        let has_curve = self.tally.names().len() == 2 && self.tally.theory().is_none();
        let elo = standing.elo.filter(|_| has_curve).and_then(finite);
        let ratio = standing.test.map(|test| (self.played, rounded(test.log_likelihood_ratio)));
        (elo.map(|(elo, error)| (self.played, elo, error)), ratio)
    }

    /// The figures of the games so far.
    #[must_use]
    pub fn summary(&self, state: MatchState) -> Summary {
        let (last_elo, last_ratio) = self.point();
        // The curves end with the present state.
        let elo = self.elo.iter().filter(|(games, ..)| *games < self.played).copied().chain(last_elo);
        let ratios = self.ratios.iter().filter(|(games, _)| *games < self.played).copied().chain(last_ratio);
        let ratings = self.tally.ratings();
        let has_elo = self.tally.theory().is_none();
        let elo_of = |place: usize| match &ratings {
            Some(ratings) => ratings[place],
            None => self.tally.standing(place, None).elo.filter(|_| has_elo),
        };
        let ranking = self.tally.ranking();
        let theory = self.tally.theory();
        Summary {
            format: FORMAT,
            title: self.title.clone(),
            state,
            games: GameCount { played: self.played, planned: self.planned },
            standings: ranking.into_iter().map(|place| self.row(place, elo_of(place))).collect(),
            pairings: self.pairings(),
            elo_curve: elo.collect(),
            sprt: self.test(ratios.collect()),
            notes: self
                .tally
                .repeated_openings()
                .into_iter()
                .chain(self.reach())
                .chain(theory.into_iter().flat_map(TheoryTable::differences))
                .collect(),
            theory: theory.map(|theory| TheorySummary { headings: HEADINGS, rows: theory.rows() }),
        }
    }

    /// A sentence on the moves that were checked for blunders, if not all could be.
    fn reach(&self) -> Option<String> {
        let is_checked = (0..self.moves.len()).any(|place| self.tally.marked(place)[0] > 0);
        let most = max_empty(self.board).filter(|_| is_checked)?;
        Some(format!("Moves were checked for blunders once there were at most {most} empty cells."))
    }

    /// The figures of the engine at this place; `elo` is its rating or difference, if that is defined.
    fn row(&self, place: usize, elo: Option<Estimate>) -> StandingsRow {
        let (counts, standing) = (self.tally.of(place), self.tally.standing(place, None));
        let (value, error) = elo.and_then(finite).unzip();
        let [checked, blunders] = self.tally.marked(place);
        StandingsRow {
            name: self.tally.names()[place].clone(),
            games: counts.games(),
            wins: counts.wins(),
            draws: counts.draws(),
            losses: counts.losses(),
            points: counts.points(),
            elo: value,
            error,
            elo_text: elo.map(|elo| elo.to_string()),
            normalized_elo: standing.normalized_elo.map(|elo| elo.to_string()),
            superiority: standing.superiority.map(rounded),
            pairs: counts.pairs(),
            faults: self.tally.faults(place),
            checked,
            blunders,
            moves: self.moves[place].figures(),
        }
    }

    fn pairings(&self) -> Vec<PairingRow> {
        let name = |place: usize| self.tally.names()[place].clone();
        let row = |([one, other], counts, elo): ([usize; 2], Counts, Option<Estimate>)| {
            let elo = elo.filter(|_| self.tally.theory().is_none());
            let (elo, error) = elo.and_then(finite).unzip();
            PairingRow {
                first: name(one),
                second: name(other),
                wins: counts.wins(),
                draws: counts.draws(),
                losses: counts.losses(),
                elo,
                error,
            }
        };
        self.tally.pairings().map(row).collect()
    }

    fn test(&self, path: Vec<RatioPoint>) -> Option<TestSummary> {
        let sprt = self.sprt.as_ref()?;
        let parameters = sprt.parameters();
        let status = self.tally.standing(0, Some(sprt)).test?;
        Some(TestSummary {
            elo0: parameters.elo0,
            elo1: parameters.elo1,
            alpha: parameters.alpha,
            beta: parameters.beta,
            lower: rounded(status.lower_bound),
            upper: rounded(status.upper_bound),
            llr: rounded(status.log_likelihood_ratio),
            path,
            verdict: match status.decision {
                Decision::Continue => None,
                Decision::AcceptH0 => Some("H0 accepted"),
                Decision::AcceptH1 => Some("H1 accepted"),
            },
            hypotheses: parameters.to_string(),
        })
    }
}

/// A difference and its error, if both are finite.
fn finite(estimate: Estimate) -> Option<(f64, f64)> {
    let error = estimate.margin()?;
    estimate.value.is_finite().then_some((rounded(estimate.value), rounded(error)))
}

/// Three decimals: finer ones are noise that makes the text longer.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::sprt::{Model, Parameters};
    use crate::test_match;

    fn progress(games: u32) -> (Progress, Vec<GameRecord>) {
        let parameters = Parameters { model: Model::Logistic, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        let sprt = Sprt::new(parameters).expect("a test");
        let mut progress = Progress::new(&test_match::header(), Some(sprt), 2000);
        let games = test_match::games(9, games);
        for game in &games {
            progress.add(game);
        }
        (progress, games)
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
        assert_eq!(sum("faults") as usize, games.iter().filter(|game| game.reason.is_fault()).count());
        assert!(sum("blunders") > 0.0 && sum("elo").abs() < 1e-6 && rows[0]["error"].as_f64() > Some(1.0));
        let pairing = &summary["pairings"][0];
        assert_eq!(pairing["first"], test_match::NAMES[0]);
        assert_eq!(pairing["elo"].as_f64().map(f64::abs), rows[0]["elo"].as_f64());
        let curve = summary["elo_curve"].as_array().expect("a curve");
        assert_eq!(curve.last().expect("a point")[0], 60);
        let test = &summary["sprt"];
        assert_eq!(test["path"].as_array().and_then(|path| path.last()).expect("a point")[1], test["llr"]);
        assert!(test["verdict"].is_null() && test["lower"].as_f64() < Some(-2.9));
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
        let progress = Progress::new(&test_match::header(), None, 0);
        let summary = serde_json::to_value(progress.summary(MatchState::Interrupted)).expect("JSON");
        assert!(summary["standings"][0]["elo"].is_null() && summary["sprt"].is_null());
    }
}
