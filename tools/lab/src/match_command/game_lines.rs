//! The output of a running match: a progress bar on a terminal, lines into a file.

use std::io::{IsTerminal, stdout};

use anyhow::Result;
use plumb_arena::record::GameRecord;
use plumb_arena::tally::Tally;

use crate::output::{print, stdout_is_pipe};
use crate::progress::Counter;

/// Lines between two tables of the standings.
const LINES_A_TABLE: usize = 20;

/// Prints the progress of a match.
pub(super) struct GameLines {
    counter: Counter,
    /// Games from one line to the next; 0 for no lines.
    every: usize,
    done: usize,
    total: usize,
}

impl GameLines {
    /// The progress of `total` games, `done` of them already played. The default of `every` is no lines on a
    /// terminal, else one for each game.
    pub(super) fn new(every: Option<usize>, done: usize, total: usize) -> Self {
        let is_terminal = stdout().is_terminal();
        let every = every.unwrap_or(usize::from(!is_terminal));
        let mut counter = Counter::resumed("match", done, total).of("game");
        if every > 0 {
            counter = counter.only_as_bar();
            if stdout_is_pipe() {
                // The reader of the pipe may print on the same terminal, as `tee` does.
                counter = counter.without_bar();
            }
        }
        Self { counter, every, done, total }
    }

    /// Does something that may print.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> Result<T>) -> Result<T> {
        self.counter.aside(print)
    }

    /// Prints the lines after a game, which `tally` contains; returns whether the standings are among them.
    ///
    /// # Errors
    /// If it cannot be printed.
    pub(super) fn game(
        &mut self,
        game: &GameRecord,
        tally: &Tally,
        standings: impl Fn() -> Vec<String>,
    ) -> Result<bool> {
        self.done += 1;
        let Self { every, done, total, .. } = *self;
        self.counter.advance_with(|| standings().join("\n"));
        let is_due = every > 0 && done.is_multiple_of(every);
        let has_table = is_due && done.is_multiple_of(every * LINES_A_TABLE) && done < total;
        let of_game = every == 1 || game.reason.is_fault();
        if !is_due && !of_game {
            return Ok(false);
        }
        let mut parts = Vec::new();
        if of_game {
            parts.push(game.to_string());
        }
        if is_due {
            parts.push(format!("{done} of {total} games{}", score(tally)));
        }
        self.counter.aside(|| {
            print(format_args!("{}", parts.join("; ")))?;
            let table = if has_table { standings() } else { Vec::new() };
            table.iter().try_for_each(|line| print(format_args!("{line}")))
        })?;
        Ok(has_table)
    }
}

/// The score of the first of two engines.
fn score(tally: &Tally) -> String {
    match tally.names() {
        [first, _] => {
            let counts = tally.of(0);
            format!(", {first} +{} ={} -{}", counts.wins(), counts.draws(), counts.losses())
        }
        _ => String::new(),
    }
}
