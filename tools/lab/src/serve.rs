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

/// Serve exact scores by HTTP, until Ctrl-C.
///
/// `GET /solve?pos=4455` is answered as by connect4.gamesolver.org: `{"pos":"4455","score":[-4,-3,18,2,2,18,-3]}`. These are the
/// scores after each move for the side that moves, or 100 for an illegal move. `pos` accepts every form except bits. `board=8x7`
/// selects another board, `best=1` adds the best columns, `line=1` adds a line of perfect play.
///
/// `GET /solve/connect4?position=4455` is answered as by ludolab.net: `[{"move":"3","score":18.0},…]`. `POST /solve` answers JSON
/// Lines. `/healthz` has the number of waiting positions. At most
/// 128 positions wait. Further positions get status 429.
///
/// Only this machine can reach the solver, unless `--address` says otherwise.
#[derive(clap::Args)]
#[command(
    after_help = "\
Examples:
  plumb-lab serve
  plumb-lab serve --threads 4 --hash 256
  plumb-lab serve --address 0.0.0.0:8400 --cors '*'",
    after_long_help = format!("The server accepts up to {MAX_CONNECTIONS} connections at the same time.")
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    serve: ServeFlags,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let _server = arguments.serve.start(Site::default(), "the solver answers", "solve?pos=")?;
    exit::wait()
}

const SOLVER: &str = "Solver by HTTP";

/// Maximum number of waiting positions.
const QUEUE: usize = 128;

#[derive(clap::Args, Debug)]
struct ServeFlags {
    /// Address: `HOST:PORT` or `PORT`. [default: 127.0.0.1:8400]
    ///
    /// If the default port is taken, another port is used.
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ServeAddress>,
    /// Positions to solve at the same time.
    #[arg(long, value_name = "N", default_value = "1", help_heading = SOLVER)]
    threads: NonZeroUsize,
    /// Size of a table in MB.
    ///
    /// The tables of two boards are kept. N threads with different boards need up to N + 1 tables.
    #[arg(long, value_name = "MB", default_value = "64", help_heading = SOLVER, value_parser = crate::arguments::megabytes)]
    hash: usize,
    /// Seconds per position, including the wait.
    ///
    /// Late positions get status 503. A line of JSON Lines gets an error; its time starts with its search.
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = SOLVER)]
    timeout: Duration,
    /// Other site whose pages may read the answers.
    ///
    /// An origin such as `https://example.org`, `null` for pages from files, or `*` for any.
    #[arg(long, value_name = "ORIGIN", help_heading = SOLVER)]
    cors: Option<Origin>,
}

impl ServeFlags {
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
/// The engine runs in the page itself. With DIRECTORY, the page shows a recorded match. The server also answers programs, like
/// `plumb-lab serve`. Only this machine can reach it, unless `--address` says otherwise. Stop it with Ctrl-C.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  plumb-lab page
  plumb-lab page my-match
  plumb-lab page --no-open --address 8400")]
pub(crate) struct PageArguments {
    /// Directory of a match, from `plumb-lab match --out`.
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// Print the address without opening a browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    serve: ServeFlags,
}

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

/// Opens an address in the browser. Returns whether a program was started.
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
    // Does not wait for the program, which may run as long as the browser.
    command.spawn().is_ok()
}
