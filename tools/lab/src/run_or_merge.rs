//! Commands that do a piece of work, or put the shards of such work together.

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

/// The arguments of a run, or the subcommand `merge` and its arguments.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct RunOrMerge<R: Args, M: Args> {
    #[command(subcommand)]
    command: Option<Command<M>>,
    #[command(flatten)]
    run: Option<R>,
}

#[derive(Subcommand)]
enum Command<M: Args> {
    Merge(M),
}

impl<R: Args, M: Args> RunOrMerge<R, M> {
    /// Does either.
    ///
    /// # Errors
    /// Those of the run or the merge.
    pub(crate) fn act<T>(
        &self,
        run: impl FnOnce(&R) -> Result<T>,
        merge: impl FnOnce(&M) -> Result<T>,
    ) -> Result<T> {
        match (&self.command, &self.run) {
            (Some(Command::Merge(arguments)), _) => merge(arguments),
            (None, Some(arguments)) => run(arguments),
            (None, None) => bail!("expected arguments of a run, or `merge` and shards"),
        }
    }
}
