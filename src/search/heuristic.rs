//! The depth-limited search: principal variation search with a static evaluation.
//!
//! Wins and losses are proven: a win needs a win against every reply, a loss needs a loss after every move.
//! Other values are estimates. On boards of more than 42 cells, late move reductions make some estimates less
//! deep.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::control::{Aborted, Control};
use super::evaluation::{SOLVABLE_CELLS, evaluate};
use super::event::Bound;
use crate::board::{Bits, BoardSize, Geometry, Position, centre_first};
use crate::mix::GOLDEN;
use crate::score::{Score, win_with_stone};
use crate::table::mix_wide;

/// A win is worth `WIN` minus the number of stones on the board after the winning stone.
pub(crate) const WIN: i32 = 30_000;
const WIN_THRESHOLD: i32 = WIN - 200;
const TABLE_ENTRIES: usize = 1 << 16;
const MAX_HISTORY: u32 = 500_000;
const MAX_WIDTH: usize = BoardSize::MAX_WIDTH as usize;

pub(crate) fn proven_bounds(geometry: impl Geometry, value: i32) -> (Score, Score) {
    if value.abs() <= WIN_THRESHOLD {
        return (Score::MIN, Score::MAX);
    }
    let score = win_with_stone(geometry, (WIN - value.abs()) as u32);
    if value > 0 { (score, Score::MAX) } else { (Score::MIN, -score) }
}

#[derive(Clone, Copy)]
struct CachedValue {
    key: u64,
    value: i16,
    depth: u8,
    column: u8,
    bound: Bound,
}

/// A depth-limited search with its own small hash table, because its values depend on the depth.
///
/// Position keys of more than 64 bits are hashed to 64 bits.
pub(crate) struct HeuristicSearch {
    entries: Vec<CachedValue>,
    /// History heuristic, by player and cell: the sum of `depth * depth` over beta cutoffs by a stone on the
    /// cell.
    history: [[u32; 128]; 2],
}

impl CachedValue {
    /// An empty slot. Stored entries have a depth of at least 1.
    const VACANT: Self = Self { key: 0, value: 0, depth: 0, column: 0, bound: Bound::Upper };

    fn cuts_off(&self, depth: u32, alpha: i32, beta: i32) -> bool {
        let is_outside = match self.bound {
            Bound::Exact => true,
            Bound::Lower => i32::from(self.value) >= beta,
            Bound::Upper => i32::from(self.value) <= alpha,
        };
        u32::from(self.depth) >= depth && is_outside
    }
}

impl HeuristicSearch {
    pub(crate) fn new() -> Self {
        Self { entries: vec![CachedValue::VACANT; TABLE_ENTRIES], history: [[0; 128]; 2] }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    fn slot(key: u64) -> usize {
        (key.wrapping_mul(GOLDEN) >> 32) as usize % TABLE_ENTRIES
    }

    /// Principal variation search, fail-soft. `line` becomes the principal variation if the value lies inside
    /// the window.
    pub(crate) fn search<G: Geometry>(
        &mut self,
        control: &mut Control<'_>,
        position: &Position<G>,
        depth: u32,
        mut alpha: i32,
        beta: i32,
        line: &mut Vec<u32>,
    ) -> Result<i32, Aborted> {
        control.visit(position.plies())?;
        line.clear();

        // 1. Return a value that is known without a search, for example of an immediate win.
        let safe = match value_at_sight(position, depth, line) {
            ControlFlow::Break(value) => return Ok(value),
            ControlFlow::Continue(safe) => safe,
        };

        // 2. Probe the hash table. Only null windows are cut off, because wider windows need a principal
        //    variation.
        let key = word_of_key(position);
        let slot = Self::slot(key);
        let entry = self.entries[slot];
        let is_found = entry.key == key && entry.depth > 0;
        if is_found && beta - alpha == 1 && entry.cuts_off(depth, alpha, beta) {
            return Ok(entry.value.into());
        }
        let table_column = if is_found { Some(u32::from(entry.column)) } else { None };

        // 3. Search the moves. On large boards late moves are first searched at reduced depth (late move
        //    reductions).
        let geometry = position.geometry();
        let is_large = geometry.cells() > SOLVABLE_CELLS;
        let alpha_before = alpha;
        let (mut best, mut best_column) = (-WIN, 0);
        let mut reply = Vec::new();
        let (moves, count) = self.ordered_moves(position, safe, table_column);
        for (index, &cell) in moves[..count].iter().enumerate() {
            let next = position.after(cell);
            let reduction = if is_large { late_move_reduction(depth, index) } else { 0 };
            let mut value = alpha + 1;
            if reduction > 0 {
                value =
                    -self.search(control, &next, depth - 1 - reduction, -alpha - 1, -alpha, &mut reply)?;
            }
            if index > 0 && value > alpha {
                value = -self.search(control, &next, depth - 1, -alpha - 1, -alpha, &mut reply)?;
            }
            if index == 0 || (value > alpha && value < beta) {
                value = -self.search(control, &next, depth - 1, -beta, -alpha, &mut reply)?;
            }
            let column = geometry.column_of(cell);
            if value > best {
                (best, best_column) = (value, column);
            }
            if value > alpha {
                alpha = value;
                line.clear();
                line.push(column);
                line.append(&mut reply);
            }
            if value >= beta {
                if is_large {
                    self.add_to_history(position.plies(), cell.lowest(), depth);
                }
                break;
            }
        }

        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha_before => Bound::Exact,
            _ => Bound::Upper,
        };
        let (value, depth, column) = (best as i16, depth.min(255) as u8, best_column as u8);
        self.entries[slot] = CachedValue { key, value, depth, column, bound };
        Ok(best)
    }

    /// Orders the hash move first, the other moves by history (on large boards), then from the centre
    /// outwards.
    fn ordered_moves<G: Geometry>(
        &self,
        position: &Position<G>,
        safe: G::Bits,
        table_column: Option<u32>,
    ) -> ([G::Bits; MAX_WIDTH], usize) {
        let geometry = position.geometry();
        let mut moves = [G::Bits::ZERO; MAX_WIDTH];
        let mut count = 0;
        for column in table_column.into_iter().chain(centre_first(geometry)) {
            let cell = safe & geometry.column(column);
            let is_repeated = count > 0 && cell == moves[0];
            if !cell.is_empty() && !is_repeated {
                moves[count] = cell;
                count += 1;
            }
        }
        if geometry.cells() > SOLVABLE_CELLS {
            let history = &self.history[position.plies() as usize % 2];
            let first = usize::from(table_column.is_some());
            moves[first..count].sort_by_key(|cell| Reverse(history[cell.lowest() as usize]));
        }
        (moves, count)
    }

    fn add_to_history(&mut self, plies: u32, bit: u32, depth: u32) {
        let count = &mut self.history[plies as usize % 2][bit as usize];
        *count += depth * depth;
        if *count > MAX_HISTORY {
            for count in self.history.as_flattened_mut() {
                *count /= 2;
            }
        }
    }
}

fn late_move_reduction(depth: u32, index: usize) -> u32 {
    if depth < 3 || index < 2 {
        return 0;
    }
    if index < 4 { 1 } else { 2.min(depth - 2) }
}

#[inline]
fn word_of_key<G: Geometry>(position: &Position<G>) -> u64 {
    let key = position.key().to_wide();
    if position.geometry().key_bits() > u64::BITS { mix_wide(key).0 } else { key as u64 }
}

/// Breaks with a value that needs no search. Otherwise continues with the moves after which the opponent
/// cannot win immediately.
fn value_at_sight<G: Geometry>(
    position: &Position<G>,
    depth: u32,
    line: &mut Vec<u32>,
) -> ControlFlow<i32, G::Bits> {
    let (geometry, plies) = (position.geometry(), position.plies() as i32);
    let playable = position.playable();
    if playable.is_empty() {
        return ControlFlow::Break(0);
    }
    let winning = position.own_winning_cells() & playable;
    if !winning.is_empty() {
        line.push(geometry.column_of(winning.lowest_bit()));
        return ControlFlow::Break(WIN - (plies + 1));
    }
    if depth == 0 {
        return ControlFlow::Break(evaluate(position));
    }
    let safe = position.non_losing_moves();
    if !safe.is_empty() {
        return ControlFlow::Continue(safe);
    }
    let threats = position.opponent_winning_cells() & playable;
    let cell = if threats.is_empty() { playable.lowest_bit() } else { threats.lowest_bit() };
    let next = position.after(cell);
    let answer = next.own_winning_cells() & next.playable();
    line.extend([cell, answer.lowest_bit()].map(|cell| geometry.column_of(cell)));
    ControlFlow::Break(-(WIN - (plies + 2)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Narrow, Outcome, Standard, StaticGeometry};
    use crate::search::Solver;
    use crate::search::tests::samples;
    use crate::table::Table;

    fn minimax<G: StaticGeometry>(position: &Position<G>, depth: u32) -> i32 {
        match position.outcome() {
            None => {}
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(_)) => return -(WIN - position.plies() as i32),
        }
        if position.can_win_now() {
            return WIN - (position.plies() as i32 + 1);
        }
        if depth == 0 {
            return evaluate(position);
        }
        if position.non_losing_moves().is_empty() {
            return -(WIN - (position.plies() as i32 + 2));
        }
        position
            .legal_columns()
            .map(|column| -minimax(&position.play(column).expect("legal"), depth - 1))
            .max()
            .expect("the game is not over")
    }

    #[test]
    fn alpha_beta_with_a_table_equals_minimax() {
        for position in samples::positions::<Standard>(1, 19..=42).take(200) {
            let mut heuristic = HeuristicSearch::new();
            for depth in 1..6 {
                let mut line = Vec::new();
                let mut control = Control::unlimited();
                let value = heuristic
                    .search(&mut control, &position, depth, -WIN, WIN, &mut line)
                    .expect("nothing stops it");
                assert_eq!(value, minimax(&position, depth), "{position} depth {depth}");
                let end = line.iter().try_fold(position, |position, &column| position.play(column));
                let end = end.expect("the line is legal");
                let is_whole = WIN - value.abs() == end.plies() as i32;
                assert!(value.abs() <= WIN_THRESHOLD || is_whole, "the line of a win or loss is cut");
            }
        }
    }

    #[test]
    fn wins_and_losses_on_a_large_board_are_true() {
        let mut heuristic = HeuristicSearch::new();
        let table = Table::new_on(Narrow::<7, 7>, 16).expect("memory");
        let mut proven = 0;
        for position in samples::positions::<Narrow<7, 7>>(3, 21..=21).take(100) {
            let mut line = Vec::new();
            let value = heuristic
                .search(&mut Control::unlimited(), &position, 9, -WIN, WIN, &mut line)
                .expect("nothing stops it");
            let (lower, upper) = proven_bounds(position.geometry(), value);
            let score = Solver::new(&table).score(&position).expect("nothing stops it");
            assert!((lower..=upper).contains(&score), "{position}: {value} but {score}");
            proven += u32::from(lower > Score::MIN || upper < Score::MAX);
        }
        assert!(proven > 10, "{proven} wins and losses");
    }
}
