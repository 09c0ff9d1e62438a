//! `plumb-lab positions`: makes files of positions with their scores.
//!
//! The file of a class has a heading that says how it is made, and a line of moves and score for each position. Until it is
//! complete, the rows are kept in a part.

mod check;
mod class;
mod count;
mod plain;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use plumb::board::{Board, Geometry};
use plumb::score::Score;
use plumb::table::Table;
use plumb_protocol::{escaped, shortened};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arguments::{MergeArguments, RunOrMerge};
use crate::output::{print, read_if_there, replace, with_suffix};
use crate::progress::Counter;
use crate::result_files::{Header, ResultFile, Row, Shard, read_header, remove_if_there, take_lock};
use crate::scored_positions::HEADING;
use class::{Class, candidates};

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
/// Each score is confirmed: every move is solved separately, with a table that the first search has not filled, and
/// positions of up to 16 empty cells and seven open columns also by a plain search that shares no code with the solver. A
/// difference is printed, and the exit code is then 1.
///
/// The files depend on board, class, count and seed alone. Until one is complete its positions are kept in
/// `CLASS.txt.part`; the same command resumes an interrupted run, and leaves complete files as they are.
///
/// `--count --plies N` prints how many different positions there are with 0 to N stones, mirror images and won positions
/// included. With `--results` it also solves them, and prints how many the first player wins, draws and loses. It keeps all
/// positions in memory, once for a position and its mirror image: 0.4 GB for 11 stones on 7x6, three times as much for each
/// stone more. With `--csv` the same command resumes an interrupted run. `--shard I/N` solves a share, and
/// `positions merge` adds the shards up.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<MakeArguments, MergeArguments>,
}

/// The arguments of a run.
#[derive(clap::Args)]
struct MakeArguments {
    /// The classes; all six if none is named.
    #[arg(value_name = "CLASS")]
    classes: Vec<Class>,
    /// The board: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// Number of positions of a file; without a number, count positions (see `--plies`). [default: 200]
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<Vec<u32>>,
    /// Count the positions of up to this many stones.
    #[arg(long, value_name = "N", requires = "count", conflicts_with_all = ["classes", "seed", "out"])]
    plies: Option<u32>,
    /// Solve the positions that are counted.
    #[arg(long, requires = "plies")]
    results: bool,
    /// Write the results of each block of positions to this file, and resume it.
    #[arg(long, value_name = "F", requires = "results")]
    csv: Option<PathBuf>,
    /// Solve only this share of the positions, as I/N.
    #[arg(long, value_name = "I/N", requires = "csv")]
    shard: Option<Shard>,
    /// Threads that solve the positions that are counted.
    #[arg(long, value_name = "N", default_value = "1", requires = "plies")]
    threads: NonZeroUsize,
    /// The seed of the random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Table size in MB. There is a second table to confirm scores with.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// The directory for the files, made if need be.
    #[arg(long, value_name = "DIR", required_unless_present = "plies")]
    out: Option<PathBuf>,
}

/// Positions of a file if `--count` is not given.
const DEFAULT_COUNT: u32 = 200;

/// Characters of a foreign file's first line that a message shows.
const MAX_QUOTE: usize = 160;

/// Counts positions, merges counts, or makes files.
///
/// # Errors
/// The errors of [`count::run`], [`count::merge`] and [`make_files`].
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.command.act(count_or_make, count::merge)
}

fn count_or_make(arguments: &MakeArguments) -> Result<()> {
    let MakeArguments { board, plies, hash, threads, results, shard, .. } = *arguments;
    let count = arguments.count.as_deref();
    if let Some(plies) = plies {
        if let Some([count]) = count {
            bail!("`--count {count}`: expected `--count` without a number before `--plies`");
        }
        let cells = board.cells();
        ensure!(plies <= cells, "`--plies {plies}`: expected at most {cells}, the cells of {board}");
        let csv = arguments.csv.as_ref();
        return count::run(&count::Counting { board, plies, hash, threads, results, csv, shard });
    }
    let Some(out) = &arguments.out else { unreachable!("clap requires --out without --plies") };
    match count {
        Some([]) => bail!("`--count`: expected a number of positions, or `--plies N` to count positions"),
        Some(&[count, ..]) => make_files(arguments, out, count),
        None => make_files(arguments, out, DEFAULT_COUNT),
    }
}

/// Makes the files that are not there yet.
///
/// # Errors
/// If a file cannot be written or was made otherwise, the board has no more such positions, or there is no memory for the
/// tables; [`Failure`] if a score is not confirmed, or another run makes the file.
///
/// [`Failure`]: crate::exit::Failure
fn make_files(arguments: &MakeArguments, out: &Path, count: u32) -> Result<()> {
    let all = Class::value_variants();
    let classes = if arguments.classes.is_empty() { all } else { arguments.classes.as_slice() };
    let table = || Table::new_on(arguments.board, arguments.hash);
    let mut tables = [table()?, table()?];
    for &class in classes {
        let path = out.join(format!("{class}.txt"));
        let lock = take_lock(&path, "--out")?;
        let MakeArguments { seed, board, .. } = *arguments;
        let on_board = if board == Board::default() { String::new() } else { format!(" --board {board}") };
        let heading = format!("{HEADING}{class} --count {count} --seed {seed}{on_board}");
        let header = Header::new("positions").on_board(board.size());
        let header =
            header.with_settings(&json!({ "class": class.to_string(), "count": count, "seed": seed }))?;
        let part_path = with_suffix(&path, ".part");
        if let Some(text) = read_if_there(&path)? {
            let (name, text) = (path.display(), String::from_utf8_lossy(&text));
            let found = text.lines().next().unwrap_or_default();
            ensure!(
                found == heading,
                "`{name}` begins with `{}`, expected `{heading}`; remove it or give another `--out`",
                escaped(&shortened(found, MAX_QUOTE))
            );
            // The run that made the file may have been killed before it removed the part.
            let is_left = |found: Header| header.ensure_same(&found, &part_path, "--out").is_ok();
            if read_header::<ScoredMoves>(&part_path).is_ok_and(is_left) {
                remove_if_there(&part_path)?;
            }
            print(format_args!("{class}: {count} positions are there already"))?;
            continue;
        }
        let (mut part, found) = ResultFile::open(&part_path, "--out", &header, lock)?;
        let rows = make(arguments, class, count, &mut part, found, &mut tables)?;
        replace(&path, |out| {
            writeln!(out, "{heading}")?;
            rows.iter().try_for_each(|ScoredMoves { moves, score }| writeln!(out, "{moves} {score}"))
        })?;
        remove_if_there(&part_path)?;
    }
    Ok(())
}

/// Brings an unfinished file, which holds these rows, to its end; returns all of them. Of the tables the first one is kept from
/// one position to the next, which it helps with; the second one confirms, and is emptied for each position: what confirms a
/// score must not come from what found it.
fn make(
    arguments: &MakeArguments,
    class: Class,
    count: u32,
    part: &mut ResultFile<ScoredMoves>,
    mut rows: Vec<ScoredMoves>,
    [solving, confirming]: &mut [Table; 2],
) -> Result<Vec<ScoredMoves>> {
    let start = Instant::now();
    let MakeArguments { board, seed, .. } = *arguments;
    let count = count as usize;
    let mut drawn = candidates(class, board, seed);
    // Candidates are drawn up to the one of the last row, so that the next one drawn is the one that came after it.
    let limit = if board == Board::default() { REPLAY_LIMIT } else { REPLAY_LIMIT_OTHER };
    for (ScoredMoves { moves, score }, number) in rows.iter().zip(3..) {
        let place = format!("{}:{number}", part.path().display());
        let found = drawn.by_ref().take(limit).find(|candidate| candidate.moves == *moves);
        let found = found.with_context(|| format!("{place}: `{moves}`: no position of this seed"))?;
        let holds = class.holds(board, found.position.plies(), *score);
        ensure!(holds, "{place}: `{score}`: no score of a position of {class}");
    }
    let (before, mut solved) = (rows.len(), 0);
    let mut counter = Counter::new(&class, "position", before, count);
    while rows.len() < count {
        let Some(candidate) = drawn.next() else {
            let found = rows.len();
            let remedy = match found {
                0 => "name other classes".to_owned(),
                _ => format!("remove `{}`, and give `--count {found}`", part.path().display()),
            };
            let none = format!("{board} has no more that random moves lead to");
            bail!("{class}: {found} of {count} positions, and {none}; {remedy}");
        };
        solved += 1;
        if let Some(score) = check::score_within(class, &candidate.position, solving) {
            check::confirm(&candidate, score, confirming)?;
            rows.push(ScoredMoves { moves: candidate.moves, score });
            part.append(&rows[rows.len() - 1])?;
            counter.advance();
        }
    }
    drop(counter);
    let (new, seconds) = (count - before, start.elapsed().as_secs_f64());
    print(format_args!(
        "{class}: {count} positions, {new} of them new from {solved} drawn in {seconds:.1} s"
    ))?;
    Ok(rows)
}

/// A position with its score: a row of the unfinished file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct ScoredMoves {
    moves: String,
    score: Score,
}

impl Row for ScoredMoves {
    const HAS_HEADER: bool = true;

    fn key(&self) -> String {
        self.moves.clone()
    }
}
