//! A model of the opponent: which reply a player chooses without knowing the exact scores.
//!
//! There are a few types of players. The probability of a reply is a softmax over the [features](features())
//! of the replies ([conditional logit](https://eml.berkeley.edu/reprints/mcfadden/zarembka.pdf), 1973), with
//! weights for each type. Bayes' rule updates the probabilities of the types on each reply.

mod weights;

use super::control::Control;
#[cfg(doc)]
use super::evaluation::evaluate;
use super::heuristic::{HeuristicSearch, WIN};
use crate::board::{Bits, Geometry, Position};
use crate::score::{Score, immediate_score, plies_to_end};
use weights::PRIOR;
pub use weights::TYPES;
pub(super) use weights::{LEAF_DRAWN, LEAF_LOST};

const LEAST_PROBABILITY: f64 = 0.002;

pub(super) fn reply_probabilities(replies: &[Features]) -> Vec<TypeShares> {
    let by_type = weights::WEIGHTS.map(|weights| choice_probabilities(&weights, replies));
    (0..replies.len()).map(|reply| by_type.each_ref().map(|probabilities| probabilities[reply])).collect()
}

/// Softmax probabilities of the replies, at least 0.002, so no single reply rules out a type of player.
fn choice_probabilities(weights: &Features, replies: &[Features]) -> Vec<f64> {
    let rest = 1.0 - LEAST_PROBABILITY * replies.len() as f64;
    softmax(weights, replies).into_iter().map(|probability| LEAST_PROBABILITY + rest * probability).collect()
}

fn softmax(weights: &Features, replies: &[Features]) -> Vec<f64> {
    let utility =
        |reply: &Features| weights.iter().zip(reply).map(|(weight, feature)| weight * feature).sum();
    let utilities: Vec<f64> = replies.iter().map(utility).collect();
    let greatest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = utilities.iter().map(|utility| (utility - greatest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|exponential| exponential / sum).collect()
}

/// Number of features of a reply.
pub const FEATURES: usize = 14;

/// The features of a reply, in the order of [`FEATURE_NAMES`].
pub type Features = [f64; FEATURES];

/// The names of the features. "Growing with the stones" means multiplied by (stones - 12) / 8.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "distance from the centre, in columns",
    "outermost column",
    "cells below, at most 3",
    "on top of the last stone",
    "keeps a win",
    "keeps a draw",
    "wins within 28 plies, in tens of plies below that",
    "wins within 20 plies",
    "loses within 28 plies",
    "loses within 20 plies",
    "estimate at depth 2, in hundreds, at most 3",
    "estimate at depth 6",
    "distance from the centre, growing with the stones",
    "estimate at depth 2, growing with the stones",
];

/// Depth of the search for [`Reply::shallow`] in plies, the reply included.
pub const SHALLOW: u32 = 2;
/// Depth of the search for [`Reply::deep`] in plies, the reply included.
pub const DEEP: u32 = 6;

/// The estimate of an immediate win. Wins of the depth-limited search have 29,800 and more.
pub const CERTAIN: i32 = 10_000;

/// Limit of an estimate in hundreds.
const GREATEST_ESTIMATE: f64 = 3.0;

/// A legal reply. Score and estimates are for the side that makes the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The column of the reply, from 0.
    pub column: u32,
    /// The negated exact score of the position after the reply; see [`crate::score`].
    pub score: Score,
    /// The estimate by a search [`SHALLOW`] plies deep, in the units of [`evaluate`].
    pub shallow: i32,
    /// The estimate by a search [`DEEP`] plies deep.
    pub deep: i32,
}

/// The features of all legal replies in `position`, which is not over. `last` is the column of the last stone, from
/// 0.
#[must_use]
pub fn features<G: Geometry>(position: &Position<G>, last: Option<u32>, replies: &[Reply]) -> Vec<Features> {
    let best = replies.iter().map(|reply| reply.score).max().unwrap_or(0);
    replies.iter().map(|reply| features_of(position, last, best, reply)).collect()
}

fn features_of<G: Geometry>(
    position: &Position<G>,
    last: Option<u32>,
    best: Score,
    reply: &Reply,
) -> Features {
    let (geometry, plies) = (position.geometry(), position.plies());
    let progress = (f64::from(plies) - 12.0) / 8.0;
    let centre = (f64::from(reply.column) - f64::from(geometry.width() - 1) / 2.0).abs();
    let is_edge = reply.column == 0 || reply.column + 1 == geometry.width();
    let height = position.landing(reply.column).map_or(0, |cell| geometry.row_of(cell).min(3));
    let (sign, best_sign) = (reply.score.signum(), best.signum());
    let distance = if sign == 0 { 0 } else { plies_to_end(geometry, reply.score, plies) };
    let [within_28, within_20] =
        [28, 20].map(|horizon: u32| f64::from(horizon.saturating_sub(distance)) / 10.0);
    let (wins, loses) = (indicator(sign == 1), indicator(sign == -1));
    let shallow = hundreds(reply.shallow);
    [
        centre,
        indicator(is_edge),
        f64::from(height),
        indicator(last == Some(reply.column)),
        indicator(best_sign == 1 && sign == 1),
        indicator(best_sign == 0 && sign == 0),
        wins * within_28,
        wins * within_20,
        loses * within_28,
        loses * within_20,
        shallow,
        hundreds(reply.deep),
        centre * progress,
        shallow * progress,
    ]
}

fn indicator(is_true: bool) -> f64 {
    if is_true { 1.0 } else { 0.0 }
}

fn hundreds(estimate: i32) -> f64 {
    (f64::from(estimate) / 100.0).clamp(-GREATEST_ESTIMATE, GREATEST_ESTIMATE)
}

/// By type of player: the probability of the type (the sum is 1), or the probability of a reply by the type.
pub(super) type TypeShares = [f64; TYPES];

/// The probabilities of the opponent's type. Keeps the expected replies of the game, so takebacks leave no
/// trace.
#[derive(Clone, Debug)]
pub(super) struct OpponentEstimate {
    pub(super) shares: TypeShares,
    choices: Vec<Choice>,
}

#[derive(Clone, Debug)]
struct Choice {
    plies: u32,
    before: TypeShares,
    /// The key of the position after each reply, with the probability of the reply by type.
    replies: Vec<(u128, TypeShares)>,
}

impl OpponentEstimate {
    pub(super) fn new() -> Self {
        // The prior shares are rounded, so they are scaled to the sum 1.
        Self { shares: updated(&PRIOR, &[1.0; TYPES]), choices: Vec::new() }
    }

    pub(super) fn expect<G: Geometry>(&mut self, replies: &[(Position<G>, TypeShares)]) {
        let plies = replies.first().map_or(0, |(after, _)| after.plies());
        let replies = replies.iter().map(|(after, by_type)| (after.key().to_wide(), *by_type)).collect();
        self.choices.retain(|earlier| earlier.plies < plies);
        self.choices.push(Choice { plies, before: self.shares, replies });
    }

    /// Updates the probabilities of the types if `position` follows an expected reply. A repeated call
    /// changes nothing.
    pub(super) fn observe<G: Geometry>(&mut self, position: &Position<G>) {
        let key = position.key().to_wide();
        for choice in &self.choices {
            for (after, by_type) in &choice.replies {
                if *after == key {
                    self.shares = updated(&choice.before, by_type);
                }
            }
        }
    }
}

pub(super) fn probability(shares: &TypeShares, by_type: &TypeShares) -> f64 {
    shares.iter().zip(by_type).map(|(share, one)| share * one).sum()
}

pub(super) fn updated(shares: &TypeShares, probabilities: &TypeShares) -> TypeShares {
    let mut product = *shares;
    product.iter_mut().zip(probabilities).for_each(|(share, probability)| *share *= probability);
    let sum: f64 = product.iter().sum();
    product.map(|share| share / sum)
}

/// The depth-limited search, for fitting the model.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::opponent::Estimator;
///
/// let position: Position = "112233".parse()?;
/// assert!(Estimator::new().estimate(&position, 2) > 1000, "the side to move wins at once");
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
pub struct Estimator(HeuristicSearch);

impl Estimator {
    /// A new estimator, which takes 1 MB of memory.
    #[must_use]
    pub fn new() -> Self {
        Self(HeuristicSearch::new())
    }

    /// The estimate of `position` by a search `depth` plies deep, for the side to move, in centipawn-like
    /// units. [`CERTAIN`] or more for a win.
    pub fn estimate<G: Geometry>(&mut self, position: &Position<G>, depth: u32) -> i32 {
        if let Some(score) = immediate_score(position) {
            return score.signum() * CERTAIN;
        }
        self.0.clear();
        let estimate = self.0.search(&mut Control::unlimited(), position, depth, -WIN, WIN, &mut Vec::new());
        estimate.unwrap_or_else(|_| unreachable!("nothing aborts a search without limits"))
    }
}

impl Default for Estimator {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    fn replies() -> (Position<Standard>, Vec<Features>) {
        let position = Position::from_digits("4444").expect("legal");
        let reply = |column, score, shallow| Reply { column, score, shallow, deep: shallow };
        let replies = [reply(3, -1, -300), reply(2, -1, 0), reply(0, 2, 300)];
        (position, features(&position, Some(3), &replies))
    }

    #[test]
    fn probabilities_of_each_type_add_up_to_one() {
        let (_, features) = replies();
        let all = reply_probabilities(&features);
        for number in 0..TYPES {
            let sum: f64 = all.iter().map(|by_type| by_type[number]).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{all:?}");
        }
        assert!(all.iter().flatten().all(|probability| *probability >= LEAST_PROBABILITY));
        assert!((0..TYPES).all(|number| all[2][number] > all[0][number]), "{all:?}");
    }

    #[test]
    fn features_are_those_of_the_reply() {
        let (position, features) = replies();
        assert_eq!(features[0][..6], [0.0, 0.0, 3.0, 1.0, 0.0, 0.0], "on top of four stones");
        assert_eq!(features[1][..6], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(features[2][..6], [3.0, 1.0, 0.0, 0.0, 1.0, 0.0], "keeps a win at the edge");
        assert_eq!(features.iter().map(|one| one[10]).collect::<Vec<_>>(), [-3.0, 0.0, 3.0]);
        let progress = (f64::from(position.plies()) - 12.0) / 8.0;
        assert_eq!((features[2][12], features[2][13]), (3.0 * progress, 3.0 * progress));
    }

    #[test]
    fn distances_count_from_the_position() {
        let position = Position::<Standard>::from_digits("112233").expect("legal");
        let reply = |column, score| Reply { column, score, shallow: 0, deep: 0 };
        let features = features(&position, None, &[reply(3, 18), reply(0, -17)]);
        let close = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(close(features[0][6], 2.7) && close(features[0][7], 1.9), "{:?}", features[0]);
        assert!(close(features[0][8], 0.0) && features[1][8] > 2.0, "{:?}", features[1]);
    }

    fn is_same(one: TypeShares, other: TypeShares) -> bool {
        one.map(f64::to_bits) == other.map(f64::to_bits)
    }

    #[test]
    fn a_reply_makes_the_types_likelier_that_choose_it() {
        let (position, features) = replies();
        let by_type = reply_probabilities(&features);
        let after = [3, 2, 0].map(|column| position.play(column).expect("legal"));
        let replies: Vec<_> = after.into_iter().zip(by_type.iter().copied()).collect();
        let mut opponent = OpponentEstimate::new();
        let before = opponent.shares;
        opponent.expect(&replies);
        opponent.observe(&position);
        assert!(is_same(opponent.shares, before), "no reply was made");
        opponent.observe(&after[0]);
        let shares = opponent.shares;
        let likeliest = (0..TYPES).max_by(|&a, &b| by_type[0][a].total_cmp(&by_type[0][b])).expect("a type");
        assert!(shares[likeliest] > before[likeliest], "{before:?} {shares:?}");
        opponent.observe(&after[0]);
        assert!(is_same(opponent.shares, shares), "a reply counts once");
    }

    #[test]
    fn a_reply_that_is_pondered_on_and_not_made_leaves_no_trace() {
        let (position, features) = replies();
        let after = [3, 2, 0].map(|column| position.play(column).expect("legal"));
        let expected: Vec<_> = after.into_iter().zip(reply_probabilities(&features)).collect();
        let of_made = |opponent: &mut OpponentEstimate| {
            opponent.observe(&after[1]);
            opponent.shares
        };
        let mut opponent = OpponentEstimate::new();
        opponent.expect(&expected);
        let direct = of_made(&mut opponent.clone());
        opponent.observe(&after[0]);
        let guessed = opponent.shares;
        let later = after[0].play(2).expect("legal");
        let further = later.legal_columns().filter_map(|column| later.play(column));
        opponent.expect(&further.map(|next| (next, [0.1, 0.2, 0.3, 0.4])).collect::<Vec<_>>());
        assert!(!is_same(guessed, direct));
        assert!(is_same(of_made(&mut opponent), direct));
    }
}
