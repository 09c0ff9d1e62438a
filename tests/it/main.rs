//! Tests of the library and of the program as a process, in one test program.

mod known_values;

#[cfg(feature = "daemon")]
mod common;
#[cfg(feature = "daemon")]
mod dialogue;
#[cfg(feature = "daemon")]
mod position_table;
