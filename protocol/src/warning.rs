//! Warnings about parts of a `go` that are ignored or read as something else, while the rest of it holds.

use std::fmt;

use crate::SyntaxError;
use crate::error::quoted;

/// A part of a `go` that does not count, or not as it was written. Prints as one line that names it.
///
/// ```
/// use plumb_protocol::parse_command;
///
/// let parsed = parse_command("go dpeth 3 winc -5 nodes")?.expect("the line is not blank");
/// let warnings: Vec<_> = parsed.warnings.iter().map(ToString::to_string).collect();
/// assert_eq!(
///     warnings,
///     [
///         "`dpeth` at byte 3: no such limit; did you mean `depth`?",
///         "`-5` at byte 16: a negative time counts as 0",
///         "`nodes` needs a number",
///     ]
/// );
/// # Ok::<(), plumb_protocol::SyntaxError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The value of a limit is malformed, or a move to search is none; it is left out.
    Malformed(SyntaxError),
    /// The line ends after a limit that takes a number.
    Missing {
        /// The limit.
        keyword: &'static str,
    },
    /// A time below 0, which counts as 0.
    Negative {
        /// The number as it was written, cut to [`SyntaxError::TOKEN_LENGTH`] characters.
        token: String,
        /// Where it begins, in bytes from the beginning of the line.
        offset: usize,
    },
    /// A word that is no limit, and the number after it if there is one; both are left out.
    Unknown {
        /// The word, cut to [`SyntaxError::TOKEN_LENGTH`] characters.
        token: String,
        /// Where it begins, in bytes from the beginning of the line.
        offset: usize,
        /// The limit that it resembles, if there is one.
        similar: Option<&'static str>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Missing { keyword } => write!(f, "`{keyword}` needs a number"),
            Self::Negative { token, offset } => {
                write!(f, "{} at byte {offset}: a negative time counts as 0", quoted(token))
            }
            Self::Unknown { token, offset, similar } => {
                write!(f, "{} at byte {offset}: no such limit", quoted(token))?;
                similar.map_or(Ok(()), |similar| write!(f, "; did you mean `{similar}`?"))
            }
        }
    }
}
