//! The model in words and code: its likelihood and calibration on games that it was not fitted on, and the source code of
//! the engine.

use std::collections::BTreeSet;

use anyhow::Result;
use plumb::search::opponent::FEATURE_NAMES;
use plumb_studies::plot::{Axis, Figure, Legend, Line, Panel, Stroke};

use super::decisions::Decision;
use super::model::{LeafEvaluation, Mixture};
use crate::output;

/// Groups of decisions with similar expected errors.
const GROUPS: usize = 10;

/// The table of the opponents, in lines. `without` fits a mixture without one of them, if there are others.
pub(super) fn table(
    opponents: &BTreeSet<&str>,
    held_out: &[&Decision],
    one_type: &Mixture,
    all_types: &Mixture,
    without: impl Fn(&str) -> Option<Mixture>,
) -> Vec<String> {
    let width = opponents.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let figures = " decisions| errors| uniform| one type| all types| fitted without";
    let row = |name: &str, decisions: &[&Decision], without: Option<Mixture>| {
        [vec![format!("{name:width$}")], cells(decisions, one_type, all_types, without.as_ref())].concat()
    };
    let of_opponent = |name: &&str| {
        let own: Vec<&Decision> = held_out.iter().copied().filter(|one| one.opponent == *name).collect();
        row(name, &own, without(name))
    };
    let rows = opponents.iter().map(of_opponent).chain([row("all", held_out, None)]);
    output::table(&format!("{:width$}|{figures}", "opponent"), rows)
}

fn cells(
    decisions: &[&Decision],
    one_type: &Mixture,
    all_types: &Mixture,
    without: Option<&Mixture>,
) -> Vec<String> {
    let count = decisions.len().max(1) as f64;
    let errors = decisions.iter().filter(|one| one.is_error()).count();
    let uniform: f64 = decisions.iter().map(|one| -(one.replies.len() as f64).ln()).sum();
    let mean = |mixture: &Mixture| {
        let known = expectations(decisions, mixture);
        format!("{:.3}", known.iter().map(|(likelihood, _)| likelihood.ln()).sum::<f64>() / count)
    };
    vec![
        decisions.len().to_string(),
        format!("{:.1}%", 100.0 * errors as f64 / count),
        format!("{:.3}", uniform / count),
        mean(one_type),
        mean(all_types),
        without.map_or("-".to_owned(), mean),
    ]
}

/// The probabilities of the chosen move and of an error for decisions in the order of games and moves, by the model and given
/// the decisions before in the game.
fn expectations(decisions: &[&Decision], mixture: &Mixture) -> Vec<(f64, f64)> {
    let mut game = None;
    let mut types = Vec::new();
    let one = |decision: &&Decision| {
        if game != Some(decision.game) {
            game = Some(decision.game);
            types.clone_from(&mixture.shares);
        }
        let by_type = mixture.probabilities(decision);
        let mean =
            |of: &dyn Fn(&[f64]) -> f64| types.iter().zip(&by_type).map(|(share, all)| share * of(all)).sum();
        let likelihood: f64 = mean(&|all| all[decision.chosen]);
        let error = mean(&|all| {
            all.iter()
                .zip(&decision.keeps)
                .filter(|(_, keeps)| !**keeps)
                // The sum of no numbers is -0.
                .fold(0.0, |sum, (probability, _)| sum + probability)
        });
        for (share, all) in types.iter_mut().zip(&by_type) {
            *share *= all[decision.chosen] / likelihood;
        }
        (likelihood, error)
    };
    decisions.iter().map(one).collect()
}

/// Expected and observed shares of errors, in groups of equal size by the expected one.
pub(super) fn calibration(decisions: &[&Decision], mixture: &Mixture) -> Vec<(f64, f64)> {
    let errors = decisions.iter().map(|one| f64::from(u8::from(one.is_error())));
    let expected = expectations(decisions, mixture);
    let mut pairs: Vec<(f64, f64)> = expected.iter().map(|&(_, error)| error).zip(errors).collect();
    pairs.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mean = |group: &[(f64, f64)], of: fn(&(f64, f64)) -> f64| {
        group.iter().map(of).sum::<f64>() / group.len() as f64
    };
    let size = pairs.len().div_ceil(GROUPS).max(1);
    pairs.chunks(size).map(|group| (mean(group, |one| one.0), mean(group, |one| one.1))).collect()
}

/// The picture of the calibration.
///
/// # Errors
/// If the drawing itself has a fault.
pub(super) fn picture(groups: &[(f64, f64)]) -> Result<String> {
    let most = groups.iter().flat_map(|&(expected, observed)| [expected, observed]).fold(0.1, f64::max);
    let axis = |title: &str| {
        Axis::linear(0.0..most, 6, |value, decimals| format!("{value:.decimals$}")).titled(title)
    };
    let line =
        |name: &str, number, points| Line { name: name.to_owned(), ..Line::new(Stroke::of(number), points) };
    let even = vec![(0.0, 0.0), (most, most)];
    let panel = Panel {
        x: axis("expected share of errors"),
        y: axis("observed share of errors"),
        lines: vec![line("as expected", 1, even), line("held-out games", 0, groups.to_vec())],
        ..Panel::default()
    };
    let title = "Errors of opponents: expected and observed".to_owned();
    let (entries, legend) = (panel.entries(), Legend::Above);
    Figure { title, entries, legend, ..Figure::new(vec![panel], (640, 480), 16) }.svg()
}

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
