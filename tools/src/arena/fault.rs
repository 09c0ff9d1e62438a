//! What an engine can do wrong in a game.

use std::fmt;
use std::time::Duration;

/// Something for which an engine loses the game it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The process has ended, or has closed its pipes.
    Gone(String),
    /// It does not answer the handshake, or has not the options that are to be set.
    Unusable(String),
    /// It did not answer, and did not heed `stop` either.
    Hang(Duration),
    /// The move came too late.
    Late(Duration),
    /// A move that is not legal.
    Illegal(String),
    /// What should be a move is none.
    Nonsense(String),
    /// It has given more moves than it was asked for.
    SeveralMoves(String),
}

impl Fault {
    /// Whether the engine may go on as it is: it listens, and owes nothing.
    pub(super) fn leaves_it_usable(&self) -> bool {
        matches!(self, Self::Late(_) | Self::Illegal(_) | Self::Nonsense(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(how) | Self::Unusable(how) => f.write_str(how),
            Self::Hang(time) => write!(f, "no answer within {:.1} s, nor to `stop`", time.as_secs_f64()),
            Self::Late(time) => write!(f, "the move took {:.0} ms", time.as_secs_f64() * 1e3),
            Self::Illegal(text) => write!(f, "`{text}` is not legal"),
            Self::Nonsense(line) => write!(f, "`{line}` is no move"),
            Self::SeveralMoves(line) => write!(f, "`{line}` without being asked"),
        }
    }
}

impl std::error::Error for Fault {}
