//! The page that is built into the program, and the announcement of a server that has it.

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::serve::Server;

use crate::output::print;

/// The page as one file, built by `tools/web/build.sh`.
pub(crate) const PAGE: &str = include_str!("../../web/dist/page.html");

/// The opening book for the engine in the page.
pub(crate) fn book() -> Option<&'static [u8]> {
    EMBEDDED
}

/// Prints the address of a server, and who can reach it if others can.
pub(crate) fn announce(server: &Server) -> Result<()> {
    print(format_args!("the page is at {}", server.url()))?;
    server.notice().map_or(Ok(()), |notice| print(format_args!("{notice}")))
}
