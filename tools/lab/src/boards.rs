//! `plumb-lab boards`: who wins on the empty boards, beside what is published.

mod result;
mod saved_state;
mod solve;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use plumb::board::{Board, BoardSize, Geometry};
use serde::Serialize;
use serde_json::json;

use crate::arguments::{MergeArguments, RunOrMerge};
use crate::exit::End;
use crate::output::{OutputFile, check_overwrite, print, with_suffix};
use crate::result_files::{Header, Lock, ResultFile, Shard, Shards, write_all};
use result::{Record, Row, grid};

/// The limit of cells if there is no other limit.
const MAX_CELLS: u32 = 36;

/// Solve the empty boards of all sizes, and compare the results with published ones.
///
/// Each result says who wins, with which stone the game ends in perfect play, and what it cost: nodes, processor time,
/// time of day, and the most memory that the process took. The boards are solved in the order of their numbers of
/// cells, each with an empty table; progress is on standard error. A result that differs from the published one (John
/// Tromp; Christophe Steininger) is marked, and the exit code is then 1. At the end all results are drawn as a table,
/// width across and height up: + for a win of the first player, - for a win of the second, = for a draw.
///
/// With `--csv` each result is written as soon as it is known. Beside it, in `F.WxH.state`, are the table of the board
/// that is being solved and the bounds proved so far, saved at Ctrl-C and now and then. The same command resumes an
/// interrupted run in the middle of the board. The file has the size of the table, and is removed when the board is
/// solved.
///
/// `--shard I/N` deals the boards out like cards; `boards merge` puts the files of all shards together.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    command: RunOrMerge<BoardsArguments, MergeArguments>,
}

/// The arguments of a run.
#[derive(clap::Args)]
struct BoardsArguments {
    /// Solve only these boards: columns by rows, 4x4 up to what 128 bits hold.
    #[arg(long = "board", value_name = "WxH,…", value_delimiter = ',')]
    boards: Vec<Board>,
    /// Solve only boards of at most this many cells. [default: 36, if there is no other limit]
    #[arg(long, value_name = "N")]
    max_cells: Option<u32>,
    /// Solve only boards whose width and height add up to at most this.
    #[arg(long, value_name = "N")]
    max_sum: Option<u32>,
    /// Table size in MB.
    #[arg(long, value_name = "MB", default_value_t = 256)]
    hash: usize,
    /// Threads that solve a board together.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Write each result as a line of comma-separated values to this file. Boards that it contains are not solved
    /// again.
    #[arg(long, value_name = "F")]
    csv: Option<PathBuf>,
    /// Save the state of a board that is being solved after this time; 0: only at Ctrl-C. Where saving takes long, it
    /// is done less often, so that it takes at most a twentieth of the time.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, requires = "csv")]
    save_every: u64,
    /// Write all results to this file as a JSON object.
    #[arg(long, value_name = "F")]
    json: Option<PathBuf>,
    /// Overwrite the file of `--json` if it exists.
    #[arg(long)]
    force: bool,
    /// Solve only this share of the boards, as I/N.
    #[arg(long, value_name = "I/N", requires = "csv")]
    shard: Option<Shard>,
}

/// The JSON document.
#[derive(Serialize)]
struct Document<'a> {
    version: &'static str,
    boards: &'a [Row],
}

/// Solves the boards, or merges shards, and prints what comes out.
///
/// # Errors
/// If there is no memory for the table, or a file cannot be written, or one that is to be continued holds anything
/// else or is in use, or shards do not fit; [`Interrupted`](End::Interrupted) after Ctrl-C, [`Differing`](End::Differing).
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    arguments.command.act(solve_all, merge)
}

/// Solves the boards.
fn solve_all(arguments: &BoardsArguments) -> Result<()> {
    let BoardsArguments { hash, threads, save_every, shard, ref csv, .. } = *arguments;
    check_overwrite(&arguments.json, arguments.force)?;
    let wanted = wanted(arguments);
    let mine: Vec<_> = shard.unwrap_or(Shard::WHOLE).dealt(wanted.iter().copied()).collect();
    let (mut file, known) = match csv {
        Some(path) => {
            let mut header = Header::new("boards");
            // Without a shard, runs of all settings add to the file, as its rows have them.
            if let Some(shard) = shard {
                let boards: Vec<_> = wanted.iter().map(Board::to_string).collect();
                let settings = json!({ "boards": boards, "hash": hash, "threads": threads });
                header = header.of_shard(shard, mine.len()).with_settings(&settings)?;
            }
            let (file, known) = ResultFile::open(path, "--csv", &header, Lock::take(path, "--csv")?)?;
            (Some(file), known)
        }
        None => (None, Vec::new()),
    };
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    let save_every = Duration::from_secs(save_every);

    print(format_args!("{}", Row::HEADINGS))?;
    let mut rows: Vec<Row> = Vec::new();
    for (&board, number) in mine.iter().zip(1..) {
        let state = csv.as_ref().map(|path| with_suffix(path, &format!(".{board}.state")));
        let found = known.iter().find(|record: &&Record| record.board == board.to_string());
        let record = if let Some(record) = found {
            record.clone()
        } else {
            let place = format!("board {number} of {}: {board}", mine.len());
            let record = solve::solve(board, hash, threads, save_every, &place, state.as_deref())?;
            if let Some(file) = &mut file {
                file.append(&record)?;
                file.sync()?;
            }
            record
        };
        // A run that was killed before has left it beside the row.
        state.as_deref().map_or(Ok(()), saved_state::remove)?;
        let row = Row::new(record)?;
        print(format_args!("{row}"))?;
        rows.push(row);
    }
    conclude(&rows, json)
}

/// The boards that are asked for, those of fewer cells first.
fn wanted(arguments: &BoardsArguments) -> Vec<Board> {
    let BoardsArguments { boards, max_cells, max_sum, .. } = arguments;
    let is_limited = max_sum.is_some() || !boards.is_empty();
    let max_cells = max_cells.unwrap_or(if is_limited { u32::MAX } else { MAX_CELLS });
    let max_sum = max_sum.unwrap_or(u32::MAX);
    let mut all: Vec<_> = BoardSize::all().filter_map(|size| Board::new(size).ok()).collect();
    all.retain(|board| board.cells() <= max_cells && board.width() + board.height() <= max_sum);
    all.retain(|board| boards.is_empty() || boards.contains(board));
    all.sort_unstable_by_key(|&board| order(board));
    all
}

/// Boards of fewer cells come first, and of as many the lower ones.
fn order(board: Board) -> (u32, u32) {
    (board.cells(), board.height())
}

/// Puts the results of shards together.
fn merge(arguments: &MergeArguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let records: Vec<Record> = Shards::read("boards", &arguments.parts)?.rows()?;
    let mut rows = records.into_iter().map(Row::new).collect::<Result<Vec<_>>>()?;
    rows.sort_by_key(|row| order(row.board));
    let records: Vec<_> = rows.iter().map(|row| row.record.clone()).collect();
    write_all(&arguments.csv, "--csv", &Header::new("boards"), &records)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    print(format_args!("{}", Row::HEADINGS))?;
    rows.iter().try_for_each(|row| print(format_args!("{row}")))?;
    conclude(&rows, json)
}

/// Writes the JSON document and prints the table of all results; fails if one differs from what is published.
fn conclude(rows: &[Row], json: Option<OutputFile>) -> Result<()> {
    if let Some(json) = json {
        json.write_json(&Document { version: env!("CARGO_PKG_VERSION"), boards: rows })?;
    }
    print(format_args!(""))?;
    let signs = rows.iter().map(|row| (row.board.size(), row.record.sign())).collect();
    grid(&signs).iter().try_for_each(|line| print(format_args!("{line}")))?;
    let published = rows.iter().filter(|row| row.agrees.is_some()).count();
    let differing = rows.iter().filter(|row| row.agrees == Some(false)).count();
    print(format_args!("\n{published} boards compared with published results, {differing} of them differ"))?;
    ensure!(differing == 0, End::Differing);
    Ok(())
}
