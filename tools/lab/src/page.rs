//! `plumb-lab page`: the page to play, analyse and watch.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use plumb::book::EMBEDDED;
use plumb_arena::serve::Site;

use crate::match_command::SavedMatch;
use crate::output::print;
use crate::serve::{PAGE, ServeFlags};

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
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let page = match &arguments.directory {
        Some(directory) => SavedMatch::read(directory)?.page()?,
        None => PAGE.to_owned(),
    };
    let site =
        Site { page: Some(page), book: EMBEDDED, directory: arguments.directory.clone(), solver: None };
    arguments.serve.run(site, "the page is", "", |server| {
        if arguments.no_open || open(server.url()) {
            return Ok(());
        }
        print(format_args!("no browser could be started: open that address in one"))
    })
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
