//! The search.
mod bounds;
mod carried;
mod clock;
mod control;
mod driver;
pub mod evaluation;
mod event;
mod heuristic;
mod immediate;
mod kernel;
mod limits;
mod negamax;
mod ordering;
mod parallel;
mod pv;
mod replies;
mod resolve;
mod root;
mod root_move;
mod schedule;
mod signals;
mod solver;
pub mod strength;
#[cfg(test)]
mod tests;
mod traffic;
pub mod worker;

pub use clock::{Allowance, Overhead};
pub use event::{Bound, SearchEvent, SearchId, SearchInfo, Value};
pub use immediate::without_search;
pub use limits::{Clock, Limits, Settings, Strength};
pub use signals::Signals;
pub use solver::Solver;
pub use traffic::Traffic;
