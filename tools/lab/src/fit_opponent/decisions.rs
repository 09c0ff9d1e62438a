//! The decisions of the opponents in recorded games, with their features.

use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Context, Result};
use plumb::board::{Board, Position, Standard};
use plumb::score::{Score, plies_to_end};
use plumb::search::opponent::{self, Estimator, Features, Reply};
use plumb_arena::exact::ExactSolver;
use plumb_arena::record::GameRecord;

use crate::book::on_threads;
use crate::progress::Counter;

/// Wins within this many plies are left out: every engine sees them, and they would be most of the decisions.
const SEEN_BY_ALL: u32 = 14;

/// The side of the opponent whose moves are learned, 0 for the first player, and a recorded game.
pub(super) type LearnedGame = (usize, GameRecord);

/// A move that an opponent chose.
pub(super) struct Decision {
    /// The number of its game.
    pub(super) game: usize,
    pub(super) opponent: String,
    /// Stones on the board.
    pub(super) plies: u32,
    /// The features of all legal moves.
    pub(super) replies: Vec<Features>,
    /// Whether each of them keeps the result of the position.
    pub(super) keeps: Vec<bool>,
    /// The one that was chosen, by its place.
    pub(super) chosen: usize,
    /// The exact score after the chosen move, for the side to move then.
    pub(super) score_after: Score,
    /// The points of the engine under test at the end of the game.
    pub(super) points: f64,
}

impl Decision {
    /// Whether the chosen move gave away a win or a draw.
    pub(super) fn is_error(&self) -> bool {
        !self.keeps[self.chosen]
    }
}

/// The decisions in the games, in the order of the games and of their moves.
///
/// # Errors
/// If there is no memory for a table or no thread, or a move is illegal.
pub(super) fn read(games: &[LearnedGame]) -> Result<Vec<Decision>> {
    let mut counter = Counter::new("fit-opponent", "game", 0, games.len());
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let exact = ExactSolver::new(Board::default())?;
    let workers = |_| {
        let (exact, mut estimator) = (&exact, Estimator::new());
        move |number: usize| of_game(number, &games[number], exact, &mut estimator)
    };
    let mut all = Vec::new();
    let numbers: Vec<_> = (0..games.len()).collect();
    on_threads(&numbers, threads, 1, workers, |_, decisions| {
        counter.advance();
        all.extend(decisions);
        Ok(())
    })?;
    all.sort_by_key(|decision| (decision.game, decision.plies));
    Ok(all)
}

/// The decisions of a game.
fn of_game(
    number: usize,
    (side, record): &LearnedGame,
    exact: &ExactSolver,
    estimator: &mut Estimator,
) -> Result<Vec<Decision>> {
    let mut decisions = Vec::new();
    let opening = record.opening.moves.bytes().map(|digit| u32::from(digit - b'1'));
    let played = record.moves.iter().map(|made| u32::from(made.column) - 1);
    let columns: Vec<u32> = opening.chain(played).collect();
    let mut positions = vec![Position::<Standard>::new()];
    for &column in &columns {
        let next = positions.last().and_then(|position| position.play(column));
        positions.push(next.with_context(|| format!("game {}: an illegal move", record.number()))?);
    }
    let points = record.result.half_points(1 - side) as f64 / 2.0;
    let first = record.opening.moves.len();
    let plies = (first..columns.len()).filter(|ply| ply % 2 == *side);
    // Backwards, so that each position finds its successors in the table.
    for ply in plies.rev() {
        let position = positions[ply];
        let mut replies = Vec::new();
        for column in position.legal_columns() {
            let Some(next) = position.play(column) else { continue };
            let Some(score) = exact.score(&next) else { continue };
            let shallow = -estimator.estimate(&next, opponent::SHALLOW - 1);
            let deep = -estimator.estimate(&next, opponent::DEEP - 1);
            replies.push(Reply { column, score: -score, shallow, deep });
        }
        let best = replies.iter().map(|reply| reply.score).max().unwrap_or(0);
        let is_seen = best > 0 && plies_to_end(Standard::default(), best, position.plies()) <= SEEN_BY_ALL;
        let Some(chosen) = replies.iter().position(|reply| reply.column == columns[ply]) else { continue };
        if best < 0 || is_seen || replies.len() < 2 {
            continue;
        }
        let last = ply.checked_sub(1).map(|before| columns[before]);
        decisions.push(Decision {
            game: number,
            opponent: [&record.first, &record.second][*side].clone(),
            plies: position.plies(),
            replies: opponent::features(&position, last, &replies),
            keeps: replies.iter().map(|reply| reply.score.signum() == best.signum()).collect(),
            chosen,
            score_after: -replies[chosen].score,
            points,
        });
    }
    Ok(decisions)
}
