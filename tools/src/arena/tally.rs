//! The results so far: who has scored what against whom.

use std::collections::{BTreeMap, HashMap};

use super::record::{GameRecord, GameResult};
use super::statistics::Standing;
use super::statistics::counts::{Counts, Outcome};
use super::statistics::openings::{PairsByOpening, Weights};
use super::statistics::ratings::{Pairing, ratings};
use super::statistics::sample::Unit;
use super::statistics::sprt::Sprt;

/// The results of the games that have been counted.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    names: Vec<String>,
    /// By two engines, the one that stands first on the command line first: its results.
    counts: BTreeMap<(usize, usize), Counts>,
    /// The same: its pairs by opening.
    openings: BTreeMap<(usize, usize), PairsByOpening>,
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
        Self {
            names,
            counts: BTreeMap::new(),
            openings: BTreeMap::new(),
            open: HashMap::new(),
            faults,
            marked,
        }
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
            let half_points = outcome.half_points() + partner.half_points();
            self.openings.entry((one, other)).or_default().add(&game.opening.moves, half_points);
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

    /// The same, with the pairs of one opening and opponent as one observation.
    fn weights(&self, engine: usize) -> Weights {
        let mut sum = Weights::default();
        for (&(one, other), pairs) in &self.openings {
            if one == engine {
                sum += pairs.weights();
            } else if other == engine {
                sum += pairs.weights().reversed();
            }
        }
        sum
    }

    /// A sentence about openings that were played more than once, if there are any.
    pub(super) fn repeated_openings(&self) -> Option<String> {
        self.openings
            .values()
            .map(PairsByOpening::weights)
            .reduce(|mut sum, more| {
                sum += more;
                sum
            })?
            .note()
    }

    /// What the results of the engine at this place come to.
    pub(super) fn standing(&self, engine: usize, sprt: Option<&Sprt>) -> Standing {
        let sample = self.weights(engine).sample().unwrap_or_else(|| self.of(engine).sample(Unit::Pair));
        Standing::new(&sample, sprt)
    }

    /// The ratings of three or more engines, from all their games together: with fewer there is nothing to add to the
    /// difference of the two.
    pub(super) fn ratings(&self) -> Option<Vec<f64>> {
        let pairing = |(&(one, other), counts): (&(usize, usize), &Counts)| Pairing {
            engines: [one, other],
            points: [counts.points(), counts.reversed().points()],
        };
        let pairings: Vec<_> = self.counts.iter().map(pairing).collect();
        (self.names.len() > 2).then(|| ratings(self.names.len(), &pairings))
    }

    /// Games that the engine at this place has lost by a fault.
    pub(super) fn faults(&self, engine: usize) -> u32 {
        self.faults[engine]
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

    /// The table for people, a row each below the headings.
    pub(super) fn rows(&self) -> Vec<String> {
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let ratings = self.ratings();
        let rating =
            |place: usize| ratings.as_ref().map_or(String::new(), |all| format!(" {:>7.0}", all[place]));
        let heading = if ratings.is_some() { "  rating" } else { "" };
        let is_marked = self.marked.iter().any(|marked| marked[0] > 0);
        let blunders = |place: usize| {
            let [moves, blunders] = self.marked[place];
            if is_marked { format!("  {blunders} of {moves}") } else { String::new() }
        };
        let last_heading = if is_marked { "  blunders" } else { "" };
        let mut rows = vec![format!(
            "{:<width$}{heading} {:>6} {:>5} {:>5} {:>5} {:>7} {:>16} {:>16} {:>7} {:>6}{last_heading}",
            "engine", "games", "won", "drawn", "lost", "score", "Elo", "nElo", "LOS", "faults"
        )];
        for place in self.ranking() {
            let (counts, standing) = (self.of(place), self.standing(place, None));
            let score = 100.0 * counts.points() / (counts.games().max(1) as f64);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            rows.push(format!(
                "{:<width$}{} {:>6} {:>5} {:>5} {:>5} {score:>6.1}% {:>16} {:>16} {:>7} {:>6}{}",
                self.names[place],
                rating(place),
                counts.games(),
                counts.wins(),
                counts.draws(),
                counts.losses(),
                or_dash(standing.elo.map(|elo| elo.to_string())),
                or_dash(standing.normalized_elo.map(|elo| elo.to_string())),
                or_dash(standing.superiority.map(|share| format!("{:.1}%", 100.0 * share))),
                self.faults(place),
                blunders(place),
            ));
        }
        rows
    }
}
