//! The results so far: who has scored what against whom.

use std::collections::{BTreeMap, HashMap};

use super::record::{GameRecord, GameResult};
use super::statistics::Standing;
use super::statistics::counts::{Counts, Outcome};
use super::statistics::elo::{Estimate, score_error};
use super::statistics::ratings::{Pairing, ratings};
use super::statistics::sample::Unit;
use super::statistics::sprt::Sprt;

/// The results of the games that have been counted.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    names: Vec<String>,
    /// By two engines, the one that stands first on the command line first: its results.
    counts: BTreeMap<(usize, usize), Counts>,
    /// Pairs of which one game has been counted: its outcome for the engine that stands first.
    open: HashMap<u32, Outcome>,
    /// Games lost by a fault, by engine.
    faults: Vec<u32>,
    /// Moves that were looked at, and those of them that gave something away, by engine.
    marked: Vec<[u32; 2]>,
}

impl Tally {
    /// Nothing yet, between the engines of these names.
    pub(super) fn new(names: Vec<String>) -> Self {
        let (faults, marked) = (vec![0; names.len()], vec![[0; 2]; names.len()]);
        Self { names, counts: BTreeMap::new(), open: HashMap::new(), faults, marked }
    }

    /// Counts a game. One of an engine that does not take part is not counted.
    pub(super) fn add(&mut self, game: &GameRecord) {
        let place = |name: &String| self.names.iter().position(|known| known == name);
        let Some((first, second)) = place(&game.first).zip(place(&game.second)) else { return };
        let (one, other) = (first.min(second), first.max(second));
        let outcome = match (game.result, first == one) {
            (GameResult::Draw, _) => Outcome::Draw,
            (GameResult::FirstWon, true) | (GameResult::SecondWon, false) => Outcome::Win,
            _ => Outcome::Loss,
        };
        let counts = self.counts.entry((one, other)).or_default();
        if let Some(partner) = self.open.remove(&game.pair) {
            counts.add_partner(outcome, partner);
        } else {
            counts.add_game(outcome);
            self.open.insert(game.pair, outcome);
        }
        for (ply, made) in (game.opening.moves.len()..).zip(&game.moves) {
            let engine = if ply.is_multiple_of(2) { first } else { second };
            if let Some(loss) = made.loss {
                self.marked[engine][0] += 1;
                self.marked[engine][1] += u32::from(loss > 0);
            }
        }
        if game.reason.is_fault() {
            self.faults[if game.result == GameResult::FirstWon { second } else { first }] += 1;
        }
    }

    /// The results of the engine at this place against all others.
    pub(super) fn of(&self, engine: usize) -> Counts {
        let mut sum = Counts::default();
        for (&(one, other), &counts) in &self.counts {
            if one == engine {
                sum += counts;
            } else if other == engine {
                sum += counts.reversed();
            }
        }
        sum
    }

    /// What the results of the engine at this place come to.
    pub(super) fn standing(&self, engine: usize, sprt: Option<&Sprt>) -> Standing {
        Standing::new(&self.of(engine).sample(Unit::Pair), sprt)
    }

    /// The ratings of three or more engines, from all their games together: with fewer there is nothing to add to the
    /// difference of the two.
    pub(super) fn ratings(&self) -> Option<Vec<Option<Estimate>>> {
        let pairing = |(&(one, other), counts): (&(usize, usize), &Counts)| Pairing {
            engines: [one, other],
            points: [counts.points(), counts.reversed().points()],
            error: counts.games() as f64 * score_error(&counts.sample(Unit::Pair)),
        };
        let pairings: Vec<_> = self.counts.iter().map(pairing).collect();
        (self.names.len() > 2).then(|| ratings(self.names.len(), &pairings))
    }

    /// Games that the engine at this place has lost by a fault.
    pub(super) fn faults(&self, engine: usize) -> u32 {
        self.faults[engine]
    }

    /// The moves of the engine at this place that were looked at, and those of them that gave something away.
    pub(super) fn marked(&self, engine: usize) -> [u32; 2] {
        self.marked[engine]
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The places of the engines, the one with the greatest share of its points first.
    pub(super) fn ranking(&self) -> Vec<usize> {
        let share = |&engine: &usize| {
            let counts = self.of(engine);
            counts.points() / (counts.games().max(1) as f64)
        };
        let mut places: Vec<_> = (0..self.names.len()).collect();
        places.sort_by(|one, other| share(other).total_cmp(&share(one)));
        places
    }
}
