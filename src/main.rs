//! The program `plumb`: arguments in, one session on the standard streams, an exit code out.

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;

use plumb::daemon::{self, logging};

const VERSION: &str = concat!("Plumb ", env!("CARGO_PKG_VERSION"));

const HELP: &str = "\
A Connect Four engine that speaks UCI and UGI on its standard streams.

Usage: plumb [bench | --help | --version]

  bench          run the benchmark and print its node count
  -h, --help     print this help
  -V, --version  print the version

While it runs, `help` lists its commands, and `setoption name NAME value VALUE`
sets one of these options:
";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let words: Vec<_> = arguments.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => run(BufReader::new(io::stdin())),
        ["bench"] => run(&b"bench\nwait\n"[..]),
        ["-h" | "--help"] => print(&format!("{HELP}\n{}", daemon::options_text().trim_end())),
        ["-V" | "--version"] => print(VERSION),
        ["bench" | "-h" | "--help" | "-V" | "--version", unknown, ..] | [unknown, ..] => {
            fail(&format!("unknown argument `{unknown}`; `plumb --help` lists those there are"), 2)
        }
    }
}

/// Runs one session on the lines of `input`.
fn run(input: impl BufRead + Send + 'static) -> ExitCode {
    logging::init();
    match daemon::run(input, io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_closed_output() => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string(), 1),
    }
}

/// Prints on stdout. A reader who is gone is no failure.
fn print(text: &str) -> ExitCode {
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

/// Prints an error on stderr.
fn fail(text: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "plumb: {text}");
    ExitCode::from(code)
}
