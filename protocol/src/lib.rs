//! The line protocol that Connect Four engines and arenas speak, as typed values.
//!
//! One enum per direction: an arena or a user sends a [`Command`], the engine answers with a [`Reply`]. Each has a
//! parser ([`parse_command`], [`parse_reply`]) and a [`Display`](std::fmt::Display) that prints the canonical line
//! without its line end, and parsing what was displayed gives the same value back.
//!
//! ```
//! use plumb_protocol::{Command, parse_command};
//!
//! let parsed = parse_command("position 4455")?.expect("the line is not blank");
//! assert!(matches!(&parsed.command, Command::Position(position) if position.moves.len() == 4));
//! assert_eq!(parsed.command.to_string(), "position startpos moves 4 4 5 5");
//! # Ok::<(), plumb_protocol::SyntaxError>(())
//! ```
//!
//! # What this crate does not know
//!
//! It does no input or output, and it knows no board: a column that is full, a rank that is not the landing rank, a
//! FEN with a floating stone and an option that nobody offers all parse here. Such mistakes are of meaning, not of
//! form, and the one who knows the board reports them; [`Located`] says where in the line the culprit stood.
//!
//! # Two dialects
//!
//! UCI and UGI share one grammar here. Every command of both is understood at any time, and a value displays alike in
//! both; what differs (how a move is spelled, whether `ponder` follows `bestmove`) is in the value itself, so the
//! session decides it. `README.md` beside this crate describes the whole protocol for authors of other programs.

mod column;
mod command;
mod error;
mod go;
mod info;
mod option;
mod parse;
mod position;
mod reply;
mod score;
mod spelling;
mod warning;

pub use column::{Column, Move, MoveForm};
pub use command::{Command, Dialect, Query};
pub use error::{Expected, Located, SyntaxError};
pub use go::Go;
pub use info::Info;
pub use option::{OptionDeclaration, OptionKind};
pub use parse::{MAX_WARNINGS, Parsed, parse_command, parse_moves, parse_reply};
pub use position::{Base, PositionCommand};
pub use reply::{Id, Reply, Response};
pub use score::{Bound, Score, ScoreReport};
pub use spelling::most_similar;
pub use warning::Warning;

/// The README, so that its examples are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
