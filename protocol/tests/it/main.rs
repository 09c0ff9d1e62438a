//! Tests of the grammar, in one program.

mod commands;
mod lines;
mod long_lines;
mod readme;
mod replies;
mod round_trip;
