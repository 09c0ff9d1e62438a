//! Arguments that several commands share: flags on the texts of positions, and the subcommand that merges shards.

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Command, Subcommand};
use plumb::board::{Form, Geometry, Player, PositionReader, Remedies};
use plumb_arena::settings::REMEDIES;

/// The help of the flag `--first-column`.
pub const FIRST_COLUMN_HELP: &str =
    "The number of the leftmost column where moves are column numbers. [default: 1]";

/// The clause about another board for commands that have `--board`.
pub(crate) const BOARD: &str = REMEDIES.board;

/// The parser of the number of the leftmost column.
pub fn first_column() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["0", "1"]).map(|text| u32::from(text == "1"))
}

/// The reader of positions on a board; `remedy` is [`BOARD`], or empty for a command without that flag.
pub fn reader<G: Geometry>(
    first_column: Option<u32>,
    geometry: G,
    remedy: &'static str,
) -> PositionReader<G> {
    let first_column = first_column.unwrap_or(1);
    let remedies = Remedies { board: remedy, ..REMEDIES };
    PositionReader { first_column, remedies, ..PositionReader::new(geometry) }
}

/// The flags of commands that read files of others.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct PositionFlags {
    #[arg(long, value_parser = first_column(), value_name = "N", help = FIRST_COLUMN_HELP)]
    pub first_column: Option<u32>,
    /// The form of the positions: moves; digits, one for each move, with a b c or : ; past the ninth column; fen; rows or columns, a symbol for each cell, row by row from the top, or column by
    /// column from the bottom; bits, two integers with bit (height + 1) * column + row for each stone. The empty board is
    /// `startpos`, an empty cell or string, or a line of `suite` that has only a score after a blank or tab.
    /// [default: by their look, never digits or bits]
    #[arg(long, value_name = "FORM", default_value_t, hide_default_value = true)]
    pub form: Form,
    /// The player to move where positions list the cells: 1 (x) or 2 (o). [default: by the numbers of stones; 1 began, or
    /// -1 where it has one more]
    #[arg(long, value_name = "1|2", value_parser = mover)]
    pub mover: Option<Player>,
}

impl PositionFlags {
    /// The reader of positions on a board.
    pub(crate) fn reader<G: Geometry>(self, geometry: G) -> PositionReader<G> {
        let Self { first_column, form, mover } = self;
        PositionReader { form, mover, ..reader(first_column, geometry, BOARD) }
    }

    /// The form and the player to move, unless they are the default.
    pub(crate) fn form(self) -> Option<String> {
        let mover = self.mover.map(|player| format!(", {player:?} to move")).unwrap_or_default();
        Some(format!("{}{mover}", self.form)).filter(|form| *form != Form::Any.to_string())
    }
}

/// The player of this number or symbol.
fn mover(text: &str) -> Result<Player, String> {
    match text {
        "1" | "x" => Ok(Player::First),
        "2" | "o" => Ok(Player::Second),
        _ => Err("expected 1 or 2".to_owned()),
    }
}

/// Merge the shards of a run, and print its results.
///
/// Shards are the files of runs with `--shard I/N` and otherwise equal arguments, on any machine.
#[derive(Args)]
pub(crate) struct MergeArguments {
    /// The files of the shards.
    #[arg(value_name = "CSV", required = true)]
    pub parts: Vec<PathBuf>,
    /// Write all results as comma-separated values to this file.
    #[arg(long, value_name = "F")]
    pub csv: PathBuf,
    /// Write the results to this file as a JSON object.
    #[arg(long, value_name = "F")]
    pub json: Option<PathBuf>,
    /// Overwrite the file of `--json` if it exists.
    #[arg(long)]
    pub force: bool,
}

/// The arguments of a run, or the subcommand `merge` and its arguments.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct RunOrMerge<R: Args, M: Args> {
    #[command(subcommand)]
    command: Option<Merge<M>>,
    #[command(flatten)]
    run: Option<R>,
}

#[derive(Subcommand)]
enum Merge<M: Args> {
    Merge(M),
}

impl<R: Args, M: Args> RunOrMerge<R, M> {
    /// Does either.
    pub fn act(
        &self,
        run: impl FnOnce(&R) -> Result<()>,
        merge: impl FnOnce(&M) -> Result<()>,
    ) -> Result<()> {
        match (&self.command, &self.run) {
            (Some(Merge::Merge(arguments)), _) => merge(arguments),
            (None, Some(arguments)) => run(arguments),
            // Nothing is given, and nothing has to be.
            (None, None) => {
                run(&R::from_arg_matches(&R::augment_args(Command::new("")).get_matches_from([""]))?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;

    #[derive(Args)]
    struct Run {
        #[arg(long, default_value_t = 256)]
        hash: usize,
    }

    #[test]
    fn a_run_without_arguments_has_the_defaults() {
        type Either = RunOrMerge<Run, MergeArguments>;
        let either = Either::from_arg_matches(&Either::augment_args(Command::new("")).get_matches_from([""]));
        let mut hash = 0;
        let run = |run: &Run| {
            hash = run.hash;
            Ok(())
        };
        let done = either.expect("all is optional").act(run, |_| panic!("`merge` was not given"));
        assert_eq!((done.is_ok(), hash), (true, 256));
    }
}
