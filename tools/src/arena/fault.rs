//! What an engine can do wrong in a game.

use std::fmt;
use std::time::Duration;

use super::time_control::Limit;

/// Something for which an engine loses the game it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The process has ended, or has closed its pipes.
    Gone(String),
    /// It does not answer the handshake, or has not the options that are to be set.
    Unusable(String),
    /// It did not answer, and did not heed `stop` either.
    Hang(Duration),
    /// The move took this long, which was over the limit.
    Late(Duration, Limit),
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
        matches!(self, Self::Late(..) | Self::Illegal(_) | Self::Nonsense(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gone(how) | Self::Unusable(how) => f.write_str(how),
            Self::Hang(time) => write!(f, "no answer within {:.1} s, nor to `stop`", time.as_secs_f64()),
            Self::Late(time, limit) => late(f, *time, *limit),
            Self::Illegal(text) => write!(f, "`{text}` is not legal"),
            Self::Nonsense(line) => write!(f, "`{line}` is no move"),
            Self::SeveralMoves(line) => write!(f, "`{line}` without being asked"),
        }
    }
}

impl std::error::Error for Fault {}

/// Writes the time of a late move beside what it might have taken: `the move took 10.4 ms of 10 + 0 margin`.
fn late(f: &mut fmt::Formatter<'_>, time: Duration, Limit { time: given, margin }: Limit) -> fmt::Result {
    let [time, given, margin] = [time, given, margin].map(|time| time.as_secs_f64() * 1e3);
    // With one decimal, a move that was hardly late might seem to have been in time.
    let decimals = if (time * 10.0).round() > ((given + margin) * 10.0).round() { 1 } else { 3 };
    let given = (given * 10.0).round() / 10.0;
    write!(f, "the move took {time:.decimals$} ms of {given} + {margin} margin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_move_is_seen_to_be_late() {
        for (took, given, margin, expected) in [
            (10_400, 10_000, 0, "the move took 10.4 ms of 10 + 0 margin"),
            (10_012, 10_000, 0, "the move took 10.012 ms of 10 + 0 margin"),
            (1_234_567, 1_021_333, 50_000, "the move took 1234.6 ms of 1021.3 + 50 margin"),
        ] {
            let [took, time, margin] = [took, given, margin].map(Duration::from_micros);
            assert_eq!(Fault::Late(took, Limit { time, margin }).to_string(), expected);
        }
    }
}
