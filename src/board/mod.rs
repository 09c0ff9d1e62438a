//! The board: sizes, positions as bit sets, rules, notations.
//!
//! [`Board`] is a board whose size is known at run time, from `4x4` to `25x4` and `4x31`. Solvers, tables and books
//! accept positions of every [`Geometry`]. [`Standard`] is 7x6 with constant masks, the default geometry of
//! [`Position`]. Functions that create positions have two forms: one for types that determine the size, and one
//! with the suffix `_on` for a size given as a value.
//!
//! # Columns
//!
//! Columns are numbers from 0 at the left, everywhere in this library. Texts have column letters from `a`
//! ([`Move`]), or column numbers from 1. [`PositionReader`] reads both, [`column_names`] writes lists of moves.
//! Rows count from 0 at the bottom in code, and as ranks from 1 in texts.
//!
//! ```
//! use plumb::board::{Move, Position};
//!
//! let mut position: Position = "44444".parse()?; // Five stones in the middle column.
//! position = position.try_play(3)?; // A sixth: column 3 from 0.
//! assert!(position.try_play(3).is_err(), "the column is full");
//! position = position.try_play("e1".parse::<Move>()?)?; // Column 4, where the stone lands on rank 1.
//! assert_eq!(position.legal_columns().collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
//! assert_eq!(position.outcome(), None);
//! println!("{}", position.diagram());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod any;
mod bits;
mod cells;
mod fen;
mod game_tree;
mod geometry;
mod moves;
mod parse_error;
mod position;
mod reader;
mod size;

pub use any::{AnyBoard, Board};
pub(crate) use any::{Kind, each_kind};
pub use bits::{Bits, Layout, each_cell};
pub use game_tree::perft;
pub(crate) use geometry::centre_first;
pub use geometry::{Geometry, Narrow, Standard, StaticGeometry, Wide, has_four, winning_cells};
pub use moves::{ColumnNotation, Move, MoveError, ParseMoveError, column_name, column_names};
pub use parse_error::{ParsePositionError, PositionFault};
pub(crate) use position::mirror;
pub use position::{Outcome, Player, Position};
pub use reader::{Form, PositionReader, ReadPosition, Remedies};
pub use size::{BoardError, BoardSize};
