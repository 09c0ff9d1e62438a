//! The depth-limited search: principal variation search with a static evaluation.
//!
//! Its wins and losses are exact, because it searches all replies and cuts off only after forced moves. Other
//! values are estimates.

use std::ops::ControlFlow;

use super::control::{Aborted, Control};
use super::evaluation::evaluate;
use super::event::Bound;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::mix::GOLDEN;
use crate::score::{Score, win_with_stone};
use crate::table::mix_wide;

/// The base of won values: a win with stone `s` on the board is worth `WIN - s`.
pub(crate) const WIN: i32 = 30_000;
const WIN_THRESHOLD: i32 = WIN - 200;
const TABLE_ENTRIES: usize = 1 << 16;

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

/// A depth-limited search with a small table of its own, because its values depend on the depth.
///
/// Keys of more than 64 bits are hashed.
pub(crate) struct HeuristicSearch {
    entries: Vec<CachedValue>,
}

impl CachedValue {
    /// Depth 0 is never stored.
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
        Self { entries: vec![CachedValue::VACANT; TABLE_ENTRIES] }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.fill(CachedValue::VACANT);
    }

    fn slot(key: u64) -> usize {
        (key.wrapping_mul(GOLDEN) >> 32) as usize % TABLE_ENTRIES
    }

    /// Fail-soft. `line` becomes the principal variation if the value lies inside the window.
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

        // 1. A value without a search.
        let safe = match value_at_sight(position, depth, line) {
            ControlFlow::Break(value) => return Ok(value),
            ControlFlow::Continue(safe) => safe,
        };

        // 2. The table. It cuts off only null windows, because other windows need a line.
        let key = word_of_key(position);
        let slot = Self::slot(key);
        let entry = self.entries[slot];
        let is_found = entry.key == key && entry.depth > 0;
        if is_found && beta - alpha == 1 && entry.cuts_off(depth, alpha, beta) {
            return Ok(entry.value.into());
        }
        let table_column = if is_found { Some(u32::from(entry.column)) } else { None };

        // 3. The moves: first the table's move, then from the centre outwards.
        let geometry = position.geometry();
        let alpha_before = alpha;
        let (mut best, mut best_column) = (-WIN, 0);
        let mut reply = Vec::new();
        let others = centre_first(geometry).filter(|column| Some(*column) != table_column);
        for column in table_column.into_iter().chain(others) {
            let cell = safe & geometry.column(column);
            if cell.is_empty() {
                continue;
            }
            let next = position.after(cell);
            let mut search = |alpha: i32, beta: i32| {
                let value = self.search(control, &next, depth - 1, -beta, -alpha, &mut reply);
                value.map(|value| -value)
            };
            let bound = if best > -WIN { Some(search(alpha, alpha + 1)?) } else { None };
            let value = match bound {
                Some(bound) if bound <= alpha || bound >= beta => bound,
                _ => search(alpha, beta)?,
            };
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
}

#[inline]
fn word_of_key<G: Geometry>(position: &Position<G>) -> u64 {
    let key = position.key().to_wide();
    if position.geometry().key_bits() > u64::BITS { mix_wide(key).0 } else { key as u64 }
}

/// Returns a value without a search, or the moves that do not lose at once.
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
    use crate::board::{Outcome, Standard, StaticGeometry};
    use crate::testing::random;

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
        for random in random(1).take(200) {
            let mut position = Position::<Standard>::new();
            for step in 0..random % 24 {
                position = position.play((random >> (8 + step)) as u32 % 7).unwrap_or(position);
            }
            if position.outcome().is_some() {
                continue;
            }
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
}
