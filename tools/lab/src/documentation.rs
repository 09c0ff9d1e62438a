//! `plumb-lab man` and `plumb-lab completions`: manual pages and shell completions.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Arg, Command};
use clap_complete::Shell;
use plumb::VERSION;
use plumb::daemon::options_text;

use crate::output::print;

#[derive(Clone, Copy, clap::ValueEnum)]
enum Program {
    /// The engine.
    Plumb,
    /// `plumb-lab`.
    PlumbLab,
}

/// Print or write manual pages.
///
/// `plumb-lab man --out ~/.local/share/man/man1` writes the pages of both programs and of all commands.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  plumb-lab man | man -l -\n  plumb-lab man --program plumb | man -l -\n  \
plumb-lab man --out ~/.local/share/man/man1"
)]
pub(crate) struct ManArguments {
    /// Program whose page is printed.
    #[arg(long, value_enum, default_value = "plumb-lab", conflicts_with = "out")]
    program: Program,
    /// Directory for the pages of all commands.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Print completions for a shell.
///
/// For bash: `plumb-lab completions bash > ~/.local/share/bash-completion/completions/plumb-lab`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  plumb-lab completions bash >~/.local/share/bash-completion/completions/plumb-lab\n  \
plumb-lab completions bash --program plumb >~/.local/share/bash-completion/completions/plumb\n  \
plumb-lab completions fish >~/.config/fish/completions/plumb-lab.fish"
)]
pub(crate) struct CompletionArguments {
    /// Shell.
    #[arg(value_enum)]
    shell: Shell,
    /// Program that the shell completes.
    #[arg(long, value_enum, default_value = "plumb-lab")]
    program: Program,
}

/// Command line of the engine, which does not use clap.
fn engine() -> Command {
    let words = [
        (
            "HASH",
            "Size of the table in MB (default 16); --hash-sizes compares tables from 1 MB to 1024 MB, or of a list of sizes such as 1,16,64 after it, and threads before the size 1, 2, 4 ... THREADS threads",
        ),
        ("THREADS", "Number of threads (default 1; after the word threads, the number of processors)"),
        ("LIMIT", "Number of positions (default 24; after the word threads, 1)"),
    ];
    let bench = Command::new("bench")
        .about("Run the benchmark and print its node count")
        .args(words.map(|(name, help)| Arg::new(name).help(help)));
    Command::new("plumb")
        .version(VERSION)
        .about("A Connect Four engine that speaks UCI and UGI on its standard streams")
        .disable_help_subcommand(true)
        .subcommand(bench)
        .after_help(format!(
            "While it runs, `help` lists its commands, and `setoption name NAME value VALUE` sets one of these \
             options:\n\n{}",
            options_text()
        ))
}

impl Program {
    fn command(self, lab: Command) -> Command {
        match self {
            Self::Plumb => engine(),
            Self::PlumbLab => lab,
        }
    }
}

pub(crate) fn man(command: Command, arguments: &ManArguments) -> Result<()> {
    let Some(directory) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(arguments.program.command(command)).render(&mut page)?;
        return print_bytes(&page);
    };
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .and_then(|()| clap_mangen::generate_to(engine(), directory))
        .with_context(|| format!("cannot write to `{}`", directory.display()))
}

pub(crate) fn completions(command: Command, arguments: &CompletionArguments) -> Result<()> {
    let mut command = arguments.program.command(command);
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    print_bytes(&script)
}

fn print_bytes(text: &[u8]) -> Result<()> {
    print(format_args!("{}", String::from_utf8_lossy(text).trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_s_page_has_its_arguments_and_options() {
        let mut page = Vec::new();
        clap_mangen::Man::new(engine()).render(&mut page).expect("memory");
        let page = String::from_utf8(page).expect("text");
        for word in ["bench", "Move Overhead", "Skill Level", "setoption"] {
            assert!(page.contains(word), "{word}");
        }
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut engine(), "plumb", &mut script);
        assert!(String::from_utf8_lossy(&script).contains("bench"));
    }
}
