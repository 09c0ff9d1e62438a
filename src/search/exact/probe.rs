//! Null-window probes: "is the score of this position at least `beta`?", asked of the book, then of one thread, then of all.
//!
//! Where a search has several threads, all of them ask the same question of the same position with the same table, and
//! the first to have the answer ends the probe for all. Marks keep them apart ([`team`](crate::search::team)).
//!
//! A score takes as many probes as its schedules ask for; a principal variation takes one or more for each move that neither
//! ends the game, nor loses to the next stone, nor stands in the book.

use std::sync::Arc;

use super::bounds::{self, BoundRequest};
use super::node::{Node, Resolved, resolve, table_move};
use super::state::ExactSearch;
use super::window::WindowSchedule;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::book::Book;
use crate::score::{Score, immediate_score, max_score, win_with_stone};
use crate::search::control::Aborted;
use crate::search::simd::Portable;

/// Nodes of a probe that one thread searches before helpers are started: about a third of a millisecond. Fewer in tests, so that
/// small boards, which minimax can check, are searched by several threads too.
const SINGLE_THREAD_NODES: u64 = if cfg!(test) { 50 } else { 4_000 };

/// Nodes after which a search tries again to grow a table that another search used.
const RETRY_NODES: u64 = 1 << 20;

impl<G: Geometry> ExactSearch<'_, G> {
    /// Null-window search of `position`, whether there are forced moves or not; fail-soft: a result of at least `beta` is a
    /// lower bound of its score, a smaller one an upper bound.
    ///
    /// # Errors
    /// If the search or this probe alone was aborted. The table keeps the bounds that were proved on the way.
    pub(crate) fn probe(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        match self.book.as_mut().and_then(|book| book.score(position)) {
            Some(score) => Ok(score),
            None => self.probe_without_book(position, beta),
        }
    }

    /// [`probe`](Self::probe) without the book, for the best move of `position`: a search stores that in the table, unless few
    /// cells are empty or the bounds need no search.
    ///
    /// # Errors
    /// As [`probe`](Self::probe).
    pub(crate) fn probe_without_book(
        &mut self,
        position: &Position<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        loop {
            let Some(nodes) = self.nodes_to_growth() else { return self.probe_by_team(position, beta) };
            let nodes_before = self.control.all_nodes();
            let budget = self.control.shorten_budget(nodes);
            let result = self.probe_by_team(position, beta);
            let has_budget = self.control.restore_budget(budget);
            self.table.add_nodes(self.control.all_nodes() - nodes_before);
            if result != Err(Aborted::Step) || !has_budget {
                return result;
            }
            // The search starts again, and the table soon brings it back to where it was.
        }
    }

    /// Grows the table if it is full. Returns the nodes to visit before it is full again; `None` if it cannot grow any more.
    fn nodes_to_growth(&mut self) -> Option<u64> {
        while self.table.nodes_to_growth()? == 0 {
            if !self.table.grow() {
                return Some(RETRY_NODES);
            }
            self.update_placement();
        }
        let threads = self.control.team.as_ref().map_or(1, |team| team.threads());
        self.table.nodes_to_growth().map(|nodes| nodes.div_ceil(threads))
    }

    /// [`probe_without_book`](Self::probe_without_book) by all threads, while the table keeps its size.
    fn probe_by_team(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        let Some(team) = self.control.team.clone() else { return self.probe_on_thread(position, beta) };

        let budget = self.control.shorten_budget(SINGLE_THREAD_NODES);
        let result = self.probe_on_thread(position, beta);
        let has_budget = self.control.restore_budget(budget);
        if result != Err(Aborted::Step) || !has_budget {
            return result;
        }

        // The search starts again, and the table soon brings it back to where it was.
        let (geometry, table, code_path) = (self.geometry, self.table, self.code_path);
        let control = self.control.helper(Arc::clone(&team));
        let help = |number| {
            let mut helper = ExactSearch::new(geometry, table, control.clone());
            helper.set_thread(number);
            helper.code_path = code_path;
            let result = helper.probe_on_thread(position, beta);
            helper.control.report_nodes();
            result.ok()
        };
        // The helpers' node limit counts what all threads have visited so far.
        self.control.report_nodes();
        self.control.is_team_at_work = true;
        let (lead, answer) = team.run(|| self.probe_on_thread(position, beta), help);
        self.control.is_team_at_work = false;
        match lead {
            Err(Aborted::Step) => answer.ok_or(Aborted::Step),
            lead => lead,
        }
    }

    /// [`probe_without_book`](Self::probe_without_book) on this thread alone. The recursion wants a quiet node, so the
    /// end of the game, wins at once and forced moves are settled before it.
    pub(super) fn probe_on_thread(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        if let Some(score) = immediate_score(position) {
            return Ok(score);
        }
        match resolve(Portable, Node::new(position)) {
            Resolved::Score(score) => Ok(score),
            Resolved::Quiet { node, same_side } => self.for_side(same_side, beta, |search, beta| {
                let request = BoundRequest { below: beta, examine_fours: true };
                let bound = bounds::upper_bound(Portable, &node, request);
                if bound < beta { Ok(bound) } else { search.search(&node, beta) }
            }),
        }
    }

    /// The exact score of `position`, which may be over, for [`Solver`](crate::search::Solver) and the choice among moves that
    /// keep the theoretical result; the driver has a loop of its own. `known` are bounds of the score, the lower one first.
    ///
    /// The score comes from the search's look-up in the book, which is absent past the book's last layer; one stone past that
    /// layer, from the bounds that `book`, the same book, has, if they are equal; else from probes, by one schedule after the
    /// other until the bounds meet, the last one without a budget. Probes begin near the lower of the book's bounds, else near
    /// `guess`. `observe` is called with the bounds after each answered probe, and with a score of the book.
    ///
    /// # Errors
    /// If the search was aborted.
    pub(crate) fn solve(
        &mut self,
        position: &Position<G>,
        book: Option<&Book>,
        mut guess: Option<Score>,
        known: (Score, Score),
        mut observe: impl FnMut(Score, Score),
    ) -> Result<Score, Aborted> {
        let mut book_score =
            self.book.as_mut().and_then(|book| book.score_between(position, known.0, known.1));
        if book_score.is_none() {
            // Just past the last layer, the scores of the positions before bound the score; in two positions of five it is the
            // lower bound, so that one is the guess.
            let bounds = book.and_then(|book| book.bounds_past_last_layer(position));
            book_score = bounds.filter(|(lower, upper)| lower == upper).map(|(score, _)| score);
            guess = bounds.map(|(lower, _)| lower).or(guess);
        }
        if let Some(score) = book_score {
            observe(score, score);
            return Ok(score);
        }
        let (geometry, plies) = (position.geometry(), position.plies());
        let limit = max_score(geometry);
        let mut lower = known.0.max(-limit.min(win_with_stone(geometry, plies)));
        let mut upper = known.1.min(limit.min(win_with_stone(geometry, plies + 1)));
        for mut schedule in WindowSchedule::all(guess) {
            while let Some(beta) = schedule.next(lower, upper) {
                self.control.set_budget(schedule.budget);
                let nodes_before = self.control.nodes();
                match self.probe(position, beta) {
                    Ok(value) => {
                        *(if value >= beta { &mut lower } else { &mut upper }) = value;
                        schedule.answered(self.control.nodes() - nodes_before, value >= beta);
                        observe(lower, upper);
                    }
                    Err(Aborted::Step) => schedule.exceeded_budget(),
                    Err(Aborted::Stop) => return Err(Aborted::Stop),
                }
            }
        }
        Ok(lower)
    }

    /// Appends to `line` the columns (from 0) of perfect play from `position`, whose exact score is `score`, to the end
    /// of the game.
    ///
    /// The likeliest move is probed first, until one is proved to keep the score. Needless are proofs of moves from a layer of
    /// the book, of wins at once, of moves where all lose, and of the last move left. The table need not hold the line any more,
    /// but the proof costs little while the table still holds most of the search that found the score.
    ///
    /// A score from the book has not been searched, and proofs of moves leave only lower bounds in the table. So in the first
    /// position past the book's layers one more probe, whose result nothing here needs, leaves the upper bound there for the
    /// searches that follow; but only if the side to move is that of `position`, whose searches these will be. A line that
    /// begins within the layers follows the book's extension past them, as far as its moves keep the score.
    ///
    /// # Errors
    /// If the search was aborted; `line` then holds the moves found so far.
    pub(crate) fn extend_line(
        &mut self,
        mut position: Position<G>,
        mut score: Score,
        line: &mut Vec<u32>,
    ) -> Result<(), Aborted> {
        let geometry = position.geometry();
        let mut in_book = self.book.is_some();
        let mut is_opponents_turn = false;
        while position.outcome().is_none() {
            if in_book && self.book.as_mut().is_none_or(|book| book.score(&position).is_none()) {
                in_book = false;
                if !is_opponents_turn {
                    self.probe(&position, score + 1)?;
                }
            }
            is_opponents_turn = !is_opponents_turn;
            let cell = self.score_keeping_move(&position, score)?;
            line.push(geometry.column_of(cell));
            position = position.after(cell);
            score = -score;
        }
        Ok(())
    }

    /// The cell of a move that keeps the exact score.
    ///
    /// # Errors
    /// If the search was aborted.
    fn score_keeping_move(&mut self, position: &Position<G>, score: Score) -> Result<G::Bits, Aborted> {
        let geometry = position.geometry();
        let playable = position.playable();
        let winning = position.own_winning_cells() & playable;
        if !winning.is_empty() {
            return Ok(winning.lowest_bit());
        }
        let safe = position.non_losing_moves();
        if safe.is_empty() {
            // Every move loses to the next stone; parrying one of several threats is the natural one to show.
            let threats = position.opponent_winning_cells() & playable;
            return Ok(if threats.is_empty() { playable.lowest_bit() } else { threats.lowest_bit() });
        }
        let from_layer = self.book.as_mut().and_then(|book| book.best_move(position));
        if let Some(column) = from_layer {
            // A move of a layer does not lose at once, not even that of a position that play never reaches: the cell is there.
            return Ok(safe & geometry.column(column));
        }
        let mut rest = safe;
        let from_extension = self.book.as_ref().and_then(|probe| probe.book.extension_move(position));
        if let Some(column) = from_extension {
            let cell = rest & geometry.column(column);
            if -self.probe(&position.after(cell), 1 - score)? >= score {
                return Ok(cell);
            }
            rest &= !cell;
        }
        // The recursion orders moves better than this loop, and mostly leaves its best one in the table.
        self.probe(position, score)?;
        for column in table_move(self.table, position).into_iter().chain(centre_first(geometry)) {
            let cell = rest & geometry.column(column);
            if cell.is_empty() {
                continue;
            }
            rest &= !cell;
            // The last move left needs no proof, as some move keeps the score.
            if rest.is_empty() || -self.probe(&position.after(cell), 1 - score)? >= score {
                return Ok(cell);
            }
        }
        // Only where the extension had the one safe move, and its proof failed, as `score` is not the score.
        Ok(safe.lowest_bit())
    }
}
