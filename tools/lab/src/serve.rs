//! `plumb-lab serve`, the solver by HTTP, and `plumb-lab page`, the page to play, analyse and watch.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::directory::page_of_match;
use plumb_arena::serve::{MAX_CONNECTIONS, Origin, ServeAddress, Server, Site, SolverSettings};

use crate::exit;
use crate::match_command::{PAGE, announce};
use crate::output::print;

/// Answer programs that ask for exact scores by HTTP.
///
/// `GET /solve?pos=4455` is answered as by connect4.gamesolver.org, `{"pos":"4455","score":[-4,-3,18,2,2,18,-3]}`: the score
/// after each move from the mover's view, 100 where no move is legal. `pos` is a position in any form but bits that the
/// other commands read, empty for the empty board. `board=8x7` is another board, `best=1` adds the best columns, `line=1` a
/// line of perfect play. `GET /solve/connect4?position=4455` is answered as by ludolab.net, with a list of moves, the best
/// first: `[{"move":"3","score":18.0},…]`. `POST /solve` answers JSON Lines, `/healthz` tells how many positions wait.
///
/// Only this machine reaches the solver, unless `--address` is one that others reach. It answers until Ctrl-C.
#[derive(clap::Args)]
#[command(after_long_help = format!("{MAX_CONNECTIONS} connections are served at a time."))]
pub(crate) struct Arguments {
    #[command(flatten)]
    serve: ServeFlags,
}

/// Answers until Ctrl-C.
///
/// # Errors
/// If nothing can listen at the address.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let _server = arguments.serve.start(Site::default(), "the solver answers", "solve?pos=")?;
    exit::wait()
}

/// The heading of the flags of the solver.
const SOLVER: &str = "Solver by HTTP";

/// The flags of commands that serve until Ctrl-C.
#[derive(clap::Args, Debug)]
struct ServeFlags {
    /// Where to serve: `HOST:PORT` or `PORT`. [default: 127.0.0.1:8400, or another port if that is taken]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ServeAddress>,
    /// Positions to solve at the same time.
    #[arg(long, value_name = "N", default_value = "1", help_heading = SOLVER)]
    threads: NonZeroUsize,
    /// Size of a table in MB. The tables of two boards are kept; positions of different boards on N threads need up to N + 1.
    #[arg(long, value_name = "MB", default_value_t = 64, help_heading = SOLVER)]
    hash: usize,
    /// Positions that wait for a thread; more are refused with status 429, but lines of JSON Lines wait.
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = SOLVER)]
    queue: usize,
    /// Seconds for a position from its arrival on, or for a line of JSON Lines from the beginning of its search on; after
    /// that the status is 503, or the line has an error.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = SOLVER)]
    timeout: Duration,
    /// The origin of pages of other sites that may read the answers, such as `https://example.org`; `null` for pages from
    /// files; `*` for any.
    #[arg(long, value_name = "ORIGIN", help_heading = SOLVER)]
    cors: Option<Origin>,
}

impl ServeFlags {
    /// Serves `site` and the solver, and announces what is there at `path`.
    ///
    /// # Errors
    /// If nothing can listen at the address.
    fn start(&self, site: Site, what: &str, path: &str) -> Result<Server> {
        let &Self { threads, hash, queue, timeout, ref cors, .. } = self;
        let solver = SolverSettings { threads, hash, queue, time: timeout, origin: cors.clone() };
        exit::interrupt()?;
        let address = self.address.clone().unwrap_or_default();
        let server = Server::start(&address, Site { solver: Some(solver), ..site }, None)?;
        announce(&server, what, path)?;
        Ok(server)
    }
}

/// A number of seconds above 0.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|seconds| (1..=86_400_000).contains(&seconds.as_millis()))
        .ok_or_else(|| "expected seconds from 0.001 to 86400".to_owned())
}

/// Open the page to play, analyse and watch, in a browser.
///
/// The engine runs in the page itself. With DIRECTORY the page shows the match that is recorded there. Programs ask beside
/// it for exact scores, as of `plumb-lab serve`.
///
/// Only this machine reaches the page, unless `--address` is one that others reach. It is served until Ctrl-C.
#[derive(clap::Args)]
pub(crate) struct PageArguments {
    /// The directory of a match, as `plumb-lab match --out` made it.
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// Print the address, and open no browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    serve: ServeFlags,
}

/// Serves the page until Ctrl-C.
///
/// # Errors
/// If there is no match in the directory, or nothing can listen at the address.
pub(crate) fn page(arguments: &PageArguments) -> Result<()> {
    let page = match &arguments.directory {
        Some(directory) => page_of_match(directory, PAGE)?,
        None => PAGE.to_owned(),
    };
    let site =
        Site { page: Some(page), book: EMBEDDED, directory: arguments.directory.clone(), solver: None };
    let server = arguments.serve.start(site, "the page is", "")?;
    if !arguments.no_open && !open(&server.url) {
        print(format_args!("no browser could be started: open that address in one"))?;
    }
    exit::wait()
}

/// Opens an address in the browser of the desktop; returns whether something was started that does that.
fn open(url: &str) -> bool {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["cmd", "/c", "start", ""]
    } else {
        &["xdg-open"]
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // It may go on for as long as the browser does.
    command.spawn().is_ok()
}
