//! A model of the opponent: which reply a player chooses that does not know the exact scores.
//!
//! Players are of a few types. A player of one type chooses each reply with a probability that is a softmax over the
//! [features](features()) of the replies (a [conditional logit](https://eml.berkeley.edu/reprints/mcfadden/zarembka.pdf),
//! 1973), with weights of its own. How a type weighs wins, losses and estimates shows how deep it sees.
//! [`OpponentEstimate`] starts from the shares of the types among the players that the model was fitted on, and is
//! updated by Bayes' rule on each reply of a game.
//!
//! The weights come from `plumb-lab fit-opponent`; `src/search/SWINDLE.md` has their evidence.

mod estimate;
mod estimator;
mod features;
mod weights;

pub(super) use estimate::updated;
pub use estimate::{OpponentEstimate, TypeShares};
pub use estimator::Estimator;
pub use features::{CERTAIN, DEEP, FEATURE_NAMES, FEATURES, Features, Reply, SHALLOW, features};
pub use weights::TYPES;
pub(super) use weights::{LEAF_DRAWN, LEAF_LOST};

/// Lowest probability of any legal reply, so that no single reply rules out a type.
const LEAST_PROBABILITY: f64 = 0.002;

/// The probability of each reply, in the order of `replies`, by a player of each type.
#[must_use]
pub fn reply_probabilities(replies: &[Features]) -> Vec<[f64; TYPES]> {
    let mut all = vec![[0.0; TYPES]; replies.len()];
    for (number, weights) in weights::WEIGHTS.iter().enumerate() {
        for (by_type, probability) in all.iter_mut().zip(choice_probabilities(weights, replies)) {
            by_type[number] = probability;
        }
    }
    all
}

/// The probability of each reply, in the order of `replies`, by a player with these weights: [`softmax`], but 0.002 at
/// least, so that no single reply rules out a player.
#[must_use]
pub fn choice_probabilities(weights: &Features, replies: &[Features]) -> Vec<f64> {
    let rest = 1.0 - LEAST_PROBABILITY * replies.len() as f64;
    softmax(weights, replies).into_iter().map(|probability| LEAST_PROBABILITY + rest * probability).collect()
}

/// The exponentials of the weighted sums of the features of each reply, divided by their sum.
#[must_use]
pub fn softmax(weights: &Features, replies: &[Features]) -> Vec<f64> {
    let utility =
        |reply: &Features| weights.iter().zip(reply).map(|(weight, feature)| weight * feature).sum();
    let utilities: Vec<f64> = replies.iter().map(utility).collect();
    let greatest = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exponentials: Vec<f64> = utilities.iter().map(|utility| (utility - greatest).exp()).collect();
    let sum: f64 = exponentials.iter().sum();
    exponentials.iter().map(|exponential| exponential / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Position, Standard};

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
        // A reply that wins, and looks best at every depth, is the likeliest.
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
        // The first player wins with its next stone, and a loss takes one more.
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
        let mut opponent = OpponentEstimate::<Standard>::new();
        let before = opponent.shares();
        opponent.expect(replies);
        opponent.observe(&position);
        assert!(is_same(opponent.shares(), before), "no reply was made");
        opponent.observe(&after[0]);
        let shares = opponent.shares();
        let likeliest = (0..TYPES).max_by(|&a, &b| by_type[0][a].total_cmp(&by_type[0][b])).expect("a type");
        assert!(shares[likeliest] > before[likeliest], "{before:?} {shares:?}");
        opponent.observe(&after[0]);
        assert!(is_same(opponent.shares(), shares), "a reply counts once");
    }

    #[test]
    fn a_reply_that_is_pondered_on_and_not_made_leaves_no_trace() {
        let (position, features) = replies();
        let after = [3, 2, 0].map(|column| position.play(column).expect("legal"));
        let expected: Vec<_> = after.into_iter().zip(reply_probabilities(&features)).collect();
        let of_made = |opponent: &mut OpponentEstimate<Standard>| {
            opponent.observe(&after[1]);
            opponent.shares()
        };
        let mut opponent = OpponentEstimate::<Standard>::new();
        opponent.expect(expected.clone());
        let direct = of_made(&mut opponent.clone());
        // The search on the guessed reply expects replies in its turn.
        opponent.observe(&after[0]);
        let guessed = opponent.shares();
        let later = after[0].play(2).expect("legal");
        let further = later.legal_columns().filter_map(|column| later.play(column));
        opponent.expect(further.map(|next| (next, [0.1, 0.2, 0.3, 0.4])).collect());
        assert!(!is_same(guessed, direct));
        assert!(is_same(of_made(&mut opponent), direct));
    }
}
