//! The plan of a search: which steps it takes, in which order.

use super::state::Driver;
use crate::board::{Bits, Geometry};
use crate::score::{self, Score};
use crate::search::control::Aborted;
use crate::search::exact::{HORIZON_BUDGETS, WindowSchedule};
use crate::search::limits::Strength;
use crate::search::strength::WeakPlayer;

/// Nodes of the depth-limited search before the first probe, so that there is a move to play.
const FIRST_ESTIMATE: u64 = 500;

/// Rounds of probes from the middle: for each the nodes of the depth-limited search before it, and the budget of a
/// probe. Most positions of a dozen stones are solved by the third round, so estimates may not cost much until then;
/// the others need a move that looks far ahead.
const ROUNDS: [(u64, Option<u64>); 5] = [
    (0, Some(8_000)),
    (4_000, Some(32_000)),
    (16_000, Some(128_000)),
    (64_000, Some(512_000)),
    (256_000, None),
];

impl<G: Geometry> Driver<'_, G> {
    /// Searches until the position is solved as far as the limits ask for.
    ///
    /// # Errors
    /// If the search was aborted; what was found until then is in [`root`](Self::root).
    pub(in crate::search) fn search(&mut self) -> Result<(), Aborted> {
        let limits = self.task.limits;
        match self.task.settings.strength {
            Strength::Level(level) => self.play_at_level(level),
            Strength::Full if limits.mate.is_some() => self.search_for_mate(),
            Strength::Full => match limits.depth {
                // A depth that reaches the end of the game solves the position.
                Some(depth) if depth < self.task.position.empty_cells() => self.search_to_depth(depth.max(1)),
                _ => self.solve(),
            },
        }
    }

    /// The search without a depth: what the book and the search before know, a first estimate, short horizons, then
    /// probes and deeper estimates in turn, with growing budgets, until the position is solved.
    fn solve(&mut self) -> Result<(), Aborted> {
        self.root.bound_immediate_losses();
        let first_beta = self.add_prior_knowledge();
        // On the clock an exact score from the book is played at once. Otherwise there is time for the line to the end
        // of the game, which also prepares the table for the end of the book.
        if self.is_exact() {
            if self.is_on_clock() {
                return Ok(());
            }
            (0..self.lines_wanted()).for_each(|line_index| self.report_line(line_index));
        }
        if let Some(beta) = first_beta {
            // There must be a move to play if the probes are aborted.
            if !self.is_exact() {
                self.estimate(FIRST_ESTIMATE)?;
            }
            self.probe_by(WindowSchedule::near(beta), 0)?;
        }
        self.estimate(FIRST_ESTIMATE)?;
        let horizons = HORIZON_BUDGETS.map(|budget| (0, WindowSchedule::horizon(budget)));
        let rounds = ROUNDS.map(|(nodes, budget)| (nodes, WindowSchedule::middle_within(budget)));
        for (estimate_nodes, schedule) in horizons.into_iter().chain(rounds) {
            self.estimate(estimate_nodes)?;
            for line_index in 0..self.lines_wanted() {
                self.probe_by(schedule.clone(), line_index)?;
            }
            // Time on the clock is better kept for the next moves.
            if self.is_on_clock() && self.has_only_move() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The search to a fixed depth: at each depth every win or loss within it is proved, and the rest estimated.
    fn search_to_depth(&mut self, depth: u32) -> Result<(), Aborted> {
        let (geometry, plies) = (self.task.position.geometry(), self.task.position.plies());
        for depth in 1..=depth {
            let win = score::score_of_win_within(geometry, depth, plies);
            let loss = if depth < 2 {
                Score::MIN
            } else {
                -score::score_of_win_within(geometry, depth - 1, plies + 1)
            };
            for line_index in 0..self.lines_wanted() {
                self.probe_by(WindowSchedule::within(win, loss), line_index)?;
            }
            if self.is_solved() {
                break;
            }
            self.exact.control.set_budget(None);
            self.iterate(depth)?;
        }
        Ok(())
    }

    /// The search for a win within a number of plies.
    fn search_for_mate(&mut self) -> Result<(), Aborted> {
        // There must be a sensible move to play if there is no such win.
        self.estimate(FIRST_ESTIMATE)?;
        self.exact.control.set_budget(None);
        let (geometry, plies) = (self.task.position.geometry(), self.task.position.plies());
        let win = score::score_of_win_within(geometry, self.task.limits.mate.unwrap_or(1), plies);
        self.probe_by(WindowSchedule::within(win, Score::MIN), 0)
    }

    /// The search below full strength: the move of a [`WeakPlayer`] becomes the first at the root.
    ///
    /// # Errors
    /// If the search was aborted; the move is then chosen by the estimates found until then.
    fn play_at_level(&mut self, level: f64) -> Result<(), Aborted> {
        let position = &self.task.position;
        let mut player = WeakPlayer::new(level, self.task.settings.seed, position.key().to_wide());
        let limit = self.task.limits.depth.unwrap_or(u32::MAX).clamp(1, position.empty_cells());
        let result = (1..=player.depth().min(limit)).try_for_each(|depth| self.iterate(depth));
        let estimates: Vec<_> = self.root.moves.iter().map(|m| m.estimate).collect();
        self.root.moves.swap(0, player.choose(&estimates));
        result
    }
}
