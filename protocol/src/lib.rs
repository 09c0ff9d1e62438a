//! The line protocol of Connect Four engines and arenas, as typed values.
//!
//! An arena or a user sends a [`Command`], the engine answers with a [`Reply`]. Each has a parser ([`parse_command`],
//! [`parse_reply`]) and a [`Display`](std::fmt::Display) that prints the canonical line. Parsing a printed line
//! returns an equal value, except that columns past the ninth become letters and times become whole milliseconds.
//!
//! ```
//! use plumb_protocol::{Command, parse_command};
//!
//! let parsed = parse_command("position 4455")?.expect("the line is not blank");
//! assert!(matches!(&parsed.command, Command::Position(position) if position.moves.len() == 4));
//! assert_eq!(parsed.command.to_string(), "position startpos moves 4 4 5 5");
//! # Ok::<(), plumb_protocol::LineError>(())
//! ```
//!
//! # Grammar, not meaning
//!
//! The crate does no input or output and knows no board. A full column, a wrong rank, a FEN with a floating stone and
//! an unknown option all parse. The program reports these errors: each [`Token`] has its text and offset, and
//! [`Token::error`] makes a [`LineError`].
//!
//! # Two dialects
//!
//! UCI and UGI share one grammar. The engine may receive the commands of both at any time. The engine chooses the
//! dialect of its output by the values that it prints.

mod command;
mod go;
mod info;
mod lexeme;
mod moves;
mod reply;
mod token;

pub use command::{Base, Command, Parsed, PositionCommand, Query, command_words, parse_command};
pub use go::{Dialect, Go, MAX_WARNINGS};
pub use info::{Bound, Info, Score, ScoreReport};
pub use moves::{Column, Move, MoveForm};
pub use reply::{OptionDeclaration, OptionKind, Reply, Response, parse_reply};
pub use token::{Expected, LineError, Reason, Token, escaped, most_similar, shortened};

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
