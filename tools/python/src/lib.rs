//! The native module of the Python package `plumb_engine`: positions and the exact solver.
//!
//! The module converts between Python and the library `plumb`. Python's `help()` shows the doc comments of classes and
//! methods. The types are in `python/plumb_engine/_native.pyi`.

mod arguments;
mod fork;
mod input;
mod interruptible;
mod interrupts;
mod output;
mod player;
mod position;
mod solver;
mod stones;
mod tie_break;

use pyo3::prelude::*;

type Stones = plumb::board::Position<plumb::board::Board>;

#[pymodule]
mod _native {
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const NO_MOVE: i8 = super::solver::NO_MOVE;
    #[pymodule_export]
    use super::arguments::column;
    #[pymodule_export]
    use super::interruptible::StoppedError;
    #[pymodule_export]
    use super::player::{Player, level_elo};
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::solver::{Solver, plies_of_score};
    #[pymodule_export]
    use super::stones::read_position;
}
