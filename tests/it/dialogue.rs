//! Dialogues with the program as a process: one file for each arena and one for each topic. `tests/dialogues.md` has the
//! dialogues without conditions.

mod boards;
mod book;
mod command_line;
mod cutechess;
mod cutegames;
mod exact_play;
mod limits;
mod logging;
mod positions;
mod random_commands;
mod readme;
mod robustness;
mod searching;
mod soak;
mod variantfishtest;
