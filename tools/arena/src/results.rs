//! Results of a match. Engines are numbered in command-line order, from 0.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Serialize, Serializer};

use crate::record::{GameRecord, MatchHeader, MoveRecord, Reason};
use crate::schedule::Colours;
use crate::statistics::counts::{Counts, Sample, Unit};
use crate::statistics::elo::{Estimate, score_error};
use crate::statistics::ratings::{Pairing, ratings};
use crate::statistics::sprt::Decision;
use crate::statistics::{EloFigures, SprtStatus, rounded};
use crate::theory::TheoryTable;

/// Maximum number of points of the Elo and SPRT curves. A full curve drops every second point.
pub(crate) const MAX_POINTS: usize = 500;

/// Point of the Elo and SPRT curves: games, Elo difference with its error, and log-likelihood ratio.
type Point = (usize, Option<(f64, f64)>, Option<f64>);

/// Statistics of the games counted so far.
#[derive(Clone, Debug)]
pub struct MatchResults {
    pub(crate) header: MatchHeader,
    /// Engine names, in command-line order.
    pub names: Vec<String>,
    pub(crate) unit: Unit,
    /// Results by pairing, from the view of the first engine.
    pub(crate) counts: BTreeMap<(usize, usize), Counts>,
    /// Number of pairs with 0 to 4 half points, by pairing and opening.
    pairs: HashMap<(usize, usize, String), [u64; 5]>,
    /// Pairs with one finished game: pair number, and half points of the engine with the lower index.
    half_pairs: HashMap<u32, usize>,
    pub(crate) by_colour: Vec<[[u32; 3]; 2]>,
    /// Forfeited games, including time forfeits, by engine and reason.
    pub forfeits: Vec<BTreeMap<Reason, u32>>,
    pub(crate) moves: Vec<MoveCounts>,
    pub(crate) theory: Option<TheoryTable>,
    /// First decision of the SPRT. Later games count, but cannot change the decision.
    decided: Option<SprtStatus>,
    pub(crate) openings: HashSet<String>,
    /// Number of games counted.
    pub played: usize,
    /// Number of games of the match or shard.
    pub planned: usize,
    pub(crate) points: Vec<Point>,
    step: usize,
}

impl MatchResults {
    /// Results before the first game.
    pub fn new(header: &MatchHeader) -> Self {
        let names = header.settings.names();
        let is_paired = header.settings.colours == Colours::Swapped;
        Self {
            by_colour: vec![[[0; 3]; 2]; names.len()],
            forfeits: vec![BTreeMap::new(); names.len()],
            moves: vec![MoveCounts::default(); names.len()],
            names,
            unit: if is_paired { Unit::Pair } else { Unit::Game },
            counts: BTreeMap::new(),
            pairs: HashMap::new(),
            half_pairs: HashMap::new(),
            theory: TheoryTable::new(header),
            decided: None,
            openings: HashSet::new(),
            played: 0,
            planned: header.games(),
            points: Vec::new(),
            step: 1,
            header: header.clone(),
        }
    }

    /// Adds a finished game to the statistics.
    pub fn add(&mut self, game: &GameRecord) {
        self.add_result(game);
        self.openings.insert(game.opening.moves.clone());
        self.played += 1;
        self.decided = self.elo_figures().test.filter(|test| test.decision != Decision::Continue);
        if !self.played.is_multiple_of(self.step) {
            return;
        }
        let point = self.point();
        self.points.extend(Some(point).filter(|(_, elo, ratio)| elo.is_some() || ratio.is_some()));
        if self.points.len() >= MAX_POINTS {
            self.step *= 2;
            let step = self.step;
            self.points.retain(|(games, ..)| games.is_multiple_of(step));
        }
    }

    fn add_result(&mut self, game: &GameRecord) {
        // Records with other engine names are refused when they are read.
        let (Some(first), Some(second)) = (self.index(&game.first), self.index(&game.second)) else { return };
        let board = self.header.settings.board;
        let cells = (board.width * board.height) as usize;
        for (stones, made) in (game.opening.moves.len()..).zip(&game.moves) {
            self.moves[[first, second][stones % 2]].add(made, stones, cells);
        }
        if let Some(theory) = &mut self.theory {
            theory.add(game, [first, second]);
        }
        self.by_colour[first][0][2 - game.result.half_points(0)] += 1;
        self.by_colour[second][1][2 - game.result.half_points(1)] += 1;
        let (one, other) = (first.min(second), first.max(second));
        let half_points = game.result.half_points(usize::from(first != one));
        let counts = self.counts.entry((one, other)).or_default();
        counts.add_game(half_points);
        if let Some(partner) = self.half_pairs.remove(&game.pair) {
            let opening = (one, other, game.opening.moves.clone());
            counts.add_pair(half_points + partner, self.pairs.entry(opening).or_default());
        } else {
            self.half_pairs.insert(game.pair, half_points);
        }
        if let Some(loser) = game.loser().and_then(|loser| self.index(loser))
            && game.reason.is_forfeit()
        {
            *self.forfeits[loser].entry(game.reason).or_default() += 1;
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Number of games forfeited other than on time.
    pub fn lost_by_faults(&self) -> u32 {
        let forfeits = self.forfeits.iter().flatten();
        forfeits.filter(|(reason, _)| reason.is_fault()).map(|(_, games)| games).sum()
    }

    /// Whether the SPRT has accepted a hypothesis.
    pub fn is_decided(&self) -> bool {
        self.decided.is_some()
    }

    pub(crate) fn elo_figures(&self) -> EloFigures {
        let sprt = if self.is_decided() { None } else { self.header.settings.sprt.as_ref() };
        let figures = EloFigures::new(&self.sample(0), sprt);
        EloFigures { test: figures.test.or(self.decided), ..figures }
    }

    pub(crate) fn point(&self) -> Point {
        let figures = self.elo_figures();
        // From theoretically lost or drawn openings, the score does not measure Elo.
        let has_curve = self.names.len() == 2 && self.theory.is_none();
        let elo = figures.elo.filter(|elo| has_curve && elo.value.is_finite());
        let elo = elo.and_then(|elo| Some((rounded(elo.value), rounded(elo.margin()?))));
        (self.played, elo, figures.test.map(|test| rounded(test.log_likelihood_ratio)))
    }

    /// Results of an engine against all other engines.
    pub fn of(&self, engine: usize) -> Counts {
        let mut own = Vec::new();
        for (&(one, other), &counts) in &self.counts {
            if one == engine {
                own.push(counts);
            } else if other == engine {
                own.push(counts.reversed());
            }
        }
        own.into_iter().sum()
    }

    pub(crate) fn repeated_openings(&self) -> Option<String> {
        self.counts.values().copied().sum::<Counts>().note()
    }

    /// Observations for the statistics of an engine: pairs or games, or openings if repeated.
    pub fn sample(&self, engine: usize) -> Sample {
        self.of(engine).sample(self.unit)
    }

    /// Ratings of three or more engines. `None` for two engines, and for theoretically lost or drawn openings.
    pub(crate) fn ratings(&self) -> Option<Vec<Option<Estimate>>> {
        if self.names.len() <= 2 || self.theory.is_some() {
            return None;
        }
        let mut pairings = Vec::new();
        for (&(one, other), counts) in &self.counts {
            let sample = counts.sample(self.unit);
            let (games, points) = match (sample, sample.moments()) {
                (Sample::Openings(_), Some((score, _))) => {
                    let games = 2.0 * sample.size() as f64;
                    (games, games * score)
                }
                _ => (counts.games() as f64, counts.points()),
            };
            let error = games * score_error(&sample);
            pairings.push(Pairing { engines: [one, other], points: [points, games - points], error });
        }
        Some(ratings(self.names.len(), &pairings))
    }

    pub(crate) fn forfeit_notes(&self) -> impl Iterator<Item = String> {
        let forfeiters = self.names.iter().zip(&self.forfeits).filter(|(_, forfeits)| !forfeits.is_empty());
        forfeiters.map(|(name, forfeits)| {
            let kinds: Vec<_> = forfeits.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
            format!("{name}: {} forfeited: {}.", forfeits.values().sum::<u32>(), kinds.join(", "))
        })
    }

    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut shares: Vec<_> =
            (0..self.names.len()).map(|index| (index, self.of(index).score().unwrap_or_default())).collect();
        shares.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        shares.into_iter().map(|(index, _)| index).collect()
    }
}

/// Phases of a game, each a third of the cells. On 7x6 they end with 14, 28 and 42 stones, as in Pascal Pons, "Solving
/// Connect 4", part 2.
const PHASES: [&str; 3] = ["opening", "middle", "end"];

/// Times of an engine's moves, and exact score lost by the moves in each phase.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct MoveCounts {
    pub checked: u32,
    pub blunders: u32,
    moves: u64,
    mean_ms: Option<f64>,
    longest_ms: Option<f64>,
    /// Mean of the measured time minus the reported time.
    latency_ms: Option<f64>,
    pv_faults: u64,
    #[serde(serialize_with = "checked_phases")]
    phases: [PhaseCounts; PHASES.len()],
    #[serde(skip)]
    total_ms: f64,
    /// Number and sum of the differences between measured and reported times.
    #[serde(skip)]
    latency: (u64, f64),
    #[serde(skip)]
    first_pv_fault: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
struct PhaseCounts {
    phase: &'static str,
    checked: u32,
    blunders: u32,
    /// Mean exact score lost per checked move. `worst_loss` is the maximum, `loss` the sum.
    mean_loss: f64,
    worst_loss: i32,
    #[serde(skip)]
    loss: i64,
}

impl MoveCounts {
    fn add(&mut self, made: &MoveRecord, stones: usize, cells: usize) {
        self.moves += 1;
        self.total_ms += made.time_ms;
        self.mean_ms = Some(rounded(self.total_ms / self.moves as f64));
        self.longest_ms = Some(rounded(made.time_ms).max(self.longest_ms.unwrap_or_default()));
        // Ignores a reported time above the measured time: after a ponder hit, engines count from `go ponder`.
        if let Some(own) = made.own_ms.filter(|&own| own as f64 <= made.time_ms + 1.0) {
            let (count, sum) = (self.latency.0 + 1, self.latency.1 + made.time_ms - own as f64);
            self.latency = (count, sum);
            self.latency_ms = Some(rounded(sum / count as f64));
        }
        if !made.pv_fault.is_empty() {
            self.pv_faults += 1;
            self.first_pv_fault.get_or_insert_with(|| made.pv_fault.clone());
        }
        let Some(loss) = made.loss else { return };
        self.checked += 1;
        self.blunders += u32::from(loss > 0);
        let third = (1..PHASES.len()).find(|thirds| 3 * stones <= thirds * cells).unwrap_or(PHASES.len());
        let phase = &mut self.phases[third - 1];
        phase.phase = PHASES[third - 1];
        phase.checked += 1;
        phase.blunders += u32::from(loss > 0);
        phase.loss += i64::from(loss.max(0));
        phase.mean_loss = rounded(phase.loss as f64 / f64::from(phase.checked));
        phase.worst_loss = phase.worst_loss.max(loss);
    }

    pub(crate) fn note(&self) -> Option<String> {
        let (count, first) = (self.pv_faults, self.first_pv_fault.as_ref()?);
        Some(format!("lines of play (`pv`) with a fault: {count}; of the first: {first}."))
    }
}

fn checked_phases<S: Serializer>(phases: &[PhaseCounts], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(phases.iter().filter(|phase| phase.checked > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::config::EngineConfig;
    use crate::record::GameResult::{Draw, FirstWon, SecondWon};
    use crate::record::Opening;
    use crate::test_match;

    fn ratings(times: usize) -> Vec<String> {
        let mut header = test_match::header();
        header.settings.engines = ["A", "B", "C"].map(|name| EngineConfig::named(name.to_owned())).into();
        let (mut results, mut game) = (MatchResults::new(&header), test_match::games(1, 1).remove(0));
        (game.reason, game.game) = (Reason::FullBoard, 0);
        for [one, other] in std::iter::repeat_n([["A", "B"], ["A", "C"], ["B", "C"]], times).flatten() {
            for opening in 0..15 {
                let of_pair = [[FirstWon, SecondWon], [FirstWon, FirstWon], [Draw, SecondWon]][opening % 3];
                for ([first, second], result) in [[one, other], [other, one]].into_iter().zip(of_pair) {
                    (game.pair, game.result) = (game.game / 2, result);
                    game.opening = Opening { name: String::new(), moves: "1".repeat(opening) };
                    (game.first, game.second) = (first.to_owned(), second.to_owned());
                    results.add(&game);
                    game.game += 1;
                }
            }
        }
        let ratings = results.ratings().expect("three engines");
        ratings.into_iter().map(|rating| rating.expect("a rating").to_string()).collect()
    }

    #[test]
    fn the_first_decision_of_a_test_holds() {
        let mut header = test_match::header();
        header.settings.sprt = Some("0,100".parse().expect("a test"));
        let (mut results, mut game) = (MatchResults::new(&header), test_match::games(1, 1).remove(0));
        let mut decided = None;
        for number in 0..400 {
            (game.game, game.pair, game.opening.moves) =
                (number, number / 2, "1".repeat(number as usize / 2));
            let winner = usize::from(decided.is_some());
            (game.first, game.second) =
                (test_match::NAMES[winner].into(), test_match::NAMES[1 - winner].into());
            (game.result, game.reason) = (if number % 8 == 0 { Draw } else { FirstWon }, Reason::FullBoard);
            results.add(&game);
            decided = decided.or(results.decided);
            assert_eq!(results.decided, decided);
        }
        assert!(decided.is_some_and(|test: SprtStatus| test.decision == Decision::AcceptH1));
    }

    #[test]
    fn copies_of_games_change_no_rating() {
        let once = ratings(1);
        assert!(once[0].parse::<f64>().is_err() && once[0] != once[1], "{once:?}");
        for times in [2, 7] {
            assert_eq!(ratings(times), once);
        }
    }

    #[test]
    fn every_move_is_of_one_phase() {
        let games = test_match::games(6, 60);
        let mut both = [MoveCounts::default(), MoveCounts::default()];
        for game in &games {
            for (stones, made) in (game.opening.moves.len()..).zip(&game.moves) {
                both[stones % 2].add(made, stones, 42);
            }
        }
        let all = || games.iter().flat_map(|game| &game.moves);
        assert_eq!(both.iter().map(|counts| counts.moves as usize).sum::<usize>(), all().count());
        let phases = || both.iter().flat_map(|counts| counts.phases);
        let losses = || all().filter_map(|made| made.loss);
        assert_eq!(phases().map(|phase| phase.checked as usize).sum::<usize>(), losses().count());
        let blunders = losses().filter(|loss| *loss > 0).count();
        assert_eq!(phases().map(|phase| phase.blunders as usize).sum::<usize>(), blunders);
        assert_eq!(phases().map(|phase| phase.worst_loss).max(), losses().max());
        let figures = |counts: &MoveCounts| serde_json::to_value(counts).expect("JSON");
        for figures in both.each_ref().map(figures) {
            assert!(figures["phases"][2]["checked"].is_u64() && figures["mean_ms"].as_f64() > Some(0.0));
        }
        assert!(figures(&MoveCounts::default())["mean_ms"].is_null());
    }
}
