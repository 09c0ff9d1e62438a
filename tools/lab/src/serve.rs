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
/// `GET /solve?pos=4455` answers as connect4.gamesolver.org does: `{"pos":"4455","score":[-4,-3,18,2,2,18,-3]}`. The scores are
/// those after each move, from the mover's view, and 100 for an illegal move. `pos` is a position in any form but bits, and empty
/// for the empty board. `board=8x7` chooses another board, `best=1` adds the best columns, `line=1` a line of perfect play.
///
/// `GET /solve/connect4?position=4455` answers as ludolab.net does, with a list of moves, the best first:
/// `[{"move":"3","score":18.0},…]`. `POST /solve` answers JSON Lines. `/healthz` shows how many positions wait.
///
/// Only this machine reaches the solver, unless `--address` is one that others reach. It answers until Ctrl-C. At most 128
/// positions wait; more get status 429.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{MAX_CONNECTIONS} connections are served at a time.\n\n{EXAMPLES}"))]
pub(crate) struct Arguments {
    #[command(flatten)]
    serve: ServeFlags,
}

const EXAMPLES: &str = "\
Examples:
  plumb-lab serve --threads 2
  plumb-lab serve --address 0.0.0.0:8400 --cors '*'
  curl 'http://127.0.0.1:8400/solve?pos=4455'";

/// Answers until Ctrl-C.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let _server = arguments.serve.start(Site::default(), "the solver answers", "solve?pos=")?;
    exit::wait()
}

/// The heading of the flags of the solver.
const SOLVER: &str = "Solver by HTTP";

/// Positions that wait for a thread.
const QUEUE: usize = 128;

#[derive(clap::Args, Debug)]
struct ServeFlags {
    /// `HOST:PORT` or `PORT` [default: 127.0.0.1:8400].
    ///
    /// If the default port is taken, another port is chosen.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ServeAddress>,
    /// Positions to solve at the same time.
    #[arg(long, value_name = "N", default_value = "1", help_heading = SOLVER)]
    threads: NonZeroUsize,
    /// Size of a table in MB.
    ///
    /// The tables of two boards are kept. Positions of different boards on N threads need up to N + 1 tables.
    #[arg(long, value_name = "MB", default_value_t = 64, help_heading = SOLVER)]
    hash: usize,
    /// Seconds for a position.
    ///
    /// They count from the arrival of the position, or for JSON Lines from the beginning of the search. After that the status is
    /// 503, or the line has an error.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = SOLVER)]
    timeout: Duration,
    /// Origin of pages that may read the answers, such as `https://example.org`.
    ///
    /// `null` is for pages from files, `*` for any page.
    #[arg(long, value_name = "ORIGIN", help_heading = SOLVER)]
    cors: Option<Origin>,
}

impl ServeFlags {
    /// Serves `site` and the solver, and announces what is there at `path`.
    fn start(&self, site: Site, what: &str, path: &str) -> Result<Server> {
        let &Self { threads, hash, timeout, ref cors, .. } = self;
        let solver = SolverSettings { threads, hash, queue: QUEUE, time: timeout, origin: cors.clone() };
        exit::interrupt()?;
        let address = self.address.clone().unwrap_or_default();
        let server = Server::start(&address, Site { solver: Some(solver), ..site }, None)?;
        announce(&server, what, path)?;
        Ok(server)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match seconds {
        Some(seconds) if (1..=86_400_000).contains(&seconds.as_millis()) => Ok(seconds),
        _ => Err("expected seconds from 0.001 to 86400".to_owned()),
    }
}

/// Open the page to play, analyse and watch, in a browser.
///
/// The engine runs in the page itself. With DIRECTORY the page shows the match that is recorded there. Programs can ask for exact
/// scores, as they ask `plumb-lab serve`.
///
/// Only this machine reaches the page, unless `--address` is one that others reach. It is served until Ctrl-C.
#[derive(clap::Args)]
pub(crate) struct PageArguments {
    /// The directory of a match.
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// Print the address without opening a browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    serve: ServeFlags,
}

/// Serves the page until Ctrl-C.
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

/// Opens an address in the browser of the desktop; returns whether a program was started for it.
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
    // It may run as long as the browser.
    command.spawn().is_ok()
}
