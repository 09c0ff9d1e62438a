//! The search of Pascal Pons's tutorial and nothing more, over any table, so that what differs between two runs is the
//! table alone.
//!
//! Source: Pascal Pons, "Solving Connect 4", parts 4 to 12. It is followed to the letter where that decides which nodes
//! are visited: a node is one call of [`Plain::negamax`], as he counts it, and its published numbers come out.

use plumb::board::{Bits, Geometry, Position, Standard, StaticGeometry, winning_cells};
use plumb::score::{Score, immediate_score};

use super::design::{Bound, Design, Proof};
use super::solver::{Mode, TableSolver};

/// The columns from the centre outwards, left before right as Pons's program works them out; a comment in it says right
/// before left, which comes to other nodes.
const ORDER: [u32; Standard::WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

/// The search over a table.
pub(super) struct Plain<D> {
    table: D,
    nodes: u64,
}

impl<D: Design> Plain<D> {
    /// The search over `table`.
    pub(super) fn new(table: D) -> Self {
        Self { table, nodes: 0 }
    }

    /// The score of `position`, which is not over and which the side to move cannot win at once, or a bound: what is
    /// `alpha` or less is an upper bound, what is `beta` or more a lower one.
    fn negamax(&mut self, position: &Position, mut alpha: Score, mut beta: Score) -> Score {
        self.nodes += 1;
        let entered = self.nodes;
        let moves = position.non_losing_moves();
        let empty = position.empty_cells();
        if moves.is_empty() {
            return -(empty as Score / 2);
        }
        if empty <= 2 {
            return 0;
        }
        // Neither side wins with its next stone.
        let least = -((empty as Score - 2) / 2);
        if alpha < least {
            alpha = least;
            if alpha >= beta {
                return alpha;
            }
        }
        let mut greatest = (empty as Score - 1) / 2;
        let key = D::key(position);
        // Part 11 looks into the table before it narrows the window from above, part 12 after it has done so: that
        // decides how much a bound tells that is returned, and with it the nodes that follow.
        if D::KEEPS_LOWER && beta > greatest {
            beta = greatest;
            if alpha >= beta {
                return beta;
            }
        }
        let known = self.table.probe(key);
        if alpha < known.lower {
            alpha = known.lower;
            if alpha >= beta {
                return alpha;
            }
        }
        greatest = greatest.min(known.upper);
        if beta > greatest {
            beta = greatest;
            if alpha >= beta {
                return beta;
            }
        }

        let mut sorter = Sorter::new();
        for column in ORDER.into_iter().rev() {
            let cell = moves & Standard::default().column(column);
            if !cell.is_empty() {
                sorter.add(
                    cell,
                    winning_cells(Standard::default(), position.own() | cell, position.mask()).count(),
                );
            }
        }
        while let Some(cell) = sorter.next() {
            let score = -self.negamax(&position.after(cell), -beta, -alpha);
            if score >= beta {
                let nodes = self.nodes - entered + 1;
                self.table.store(key, &Proof { bound: Bound::Lower(score), known, nodes });
                return score;
            }
            alpha = alpha.max(score);
        }
        let nodes = self.nodes - entered + 1;
        self.table.store(key, &Proof { bound: Bound::Upper(alpha), known, nodes });
        alpha
    }

    /// The score of `position`: exact, or in weak mode one of the right sign.
    fn score(&mut self, position: &Position, mode: Mode) -> Score {
        if let Some(score) = immediate_score(position) {
            return score;
        }
        let empty = position.empty_cells() as Score;
        let (mut min, mut max) = match mode {
            Mode::Strong => (-(empty / 2), (empty + 1) / 2),
            Mode::Weak => (-1, 1),
        };
        while min < max {
            let mut middle = min + (max - min) / 2;
            // First whether it is a win, and then short distances before long ones: those are cheap.
            if middle <= 0 && min / 2 < middle {
                middle = min / 2;
            } else if middle >= 0 && max / 2 > middle {
                middle = max / 2;
            }
            let found = self.negamax(position, middle, middle + 1);
            if found <= middle {
                max = found;
            } else {
                min = found;
            }
        }
        min
    }
}

impl<D: Design> TableSolver for Plain<D> {
    fn forget(&mut self) {
        self.table.clear();
        self.nodes = 0;
    }

    fn solve(&mut self, position: &Position, mode: Mode) -> Score {
        self.score(position, mode)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// Moves that come out by the cells with which they would win next, most first, of equal ones the last added first.
///
/// Source: Pons, part 10: an insertion sort, quick where the moves are added from the worst to the best.
struct Sorter {
    moves: [(u64, u32); ORDER.len()],
    len: usize,
}

impl Sorter {
    #[inline]
    fn new() -> Self {
        Self { moves: [(0, 0); ORDER.len()], len: 0 }
    }

    #[inline]
    fn add(&mut self, cell: u64, rank: u32) {
        let mut place = self.len;
        while place > 0 && self.moves[place - 1].1 > rank {
            self.moves[place] = self.moves[place - 1];
            place -= 1;
        }
        self.moves[place] = (cell, rank);
        self.len += 1;
    }

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.len = self.len.checked_sub(1)?;
        Some(self.moves[self.len].0)
    }
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
