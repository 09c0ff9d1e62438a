//! Searches over a transposition table: the search of Pascal Pons's tutorial, which works with every table design, and
//! Plumb's search.
//!
//! Source: Pascal Pons, "Solving Connect 4", parts 4 to 12. The search visits exactly the nodes that the tutorial
//! publishes. A node is one call of `negamax`.

use anyhow::Result;
use clap::ValueEnum;
use plumb::board::{Bits, Geometry, Position, Standard, StaticGeometry, winning_cells};
use plumb::score::{Score, immediate_score};
use plumb::search::Solver;
use serde::{Deserialize, Serialize};

use super::design::{Bound, Design, Table};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Search {
    /// The search of Pascal Pons's tutorial.
    #[default]
    Plain,
    /// Plumb's search, for Plumb's table only.
    Plumb,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// The exact score.
    #[default]
    Strong,
    /// The winner.
    Weak,
}

plumb_lab::display_by_value_name!(Mode, Search);

/// Columns from the centre outwards, left before right as in Pascal Pons's program. A comment in his program says right
/// before left, but that order searches other nodes.
const ORDER: [u32; Standard::WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

pub(crate) struct TableSolver {
    search: Search,
    table: Table,
    keeps_lower: bool,
    nodes: u64,
}

impl TableSolver {
    /// A search with an empty table. `entries` must come from [`Design::entries`].
    pub(super) fn new(search: Search, design: Design, entries: usize) -> Result<Self> {
        let table = Table::new(design, entries)?;
        Ok(Self { search, table, keeps_lower: design.keeps_lower(), nodes: 0 })
    }

    pub(crate) fn forget(&mut self) {
        self.table.clear();
    }

    /// The score of `position`, and the nodes of the search. In weak mode only the sign of the score is right.
    pub(crate) fn solve(&mut self, position: &Position, mode: Mode) -> (Score, u64) {
        if let (Search::Plumb, Table::Bucketed(table)) = (self.search, &self.table) {
            let mut solver = Solver::new(table);
            let score = if mode == Mode::Weak { solver.weak_score(position) } else { solver.score(position) };
            return (score.expect("nothing stops this solver"), solver.nodes());
        }
        self.nodes = 0;
        if let Some(score) = immediate_score(position) {
            return (score, 0);
        }
        let empty = position.empty_cells() as Score;
        let (mut min, mut max) = if mode == Mode::Weak { (-1, 1) } else { (-(empty / 2), (empty + 1) / 2) };
        while min < max {
            let mut middle = min + (max - min) / 2;
            // First the sign of the score, then scores near 0, because their searches are cheap.
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
        (min, self.nodes)
    }

    /// Alpha-beta search of a position that is not over and has no immediate win. A result of at most `alpha` is an upper
    /// bound, a result of at least `beta` a lower bound.
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
        // Neither side wins with its next stone, which limits the score on both sides.
        alpha = alpha.max(-((empty as Score - 2) / 2));
        if alpha >= beta {
            return alpha;
        }
        let greatest = (empty as Score - 1) / 2;
        // Part 11 of the tutorial lowers `beta` after it has probed the table, part 12 before. The order decides which
        // bound is returned, so the nodes differ.
        if self.keeps_lower {
            beta = beta.min(greatest);
            if alpha >= beta {
                return beta;
            }
        }
        let known = self.table.probe(position);
        alpha = alpha.max(known.lower);
        if alpha >= beta {
            return alpha;
        }
        beta = beta.min(greatest).min(known.upper);
        if alpha >= beta {
            return beta;
        }

        // Moves that make more winning cells come first, then central columns.
        let (mut sorted, mut count) = ([(0, 0); ORDER.len()], 0);
        for cell in ORDER.into_iter().rev().map(|column| moves & Standard::default().column(column)) {
            if !cell.is_empty() {
                let wins = winning_cells(Standard::default(), position.own() | cell, position.mask());
                sorted[count] = (cell, wins.count());
                count += 1;
            }
        }
        sorted[..count].sort_by_key(|&(_, rank)| rank);
        for &(cell, _) in sorted[..count].iter().rev() {
            let score = -self.negamax(&position.after(cell), -beta, -alpha);
            if score >= beta {
                let nodes = self.nodes - entered + 1;
                self.table.store(position, Bound::Lower(score), known, nodes);
                return score;
            }
            alpha = alpha.max(score);
        }
        let nodes = self.nodes - entered + 1;
        self.table.store(position, Bound::Upper(alpha), known, nodes);
        alpha
    }
}

#[cfg(test)]
mod tests;
