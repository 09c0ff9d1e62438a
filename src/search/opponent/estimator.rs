//! Estimates of positions, as the features of replies need them.

use super::features::CERTAIN;
use crate::board::{Geometry, Position};
use crate::score::immediate_score;
use crate::search::control::Control;
use crate::search::heuristic::{HeuristicSearch, WIN};

/// The depth-limited search without limits, for fitting the model on positions.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::opponent::Estimator;
///
/// let position: Position<Standard> = "112233".parse()?;
/// assert!(Estimator::new().estimate(&position, 2) > 1000, "the side to move wins at once");
/// # Ok::<(), plumb::board::ParsePositionError>(())
/// ```
pub struct Estimator<G: Geometry>(HeuristicSearch<G>);

impl<G: Geometry> Estimator<G> {
    /// An estimator; it takes about 1 MB.
    #[must_use]
    pub fn new() -> Self {
        Self(HeuristicSearch::new())
    }

    /// The estimate of `position` by a search `depth` plies deep, for the side to move, in centipawn-like units;
    /// [`CERTAIN`] or more for a win, the negative for a loss. It depends on nothing but the arguments.
    pub fn estimate(&mut self, position: &Position<G>, depth: u32) -> i32 {
        if let Some(score) = immediate_score(position) {
            return score.signum() * CERTAIN;
        }
        self.0.clear();
        let Ok(estimate) =
            self.0.search(&mut Control::unlimited(), position, depth, -WIN, WIN, &mut Vec::new())
        else {
            unreachable!("nothing aborts a search without limits");
        };
        estimate
    }
}

impl<G: Geometry> Default for Estimator<G> {
    fn default() -> Self {
        Self::new()
    }
}
