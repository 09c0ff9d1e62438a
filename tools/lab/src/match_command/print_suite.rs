//! `plumb-lab match openings`: the built-in suites of openings.

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plumb_arena::suites::Suite;

use super::build_suite::build;
use crate::output::print;

/// Print a built-in suite of openings: moves as column digits, one opening a line, the hardest first.
///
/// Hardness is the number of nodes that the solver needs without a book and with an empty table.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The suite.
    #[arg(value_name = "SUITE", value_parser = PossibleValuesParser::new(["balanced", "decided"])
          .try_map(|name| name.parse::<Suite>()))]
    suite: Suite,
    /// Build the suite again, which takes half an hour on two cores.
    #[arg(long)]
    build: bool,
}

/// Prints the suite.
///
/// # Errors
/// Those of the building.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.build {
        return build(arguments.suite)?.iter().try_for_each(|line| print(format_args!("{line}")));
    }
    arguments.suite.text().lines().try_for_each(|line| print(format_args!("{line}")))
}
