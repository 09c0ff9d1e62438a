//! Replies: what an engine sends.

use std::fmt;

use crate::{Info, Move, OptionDeclaration};

/// A line sent by an engine.
///
/// Displaying prints the canonical line without its end; [`parse_reply`](crate::parse_reply) reads it back, and
/// lines of other engines with it. No text in a reply holds a line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …` or `id author …`.
    Id(Id),
    /// `option name … type …`.
    Option(OptionDeclaration),
    /// `uciok`: the end of the list of options.
    UciOk,
    /// `ugiok`: the end of the list of options.
    UgiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove … [ponder …]`: the answer to `go`.
    BestMove {
        /// The move to play; `None`, printed `(none)`, if the game is over.
        best: Option<Move>,
        /// The expected reply, to ponder on.
        ponder: Option<Move>,
    },
    /// `response …`: the answer to `query`.
    Response(Response),
    /// Any other line, such as a row of a printed board, verbatim. Its first word is none of those above.
    Text(String),
}

impl Reply {
    /// `info string …` with this text, which must hold no line end.
    #[must_use]
    pub fn message(text: impl Into<String>) -> Self {
        Self::Info(Info::message(text))
    }
}

/// The identity of the engine. The texts have no blanks at their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// `name`: the engine and its version.
    Name(String),
    /// `author`: its authors.
    Author(String),
}

/// The answer to a [`Query`](crate::Query).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// `true`.
    True,
    /// `false`.
    False,
    /// `p1win`: the first player has won.
    P1Win,
    /// `p2win`: the second player has won.
    P2Win,
    /// `draw`: the board is full and nobody has won.
    Draw,
    /// `none`: the game is not over.
    None,
    /// Any other text: the answer to `query fen`. Not empty, without blanks at its ends.
    Fen(String),
}

/// `true` or `false`.
impl From<bool> for Response {
    fn from(answer: bool) -> Self {
        if answer { Self::True } else { Self::False }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::UgiOk => f.write_str("ugiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove { best, ponder } => {
                match best {
                    None => f.write_str("bestmove (none)")?,
                    Some(best) => write!(f, "bestmove {best}")?,
                }
                ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
            Self::Response(response) => write!(f, "response {response}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Prints the whole line.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
        }
    }
}

/// Prints the text after the word `response`.
impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::True => "true",
            Self::False => "false",
            Self::P1Win => "p1win",
            Self::P2Win => "p2win",
            Self::Draw => "draw",
            Self::None => "none",
            Self::Fen(fen) => fen,
        })
    }
}
