//! Engine errors that lose a game.

use std::fmt;
use std::time::Duration;

use crate::time_control::MoveLimit;

/// Engine error that loses the game. In the check before a match, it ends the match instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// Program that cannot be started.
    NotStarted(String),
    /// No answer to the handshake.
    NoHandshake(String),
    /// Undeclared option, or value that the engine does not allow.
    InvalidOption(String),
    /// Process that has ended or closed its pipes: exit status and last lines of standard error.
    Gone(String),
    /// An interrupt ended a wait for the engine.
    Interrupted,
    /// No answer to `stop`, or to a command outside of a game, within this time; with the engine's last line.
    Hang(Duration, String),
    /// No `readyok` within this time; with the engine's last line.
    NotReady(Duration, String),
    /// Time of a move, which exceeded the limit.
    Late(Duration, MoveLimit),
    /// Illegal move.
    Illegal(String),
    /// `bestmove` without a readable move.
    Nonsense(String),
    /// Unrequested `bestmove`, and when it came.
    UnrequestedMove(String, &'static str),
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(how) => write!(f, "cannot be started: {how}"),
            Self::NoHandshake(how) | Self::InvalidOption(how) | Self::Gone(how) => f.write_str(how),
            Self::Interrupted => f.write_str("was interrupted"),
            Self::Hang(time, line) => {
                write!(f, "no answer to `stop` within {:.1} s{line}", time.as_secs_f64())
            }
            Self::NotReady(time, line) => {
                write!(f, "no `readyok` within {:.0} s after `isready`{line}", time.as_secs_f64())
            }
            Self::Late(time, limit) => {
                let [time, given, margin] =
                    [*time, limit.time, limit.margin].map(|time| time.as_secs_f64() * 1e3);
                // Three decimals if one decimal would show a time within the limit.
                let decimals = if (time * 10.0).round() > ((given + margin) * 10.0).round() { 1 } else { 3 };
                let given = (given * 10.0).round() / 10.0;
                write!(f, "the move took {time:.decimals$} ms of {given} + {margin} margin")
            }
            Self::Illegal(text) => write!(f, "`{text}` is not legal"),
            Self::Nonsense(line) => write!(f, "`{line}` is no move"),
            Self::UnrequestedMove(line, when) => write!(f, "`{line}` {when}"),
        }
    }
}

impl std::error::Error for EngineFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told() {
        assert_eq!(
            EngineFault::Hang(Duration::from_secs(2), String::new()).to_string(),
            "no answer to `stop` within 2.0 s"
        );
        for (took, given, margin, expected) in [
            (10_400, 10_000, 0, "the move took 10.4 ms of 10 + 0 margin"),
            (10_012, 10_000, 0, "the move took 10.012 ms of 10 + 0 margin"),
            (1_234_567, 1_021_333, 50_000, "the move took 1234.6 ms of 1021.3 + 50 margin"),
        ] {
            let [took, time, margin] = [took, given, margin].map(Duration::from_micros);
            assert_eq!(EngineFault::Late(took, MoveLimit { time, margin }).to_string(), expected);
        }
    }
}
