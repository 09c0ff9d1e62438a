//! `plumb-lab positions`: generates files of positions with their scores.

mod check;
mod class;
mod count;

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
use crate::result_files::{Header, ResultFile, Row, Shard, read, remove_if_there, take_lock};
use crate::scored_positions::HEADING;
use class::{Class, candidates};

/// Maximum number of random positions between two rows of an unfinished 7x6 file. Even the rarest class has a fifth of
/// the random positions.
const REPLAY_LIMIT: usize = 10_000;
/// Like [`REPLAY_LIMIT`], but for other boards, on which some classes are far rarer.
const REPLAY_LIMIT_OTHER: usize = 1_000_000;

const EXAMPLES: &str = "\
Examples:
  plumb-lab positions --out suites
  plumb-lab positions end-easy begin-hard --count 1000 --seed 7 --out suites
  plumb-lab positions --count --plies 8 --results";

/// Generate files of random positions with exact scores, or count positions.
///
/// A file `CLASS.txt` has a line `moves score` for each position. The positions come from random moves. None is decided or
/// won by the next stone. No position occurs twice in a file, mirrored or not. Separate searches confirm every score. A
/// difference sets exit code 1.
///
/// The six classes are those of Pascal Pons. They depend on the stones on the board and the stones to come, with limits at 14
/// and 28. On other boards the limits are a third and two thirds of the cells. Small boards have few positions of some classes.
///
/// The files depend only on board, class, count and seed. The same command resumes an interrupted run and keeps complete
/// files.
///
/// `--count --plies N` prints the number of different positions with 0 to N stones. `--results` also solves them, and prints
/// wins, draws and losses of the first player. Counting needs 0.4 GB for 11 stones on 7x6, and three times as much for each
/// stone more.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MakeArguments {
    /// Classes. [default: all six]
    #[arg(value_name = "CLASS")]
    classes: Vec<Class>,
    /// Board of the positions: columns by rows.
    #[arg(long, value_name = "WxH", default_value = "7x6")]
    board: Board,
    /// Positions per file; without a number, count positions. [default: 200]
    #[arg(long, value_name = "N", num_args = 0..=1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<Vec<u32>>,
    /// Seed of the random moves.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Table size in MB. Two tables are used.
    #[arg(long, value_name = "MB", default_value = "64", value_parser = crate::arguments::megabytes)]
    hash: usize,
    /// Directory for the files.
    #[arg(long, value_name = "DIR", required_unless_present = "plies")]
    out: Option<PathBuf>,
    /// Count the positions with up to N stones.
    #[arg(long, value_name = "N", requires = "count", conflicts_with_all = ["classes", "seed", "out"],
          help_heading = "Counting")]
    plies: Option<u32>,
    /// Solve the counted positions.
    #[arg(long, requires = "plies", help_heading = "Counting")]
    results: bool,
    /// Write the results to this file, or resume it.
    #[arg(long, value_name = "FILE", requires = "results", help_heading = "Counting")]
    csv: Option<PathBuf>,
    /// Solve part I of N.
    ///
    /// `positions merge` adds the parts up.
    #[arg(long, value_name = "I/N", requires = "csv", help_heading = "Counting")]
    shard: Option<Shard>,
    /// Number of threads that solve the positions to count.
    #[arg(long, value_name = "N", default_value = "1", requires = "plies", help_heading = "Counting")]
    threads: NonZeroUsize,
}

const DEFAULT_COUNT: u32 = 200;

const MAX_QUOTE: usize = 160;

pub(crate) type Arguments = RunOrMerge<MakeArguments, MergeArguments>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.act(count_or_make, count::merge)
}

fn count_or_make(arguments: &MakeArguments) -> Result<()> {
    let MakeArguments { board, plies, .. } = *arguments;
    let count = arguments.count.as_deref();
    if let Some(plies) = plies {
        if let Some([count]) = count {
            bail!("`--count {count}`: expected `--count` without a number before `--plies`");
        }
        let cells = board.cells();
        ensure!(plies <= cells, "`--plies {plies}`: expected at most {cells}, the cells of {board}");
        return count::run(arguments, plies);
    }
    let Some(out) = &arguments.out else { unreachable!("clap requires --out without --plies") };
    match count {
        Some([]) => bail!("`--count`: expected a number of positions, or `--plies N` to count positions"),
        Some(&[count, ..]) => make_files(arguments, out, count),
        None => make_files(arguments, out, DEFAULT_COUNT),
    }
}

/// Generates the missing files. Rows are in `CLASS.txt.part` until the file is complete.
fn make_files(arguments: &MakeArguments, out: &Path, count: u32) -> Result<()> {
    let all = Class::value_variants();
    let classes = if arguments.classes.is_empty() { all } else { arguments.classes.as_slice() };
    let MakeArguments { seed, board, hash, .. } = *arguments;
    let mut tables = [Table::new_on(board, hash)?, Table::new_on(board, hash)?];
    for &class in classes {
        let path = out.join(format!("{class}.txt"));
        let lock = take_lock(&path, "--out")?;
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
            // A killed run may have left its `.part` file.
            if let Ok((found, _)) = read::<ScoredMoves>(&part_path)
                && header.ensure_same(&found, &part_path, "--out").is_ok()
            {
                remove_if_there(&part_path)?;
            }
            print(format_args!("{class}: {count} positions are there already"))?;
            continue;
        }
        let (mut part, found) = ResultFile::open(&part_path, "--out", &header, lock)?;
        let rows = make(arguments, class, count, &mut part, found, &mut tables)?;
        replace(&path, |out| {
            writeln!(out, "{heading}")?;
            for ScoredMoves { moves, score } in &rows {
                writeln!(out, "{moves} {score}")?;
            }
            Ok(())
        })?;
        remove_if_there(&part_path)?;
    }
    Ok(())
}

/// Completes an unfinished file that has these rows, and returns all rows.
///
/// The second table confirms scores. It is cleared for each position, to be independent of the first search.
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
    // Skip the candidates of the finished rows, and check the rows.
    let limit = if board == Board::default() { REPLAY_LIMIT } else { REPLAY_LIMIT_OTHER };
    for (ScoredMoves { moves, score }, number) in rows.iter().zip(3..) {
        let place = format!("{}:{number}", part.path().display());
        let found = drawn.by_ref().take(limit).find(|candidate| candidate.moves == *moves);
        let found = found.with_context(|| format!("{place}: `{moves}`: not a position of this seed"))?;
        let holds = class.holds(board, found.position.plies(), *score);
        ensure!(holds, "{place}: `{score}`: not a score of a position of {class}");
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

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
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
