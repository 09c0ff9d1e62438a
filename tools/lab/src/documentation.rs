//! `plumb-lab man` and `plumb-lab completions`: manual pages and completions of the shell, from the definitions of the
//! commands.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_complete::Shell;

use crate::output::print;

/// Print the manual page, or write those of all commands: `plumb-lab man --out ~/.local/share/man/man1`.
#[derive(clap::Args)]
pub(crate) struct ManArguments {
    /// Directory for the pages of all commands, created if it does not exist.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Print completions for a shell: `plumb-lab completions bash > ~/.local/share/bash-completion/completions/plumb-lab`.
#[derive(clap::Args)]
pub(crate) struct CompletionArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints or writes manual pages of `command`.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn man(command: Command, arguments: &ManArguments) -> Result<()> {
    let Some(directory) = &arguments.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return print_bytes(&page);
    };
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .with_context(|| format!("cannot write to `{}`", directory.display()))
}

/// Prints completions of `command`.
///
/// # Errors
/// If they cannot be printed.
pub(crate) fn completions(mut command: Command, arguments: &CompletionArguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "plumb-lab", &mut script);
    print_bytes(&script)
}

fn print_bytes(text: &[u8]) -> Result<()> {
    print(format_args!("{}", String::from_utf8_lossy(text).trim_end()))
}
