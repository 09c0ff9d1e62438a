//! `plumb-lab fit-opponent`: the model of fallible opponents, fitted on recorded games; in words, its likelihood and calibration
//! on games that it was not fitted on; and in code, the source of the engine.

mod decisions;
mod model;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use plumb::search::opponent::{FEATURE_NAMES, TYPES};
use plumb_arena::directory::read_match;
use plumb_arena::theory::table::TheoryTable;
use plumb_studies::plot::{Axis, Figure, Line, Panel, Stroke};

use crate::output::{self, print, write};
use decisions::Decision;
use model::{LeafEvaluation, Mixture};

/// Fit the model of the opponent that the option `Swindle` plays by.
///
/// The games are those of matches with `--openings lost` or `drawn`; the model learns the moves of the engines that were
/// not under test. The types of players and their weights are found by expectation maximisation; every fifth game is
/// held out; with `--out` the fit is then repeated on all games.
///
/// Printed for each opponent, of held-out games: its decisions, the share that gave away a win or a draw, and the mean
/// log-likelihood of its moves: if all legal moves were equally likely, by one type, by all types with what the game so
/// far tells about the type, and by all types fitted without this opponent. Then, in up to ten groups of decisions, the share
/// of errors that the model expects and the share observed.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The directories of the matches.
    #[arg(value_name = "DIR", required = true)]
    matches: Vec<PathBuf>,
    /// Seed of the starting point.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write the model as Rust source code to FILE: `src/search/opponent/weights.rs` of the engine, to be built anew.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw expected against observed errors of held-out games into FILE, as SVG.
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Overwrite the files of `--out` and `--picture` if they exist.
    #[arg(long)]
    force: bool,
}

/// Runs the command.
///
/// # Errors
/// If a match cannot be read, is none of this kind or has no decisions, there is no memory, or a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { out, picture: picture_path, force, .. } = arguments;
    output::check_overwrite(out.iter().chain(picture_path), *force)?;
    if out.is_some() || picture_path.is_some() {
        output::results_go_to_files();
    }
    let mut games = Vec::new();
    for directory in &arguments.matches {
        let mut found = read_match(directory)?;
        let theory = TheoryTable::new(&found.header).with_context(|| {
            format!("`{}` is no match with `--openings lost` or `drawn`", directory.display())
        })?;
        while let Some(game) = found.next_game()? {
            games.push((usize::from(theory.is_tested(&game.first)), game));
        }
    }
    let decisions = decisions::read(&games)?;
    let opponents: BTreeSet<&str> = decisions.iter().map(|one| one.opponent.as_str()).collect();
    ensure!(!decisions.is_empty(), "the matches have no decisions to learn from");
    let (held_out, fitted): (Vec<_>, Vec<_>) = decisions.iter().partition(|one| one.game.is_multiple_of(5));
    ensure!(
        !fitted.is_empty() && !held_out.is_empty(),
        "the matches have too few games: every fifth is held out, to test what the others taught"
    );
    let one_type = Mixture::fit(&fitted, 1, arguments.seed);
    let all_types = Mixture::fit(&fitted, TYPES, arguments.seed);
    let without = |name: &str| {
        let others: Vec<&Decision> = fitted.iter().copied().filter(|one| one.opponent != name).collect();
        (!others.is_empty() && others.len() < fitted.len())
            .then(|| Mixture::fit(&others, TYPES, arguments.seed))
    };
    let lines = table(&opponents, &held_out, &one_type, &all_types, without);
    lines.iter().try_for_each(|line| print(format_args!("{line}")))?;
    let bins = calibration(&held_out, &all_types);
    print(format_args!("\nerrors in held-out games, in groups of equal size:\n\nexpected  observed"))?;
    for (expected, observed) in &bins {
        print(format_args!("{expected:8.3}  {observed:8.3}"))?;
    }
    if let Some(path) = &arguments.picture {
        write(path, &picture(&bins))?;
    }
    if let Some(path) = &arguments.out {
        let all: Vec<_> = decisions.iter().collect();
        let mixture = Mixture::fit(&all, TYPES, arguments.seed);
        let leaves = model::of_types(&all, &mixture);
        write(path, &source(&mixture, &leaves, decisions.len(), games.len()))?;
        print(format_args!("\nwrote `{}`; `cargo fmt` brings it into shape", path.display()))?;
    }
    Ok(())
}

/// Groups of decisions with similar expected errors.
const GROUPS: usize = 10;

/// The table of the opponents, in lines. `without` fits a mixture without one of them, if there are others.
fn table(
    opponents: &BTreeSet<&str>,
    held_out: &[&Decision],
    one_type: &Mixture,
    all_types: &Mixture,
    without: impl Fn(&str) -> Option<Mixture>,
) -> Vec<String> {
    let width = opponents.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let figures = " decisions| errors| uniform| one type| all types| fitted without";
    // The row of an opponent, or of all.
    let row = |opponent: Option<&str>| {
        let is_own = |one: &&Decision| opponent.is_none_or(|name| one.opponent == name);
        let own: Vec<_> = held_out.iter().copied().filter(is_own).collect();
        let count = own.len().max(1) as f64;
        let errors = own.iter().filter(|one| one.is_error()).count();
        let uniform: f64 = own.iter().map(|one| -(one.replies.len() as f64).ln()).sum();
        let mean = |mixture: &Mixture| {
            let known = expectations(&own, mixture);
            format!("{:.3}", known.iter().map(|(likelihood, _)| likelihood.ln()).sum::<f64>() / count)
        };
        vec![
            format!("{:width$}", opponent.unwrap_or("all")),
            own.len().to_string(),
            format!("{:.1}%", 100.0 * errors as f64 / count),
            format!("{:.3}", uniform / count),
            mean(one_type),
            mean(all_types),
            output::or_dash(opponent.and_then(&without).as_ref(), mean),
        ]
    };
    let rows = opponents.iter().copied().map(Some).chain([None]).map(row);
    output::table(&format!("{:width$}|{figures}", "opponent"), rows)
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
            let errors = all.iter().zip(&decision.keeps).filter(|(_, keeps)| !**keeps);
            // The sum of no numbers is -0.
            errors.fold(0.0, |sum, (probability, _)| sum + probability)
        });
        for (share, all) in types.iter_mut().zip(&by_type) {
            *share *= all[decision.chosen] / likelihood;
        }
        (likelihood, error)
    };
    decisions.iter().map(one).collect()
}

/// Expected and observed shares of errors, in groups of equal size by the expected one.
fn calibration(decisions: &[&Decision], mixture: &Mixture) -> Vec<(f64, f64)> {
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
fn picture(groups: &[(f64, f64)]) -> String {
    let most = groups.iter().flat_map(|&(expected, observed)| [expected, observed]).fold(0.1, f64::max);
    let label = |value: f64, decimals: usize| format!("{value:.decimals$}");
    let axis = |title: &str| Axis::linear(0.0..most, 6, label).titled(title);
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
    Figure { title, ..Figure::new(vec![panel], (640.0, 480.0), 16.0) }.svg()
}

/// The source code of `src/search/opponent/weights.rs`.
fn source(mixture: &Mixture, leaves: &[LeafEvaluation], decisions: usize, games: usize) -> String {
    let features: Vec<_> =
        FEATURE_NAMES.iter().zip(1..).map(|(name, number)| format!("/// {number}. {name}\n")).collect();
    let (count, features) = (features.len(), features.concat());
    let weights = rows(mixture.weights.iter().map(|weights| array(weights)));
    let lost = rows(leaves.iter().map(|one| array(&one.lost)));
    let drawn = rows(leaves.iter().map(|one| array(&one.drawn)));
    format!(
        "//! The numbers of the model, written by `plumb-lab fit-opponent` from {decisions} decisions in {games} games. Not to \
         be\n//! edited; `tools/research/notes/swindle.md` has the commands.\n\n\
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
