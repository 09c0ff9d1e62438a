//! A result that says no, as against something that kept the work from being done.

use std::fmt;

/// What an engine or a solver did that makes further work with it pointless, in one sentence. The program then ends
/// with the exit code of a wrong score.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
