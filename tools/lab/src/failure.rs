//! A negative result, as opposed to an error that prevented the work.

use std::fmt;

/// A wrong score, or a fault of an engine or solver, in one sentence. The exit code is 1, where that of errors is 2.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}
