//! Choice among moves that keep the result of perfect play: the one after which this opponent is likeliest to give
//! something away.
//!
//! A position that is lost or drawn in theory can be played in several ways that are equally good against a perfect
//! opponent. Against one that errs they differ: the expected points of each follow from a model of the opponent's
//! [replies](super::opponent), by expectimax. Exact scores come from outside, so this module never judges a position
//! itself, and no move that it chooses gives the theoretical result away.
//!
//! The idea: Jansen, "KQKR: Awareness of a Fallible Opponent" (ICCA Journal, 1992); Carmel and Markovitch,
//! "Incorporating Opponent Models into Adversary Search" (1996).

mod tree;

pub(super) use tree::{Candidate, ScoreSource, SwindleTree};
