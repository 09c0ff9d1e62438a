//! Conversations with the real process, one file for each arena it has to get along with.

#[path = "../common/mod.rs"]
mod common;

mod book;
mod command_line;
mod cutechess;
mod cutegames;
mod exact_play;
mod fastchess;
mod limits;
mod logging;
mod readme;
mod robustness;
mod searching;
mod variantfishtest;
mod xboard;
