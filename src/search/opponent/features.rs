//! The features of a reply, from which its probability is computed.

use crate::board::{Geometry, Position};
use crate::score::{Score, plies_to_end};
#[cfg(doc)]
use crate::search::evaluate;

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

/// Depth in plies of the shallow estimate of a reply, the reply included.
pub const SHALLOW: u32 = 2;
/// Depth in plies of the deep estimate of a reply, the reply included.
pub const DEEP: u32 = 6;

/// The estimate, or a lower bound of it, of a win that a search has found: below every win of the depth-limited search,
/// which are 29,800 and more, and far above every estimate.
pub const CERTAIN: i32 = 10_000;

/// The greatest absolute estimate, in hundreds; larger ones say no more.
const GREATEST_ESTIMATE: f64 = 3.0;

/// A legal reply with its exact score and estimates, from the point of view of the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The column, from 0.
    pub column: u32,
    /// The exact score of the position after it, negated; see [`crate::score`].
    pub score: Score,
    /// The estimate by a search [`SHALLOW`] plies deep, in centipawn-like units as those of [`evaluate`].
    pub shallow: i32,
    /// The estimate by a search [`DEEP`] plies deep, in the same units.
    pub deep: i32,
}

/// The features of all legal replies in `position`, which is not over, in the order of `replies`. `last` is the column of
/// the last stone, from 0.
#[must_use]
pub fn features<G: Geometry>(position: &Position<G>, last: Option<u32>, replies: &[Reply]) -> Vec<Features> {
    let best = replies.iter().map(|reply| reply.score).max().unwrap_or(0);
    let (geometry, plies) = (position.geometry(), position.plies());
    let progress = (f64::from(plies) - 12.0) / 8.0;
    let number = |holds: bool| f64::from(u8::from(holds));
    let one = |reply: &Reply| {
        let centre = (f64::from(reply.column) - f64::from(geometry.width() - 1) / 2.0).abs();
        let edge = number(reply.column == 0 || reply.column + 1 == geometry.width());
        let height = position.landing(reply.column).map_or(0, |cell| geometry.row_of(cell).min(3));
        let keeps = |sign: Score| number(best.signum() == sign && reply.score.signum() == sign);
        let within = |horizon: u32, sign: Score| {
            if reply.score.signum() != sign {
                return 0.0;
            }
            f64::from(horizon.saturating_sub(plies_to_end(geometry, reply.score, plies))) / 10.0
        };
        let estimate = |value: i32| (f64::from(value) / 100.0).clamp(-GREATEST_ESTIMATE, GREATEST_ESTIMATE);
        let shallow = estimate(reply.shallow);
        [
            centre,
            edge,
            f64::from(height),
            number(last == Some(reply.column)),
            keeps(1),
            keeps(0),
            within(28, 1),
            within(20, 1),
            within(28, -1),
            within(20, -1),
            shallow,
            estimate(reply.deep),
            centre * progress,
            shallow * progress,
        ]
    };
    replies.iter().map(one).collect()
}
