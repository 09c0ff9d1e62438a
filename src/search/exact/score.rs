//! Exact scores, by as many probes as they take.

use super::state::ExactSearch;
use super::window::WindowSchedule;
use crate::board::{Geometry, Position};
use crate::score::{Score, max_score, win_with_stone};
use crate::search::control::Aborted;

impl<G: Geometry> ExactSearch<'_, G> {
    /// The exact score of `position`, also of one that is over: probes by one schedule after the other until its bounds
    /// meet, the last one without a budget. `observe` is called with the bounds after each probe.
    ///
    /// # Errors
    /// If the search was aborted.
    pub(crate) fn score_by(
        &mut self,
        position: &Position<G>,
        schedules: impl IntoIterator<Item = WindowSchedule>,
        observe: impl FnMut(Score, Score),
    ) -> Result<Score, Aborted> {
        self.score_between(position, (Score::MIN, Score::MAX), schedules, observe)
    }

    /// [`score_by`](Self::score_by) where the score is known to lie within `known`, the lower bound first.
    ///
    /// # Errors
    /// If the search was aborted.
    pub(crate) fn score_between(
        &mut self,
        position: &Position<G>,
        known: (Score, Score),
        schedules: impl IntoIterator<Item = WindowSchedule>,
        mut observe: impl FnMut(Score, Score),
    ) -> Result<Score, Aborted> {
        let (geometry, plies) = (position.geometry(), position.plies());
        let limit = max_score(geometry);
        let mut lower = known.0.max(-limit.min(win_with_stone(geometry, plies.min(geometry.cells()))));
        let mut upper = known.1.min(limit.min(win_with_stone(geometry, plies + 1)));
        for mut schedule in schedules {
            while let Some(beta) = schedule.next(lower, upper) {
                self.control.set_budget(schedule.budget());
                let nodes_before = self.control.all_nodes();
                match self.probe(position, beta) {
                    Ok(value) => {
                        *(if value >= beta { &mut lower } else { &mut upper }) = value;
                        schedule.answered(self.control.all_nodes() - nodes_before, value >= beta);
                    }
                    Err(Aborted::Budget) => {
                        schedule.exceeded_budget();
                        continue;
                    }
                    Err(Aborted::Stop) => return Err(Aborted::Stop),
                }
                observe(lower, upper);
            }
        }
        Ok(lower)
    }
}
