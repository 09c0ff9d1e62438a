//! The methods of search that are compared, and the orders in which they try the moves.

use clap::ValueEnum;
use plumb::board::{Geometry, Position, Standard};
use plumb_tools_common::random::Random;
use serde::{Deserialize, Serialize};

/// A method of search to a fixed depth; all find the same value.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Alpha-beta with the full window.
    #[default]
    AlphaBeta,
    /// The same with a transposition table.
    AlphaBetaTable,
    /// Principal variation search: the first move with the full window, the others with a null window first.
    Pvs,
    /// The same with a transposition table.
    PvsTable,
    /// Null windows alone, each at the value of the one before, as in MTD(f).
    NullWindow,
    /// The same with a transposition table.
    NullWindowTable,
}

impl Method {
    /// The methods that differ by nothing but the table, without and with it.
    pub const PAIRS: [(Self, Self); 3] = [
        (Self::AlphaBeta, Self::AlphaBetaTable),
        (Self::Pvs, Self::PvsTable),
        (Self::NullWindow, Self::NullWindowTable),
    ];

    /// Whether it has a transposition table.
    pub fn has_table(self) -> bool {
        matches!(self, Self::AlphaBetaTable | Self::PvsTable | Self::NullWindowTable)
    }
}

crate::display_by_value_name!(Method, Order);

/// The order in which the moves of a position are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Random, drawn at each visit of a position.
    #[default]
    Random,
    /// From left to right.
    Fixed,
    /// From the centre outwards.
    Centre,
}

impl Order {
    /// The playable cells of `position`, in this order, at the beginning of the array; and how many there are.
    pub fn arrange(self, position: &Position, random: &mut Random) -> ([u64; 7], usize) {
        let playable = position.playable();
        let (mut cells, mut count) = ([0; 7], 0);
        let columns = if self == Self::Centre { [3, 2, 4, 1, 5, 0, 6] } else { [0, 1, 2, 3, 4, 5, 6] };
        let in_order = columns.into_iter().map(|column| Standard::default().column(column) & playable);
        for cell in in_order.filter(|&cell| cell != 0) {
            cells[count] = cell;
            count += 1;
        }
        if self == Self::Random {
            random.shuffle(&mut cells[..count]);
        }
        (cells, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_come_in_pairs_without_and_with_a_table() {
        assert_eq!(Method::PAIRS[2].1.to_string(), "null-window-table");
        assert!(Method::PAIRS.iter().all(|(plain, table)| !plain.has_table() && table.has_table()));
    }

    #[test]
    fn each_order_has_every_move_once() {
        let position = Position::from_digits("444444").expect("legal");
        let mut random = Random::new(1, 0);
        let mut columns = |order: Order| {
            let (cells, count) = order.arrange(&position, &mut random);
            cells[..count].iter().map(|&cell| Standard::default().column_of(cell)).collect::<Vec<_>>()
        };
        assert_eq!(columns(Order::Fixed), [0, 1, 2, 4, 5, 6]);
        assert_eq!(columns(Order::Centre), [2, 4, 1, 5, 0, 6]);
        let mut first = [0; 7];
        for _ in 0..6_000 {
            let mut drawn = columns(Order::Random);
            first[drawn[0] as usize] += 1;
            drawn.sort_unstable();
            assert_eq!(drawn, [0, 1, 2, 4, 5, 6]);
        }
        assert!(
            first.iter().enumerate().all(|(column, count)| {
                if column == 3 { *count == 0 } else { (850..1150).contains(count) }
            })
        );
    }
}
