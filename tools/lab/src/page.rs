//! `plumb-lab page`: the page to play, analyse and watch.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use plumb_arena::serve::{ServeAddress, Server, Site};

use crate::exit;
use crate::match_command::{SavedMatch, page_of_match};
use crate::output::print;
use crate::site::{PAGE, SolverFlags, announce, book};

/// Open the page to play, analyse and watch, in a browser.
///
/// The engine runs in the page itself. With DIRECTORY the page shows the match that is recorded there. Programs ask beside
/// it for exact scores, as of `plumb-lab serve`.
///
/// Only this machine reaches the page, unless `--address` is one that others reach. It is served until Ctrl-C.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The directory of a match, as `plumb-lab match --out` made it.
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    /// Where to serve: `HOST:PORT` or `PORT`. [default: 127.0.0.1:8400, or another port if that is taken]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<ServeAddress>,
    /// Print the address, and open no browser.
    #[arg(long)]
    no_open: bool,
    #[command(flatten)]
    solver: SolverFlags,
}

/// Serves the page until Ctrl-C.
///
/// # Errors
/// If there is no match in the directory, or nothing can listen at the address.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let page = match &arguments.directory {
        Some(directory) => page_of_match(&SavedMatch::read(directory)?)?,
        None => PAGE.to_owned(),
    };
    let (page, directory) = (Some(page), arguments.directory.clone());
    let site = Site { page, book: book(), directory, solver: Some(arguments.solver.settings()) };
    let interrupt = exit::watch(|| {})?;
    let server = Server::start(&arguments.address.clone().unwrap_or_default(), site, None)?;
    announce(&server, "the page is", "")?;
    if !arguments.no_open && !open(server.url()) {
        print(format_args!("no browser could be started: open that address in one"))?;
    }
    // Nothing is ever sent: the channel closes on Ctrl-C.
    let _ = interrupt.channel().recv();
    Ok(())
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
