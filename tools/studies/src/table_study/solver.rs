//! The searches that are compared, each over a table: that of Pascal Pons's tutorial and nothing more, over any design, so
//! that what differs between two runs is the table alone; and Plumb's own.
//!
//! Source: Pascal Pons, "Solving Connect 4", parts 4 to 12. It is followed to the letter where that decides which nodes
//! are visited: a node is one call of `Plain::negamax`, as he counts it, and its published numbers come out.

use anyhow::Result;
use clap::ValueEnum;
use plumb::board::{Bits, Geometry, Position, Standard, StaticGeometry, winning_cells};
use plumb::score::{Score, immediate_score};
use plumb::search::Solver;
use serde::{Deserialize, Serialize};

use super::design::{Bound, Bucketed, Cache, Crt, Design, FullKey, Kind, NoTable, PackedKey, TwoTables};
use plumb_lab::table_size::Size;

/// The searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// The search of Pascal Pons's tutorial, and nothing more.
    #[default]
    Plain,
    /// Plumb's own, which goes with its own table only.
    Plumb,
}

/// The kind of score that is solved for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The exact score.
    #[default]
    Strong,
    /// Who wins.
    Weak,
}

plumb_lab::display_by_value_name!(Mode, Search);

/// A search over a table. It is called through a pointer once a position; within it nothing is.
pub trait TableSolver {
    /// Empties the table.
    fn forget(&mut self);

    /// The score of `position`, in weak mode only its sign being right, and the nodes of the search.
    fn solve(&mut self, position: &Position, mode: Mode) -> (Score, u64);
}

/// The columns from the centre outwards, left before right as Pons's program works them out; a comment in it says right
/// before left, which comes to other nodes.
const ORDER: [u32; Standard::WIDTH as usize] = [3, 2, 4, 1, 5, 0, 6];

/// The search over a table.
pub(super) struct Plain<D> {
    table: D,
    nodes: u64,
}

impl<D: Design> Plain<D> {
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
        alpha = alpha.max(-((empty as Score - 2) / 2));
        if alpha >= beta {
            return alpha;
        }
        let greatest = (empty as Score - 1) / 2;
        let key = D::key(position);
        // Part 11 looks into the table before it narrows the window from above, part 12 after it has done so: that
        // decides how much a bound tells that is returned, and with it the nodes that follow.
        if D::KEEPS_LOWER {
            beta = beta.min(greatest);
            if alpha >= beta {
                return beta;
            }
        }
        let known = self.table.probe(key);
        alpha = alpha.max(known.lower);
        if alpha >= beta {
            return alpha;
        }
        beta = beta.min(greatest).min(known.upper);
        if alpha >= beta {
            return beta;
        }

        // By the cells with which they would win next, most first, of equal ones in the order of columns.
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
                self.table.store(key, Bound::Lower(score), known, nodes);
                return score;
            }
            alpha = alpha.max(score);
        }
        let nodes = self.nodes - entered + 1;
        self.table.store(key, Bound::Upper(alpha), known, nodes);
        alpha
    }
}

impl<D: Design> TableSolver for Plain<D> {
    fn forget(&mut self) {
        self.table.clear();
    }

    fn solve(&mut self, position: &Position, mode: Mode) -> (Score, u64) {
        self.nodes = 0;
        if let Some(score) = immediate_score(position) {
            return (score, 0);
        }
        let empty = position.empty_cells() as Score;
        let (mut min, mut max) = if mode == Mode::Weak { (-1, 1) } else { (-(empty / 2), (empty + 1) / 2) };
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
        (min, self.nodes)
    }
}

/// Makes the search over a table of so many entries.
type Build = fn(usize) -> Result<Box<dyn TableSolver>>;

/// The entries and bytes of a table of a design in `size`, or in the design's own size if none is given, and the plain search
/// over it.
///
/// # Errors
/// If the design cannot have that size.
pub(super) fn plain(design: Kind, size: Option<Size>) -> Result<(usize, usize, Build)> {
    fn of<D: Design + 'static>(size: Option<Size>) -> Result<(usize, usize, Build)> {
        let entries = D::entries(size.unwrap_or(D::DEFAULT))?;
        let build: Build = |entries| Ok(Box::new(Plain { table: D::new(entries)?, nodes: 0 }));
        Ok((entries, entries.saturating_mul(D::ENTRY_BYTES), build))
    }
    match design {
        Kind::None => of::<NoTable>(size),
        Kind::FullKey => of::<FullKey>(size),
        Kind::PackedKey => of::<PackedKey>(size),
        Kind::CrtUpper => of::<Crt<false>>(size),
        Kind::CrtBounds => of::<Crt<true>>(size),
        Kind::TwoTables => of::<TwoTables>(size),
        Kind::Lru => of::<Cache>(size),
        Kind::Bucketed => of::<Bucketed>(size),
    }
}

/// Plumb's own search over its own table.
impl TableSolver for Bucketed {
    fn forget(&mut self) {
        self.clear();
    }

    fn solve(&mut self, position: &Position, mode: Mode) -> (Score, u64) {
        let mut solver = Solver::new(&self.0);
        let score = if mode == Mode::Weak { solver.weak_score(position) } else { solver.score(position) };
        (score.expect("nothing stops this solver"), solver.nodes())
    }
}

#[cfg(test)]
mod tests;
