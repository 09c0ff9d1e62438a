//! The board: sizes as types, positions as bit sets, rules, notations.
//!
//! Everything is generic over [`Geometry`], the board size: a type for each size that is known at compile time
//! ([`StaticGeometry`]; [`Standard`], the default, is the 7x6 board), or [`AnyBoard`] for sizes known at run time, of which
//! [`Board`] is the one for all sizes.
//! Functions that make positions out of nothing come in two forms: for types that determine the size, and with the
//! suffix `_on` for a size given as a value. Two have names of their own: the second form of [`Position::new`] is
//! [`Position::empty`], and `Table::for_board` gives a board to a table that exists; [`Position::from_cells`] has the second
//! form alone.
//!
//! # Columns
//!
//! Columns are numbers from 0 at the left, everywhere in this library. Texts follow the field: column letters from `a`
//! ([`Move`]), or column numbers from 1, as Pascal Pons and others write positions. [`PositionReader`] reads all of them,
//! [`column_names`] writes lists of moves. Rows count from 0 at the bottom in code, from 1 in texts, where they are called
//! ranks.
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
