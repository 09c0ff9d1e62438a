//! One search from start to answer.
//!
//! [`Search`] is the public request; `state` holds a running search, `plan` decides what to search next, `steps` runs
//! iterations and probes, `swindle` chooses among moves that are equally good in theory, `prior` takes in the book and
//! the previous search, and `reporting` emits events.

mod plan;
mod prior;
mod reporting;
mod request;
mod state;
mod steps;
mod swindle;

pub use request::{Search, SearchError};
#[cfg(test)]
pub(super) use state::{Driver, Task};
