//! Moves of the opponents of tested engines in matches with `--openings lost` or `drawn`, as JSON Lines for
//! `tools/research/fit_opponent.py`.
//!
//! ```sh
//! cargo run --release -p plumb-arena --example opponent_moves -- DIR… >moves.jsonl
//! ```

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use plumb::board::{Board, Position, Standard};
use plumb::score::plies_to_end;
use plumb::search::opponent::{DEEP, Estimator, FEATURE_NAMES, Reply, SHALLOW, features};
use plumb_arena::directory::read_match;
use plumb_arena::exact::ExactSolver;
use plumb_arena::record::game::GameRecord;
use plumb_arena::theory::TheoryTable;
use serde_json::json;

/// Moves within this many plies of a win are left out, because every engine sees the win.
const SEEN_BY_ALL: u32 = 14;

fn main() -> Result<()> {
    let exact = ExactSolver::new(Board::default())?;
    let mut estimator = Estimator::new();
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{}", json!({ "features": FEATURE_NAMES }))?;
    let mut game = 0;
    for directory in std::env::args_os().skip(1).map(PathBuf::from) {
        let mut reader = read_match(&directory)?;
        let theory = TheoryTable::new(&reader.header).with_context(|| {
            format!("`{}` is not a match with `--openings lost` or `drawn`", directory.display())
        })?;
        while let Some(record) = reader.next_game()? {
            let side = usize::from(theory.is_tested(&record.first));
            write_moves(&mut out, game, side, &record, &exact, &mut estimator)?;
            game += 1;
        }
    }
    writeln!(out, "{}", json!({ "games": game }))?;
    out.flush().context("cannot write the moves")
}

/// Writes the moves of `side`: 0 is the first player.
fn write_moves(
    out: &mut impl Write,
    game: usize,
    side: usize,
    record: &GameRecord,
    exact: &ExactSolver,
    estimator: &mut Estimator,
) -> Result<()> {
    let opening = record.opening.moves.bytes().map(|digit| u32::from(digit - b'1'));
    let played = record.moves.iter().map(|made| u32::from(made.column) - 1);
    let columns: Vec<u32> = opening.chain(played).collect();
    let first = record.opening.moves.len();
    let mut positions = vec![Position::<Standard>::new()];
    for &column in &columns {
        let next = positions.last().and_then(|position| position.play(column));
        positions.push(next.context("a recorded move is illegal")?);
    }
    // Backwards, so the table of the solver holds the successors.
    for ply in (first..columns.len()).rev().filter(|ply| ply % 2 == side) {
        let (position, after) = (positions[ply], positions[ply + 1]);
        let mut replies = Vec::new();
        for column in position.legal_columns() {
            let Some(next) = position.play(column) else { continue };
            let Some(score) = exact.score(&next) else { continue };
            let shallow = -estimator.estimate(&next, SHALLOW - 1);
            let deep = -estimator.estimate(&next, DEEP - 1);
            replies.push(Reply { column, score: -score, shallow, deep });
        }
        let best = replies.iter().map(|reply| reply.score).max().unwrap_or(0);
        let is_seen = best > 0 && plies_to_end(Standard::default(), best, position.plies()) <= SEEN_BY_ALL;
        let Some(chosen) = replies.iter().position(|reply| reply.column == columns[ply]) else { continue };
        if best < 0 || is_seen || replies.len() < 2 {
            continue;
        }
        let last = ply.checked_sub(1).map(|before| columns[before]);
        let opponent = if side == 0 { &record.first } else { &record.second };
        let score_after = -replies[chosen].score;
        let row = json!({
            "game": game,
            "opponent": opponent,
            "replies": features(&position, last, &replies),
            "keeps": replies.iter().map(|reply| reply.score.signum() == best.signum()).collect::<Vec<_>>(),
            "chosen": chosen,
            "plies_after": after.plies(),
            "score_after": score_after,
            "plies_to_end": if score_after == 0 { 0 } else { plies_to_end(Standard::default(), score_after, after.plies()) },
            "points": record.result.half_points(1 - side) as f64 / 2.0,
        });
        writeln!(out, "{row}")?;
    }
    Ok(())
}
