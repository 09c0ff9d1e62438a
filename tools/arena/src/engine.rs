//! Engines: their descriptions, options and processes.

pub mod affinity;
pub mod command_line;
pub mod config;
pub mod fault;
pub mod info;
pub mod log;
pub mod options;
mod pipes;
pub mod process;
pub mod reference;
pub mod session;
