//! The board: sizes as types, positions as bit sets, threats, strings.
//!
//! Everything here is generic over [`Geometry`]; the game itself is played on [`Standard`].

mod bits;
mod fen;
mod geometry;
mod notation;
mod perft;
mod position;
mod reachable;
mod threats;

pub use bits::{Bits, each_cell};
pub use fen::FenError;
pub(crate) use geometry::centre_first;
pub use geometry::{Geometry, Narrow, Standard, Wide};
pub use notation::MoveError;
pub use perft::perft;
pub use position::{Outcome, Player, Position};
pub(crate) use position::{mirror, table_key};
pub use threats::{has_four, winning_cells};
