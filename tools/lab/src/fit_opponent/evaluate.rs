//! Likelihood and calibration of the model on games that it was not fitted on.

use std::collections::BTreeSet;

use anyhow::Result;
use plumb_studies::plot::{Axis, Figure, Legend, Line, Panel, Stroke};

use super::decisions::Decision;
use super::mixture::Mixture;

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
    let row = |name: &str, cells: [String; 6]| {
        let [decisions, errors, uniform, one, all, others] = cells;
        format!("{name:width$}  {decisions:>9}  {errors:>6}  {uniform:>7}  {one:>8}  {all:>9}  {others:>14}")
    };
    let headings = ["decisions", "errors", "uniform", "one type", "all types", "fitted without"];
    let mut lines = vec![row("opponent", headings.map(str::to_owned))];
    for &name in opponents {
        let own: Vec<&Decision> = held_out.iter().copied().filter(|one| one.opponent == name).collect();
        lines.push(row(name, cells(&own, one_type, all_types, without(name).as_ref())));
    }
    lines.push(row("all", cells(held_out, one_type, all_types, None)));
    lines
}

fn cells(
    decisions: &[&Decision],
    one_type: &Mixture,
    all_types: &Mixture,
    without: Option<&Mixture>,
) -> [String; 6] {
    let count = decisions.len().max(1) as f64;
    let errors = decisions.iter().filter(|one| one.is_error()).count();
    let uniform: f64 = decisions.iter().map(|one| -(one.replies.len() as f64).ln()).sum();
    let mean = |mixture: &Mixture| {
        let known = expectations(decisions, mixture);
        format!("{:.3}", known.iter().map(|(likelihood, _)| likelihood.ln()).sum::<f64>() / count)
    };
    [
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
