//! The model as source code of the engine.

use plumb::search::opponent::FEATURE_NAMES;

use super::leaf_evaluation::LeafEvaluation;
use super::mixture::Mixture;

/// The source code of `src/search/opponent/weights.rs`.
pub(super) fn source(mixture: &Mixture, leaves: &[LeafEvaluation], decisions: usize, games: usize) -> String {
    let features: Vec<_> =
        FEATURE_NAMES.iter().zip(1..).map(|(name, number)| format!("/// {number}. {name}\n")).collect();
    let (count, features) = (features.len(), features.concat());
    let weights = rows(mixture.weights.iter().map(|weights| array(weights)));
    let lost = rows(leaves.iter().map(|one| array(&one.lost)));
    let drawn = rows(leaves.iter().map(|one| array(&one.drawn)));
    format!(
        "//! The numbers of the model, written by `plumb-lab fit-opponent` from {decisions} decisions in {games} games. Not to \
         be\n//! edited; `src/search/SWINDLE.md` has the commands.\n\n\
         /// Number of types of players.\n\
         pub const TYPES: usize = {};\n\n\
         /// The share of each type among the players of the games.\n\
         pub(super) const PRIOR: [f64; TYPES] = {};\n\n\
         /// The weights of the features of a reply, by type:\n///\n{features}\
         pub(super) const WEIGHTS: [[f64; {count}]; TYPES] = [\n{weights}];\n\n\
         /// Coefficients of the leaf evaluation of lost positions, by type: constant, plies to the end in tens, second player,\n\
         /// stones in tens.\n\
         pub(in crate::search) const LEAF_LOST: [[f64; 4]; TYPES] = [\n{lost}];\n\n\
         /// Coefficients of the leaf evaluation of drawn positions, by type: constant, second player, stones in tens.\n\
         pub(in crate::search) const LEAF_DRAWN: [[f64; 3]; TYPES] = [\n{drawn}];\n",
        mixture.shares.len(),
        array(&mixture.shares),
    )
}

/// The arrays, each on a line of its own.
fn rows(arrays: impl Iterator<Item = String>) -> String {
    arrays.fold(String::new(), |rows, array| rows + "    " + &array + ",\n")
}

fn array(numbers: &[f64]) -> String {
    let numbers: Vec<_> = numbers.iter().map(|number| format!("{number:.3}")).collect();
    format!("[{}]", numbers.join(", "))
}
