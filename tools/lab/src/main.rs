//! plumb-lab: matches, measurements and opening books for Connect Four engines.

use std::process::ExitCode;

fn main() -> ExitCode {
    plumb_lab::run()
}
