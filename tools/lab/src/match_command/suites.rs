//! `plumb-lab match openings`: prints or rebuilds the built-in suites of openings.

use std::cmp::Reverse;
use std::num::NonZeroUsize;

use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plumb::board::{Position, Standard, StaticGeometry, column_names};
use plumb::book::Book;
use plumb::search::Solver;
use plumb::table::Table;
use plumb_arena::openings::{Suite, moves_to};

use crate::book::{all_positions, on_threads};
use crate::output::print;
use crate::progress::Counter;

/// Print a built-in suite of openings.
///
/// Each line has the moves of an opening as column digits. The hardest openings come first: those for which the solver, without a
/// book and with an empty table, needs the most nodes.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// `balanced` or `decided`.
    #[arg(value_name = "SUITE", value_parser = PossibleValuesParser::new(["balanced", "decided"])
          .try_map(|name| name.parse::<Suite>()))]
    suite: Suite,
    /// Rebuild the suite in half an hour on two cores.
    #[arg(long)]
    build: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.build {
        return build(arguments.suite)?.iter().try_for_each(|line| print(format_args!("{line}")));
    }
    arguments.suite.text().lines().try_for_each(|line| print(format_args!("{line}")))
}

const STONES: u32 = 8;
/// Table size in MB.
const HASH: usize = 16;

pub(super) fn build(suite: Suite) -> Result<Vec<String>> {
    let book = Book::embedded().context("this program was built without the book")?;
    let fitting: Vec<_> = all_positions(Standard::default(), STONES)
        .into_iter()
        .filter(|position| suite.includes(&book, position))
        .collect();
    let mut counter = Counter::new(&suite, "position", 0, fitting.len());
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let workers = |_| {
        let mut table = Table::new(HASH).ok();
        move |position: &Position| {
            let table = table.as_mut().context("there is no memory for the table")?;
            table.clear();
            let mut solver = Solver::new(table);
            solver.score(position)?;
            Ok(solver.nodes())
        }
    };
    let mut found = Vec::new();
    on_threads(&fitting.iter().collect::<Vec<_>>(), threads, 1, workers, |position, nodes| {
        counter.advance();
        found.push((nodes, position));
        Ok(())
    })?;
    drop(counter);
    found.sort_by_key(|&(nodes, position)| (Reverse(nodes), position.key()));
    let moves = found.into_iter().map(|(_, position)| moves_to(position).unwrap_or_default());
    Ok(moves.map(|moves| column_names(Standard::WIDTH, moves)).collect())
}
