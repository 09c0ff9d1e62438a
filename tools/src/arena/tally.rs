//! The results so far: who has scored what against whom.

use std::collections::{BTreeMap, HashMap};

use super::record::{GameRecord, GameResult};
use super::statistics::Standing;
use super::statistics::counts::{Counts, Outcome};
use super::statistics::elo::{Estimate, score_error};
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
    pub(super) fn ratings(&self) -> Option<Vec<Option<Estimate>>> {
        let pairing = |(&(one, other), counts): (&(usize, usize), &Counts)| {
            let repeated = self.openings.get(&(one, other)).and_then(|pairs| pairs.weights().sample());
            let (sample, games, points) =
                match repeated.and_then(|sample| Some((sample, sample.moments()?.0))) {
                    // Repeated openings count as if each had been played once.
                    Some((sample, score)) => {
                        let games = 2.0 * sample.size() as f64;
                        (sample, games, games * score)
                    }
                    None => (counts.sample(Unit::Pair), counts.games() as f64, counts.points()),
                };
            let error = games * score_error(&sample);
            Pairing { engines: [one, other], points: [points, games - points], error }
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

#[cfg(test)]
mod tests {
    use super::super::record::{Opening, Reason};
    use super::*;

    /// The ratings of three engines that meet in 15 openings, each pair of games played so many times.
    fn ratings(times: usize) -> Vec<String> {
        use GameResult::{Draw, FirstWon, SecondWon};
        let mut tally = Tally::new(["A", "B", "C"].map(str::to_owned).into());
        let (mut game, openings) = (0, 0..15_usize);
        for ([one, other], opening) in std::iter::repeat_n([["A", "B"], ["A", "C"], ["B", "C"]], times)
            .flatten()
            .flat_map(|engines| openings.clone().map(move |opening| (engines, opening)))
        {
            let results = [[FirstWon, SecondWon], [FirstWon, FirstWon], [Draw, SecondWon]][opening % 3];
            for ([first, second], result) in [[one, other], [other, one]].into_iter().zip(results) {
                tally.add(&GameRecord {
                    game,
                    pair: game / 2,
                    opening: Opening { name: String::new(), moves: "1".repeat(opening) },
                    first: first.to_owned(),
                    second: second.to_owned(),
                    result,
                    reason: Reason::FullBoard,
                    detail: String::new(),
                    moves: Vec::new(),
                    seconds: 0.0,
                });
                game += 1;
            }
        }
        let ratings = tally.ratings().expect("three engines");
        ratings.into_iter().map(|rating| rating.expect("a rating").to_string()).collect()
    }

    #[test]
    fn copies_of_games_change_no_rating() {
        let once = ratings(1);
        assert!(once[0].parse::<f64>().is_err() && once[0] != once[1], "{once:?}");
        for times in [2, 7] {
            assert_eq!(ratings(times), once);
        }
    }
}
