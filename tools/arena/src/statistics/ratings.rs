//! Ratings of several engines from all their games together.

mod covariance;

use super::elo::{ERROR, Estimate, elo_of_odds, expected_score};
use super::normal::TWO_SIDED_95;
use super::pairing::{PRIOR_GAMES, Pairing};
use covariance::standard_errors;

/// The ratings are good enough when none moves by more than this in a step, in natural logarithms of strength.
const TOLERANCE: f64 = 1e-9;
/// Steps at most. Ten engines take some hundred.
const MAX_STEPS: u32 = 100_000;
/// No engine is rated further than this from another, in Elo.
const MOST: f64 = 10_000.0;

/// The Elo ratings of `count` engines that make what they scored likeliest, a draw being half a win, with their 95 %
/// confidence intervals.
///
/// One that won or lost all of its games is set aside, since only a bound of its rating is known, and so on with the rest.
/// The mean of those that are left is 0. There is no rating for an engine without games, nor for any as long as there are
/// two groups that have not met, not even by way of others: their ratings say nothing about each other.
///
/// Model: R. A. Bradley and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952. Algorithm: D. R. Hunter, "MM
/// Algorithms for Generalized Bradley-Terry Models", 2004.
pub fn ratings(count: usize, pairings: &[Pairing]) -> Vec<Option<Estimate>> {
    let mut ratings = vec![None; count];
    let players = (0..count).filter(|&engine| pairings.iter().any(|pairing| pairing.of(engine).is_some()));
    let mut rest: Vec<_> = players.collect();
    let mut layers = Vec::new();
    while let Some(layer) = Layer::of(&rest, pairings) {
        rest.retain(|engine| !layer.tops.contains(engine) && !layer.bottoms.contains(engine));
        layers.push(layer);
    }
    if !is_connected(&rest, pairings) {
        return ratings;
    }
    for (&engine, estimate) in rest.iter().zip(core(&rest, pairings)) {
        ratings[engine] = Some(estimate);
    }
    while let Some(Layer { tops, bottoms }) = layers.pop() {
        let bounds = |sign: f64, engines: &[usize]| -> Vec<_> {
            engines.iter().map(|&engine| (engine, bound(engine, sign, pairings, &ratings))).collect()
        };
        let found = [bounds(1.0, &tops), bounds(-1.0, &bottoms)].concat();
        for (engine, rating) in found {
            ratings[engine] = rating;
        }
    }
    ratings
}

/// Engines that won, and engines that lost, all of their games.
struct Layer {
    tops: Vec<usize>,
    bottoms: Vec<usize>,
}

impl Layer {
    /// Those among the engines in `rest`, by their games among themselves; none if there are none. One engine is left.
    fn of(rest: &[usize], pairings: &[Pairing]) -> Option<Self> {
        let among: Vec<_> = within(rest, pairings).collect();
        let share = |engine: usize| {
            let its = || among.iter().filter_map(|pairing| Some((pairing, pairing.of(engine)?.0)));
            let games: f64 = its().map(|(pairing, _)| pairing.games()).sum();
            (games > 0.0).then(|| its().map(|(_, points)| points).sum::<f64>() / games)
        };
        let with = |wanted: fn(f64) -> bool| -> Vec<usize> {
            rest.iter().copied().filter(|&engine| share(engine).is_some_and(wanted)).collect()
        };
        let (mut tops, mut bottoms) = (with(|share| share >= 1.0), with(|share| share <= 0.0));
        if tops.len() + bottoms.len() == rest.len() {
            // The only one on its side is what the others are measured by.
            if tops.len() == 1 {
                tops.clear();
            } else if bottoms.len() == 1 {
                bottoms.clear();
            }
        }
        (!tops.is_empty() || !bottoms.is_empty()).then_some(Self { tops, bottoms })
    }
}

/// The pairings in which both engines are among `engines`.
fn within<'a>(engines: &'a [usize], pairings: &'a [Pairing]) -> impl Iterator<Item = &'a Pairing> {
    pairings.iter().filter(|pairing| pairing.engines.iter().all(|engine| engines.contains(engine)))
}

/// Whether each of `engines` has met each other one, if only by way of others; not so if there are none.
fn is_connected(engines: &[usize], pairings: &[Pairing]) -> bool {
    let mut reached: Vec<_> = engines.first().copied().into_iter().collect();
    let mut next = 0;
    while let Some(&engine) = reached.get(next) {
        let met = within(engines, pairings).filter_map(|pairing| Some(pairing.of(engine)?.1));
        let new: Vec<_> = met.filter(|other| !reached.contains(other)).collect();
        reached.extend(new);
        next += 1;
    }
    !engines.is_empty() && reached.len() == engines.len()
}

/// The ratings of engines that have all met, in their order.
fn core(engines: &[usize], pairings: &[Pairing]) -> Vec<Estimate> {
    let place = |engine: &usize| engines.iter().position(|known| known == engine).unwrap_or_default();
    let mut own: Vec<_> = within(engines, pairings).copied().collect();
    for pairing in &mut own {
        pairing.engines = pairing.engines.each_ref().map(place);
    }
    let strengths = strengths(engines.len(), &own);
    let errors = standard_errors(&strengths, &own);
    let estimate = |(strength, error): (f64, f64)| {
        let value = elo_of_odds(strength);
        let margin = TWO_SIDED_95 * elo_of_odds(error.exp());
        Estimate { value, low: value - margin, high: value + margin }
    };
    strengths.into_iter().zip(errors).map(estimate).collect()
}

/// The strengths of `count` engines, the geometric mean of which is 1.
fn strengths(count: usize, pairings: &[Pairing]) -> Vec<f64> {
    let mut strengths = vec![1.0_f64; count];
    for _ in 0..MAX_STEPS {
        let (mut points, mut expected) = (vec![0.0; count], vec![0.0; count]);
        for pairing in pairings {
            let [one, other] = pairing.engines;
            points[one] += pairing.points[0] + PRIOR_GAMES / 2.0;
            points[other] += pairing.points[1] + PRIOR_GAMES / 2.0;
            let share = (pairing.games() + PRIOR_GAMES) / (strengths[one] + strengths[other]);
            expected[one] += share;
            expected[other] += share;
        }
        let next = |place: usize| if expected[place] > 0.0 { points[place] / expected[place] } else { 1.0 };
        let mut new: Vec<f64> = (0..count).map(next).collect();
        let mean = new.iter().map(|strength| strength.ln()).sum::<f64>() / count.max(1) as f64;
        for strength in &mut new {
            *strength /= mean.exp();
        }
        let moved = new.iter().zip(&strengths).map(|(new, old)| (new / old).ln().abs()).fold(0.0, f64::max);
        strengths = new;
        if moved < TOLERANCE {
            break;
        }
    }
    strengths
}

/// The bound of an engine that won all of its games, with `sign` 1, or lost them, with -1: one that is not as strong (or
/// weak) does that with a probability below [`ERROR`]. The two games of a pair are one observation, as they may depend on
/// each other. None if its opponents have no rating that says anything.
fn bound(engine: usize, sign: f64, pairings: &[Pairing], ratings: &[Option<Estimate>]) -> Option<Estimate> {
    let known = |pairing: &Pairing| {
        let (_, opponent) = pairing.of(engine)?;
        let Estimate { value, low, high } = ratings[opponent]?;
        // An opponent that is only known to be weaker than something might be beaten by anybody.
        let rating = if value.is_finite() { value } else { [low, high][usize::from(sign < 0.0)] };
        rating.is_finite().then_some((sign * rating, pairing.games() / 2.0))
    };
    let opponents: Vec<_> = pairings.iter().filter_map(known).collect();
    let furthest = opponents.iter().map(|(rating, _)| rating.abs()).reduce(f64::max)?;
    let likelihood = |rating: f64| -> f64 {
        opponents.iter().map(|&(other, pairs)| pairs * expected_score(rating - other).ln()).sum()
    };
    let (mut low, mut high) = (-furthest - MOST, furthest + MOST);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if likelihood(middle) < ERROR.ln() { low = middle } else { high = middle }
    }
    Some(if sign > 0.0 {
        Estimate { value: f64::INFINITY, low, high: f64::INFINITY }
    } else {
        Estimate { value: f64::NEG_INFINITY, low: f64::NEG_INFINITY, high: -low }
    })
}

#[cfg(test)]
mod tests;
