//! What becomes of the line of a command.

use crate::{Command, LineError};

/// The greatest number of warnings about one line. Further faults are dropped in silence, so that a line with a million
/// faults is not answered by a million lines.
pub const MAX_WARNINGS: usize = 32;

/// A command, and warnings about parts of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<'a> {
    /// The command.
    pub command: Command<'a>,
    /// Parts of a `go` that are ignored, or read as something else; at most [`MAX_WARNINGS`].
    pub warnings: Vec<LineError>,
}
