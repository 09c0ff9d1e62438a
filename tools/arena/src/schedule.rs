//! Schedule of a match: pairings, colours and openings. It depends only on the settings.

use std::str::FromStr;

use plumb::mix::Random;
use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};

/// Kind of tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tournament {
    /// Every engine plays every other engine.
    #[default]
    RoundRobin,
    /// The engines under test play all other engines, but not each other.
    Gauntlet,
}

impl FromStr for Tournament {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read: Result<_, value::Error> = Self::deserialize(text.into_deserializer());
        read.map_err(|_| format!("`{text}`: expected round-robin or gauntlet"))
    }
}

/// Colour assignment in the games of a pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// Each opening twice, with colours swapped.
    #[default]
    Swapped,
    /// Each opening once, with alternating colours.
    Alternating,
    /// Each opening once. The engine listed first is the first player.
    Fixed,
}

impl Colours {
    /// Number of games between two engines from each opening.
    pub(crate) fn games(self) -> u32 {
        if self == Self::Swapped { 2 } else { 1 }
    }
}

/// A scheduled game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number of the game, from 0.
    pub game: u32,
    /// Number of the pair, from 0. Two games from one opening with swapped colours share it.
    pub pair: u32,
    /// Index of the opening.
    pub opening: u32,
    /// Engine indices. The first player comes first.
    pub engines: [usize; 2],
}

/// Schedules all games. In each round all pairings play one opening, twice with [`Colours::Swapped`]. In a gauntlet the
/// first `tested` engines are under test.
pub(crate) fn schedule(
    tournament: Tournament,
    engines: usize,
    tested: usize,
    rounds: u32,
    colours: Colours,
) -> Vec<ScheduledGame> {
    let (first_engines, least_opponent) = match tournament {
        Tournament::RoundRobin => (engines, 0),
        Tournament::Gauntlet => (tested.min(engines), tested),
    };
    let mut pairings = Vec::new();
    for one in 0..first_engines {
        for other in least_opponent.max(one + 1)..engines {
            pairings.push([one, other]);
        }
    }
    let mut games = Vec::new();
    for opening in 0..rounds {
        for &[one, other] in &pairings {
            let (straight, swapped) = ([one, other], [other, one]);
            let sides = match colours {
                Colours::Swapped => vec![straight, swapped],
                Colours::Alternating if opening % 2 == 1 => vec![swapped],
                Colours::Alternating | Colours::Fixed => vec![straight],
            };
            for engines in sides {
                let game = games.len() as u32;
                games.push(ScheduledGame { game, pair: game / colours.games(), opening, engines });
            }
        }
    }
    games
}

/// Schedules the first `tested` engines against all others. `sides` has their side in each opening, 0 for the first
/// player. No two games form a pair.
pub(crate) fn schedule_sides(tested: usize, engines: usize, sides: &[usize]) -> Vec<ScheduledGame> {
    let rounds = (0..).zip(sides);
    let games = rounds.flat_map(|(opening, &side)| {
        let pairings = (tested..engines).flat_map(move |other| (0..tested).map(move |one| [one, other]));
        pairings.map(move |[one, other]| (opening, if side == 0 { [one, other] } else { [other, one] }))
    });
    let numbered = (0..).zip(games);
    numbered.map(|(game, (opening, engines))| ScheduledGame { game, pair: game, opening, engines }).collect()
}

/// Random seeds for the two engines of a game, first player first.
pub(crate) fn seeds(match_seed: u64, game: u32) -> [u64; 2] {
    // The constant separates this random stream from other uses of `match_seed`.
    let of_all = Random::new(match_seed ^ u64::from_be_bytes(*b"of games"), 0).next();
    let mut of_game = Random::new(of_all.wrapping_add(game.into()), 0);
    [of_game.next(), of_game.next()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn everybody_meets_everybody_with_both_colours() {
        let games = schedule(Tournament::RoundRobin, 4, 1, 3, Colours::Swapped);
        assert_eq!(games.len(), 3 * 6 * 2);
        let mut met = HashMap::new();
        for (number, game) in games.iter().enumerate() {
            assert_eq!((game.game, game.pair), (number as u32, number as u32 / 2));
            *met.entry((game.engines, game.opening)).or_insert(0) += 1;
            let other = games[number ^ 1];
            assert_eq!((other.opening, other.pair), (game.opening, game.pair));
            assert_eq!(other.engines, [game.engines[1], game.engines[0]]);
        }
        assert!(met.values().all(|&count| count == 1) && met.len() == games.len());
    }

    #[test]
    fn each_side_of_each_game_has_a_seed_of_its_own() {
        let all: HashSet<_> = (0..1000).flat_map(|game| [seeds(1, game), seeds(2, game)].concat()).collect();
        assert_eq!(all.len(), 4000);
        assert_eq!(seeds(7, 3), seeds(7, 3));
    }

    #[test]
    fn engines_under_test_play_all_others_on_the_given_sides() {
        let games = schedule_sides(2, 4, &[0, 1]);
        let engines: Vec<_> = games.iter().map(|game| (game.opening, game.engines)).collect();
        let first = [[0, 2], [1, 2], [0, 3], [1, 3]].map(|pair| (0, pair));
        let second = [[2, 0], [2, 1], [3, 0], [3, 1]].map(|pair| (1, pair));
        assert_eq!(engines, [first, second].concat());
        assert!(games.iter().zip(0..).all(|(game, number)| (game.game, game.pair) == (number, number)));
    }

    #[test]
    fn an_opening_may_be_played_once() {
        let once = |colours| {
            let games = schedule(Tournament::RoundRobin, 2, 1, 3, colours);
            assert!(games.iter().zip(0..).all(|(game, at)| [game.game, game.pair, game.opening] == [at; 3]));
            games.into_iter().map(|game| game.engines).collect::<Vec<_>>()
        };
        assert_eq!(once(Colours::Alternating), [[0, 1], [1, 0], [0, 1]]);
        assert_eq!(once(Colours::Fixed), [[0, 1]; 3]);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let gauntlet = |tested, rounds| schedule(Tournament::Gauntlet, 4, tested, rounds, Colours::Swapped);
        let games = gauntlet(1, 5);
        assert_eq!(games.len(), 5 * 3 * 2);
        assert!(games.iter().all(|game| game.engines.contains(&0)));
        assert_eq!(gauntlet(1, 9)[..games.len()], games);
        let pairs: Vec<_> = gauntlet(2, 1).into_iter().map(|game| game.engines).collect();
        let expected = [[0, 2], [2, 0], [0, 3], [3, 0], [1, 2], [2, 1], [1, 3], [3, 1]];
        assert_eq!(pairs, expected);
    }
}
