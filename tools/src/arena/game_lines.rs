//! What is printed while a match goes on: a bar on a terminal, lines into a file.

use std::io::{IsTerminal, stdout};

use anyhow::Result;

use super::record::GameRecord;
use super::tally::Tally;
use crate::output::{print, stdout_is_pipe};
use crate::progress::Counter;

/// Lines between two tables of the standings.
const LINES_A_TABLE: usize = 20;

/// Prints how a match goes.
pub(super) struct GameLines {
    counter: Counter,
    /// Games from one line to the next; 0 for no lines.
    every: usize,
    done: usize,
    total: usize,
}

impl GameLines {
    /// Of `total` games `done` have been played before. Unless it says how many games there are to `every` line, none has
    /// one on a terminal, and else each one.
    pub(super) fn new(every: Option<usize>, done: usize, total: usize) -> Self {
        let is_terminal = stdout().is_terminal();
        let every = every.unwrap_or(usize::from(!is_terminal));
        let mut counter = Counter::resumed("match", done, total).of("game");
        if every > 0 {
            counter = counter.only_as_bar();
            if stdout_is_pipe() {
                // What reads it may well print it on the same terminal, as `tee` does.
                counter = counter.without_bar();
            }
        }
        Self { counter, every, done, total }
    }

    /// Prints what there is to print after a game that is counted in `tally`.
    ///
    /// # Errors
    /// If it cannot be printed.
    pub(super) fn game(
        &mut self,
        game: &GameRecord,
        tally: &Tally,
        standings: impl Fn() -> Vec<String>,
    ) -> Result<()> {
        self.done += 1;
        let Self { every, done, total, .. } = *self;
        self.counter.advance_with(|| standings().join("\n"));
        let is_due = every > 0 && done.is_multiple_of(every);
        let has_table = is_due && done.is_multiple_of(every * LINES_A_TABLE) && done < total;
        let of_game = every == 1 || game.reason.is_fault();
        if !is_due && !of_game {
            return Ok(());
        }
        let mut parts = Vec::new();
        if of_game {
            parts.push(game_line(game));
        }
        if is_due {
            parts.push(format!("{done} of {total} games{}", score(tally)));
        }
        self.counter.aside(|| {
            print(format_args!("{}", parts.join("; ")))?;
            let table = if has_table { standings() } else { Vec::new() };
            table.iter().try_for_each(|line| print(format_args!("{line}")))
        })
    }
}

/// How a match of two stands, for the first engine.
fn score(tally: &Tally) -> String {
    match tally.names() {
        [first, _] => {
            let counts = tally.of(0);
            format!(", {first} +{} ={} -{}", counts.wins(), counts.draws(), counts.losses())
        }
        _ => String::new(),
    }
}

/// A game in a line. People count from 1.
fn game_line(game: &GameRecord) -> String {
    let GameRecord { game, first, second, result, reason, detail, .. } = game;
    let number = game + 1;
    let detail = if detail.is_empty() { String::new() } else { format!(": {detail}") };
    format!("game {number}, {first} against {second}: {result}, {reason}{detail}")
}
