//! `plumb-lab positions`: makes files of positions with their scores.

mod candidates;
mod check;
mod class;
mod part;
mod plain;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use plumb::board::Board;
use plumb::table::AnyTable;
use plumb_studies::scored_positions::HEADING;
use plumb_tools_common::playout::RandomPosition;

use crate::output::print;
use crate::progress::Counter;
use candidates::Candidates;
use class::Class;
use part::{Found, Part};

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
/// [`Failure`]: crate::failure::Failure
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let all = Class::value_variants();
    let classes = if arguments.classes.is_empty() { all } else { arguments.classes.as_slice() };
    let table =
        || AnyTable::new(arguments.board, arguments.hash).context("there is no memory for the tables");
    let mut tables = Tables { solving: table()?, confirming: table()? };
    let directory = &arguments.out;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
    for &class in classes {
        let path = directory.join(format!("{class}.txt"));
        let Arguments { count, seed, .. } = *arguments;
        let heading =
            format!("{HEADING}{class} --count {count} --seed {seed}{}", board_flag(arguments.board));
        match part::open(&path, &heading)? {
            Found::Complete => print(format_args!("{class}: {count} positions are there already"))?,
            Found::Unfinished(part, lines) => make(arguments, class, part, &lines, &mut tables)?,
        }
    }
    Ok(())
}

/// Brings an unfinished file, which holds `lines`, to its end.
fn make(
    arguments: &Arguments,
    class: Class,
    mut part: Part,
    lines: &[String],
    tables: &mut Tables,
) -> Result<()> {
    let start = Instant::now();
    let count = arguments.count as usize;
    let mut candidates = Candidates::new(class, arguments.board, arguments.seed);
    let mut counter = Counter::new(&class.to_string(), count);
    for (line, number) in lines.iter().zip(2..) {
        replay(class, &mut candidates, line).with_context(|| place(part.path(), number))?;
        counter.advance();
    }
    let (mut done, mut solved) = (lines.len(), 0);
    while done < count {
        let Some(candidate) = candidates.next() else {
            bail!(exhausted(arguments, class, part.path(), done))
        };
        solved += 1;
        if let Some(score) = check::score_within(class, &candidate.position, &tables.solving) {
            check::confirm(&candidate, score, &mut tables.confirming)?;
            part.append(&format!("{} {score}", candidate.moves))?;
            done += 1;
            counter.advance();
        }
    }
    part.finish()?;
    drop(counter);
    let (new, seconds) = (count - lines.len(), start.elapsed().as_secs_f64());
    print(format_args!("{class}: {count} positions, {new} of them new from {solved} drawn in {seconds:.1} s"))
}

/// The flag for a board other than 7x6, with a blank before it.
fn board_flag(board: Board) -> String {
    if board == Board::default() { String::new() } else { format!(" --board {board}") }
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

/// Draws candidates up to the one of `line`, so that the next one drawn is the one that came after it.
fn replay(class: Class, candidates: &mut Candidates, line: &str) -> Result<()> {
    let wanted = line.split_once(' ').and_then(|(moves, score)| Some((moves, score.parse().ok()?)));
    let Some((moves, score)) = wanted else { bail!("`{line}`: expected moves and a score") };
    let limit = if candidates.is_standard() { REPLAY_LIMIT } else { REPLAY_LIMIT_OTHER };
    match candidates.by_ref().take(limit).find(|candidate| candidate.moves == moves) {
        Some(RandomPosition { position, .. })
            if class.holds(position.geometry(), position.plies(), score) =>
        {
            Ok(())
        }
        Some(_) => bail!("`{score}`: no score of a position of {class}"),
        None => bail!("`{moves}`: no position of this seed"),
    }
}

/// File and line.
fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", path.display())
}
