//! The results of a match so far, by pair of engines.

use std::collections::{BTreeMap, HashMap};

use crate::record::{GameRecord, GameResult, MatchHeader, Reason};
use crate::schedule::Colours;
use crate::statistics::Standing;
use crate::statistics::counts::{Counts, Outcome};
use crate::statistics::elo::{Estimate, elo, score_error};
use crate::statistics::ratings::{Pairing, ratings};
use crate::statistics::sample::{PairsByOpening, Sample, Unit, Weights};
use crate::statistics::sprt::Sprt;
use crate::theory::TheoryTable;

/// The results of the games that have been counted.
#[derive(Clone, Debug)]
pub struct Tally {
    names: Vec<String>,
    /// The unit of observation.
    unit: Unit,
    /// Results of the first engine of each pair, in the order of the command line.
    counts: BTreeMap<(usize, usize), Counts>,
    /// Pairs of games by opening, of the same pairs of engines.
    openings: BTreeMap<(usize, usize), PairsByOpening>,
    /// Pairs with one game counted: its outcome for the first engine.
    open: HashMap<u32, Outcome>,
    /// Games won, drawn and lost as the first player, and as the second, by engine.
    by_colour: Vec<[[u32; 3]; 2]>,
    /// Games lost by each kind of fault, by engine.
    faults: Vec<BTreeMap<Reason, u32>>,
    /// Results beside those of theory, if the match is about them.
    theory: Option<TheoryTable>,
}

impl Tally {
    /// No results, between engines of these names.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            faults: vec![BTreeMap::new(); names.len()],
            by_colour: vec![[[0; 3]; 2]; names.len()],
            names,
            unit: Unit::Pair,
            counts: BTreeMap::new(),
            openings: BTreeMap::new(),
            open: HashMap::new(),
            theory: None,
        }
    }

    /// No results, of the match with this header.
    pub fn of_match(header: &MatchHeader) -> Self {
        let settings = &header.settings;
        let unit = if settings.colours == Colours::Swapped { Unit::Pair } else { Unit::Game };
        Self { theory: TheoryTable::new(header), unit, ..Self::new(settings.names()) }
    }

    /// The results beside those of theory, if the match is about them.
    pub fn theory(&self) -> Option<&TheoryTable> {
        self.theory.as_ref()
    }

    /// Counts a game, unless one of its engines does not take part.
    pub fn add(&mut self, game: &GameRecord) {
        if let Some(theory) = &mut self.theory {
            theory.add(game);
        }
        let place = |name: &String| self.names.iter().position(|known| known == name);
        let Some((first, second)) = place(&game.first).zip(place(&game.second)) else { return };
        let result = match game.result {
            GameResult::FirstWon => 0,
            GameResult::Draw => 1,
            GameResult::SecondWon => 2,
        };
        self.by_colour[first][0][result] += 1;
        self.by_colour[second][1][2 - result] += 1;
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
        let loser = game.loser().filter(|_| game.reason.is_fault());
        if let Some(loser) = loser.and_then(|name| self.names.iter().position(|known| known == name)) {
            *self.faults[loser].entry(game.reason).or_default() += 1;
        }
    }

    /// The results of the engine at this place against all others.
    pub fn of(&self, engine: usize) -> Counts {
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

    /// The pairs of the engine at this place, those of one opening and opponent as one observation.
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

    /// The results of each two engines that have met, as the first of them counts them: their places, the counts, and the
    /// Elo difference.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], Counts, Option<Estimate>)> {
        self.counts.iter().map(|(&(one, other), &counts)| {
            let weights = self.openings.get(&(one, other)).map(PairsByOpening::weights);
            let sample = weights.and_then(|weights| weights.sample());
            ([one, other], counts, elo(&sample.unwrap_or_else(|| counts.sample(self.unit))))
        })
    }

    /// A sentence on repeated openings, if there are any.
    pub fn repeated_openings(&self) -> Option<String> {
        self.openings
            .values()
            .map(PairsByOpening::weights)
            .reduce(|mut sum, more| {
                sum += more;
                sum
            })?
            .note()
    }

    /// The figures of the engine at this place.
    pub fn standing(&self, engine: usize, sprt: Option<&Sprt>) -> Standing {
        Standing::new(&self.sample(engine), sprt)
    }

    /// The pairs, or games, of the engine at this place as observations; one of each opening, if openings were repeated.
    pub fn sample(&self, engine: usize) -> Sample {
        self.weights(engine).sample().unwrap_or_else(|| self.of(engine).sample(self.unit))
    }

    /// Ratings of three or more engines, from all their games together. Of two engines the Elo difference says the
    /// same, so they get none; neither do those of a match from lost or drawn positions, whose sides are not equal.
    pub fn ratings(&self) -> Option<Vec<Option<Estimate>>> {
        let pairing = |(&(one, other), counts): (&(usize, usize), &Counts)| {
            let repeated = self.openings.get(&(one, other)).and_then(|pairs| pairs.weights().sample());
            let (sample, games, points) =
                match repeated.and_then(|sample| Some((sample, sample.moments()?.0))) {
                    // Repeated openings count as if each had been played once.
                    Some((sample, score)) => {
                        let games = 2.0 * sample.size() as f64;
                        (sample, games, games * score)
                    }
                    None => (counts.sample(self.unit), counts.games() as f64, counts.points()),
                };
            let error = games * score_error(&sample);
            Pairing { engines: [one, other], points: [points, games - points], error }
        };
        let pairings: Vec<_> = self.counts.iter().map(pairing).collect();
        (self.names.len() > 2 && self.theory.is_none()).then(|| ratings(self.names.len(), &pairings))
    }

    /// Games that the engine at this place has won, drawn and lost as the first player, and as the second.
    pub fn by_colour(&self, engine: usize) -> [[u32; 3]; 2] {
        self.by_colour[engine]
    }

    /// Games that the engine at this place has lost by each kind of fault.
    pub fn faults(&self, engine: usize) -> &BTreeMap<Reason, u32> {
        &self.faults[engine]
    }

    /// A sentence on the faults of each engine that had some.
    pub fn fault_notes(&self) -> impl Iterator<Item = String> {
        let faulty = self.names.iter().zip(&self.faults).filter(|(_, faults)| !faults.is_empty());
        faulty.map(|(name, faults)| {
            let kinds: Vec<_> = faults.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
            format!("{name}: {} lost by faults: {}.", faults.values().sum::<u32>(), kinds.join(", "))
        })
    }

    /// The names of the engines, in the order of the command line.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The places of the engines by their share of points, the greatest first.
    pub fn ranking(&self) -> Vec<usize> {
        let share = |&engine: &usize| self.of(engine).score().unwrap_or_default();
        let mut places: Vec<_> = (0..self.names.len()).collect();
        places.sort_by(|one, other| share(other).total_cmp(&share(one)));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Opening;

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
