//! Arguments that several commands share.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use plumb::board::{Form, Geometry, Player, PositionReader, Remedies};
use plumb_arena::settings::REMEDIES;

/// Help text of `--first-column`.
pub const FIRST_COLUMN_HELP: &str = "Number of the leftmost column [default: 1]";

/// End of the error message for a position of another board size, in commands with `--board`.
pub(crate) const BOARD: &str = REMEDIES.board;

/// Parser of `--first-column`.
pub fn first_column() -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(["0", "1"]).map(|text| u32::from(text == "1"))
}

/// Reader of positions on a board. `remedy` ends the error message for a position of another board size. It is empty in
/// commands without `--board`.
pub fn reader<G: Geometry>(
    first_column: Option<u32>,
    geometry: G,
    remedy: &'static str,
) -> PositionReader<G> {
    let first_column = first_column.unwrap_or(1);
    let remedies = Remedies { board: remedy, ..REMEDIES };
    PositionReader { first_column, remedies, ..PositionReader::new(geometry) }
}

/// Flags of commands that read positions of other programs.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Positions")]
pub(crate) struct PositionFlags {
    #[arg(long, value_parser = first_column(), value_name = "N", help = FIRST_COLUMN_HELP, hide_possible_values = true)]
    pub first_column: Option<u32>,
    /// Form of the positions. [default: detected]
    ///
    /// `moves`: a list of columns or moves, as 4455 or "d1 d2".
    /// `digits`: one character per move. The characters after 9 are `a`, `b`, `c`, or `:` and `;`.
    /// `fen`: a FEN.
    /// `rows`: a symbol per cell, row by row from the top.
    /// `columns`: a symbol per cell, column by column from the bottom.
    /// `bits`: two integers. Bit `(height + 1) * column + row` is a stone.
    ///
    /// Every form except `digits` and `bits` is detected. The empty board is `startpos` or an empty cell or string.
    #[arg(long, value_name = "FORM", default_value_t, hide_default_value = true, verbatim_doc_comment)]
    pub form: Form,
    /// Player to move in lists of cells. [default: by stone count]
    ///
    /// By default the first player has begun, or the second player if there are more stones of that player.
    #[arg(long, value_name = "1|2", value_parser = mover)]
    pub mover: Option<Player>,
}

impl PositionFlags {
    pub(crate) fn reader<G: Geometry>(self, geometry: G) -> PositionReader<G> {
        let Self { first_column, form, mover } = self;
        PositionReader { form, mover, ..reader(first_column, geometry, BOARD) }
    }

    pub(crate) fn form(self) -> Option<String> {
        match self.mover {
            Some(player) => Some(format!("{}, {player:?} to move", self.form)),
            None if self.form == Form::Any => None,
            None => Some(self.form.to_string()),
        }
    }
}

fn mover(text: &str) -> Result<Player, String> {
    match text {
        "1" | "x" => Ok(Player::First),
        "2" | "o" => Ok(Player::Second),
        _ => Err("expected 1 or 2".to_owned()),
    }
}

/// Merge the shards of a run, and print its results.
///
/// The shards come from runs with `--shard I/N` and otherwise equal arguments, on any machine.
#[derive(Args)]
pub(crate) struct MergeArguments {
    /// Files of the shards.
    #[arg(value_name = "CSV", required = true)]
    pub parts: Vec<PathBuf>,
    /// Write all rows to this file.
    #[arg(long, value_name = "FILE")]
    pub csv: PathBuf,
    /// Write the results to this JSON file.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Overwrite the file of `--json`.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of a command that has a subcommand `merge`.
pub enum RunOrMerge<R, M> {
    /// Arguments of a run.
    Run(R),
    /// Arguments of `merge`.
    Merge(M),
}

impl<R: Args, M: Args> RunOrMerge<R, M> {
    /// Calls `merge` if the subcommand is `merge`, else `run`.
    pub fn act(
        &self,
        run: impl FnOnce(&R) -> Result<()>,
        merge: impl FnOnce(&M) -> Result<()>,
    ) -> Result<()> {
        match self {
            Self::Run(arguments) => run(arguments),
            Self::Merge(arguments) => merge(arguments),
        }
    }
}

impl<R: Args, M: Args> FromArgMatches for RunOrMerge<R, M> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        match matches.subcommand() {
            Some((_, merge)) => M::from_arg_matches(merge).map(Self::Merge),
            None => R::from_arg_matches(matches).map(Self::Run),
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<R: Args, M: Args> Args for RunOrMerge<R, M> {
    fn augment_args(command: Command) -> Command {
        R::augment_args(command)
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
            .subcommand(M::augment_args(Command::new("merge")))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Bytes per megabyte.
pub const MEGABYTE: usize = 1 << 20;

/// Size of a table on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A number of entries.
    Entries(usize),
    /// Megabytes of 2^20 bytes, filled with entries.
    Megabytes(usize),
}

impl Size {
    /// Number of table entries, if an entry has this many bytes.
    pub fn entries(self, bytes: usize) -> usize {
        match self {
            Self::Entries(entries) => entries,
            Self::Megabytes(megabytes) => megabytes.saturating_mul(MEGABYTE) / bytes.max(1),
        }
    }
}

/// Parses `8388617`, `2^23` or `64MB`.
impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = match (text.strip_suffix("MB"), text.strip_prefix("2^")) {
            (Some(megabytes), _) => megabytes.parse().ok().map(Self::Megabytes),
            (_, Some(power)) => power.parse().ok().and_then(|n| 1_usize.checked_shl(n)).map(Self::Entries),
            _ => text.parse().ok().map(Self::Entries),
        };
        // 2^45 bytes is the engine's largest `Hash`. Larger sizes are typing errors.
        let found = found.filter(|size| (1..=1 << 45).contains(&(size.entries(1) as u64)));
        found.ok_or_else(|| "expected entries, as in 8388617 or 2^23, or megabytes, as in 64MB".to_owned())
    }
}

/// Reads a size in megabytes, with or without the unit: `64` or `64MB`.
pub fn megabytes(text: &str) -> Result<usize, String> {
    let is_bare = text.bytes().all(|byte| byte.is_ascii_digit());
    let with_unit = if is_bare { format!("{text}MB") } else { text.to_owned() };
    match with_unit.parse() {
        Ok(Size::Megabytes(megabytes)) => Ok(megabytes),
        _ => Err("expected megabytes from 1 to 33554432, as in 64 or 64MB".to_owned()),
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entries(entries) => write!(f, "{entries}"),
            Self::Megabytes(megabytes) => write!(f, "{megabytes}MB"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_entries_or_megabytes_which_may_stand_without_their_unit() {
        let size = |text: &str| text.parse::<Size>();
        assert_eq!(size("8388617"), Ok(Size::Entries(8_388_617)));
        assert_eq!(size("2^23"), Ok(Size::Entries(1 << 23)));
        assert_eq!(size("40MB"), Ok(Size::Megabytes(40)));
        assert_eq!(Size::Megabytes(40).entries(5), 1 << 23);
        for wrong in
            ["", "MB", "0", "0MB", "2^", "2^99", "-1", "64 MB", "1e6", "2^63", "18446744073709551615"]
        {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert_eq!(["16", "16MB", "33554432"].map(megabytes), [Ok(16), Ok(16), Ok(1 << 25)]);
        for wrong in ["", "0", "0MB", "2^4", "16 MB", "16GB", "-1", "33554433"] {
            assert!(megabytes(wrong).is_err(), "{wrong}");
        }
    }
}
