//! `plumb-lab variant-ini`: variant files for Fairy-Stockfish and pyffish.

use anyhow::{Result, ensure};
use plumb::board::{Board, BoardSize, Position};
use plumb_arena::position_command;
use plumb_arena::settings::board_size;

use crate::output::print;

/// Print a variant file with which Fairy-Stockfish plays another board.
///
/// The name of the variant contains the size, as in `cfour8x7`. The name for 7x6 is `cfour`. Fairy-Stockfish reads the file from
/// its option `VariantPath`. It plays boards up to 8x8, or up to 12x10 if built with `largeboards=yes`, as pyffish is.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  plumb-lab variant-ini 8x7 > cfour8x7.ini")]
pub(crate) struct Arguments {
    /// Board: columns by rows.
    #[arg(value_name = "WxH", value_parser = board_size)]
    size: BoardSize,
}

/// Largest board of Fairy-Stockfish.
const LARGEST: BoardSize = BoardSize { width: 12, height: 10 };

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    print(format_args!("{}", variant(arguments.size)?))
}

fn variant(size: BoardSize) -> Result<String> {
    let board = Board::new(size)?;
    let BoardSize { width, height } = size;
    ensure!(
        width <= LARGEST.width && height <= LARGEST.height,
        "`{size}` is too large for Fairy-Stockfish, whose boards have up to {LARGEST} squares"
    );
    let name = position_command::variant(size);
    let start = Position::empty(board).fen();
    let large =
        if width > 8 || height > 8 { "\n# Needs Fairy-Stockfish built with largeboards=yes." } else { "" };
    Ok(format!(
        "# Connect Four on {width} columns and {height} rows.{large}\n\
         [{name}]\n\
         maxFile = {width}\n\
         maxRank = {height}\n\
         startFen = {start}\n\
         # A stone is dropped on the lowest empty square of its file, and does not move.\n\
         immobile = p\n\
         pieceDrops = true\n\
         enclosingDrop = top\n\
         # Four in a row win; a full board is a draw.\n\
         connectN = 4\n\
         stalemateValue = draw\n\
         immobilityIllegal = false\n\
         nMoveRule = 0\n\
         doubleStep = false\n\
         castling = false"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(size: &str) -> Result<String, String> {
        variant(size.parse().expect(size)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_variant_has_name_size_and_start() {
        let text = of("8x7").expect("it exists");
        for line in ["[cfour8x7]", "maxFile = 8", "maxRank = 7", "connectN = 4"] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let start = text.lines().find_map(|line| line.strip_prefix("startFen = ")).expect("a start");
        assert!(start.starts_with("8/8/8/8/8/8/8[P"), "{start}");
        assert!(of("7x6").expect("it exists").contains("\n[cfour]\n"));
        assert!(!text.contains("largeboards") && of("9x7").expect("it exists").contains("largeboards"));
    }

    #[test]
    fn boards_that_are_not_there_are_refused() {
        assert_eq!(of("3x3"), Err("a board has at least 4 columns and 4 rows".to_owned()));
        for size in ["13x8", "4x11"] {
            let said = of(size).expect_err(size);
            let expected = "is too large for Fairy-Stockfish, whose boards have up to 12x10 squares";
            assert_eq!(said, format!("{size} {expected}"));
        }
    }
}
