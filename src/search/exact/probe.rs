//! Probes: "is the score of this position at least `beta`?", asked of the book, then of one thread, then of all.
//!
//! Where a search has several threads, all of them ask the same question of the same position with the same table, and
//! the first to have the answer ends the probe for all. [`deferred`](super::deferred) keeps them apart.

use std::sync::Arc;

use super::bounds::{self, BoundRequest};
use super::node::Node;
use super::resolve::{Resolved, resolve};
use super::state::ExactSearch;
use crate::board::{Bits, Geometry, Outcome, Position};
use crate::score::{Score, win_with_stone};
use crate::search::control::{Aborted, Control};
use crate::search::simd::Portable;

/// Nodes of a probe that one thread searches before helpers are started: about a millisecond. Fewer in tests, so that
/// small boards, which minimax can check, are searched by several threads too.
const SINGLE_THREAD_NODES: u64 = if cfg!(test) { 50 } else { 4_000 };

impl<G: Geometry> ExactSearch<'_, G> {
    /// Null-window search of `position`, whether there are forced moves or not; fail-soft: a result of at least `beta` is a
    /// lower bound of its score, a smaller one an upper bound.
    ///
    /// # Errors
    /// If the search was aborted. The table keeps the bounds that were proved on the way.
    pub(crate) fn probe(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        match self.book.as_mut().and_then(|book| book.score(position)) {
            Some(score) => Ok(score),
            None => self.probe_without_book(position, beta),
        }
    }

    /// [`probe`](Self::probe) without a look into the book for `position` itself, so that its best move gets into the
    /// table.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub(crate) fn probe_without_book(
        &mut self,
        position: &Position<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        let Some(team) = self.control.team().cloned() else { return self.probe_on_thread(position, beta) };

        let budget = self.control.shorten_budget(SINGLE_THREAD_NODES);
        let result = self.probe_on_thread(position, beta);
        let has_budget = self.control.restore_budget(budget);
        if result != Err(Aborted::Budget) || !has_budget {
            return result;
        }

        // The search starts again, and the table soon brings it back to where it was.
        let (table, code_path, node_limit) = (self.table(), self.code_path, self.control.node_limit());
        let help = |number| {
            let control = Control::helper(Arc::clone(&team), node_limit);
            let mut helper = ExactSearch::<G>::new(table, control);
            helper.set_thread(number);
            helper.set_code_path(code_path);
            let result = helper.probe_on_thread(position, beta);
            helper.control.report_nodes();
            result.ok()
        };
        // The helpers' node limit counts what all threads have visited so far.
        self.control.report_nodes();
        self.control.set_team_at_work(true);
        let (lead, answer) = team.run(|| self.probe_on_thread(position, beta), help);
        self.control.set_team_at_work(false);
        match lead {
            Err(Aborted::Budget) => answer.ok_or(Aborted::Budget),
            lead => lead,
        }
    }

    /// [`probe_without_book`](Self::probe_without_book) on this thread alone. The recursion wants a quiet node, so the
    /// end of the game, wins at once and forced moves are settled before it.
    pub(super) fn probe_on_thread(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        match position.outcome() {
            Some(Outcome::Draw) => return Ok(0),
            Some(Outcome::Win(_)) => return Ok(-win_with_stone(position.geometry(), position.plies())),
            None => {}
        }
        let node = Node::new(position);
        if !(node.own_wins & node.playable()).is_empty() {
            return Ok(win_with_stone(node.geometry, node.plies + 1));
        }
        match resolve(Portable, node) {
            Resolved::Score(score) => Ok(score),
            Resolved::Quiet { node, same_side } => self.for_side(same_side, beta, |search, beta| {
                let request = BoundRequest { below: beta, examine_fours: true };
                let bound = bounds::upper_bound(Portable, &node, request);
                if bound < beta { Ok(bound) } else { search.search(&node, beta) }
            }),
        }
    }
}
