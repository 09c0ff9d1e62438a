//! Faults of engines.

use std::fmt;
use std::time::Duration;

use crate::time_control::MoveLimit;

/// A fault, by which an engine loses its game. An engine that cannot be started ends the match instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFault {
    /// The program cannot be started.
    NotStarted(String),
    /// No answer to the handshake.
    NoHandshake(String),
    /// An option that the engine does not declare, or a value that it does not allow.
    InvalidOption(String),
    /// The process has ended or closed its pipes; with exit status and last words.
    Gone(String),
    /// An interrupt ended a wait for the engine. Any function that waits may return it.
    Interrupted,
    /// No answer to `stop` within this time, and the last line of the engine as the end of a sentence. The engine gets `stop`
    /// when its move is late, or when it ponders on a move that was not played. Callers of
    /// [`ask`](super::session::EngineSession::ask) wait for other answers, and print their own sentence.
    Hang(Duration, String),
    /// No answer to `isready` within this time, and the last line.
    NotReady(Duration, String),
    /// A move that took longer than this limit.
    Late(Duration, MoveLimit),
    /// A move that is not legal.
    Illegal(String),
    /// A `bestmove` line without a readable move.
    Nonsense(String),
    /// An unrequested `bestmove`, and when the engine sent it.
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
