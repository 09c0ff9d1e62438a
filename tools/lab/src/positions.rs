//! `plumb-lab positions`: makes files of positions with their scores.
//!
//! The file of a class has a heading that says how it is made, and a line of moves and score for each position.

mod check;
mod class;
mod plain;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use plumb::board::{Board, BoardSize, Geometry};
use plumb::score::Score;
use plumb::table::AnyTable;
use plumb_studies::scored_positions::{HEADING, board_of_heading};
use plumb_tools_common::random::RandomPosition;
use serde::{Deserialize, Serialize};

use crate::output::{print, with_suffix};
use crate::progress::Counter;
use crate::results::{Header, HeaderLine, Layout, Lock, ResultFile, Row, read_header};
use class::{Candidates, Class};

/// How many candidates are drawn in search of the next line of an unfinished file. Of the rarest class one in about
/// five is taken, so a line that has not come up by then never will.
const REPLAY_LIMIT: usize = 10_000;
/// The same on other boards, some classes of which are far rarer.
const REPLAY_LIMIT_OTHER: usize = 1_000_000;

/// Generate files of random positions with exact scores, in the classes by which solvers are compared.
///
/// A file `CLASS.txt` has a line `moves score` for each position. Positions are reached by random moves. As in the
/// published suites, none is decided or won by the next stone, and none is equal to another one of its file or its
/// mirror image. The classes are disjoint. They divide the stones on the board, and the stones to come, at 14 and 28; on
/// a `--board` other than 7x6 at a third and at two thirds of its cells, rounded down. A small board may have few
/// positions of a class, or none.
///
/// Each score is confirmed: every move is solved separately with a table of its own, and positions of up to 16 empty
/// cells also by a plain search that shares no code with the solver. A difference is printed, and the exit code is then
/// 1.
///
/// The files depend on board, class, count and seed alone. They are written as `CLASS.txt.part` and renamed when
/// complete; the same command resumes an interrupted run, and leaves complete files as they are.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The classes; all six if none is named.
    #[arg(value_name = "CLASS")]
    classes: Vec<Class>,
    /// The board: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// How many positions a file shall have.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The seed of the random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Size in MB of each of the two tables, one to solve with and one to confirm with.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// The directory for the files, made if need be.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The tables of the solver that finds scores and of the one that confirms them.
struct Tables {
    /// Kept from one position to the next, which it helps with.
    solving: AnyTable,
    /// Emptied for each position: what confirms a score must not come from what found it.
    confirming: AnyTable,
}

/// Makes the files that are not there yet.
///
/// # Errors
/// If a file cannot be written or was made otherwise, or there is no memory for the tables; [`Failure`] if a score is
/// not confirmed.
///
/// [`Failure`]: crate::exit::Failure
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let all = Class::value_variants();
    let classes = if arguments.classes.is_empty() { all } else { arguments.classes.as_slice() };
    let table =
        || AnyTable::new(arguments.board, arguments.hash).context("there is no memory for the tables");
    let mut tables = Tables { solving: table()?, confirming: table()? };
    for &class in classes {
        let path = arguments.out.join(format!("{class}.txt"));
        let lock = Lock::take(&path, "--out")?;
        let Arguments { count, seed, board, .. } = *arguments;
        let header = Settings { class: class.to_string(), count, seed }.header(board.size())?;
        if path.exists() {
            header.ensure_same(&read_header::<ScoredMoves>(&path)?, &path, "--out")?;
            print(format_args!("{class}: {count} positions are there already"))?;
        } else {
            let (part, rows) = ResultFile::open(&with_suffix(&path, ".part"), "--out", &header, lock)?;
            make(arguments, class, part, &rows, &mut tables)?.finish(&path)?;
        }
    }
    Ok(())
}

/// Brings an unfinished file, which holds these positions, to its end.
fn make(
    arguments: &Arguments,
    class: Class,
    mut part: ResultFile<ScoredMoves>,
    found: &[ScoredMoves],
    tables: &mut Tables,
) -> Result<ResultFile<ScoredMoves>> {
    let start = Instant::now();
    let count = arguments.count as usize;
    let mut candidates = Candidates::new(class, arguments.board, arguments.seed);
    let mut counter = Counter::new(&class, "position", 0, count);
    for (row, number) in found.iter().zip(2..) {
        let place = || format!("{}:{number}", part.path().display());
        replay(class, arguments.board, &mut candidates, row).with_context(place)?;
        counter.advance();
    }
    let (mut done, mut solved) = (found.len(), 0);
    while done < count {
        let Some(candidate) = candidates.next() else {
            bail!(exhausted(arguments, class, part.path(), done))
        };
        solved += 1;
        if let Some(score) = check::score_within(class, &candidate.position, &tables.solving) {
            check::confirm(&candidate, score, &mut tables.confirming)?;
            part.append(&ScoredMoves { moves: candidate.moves, score })?;
            done += 1;
            counter.advance();
        }
    }
    drop(counter);
    let (new, seconds) = (count - found.len(), start.elapsed().as_secs_f64());
    print(format_args!(
        "{class}: {count} positions, {new} of them new from {solved} drawn in {seconds:.1} s"
    ))?;
    Ok(part)
}

/// The reason why a file cannot be completed, where a board has no more positions of a class than `found`.
fn exhausted(arguments: &Arguments, class: Class, part: &Path, found: usize) -> String {
    let Arguments { board, count, .. } = arguments;
    let remedy = match found {
        0 => "name other classes".to_owned(),
        _ => format!("remove `{}`, and give `--count {found}`", part.display()),
    };
    format!(
        "{class}: {found} of {count} positions, and {board} has no more that random moves lead to; {remedy}"
    )
}

/// Draws candidates up to the one of `row`, so that the next one drawn is the one that came after it.
fn replay(class: Class, board: Board, candidates: &mut Candidates, row: &ScoredMoves) -> Result<()> {
    let ScoredMoves { moves, score } = row;
    let limit = if board == Board::default() { REPLAY_LIMIT } else { REPLAY_LIMIT_OTHER };
    let found = candidates.by_ref().take(limit).find(|candidate| candidate.moves == *moves);
    let RandomPosition { position, .. } =
        found.with_context(|| format!("`{moves}`: no position of this seed"))?;
    let holds = class.holds(board, position.plies(), *score);
    ensure!(holds, "`{score}`: no score of a position of {class}");
    Ok(())
}

/// A position with its score: a line of the file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ScoredMoves {
    moves: String,
    score: Score,
}

impl Row for ScoredMoves {
    const LAYOUT: Layout = Layout {
        header_line: Some(HeaderLine { write: heading, parse: header }),
        delimiter: b' ',
        has_columns: false,
    };

    fn key(&self) -> String {
        self.moves.clone()
    }
}

/// The settings that decide the file, beside the board.
#[derive(Serialize, Deserialize)]
struct Settings {
    class: String,
    count: u32,
    seed: u64,
}

impl Settings {
    /// The header of the file.
    fn header(&self, board: BoardSize) -> Result<Header> {
        Header::new("positions").on_board(board).with_settings(self)
    }
}

/// The first line, which names the board if it is not 7x6.
fn heading(header: &Header) -> Result<String> {
    let Settings { class, count, seed } = header.settings()?;
    let standard = BoardSize::STANDARD.to_string();
    let board = header.board.as_ref().filter(|&board| *board != standard);
    let board = board.map(|board| format!(" --board {board}")).unwrap_or_default();
    Ok(format!("{HEADING}{class} --count {count} --seed {seed}{board}"))
}

/// The header of a file with this first line.
fn header(line: &str) -> Option<Header> {
    let mut words = line.strip_prefix(HEADING)?.split(' ');
    let class = words.next()?.to_owned();
    let mut after = |flag: &str| if words.next()? == flag { words.next() } else { None };
    let count = after("--count")?.parse().ok()?;
    let seed = after("--seed")?.parse().ok()?;
    let header = Settings { class, count, seed }.header(board_of_heading(line)?).ok()?;
    (heading(&header).ok()? == line).then_some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_reads_as_it_was_written() {
        for line in ["end-easy --count 20 --seed 5", "end-easy --count 3 --seed 1 --board 5x4"] {
            let line = format!("{HEADING}{line}");
            assert_eq!(heading(&header(&line).expect("a header")).expect("a line"), line);
        }
        for line in ["", "end-easy", "end-easy --count 03 --seed 1", "end-easy --count 3 --seed 1 --board x"]
        {
            assert_eq!(header(&format!("{HEADING}{line}")), None, "{line}");
        }
    }
}
