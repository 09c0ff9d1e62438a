//! The page that is built into the program, the settings of the solver by HTTP, and the announcement of a server.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::serve::{Origin, Server, SolverSettings};

use crate::output::print;

/// The page as one file, built by `tools/web/build.sh`.
pub(crate) const PAGE: &str = include_str!("../../web/dist/page.html");

/// The settings of the solver.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Solver by HTTP")]
pub(crate) struct SolverFlags {
    /// Positions to solve at the same time.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Size of a table in MB. The tables of two boards are kept; positions of different boards on N threads need up to N + 1.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    hash: usize,
    /// Positions that wait for a thread; more are refused with status 429.
    #[arg(long, value_name = "N", default_value_t = 128)]
    queue: usize,
    /// Seconds for a position from its arrival on, or for a line of JSON Lines from the beginning of its search on; after
    /// that the status is 503.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// The origin of pages of other sites that may read the answers, such as `https://example.org`; `null` for pages from files; `*` for any, by
    /// whatever name they reach this machine.
    #[arg(long, value_name = "ORIGIN")]
    cors: Option<Origin>,
}

impl SolverFlags {
    /// The settings.
    pub(crate) fn settings(&self) -> SolverSettings {
        let Self { threads, hash, queue, timeout, ref cors } = *self;
        SolverSettings { threads, hash, queue, time: timeout, origin: cors.clone() }
    }
}

/// A number of seconds above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|seconds| (1..=86_400_000).contains(&seconds.as_millis()))
        .ok_or_else(|| "expected seconds from 0.001 to 86400".to_owned())
}

/// The opening book for the engine in the page.
pub(crate) fn book() -> Option<&'static [u8]> {
    EMBEDDED
}

/// Prints the address of a server, what is there at `path`, and who is answered if other machines are.
pub(crate) fn announce(server: &Server, what: &str, path: &str) -> Result<()> {
    print(format_args!("{what} at {}{path}", server.url()))?;
    server.notice().map_or(Ok(()), |notice| print(format_args!("{notice}")))
}
