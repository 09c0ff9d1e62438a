//! `plumb-lab serve`: the solver by HTTP.

use anyhow::Result;
use plumb_arena::serve::{MAX_CONNECTIONS, ServeAddress, Server, Site};

use crate::exit;
use crate::site::{SolverFlags, announce};

/// Answer programs that ask for exact scores by HTTP.
///
/// `GET /solve?pos=4455` is answered as by connect4.gamesolver.org, `{"pos":"4455","score":[-4,-3,18,2,2,18,-3]}`: the
/// score after each move from the mover's view, 100 where no stone fits. `pos` is a position in any form that the other
/// commands read, empty for the empty board. `board=8x7` is another board, `best=1` adds the best columns, `line=1` a line
/// of perfect play. `POST /solve` answers JSON Lines, `/healthz` tells how many positions wait.
///
/// Only this machine reaches the solver, unless `--address` is one that others reach. It answers until Ctrl-C.
#[derive(clap::Args)]
#[command(after_long_help = format!("{MAX_CONNECTIONS} connections are served at a time."))]
pub(crate) struct Arguments {
    /// Where to serve: `HOST:PORT` or `PORT`. [default: 127.0.0.1:8400, or another port if that is taken]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ServeAddress>,
    #[command(flatten)]
    solver: SolverFlags,
}

/// Answers until Ctrl-C.
///
/// # Errors
/// If nothing can listen at the address.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let site = Site { solver: Some(arguments.solver.settings()), ..Site::default() };
    let interrupt = exit::watch(|| {})?;
    let server = Server::start(&arguments.address.clone().unwrap_or_default(), site, None)?;
    announce(&server, "the solver answers", "solve?pos=")?;
    // Nothing is ever sent: the channel closes on Ctrl-C.
    let _ = interrupt.channel().recv();
    Ok(())
}
