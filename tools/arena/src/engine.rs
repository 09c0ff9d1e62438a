//! Engines: their descriptions, options and processes.

pub mod affinity;
pub mod child;
pub mod command_line;
pub mod config;
pub mod fault;
mod lines;
pub mod log;
pub mod options;
mod pipes;
pub mod process;
#[cfg(unix)]
mod process_group;
pub mod reference;
pub mod remark;
mod reports;
pub mod session;
