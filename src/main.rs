//! The daemon: wires logger, channels and threads, and turns the end of a session into an exit code.

use std::env;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use crossbeam_channel::Receiver;
use plumb::io::{Arrival, Input, is_closed, spawn_reader};
use plumb::logging;
use plumb::search::worker::Worker;
use plumb::session::options::{Options, terminal_list};
use plumb::session::{Session, SessionError};

const VERSION: &str = concat!("Plumb ", env!("CARGO_PKG_VERSION"));

const HELP: &str = "\
A Connect Four engine that speaks UCI and UGI on its standard streams.

Usage: plumb [bench | --help | --version]

  bench          search the fixed suite, print its node signature and end
  -h, --help     print this
  -V, --version  print the version

Once it runs, `help` lists its commands, and `setoption name NAME value VALUE`
sets one of these options:
";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let words: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => {
            logging::init();
            talk(|| spawn_reader(BufReader::new(io::stdin())))
        }
        ["bench"] => {
            logging::init();
            talk(|| Ok(script(&["bench", "wait"])))
        }
        ["-h" | "--help"] => tell(&format!("{HELP}\n{}", terminal_list().trim_end())),
        ["-V" | "--version"] => tell(VERSION),
        ["bench" | "-h" | "--help" | "-V" | "--version", unknown, ..] | [unknown, ..] => {
            complain(&format!("unknown argument `{unknown}`; `plumb --help` lists those there are"), 2)
        }
    }
}

/// Runs one session with the input that `open` gives.
fn talk(open: impl FnOnce() -> io::Result<Receiver<Arrival>>) -> ExitCode {
    let threads = open().and_then(|input| Ok((input, Worker::spawn(Options::default().hash_megabytes())?)));
    let (input, worker) = match threads {
        Ok(threads) => threads,
        Err(error) => return complain(&format!("cannot start a thread: {error}"), 1),
    };
    match Session::new(worker, io::stdout().lock()).run(&input) {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads any more: not worth a word, and there is nobody to say it to.
        Err(SessionError::Output(error)) if is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => complain(&error.to_string(), 1),
    }
}

/// Input made of these lines.
fn script(lines: &[&str]) -> Receiver<Arrival> {
    let (sender, receiver) = crossbeam_channel::unbounded();
    for line in lines {
        // The receiver is at hand, so sending cannot fail.
        let _ = sender.send(Input::Line((*line).to_owned()).into());
    }
    receiver
}

/// Prints on stdout; a reader who has gone has lost interest, which is no failure.
fn tell(text: &str) -> ExitCode {
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

/// Prints one sentence on stderr.
fn complain(text: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "plumb: {text}");
    ExitCode::from(code)
}
