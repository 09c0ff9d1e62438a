//! `plumb-lab positions --count`: numbers of positions and results by number of stones.

use std::collections::HashSet;

use anyhow::{Result, bail, ensure};
use plumb::board::{Board, Position};
use plumb::book::Book;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::MakeArguments;
use crate::arguments::MergeArguments;
use crate::book::{canonical, images, result};
use crate::exit::{self, Interrupted};
use crate::label::scorer::Scorer;
use crate::output::{OutputFile, check_overwrite, print_table, write_json};
use crate::progress::Counter;
use crate::result_files::{Header, ResultFile, Row, Shard, Shards, take_lock, write_all};

/// Number of positions per row of results, without mirror images.
const BLOCK: usize = 4096;

const KIND: &str = "positions --count";

/// Results for the first player in a block of positions. Mirror images count, too.
#[derive(Clone, Default, Serialize, Deserialize)]
struct BlockRow {
    plies: u32,
    block: usize,
    won: u64,
    drawn: u64,
    lost: u64,
}

impl Row for BlockRow {
    fn key(&self) -> String {
        format!("block {} of {} stones", self.block, self.plies)
    }
}

pub(super) fn run(arguments: &MakeArguments, plies: u32) -> Result<()> {
    let MakeArguments { board, hash, threads, results, shard, .. } = *arguments;
    let layers = layers(board, plies)?;
    if !results {
        let rows = layers.iter().enumerate();
        let rows = rows
            .map(|(plies, layer)| vec![plies.to_string(), layer.iter().map(images).sum::<u64>().to_string()]);
        return print_table("plies|    positions", rows);
    }
    let blocks = layers.iter().enumerate().flat_map(|(plies, layer)| {
        layer.chunks(BLOCK).enumerate().map(move |(block, positions)| (plies as u32, block, positions))
    });
    let blocks: Vec<_> = shard.unwrap_or(Shard::WHOLE).dealt(blocks).collect();
    let (mut file, mut rows) = open_file(arguments, plies, blocks.len())?;
    let scorer = Scorer::new(board, hash, threads, Book::embedded())?;
    let interrupt = exit::interrupt()?;
    let done = blocks.iter().take(rows.len()).map(|(_, _, positions)| positions.len()).sum();
    let total = blocks.iter().map(|(_, _, positions)| positions.len()).sum::<usize>();
    let mut counter = Counter::new("positions", "position", done, total);
    for &(plies, block, positions) in &blocks[rows.len()..] {
        let solvable: Vec<_> = positions.iter().copied().map(Some).collect();
        let Some(labels) = scorer.label(&solvable, interrupt, &mut counter) else {
            let remedy =
                if file.is_some() { "the same command solves the rest" } else { "`--csv F` keeps results" };
            let (done, all) = (rows.len(), blocks.len());
            bail!(Interrupted(format!("interrupted after {done} of {all} blocks; {remedy}")));
        };
        let mut row = BlockRow { plies, block, ..BlockRow::default() };
        for label in labels.into_iter().flatten() {
            let counts = [&mut row.won, &mut row.drawn, &mut row.lost];
            *counts[result(&label.position, label.score)] += images(&label.position);
        }
        if let Some(file) = &mut file {
            file.append(&row)?;
        }
        rows.push(row);
    }
    drop(counter);
    print_results(&rows)
}

pub(super) fn merge(arguments: &MergeArguments) -> Result<()> {
    check_overwrite(&arguments.json, arguments.force)?;
    let shards = Shards::read(KIND, &arguments.parts)?;
    let mut rows: Vec<BlockRow> = shards.rows()?;
    rows.sort_by_key(|row| (row.plies, row.block));
    write_all(&arguments.csv, "--csv", &shards.header(), &rows)?;
    let json = arguments.json.as_deref().map(OutputFile::create).transpose()?;
    write_json(json, &sums(&rows))?;
    print_results(&rows)
}

fn open_file(
    arguments: &MakeArguments,
    plies: u32,
    blocks: usize,
) -> Result<(Option<ResultFile<BlockRow>>, Vec<BlockRow>)> {
    let Some(path) = &arguments.csv else { return Ok((None, Vec::new())) };
    let header = Header::new(KIND).on_board(arguments.board).with_settings(&json!({ "plies": plies }))?;
    let header = header.of_shard(arguments.shard.unwrap_or(Shard::WHOLE), blocks);
    let (file, rows) = ResultFile::open(path, "--csv", &header, take_lock(path, "--csv")?)?;
    ensure!(rows.len() <= blocks, "`{}` has more rows than this run: give another `--csv`", path.display());
    Ok((Some(file), rows))
}

/// Reachable positions by number of stones, including won games, sorted by key. A position and its mirror image are
/// one entry.
fn layers(board: Board, last: u32) -> Result<Vec<Vec<Position<Board>>>> {
    let interrupt = exit::interrupt()?;
    let mut layers = vec![vec![Position::empty(board)]];
    for plies in 0..last {
        let mut next = HashSet::new();
        for position in &layers[plies as usize] {
            ensure!(
                !interrupt.is_requested(),
                Interrupted(format!("interrupted after {plies} of {last} plies"))
            );
            if position.outcome().is_none() {
                let after = position.legal_columns().filter_map(|column| position.play(column));
                next.extend(after.map(|position| canonical(&position)));
            }
        }
        let mut next: Vec<_> = next.into_iter().collect();
        next.sort_unstable_by_key(Position::key);
        layers.push(next);
    }
    Ok(layers)
}

#[derive(Default, Serialize)]
struct Sum {
    plies: u32,
    positions: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

fn sums(rows: &[BlockRow]) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::new();
    for row in rows {
        if sums.last().is_none_or(|sum| sum.plies != row.plies) {
            sums.push(Sum { plies: row.plies, ..Sum::default() });
        }
        if let Some(sum) = sums.last_mut() {
            sum.positions += row.won + row.drawn + row.lost;
            sum.won += row.won;
            sum.drawn += row.drawn;
            sum.lost += row.lost;
        }
    }
    sums
}

fn print_results(rows: &[BlockRow]) -> Result<()> {
    let sums = sums(rows);
    let cells = sums.iter().map(|sum| {
        [u64::from(sum.plies), sum.positions, sum.won, sum.drawn, sum.lost].map(|n| n.to_string()).to_vec()
    });
    print_table("plies|    positions|          won|        drawn|         lost", cells)
}
