//! Protocol dialogues with the engine process: a file for each tournament manager and for each topic. Fixed dialogues are in
//! `tests/dialogues.md`.

mod boards;
mod book;
mod command_line;
mod cutechess;
mod cutegames;
mod exact_play;
mod fastchess;
mod limits;
mod logging;
mod positions;
mod random_commands;
mod readme;
mod robustness;
mod searching;
mod soak;
mod variantfishtest;
mod xboard;
