//! The program `plumb`: parses the arguments, and runs one session on stdin and stdout.

use std::env;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Write};
use std::process::ExitCode;

use plumb::VERSION;
use plumb::daemon::{self, logging};

const HELP: &str = "\
A Connect Four engine that speaks UCI and UGI on its standard streams.

Usage: plumb [bench [threads] [HASH [THREADS [LIMIT]]] | --help | --version]

  bench          run the benchmark and print its node count: with a table of
                 HASH MB (default 16), on THREADS threads (1), on the first
                 LIMIT positions (24); with --hash-sizes in place of HASH,
                 compare tables from 1 MB to 1024 MB, or of a list of sizes such
                 as 1,16,64 after it; with the word threads, compare 1, 2, 4 ...
                 THREADS threads (as many as processors) on the empty board
  -h, --help     print this help
  -V, --version  print the version

While it runs, `help` lists its commands, and `setoption name NAME value VALUE`
sets one of these options:
";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            if io::stdin().is_terminal() && io::stdout().is_terminal() {
                print(&format!("Plumb {VERSION}. Type help for the commands."));
            }
            run(BufReader::new(io::stdin()))
        }
        ["bench", words @ ..] => bench(words),
        ["-h" | "--help"] => print(&format!("{HELP}\n{}", daemon::options_text().trim_end())),
        ["-V" | "--version"] => print(&format!("Plumb {VERSION}")),
        // After a help or version flag, the second word is the unknown argument.
        ["-h" | "--help" | "-V" | "--version", argument, ..] | [argument, ..] => unknown(argument),
    }
}

fn bench(words: &[&str]) -> ExitCode {
    if let Some(flag) = words.iter().find(|word| word.starts_with('-') && **word != daemon::HASH_SIZES) {
        return unknown(flag);
    }
    match daemon::bench_line(words) {
        Ok(line) => run(Cursor::new(line + "\nwait\n")),
        Err(error) => fail(&format!("bench: {error}"), 2),
    }
}

fn unknown(argument: &str) -> ExitCode {
    fail(&format!("unknown argument `{argument}`; `plumb --help` lists the arguments"), 2)
}

fn run(input: impl BufRead + Send + 'static) -> ExitCode {
    logging::init();
    match daemon::run(input, io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if daemon::is_closed(&error) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string(), 1),
    }
}

/// Prints on stdout. A closed pipe is not an error.
fn print(text: &str) -> ExitCode {
    let _ = writeln!(io::stdout(), "{text}");
    ExitCode::SUCCESS
}

fn fail(text: &str, code: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "plumb: {text}");
    ExitCode::from(code)
}
