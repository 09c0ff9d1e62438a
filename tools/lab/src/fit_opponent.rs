//! `plumb-lab fit-opponent`: the model of fallible opponents, fitted on recorded games.

mod decisions;
mod model;
mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::match_command::SavedMatch;
use crate::output::{print, write};
use decisions::Decision;
use model::Mixture;

/// Fit the model of the opponent that the option `Swindle` plays by.
///
/// The games are those of matches with `--openings lost` or `drawn`; the model learns the moves of the engines that were
/// not under test. The types of players and their weights are found by expectation maximisation; every fifth game is
/// held out, and the fit is then repeated on all games.
///
/// Printed for each opponent: its decisions, how many of them gave away a win or a draw, and the mean log-likelihood of
/// its moves in held-out games: if all legal moves were equally likely, by one type, by all types with what the game so
/// far tells about the type, and by all types fitted without this opponent. Then, in ten groups of decisions, the share
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
}

/// Runs the command.
///
/// # Errors
/// If a match cannot be read or is none of this kind, or a file cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut games = Vec::new();
    for directory in &arguments.matches {
        let found = SavedMatch::read(directory)?;
        games.extend(decisions::of_match(found, &directory.display().to_string())?);
    }
    let decisions = decisions::read(&games)?;
    let opponents: BTreeSet<&str> = decisions.iter().map(|one| one.opponent.as_str()).collect();
    if decisions.is_empty() {
        bail!("the matches have no decisions to learn from");
    }
    let (held_out, fitted): (Vec<_>, Vec<_>) = decisions.iter().partition(|one| one.game.is_multiple_of(5));
    let one_type = Mixture::fit(&fitted, 1, arguments.seed);
    let all_types = Mixture::fit(&fitted, plumb::search::opponent::TYPES, arguments.seed);
    let without = |name: &str| {
        let others: Vec<&Decision> = fitted.iter().copied().filter(|one| one.opponent != name).collect();
        (opponents.len() > 1).then(|| Mixture::fit(&others, plumb::search::opponent::TYPES, arguments.seed))
    };
    for line in report::table(&opponents, &held_out, &one_type, &all_types, without) {
        print(format_args!("{line}"))?;
    }
    let bins = report::calibration(&held_out, &all_types);
    print(format_args!("\nerrors in held-out games, in ten groups of equal size:\n\nexpected  observed"))?;
    for (expected, observed) in &bins {
        print(format_args!("{expected:8.3}  {observed:8.3}"))?;
    }
    if let Some(path) = &arguments.picture {
        write(path, &report::picture(&bins)?)?;
    }
    if let Some(path) = &arguments.out {
        let all: Vec<_> = decisions.iter().collect();
        let mixture = Mixture::fit(&all, plumb::search::opponent::TYPES, arguments.seed);
        let leaves = model::of_types(&all, &mixture);
        write(path, &report::source(&mixture, &leaves, decisions.len(), games.len()))?;
        print(format_args!("\nwrote `{}`; `cargo fmt` brings it into shape", path.display()))?;
    }
    Ok(())
}
