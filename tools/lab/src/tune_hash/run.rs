//! The result of one run: a row of the file.

use serde::{Deserialize, Serialize};

use crate::results::Row;

/// One size on one file, once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Run {
    /// Who solved, and how.
    pub setup: String,
    pub suite: String,
    /// Whether the table was kept from one position to the next.
    pub warm: bool,
    pub megabytes: usize,
    /// From 1.
    pub repeat: u32,
    pub positions: usize,
    /// How many of them got a wrong score; some engines guess even at the end of the game.
    pub wrong: usize,
    pub seconds: f64,
    pub nodes: Option<u64>,
    /// How full the table was in the end, from 0 to 1: the mean over the positions.
    pub full: Option<f64>,
    /// The share of looks at the table that found the position.
    pub hits: Option<f64>,
    /// The share of stores that lost another position.
    pub overwrites: Option<f64>,
}

impl Run {
    /// The series of the run: file, and cold or warm.
    pub(super) fn group(&self) -> String {
        format!("{}{}", self.suite, if self.warm { ", warm" } else { "" })
    }
}

impl Row for Run {
    type Key = String;

    fn key(&self) -> String {
        let Self { megabytes, repeat, .. } = self;
        format!("{}, {megabytes} MB, repeat {repeat}", self.group())
    }
}
