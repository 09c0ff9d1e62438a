//! Null-window searches: the book answers first, then one thread, then all threads.
//!
//! All threads search the same position, and mark the moves under search ([`team`](crate::search::team)). The
//! first result ends the search.

use std::sync::Arc;

use super::bounds::{self, BoundRequest};
use super::negamax::ExactSearch;
use super::node::{Node, Resolved, resolve, table_move};
use super::window::WindowSchedule;
use crate::board::{Bits, Geometry, Position, centre_first};
use crate::book::Book;
use crate::score::{Score, immediate_score, max_score, win_with_stone};
use crate::search::control::Aborted;
use crate::search::simd::Portable;

/// Nodes that one thread searches before helpers start: about a third of a millisecond. Fewer in tests, to
/// start helpers on small boards.
const SINGLE_THREAD_NODES: u64 = if cfg!(test) { 50 } else { 4_000 };

const RETRY_NODES: u64 = 1 << 20;

impl<G: Geometry> ExactSearch<'_, G> {
    /// Fail-soft: a result of at least `beta` is a lower bound of the score, a smaller result an upper bound.
    pub(crate) fn null_window(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        match self.book.as_mut().and_then(|book| book.score(position)) {
            Some(score) => Ok(score),
            None => self.null_window_without_book(position, beta),
        }
    }

    /// Like [`null_window`](Self::null_window), but without the book. Usually stores the best move of
    /// `position` in the table.
    pub(crate) fn null_window_without_book(
        &mut self,
        position: &Position<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        loop {
            let Some(nodes) = self.nodes_to_growth() else { return self.null_window_by_team(position, beta) };
            let nodes_before = self.control.all_nodes();
            let budget = self.control.shorten_budget(nodes);
            let result = self.null_window_by_team(position, beta);
            let has_budget = self.control.restore_budget(budget);
            self.table.add_nodes(self.control.all_nodes() - nodes_before);
            if result != Err(Aborted::Step) || !has_budget {
                return result;
            }
            // The table is full. The next round grows it and repeats the search, which its entries shorten.
        }
    }

    /// Lets a full table grow. Returns the nodes until the next growth, or `None` at its full size.
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

    fn null_window_by_team(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Aborted> {
        let Some(team) = self.control.team.clone() else { return self.null_window_on_thread(position, beta) };

        let budget = self.control.shorten_budget(SINGLE_THREAD_NODES);
        let result = self.null_window_on_thread(position, beta);
        let has_budget = self.control.restore_budget(budget);
        if result != Err(Aborted::Step) || !has_budget {
            return result;
        }

        let (geometry, table, code_path) = (self.geometry, self.table, self.code_path);
        let control = self.control.helper(Arc::clone(&team));
        let help = |number| {
            let mut helper = ExactSearch::new(geometry, table, control.clone());
            helper.set_thread(number);
            helper.code_path = code_path;
            let result = helper.null_window_on_thread(position, beta);
            helper.control.report_nodes();
            result.ok()
        };
        // Helper threads compare the node limit with the reported nodes of all threads.
        self.control.report_nodes();
        self.control.is_team_at_work = true;
        let (lead, answer) = team.run(|| self.null_window_on_thread(position, beta), help);
        self.control.is_team_at_work = false;
        match lead {
            Err(Aborted::Step) => answer.ok_or(Aborted::Step),
            lead => lead,
        }
    }

    /// Settles finished games, immediate wins and forced moves first, because the recursion needs a quiet
    /// node.
    pub(super) fn null_window_on_thread(
        &mut self,
        position: &Position<G>,
        beta: Score,
    ) -> Result<Score, Aborted> {
        if let Some(score) = immediate_score(position) {
            return Ok(score);
        }
        match resolve(Portable, Node::new(position)) {
            Resolved::Score(score) => Ok(score),
            Resolved::Quiet { node, same_side } => self.for_side(same_side, beta, |search, beta| {
                let request = BoundRequest { below: beta, examine_fours: true };
                let bound = bounds::upper_bound(Portable, &node, request);
                if bound < beta { Ok(bound) } else { search.search_node(&node, beta) }
            }),
        }
    }

    /// The exact score of `position`. `known` are its proven lower and upper bound.
    ///
    /// 1. The book's score, up to the book's largest number of stones.
    /// 2. One stone past that, the book's bounds if they are equal.
    /// 3. Null-window searches until the bounds meet. They begin near the book's lower bound, otherwise near
    ///    `guess`.
    ///
    /// `observe` gets each new pair of bounds.
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
            // In two positions of five the book's lower bound is exact, so it is the guess.
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
                match self.null_window(position, beta) {
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

    /// Appends to `line` the columns (from 0) of perfect play from `position`, whose exact score is `score`.
    ///
    /// Moves are searched, the likeliest first, until a move is proved to keep the score.
    ///
    /// Proofs of moves leave only lower bounds in the table. So the first position past the book gets one
    /// more null-window search, for later searches, if the side to move is the same as in `position`. A line
    /// from a position in the book follows the book's extension (moves past its last layer) as long as it
    /// keeps the score.
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
                    self.null_window(&position, score + 1)?;
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

    fn score_keeping_move(&mut self, position: &Position<G>, score: Score) -> Result<G::Bits, Aborted> {
        let geometry = position.geometry();
        let playable = position.playable();
        let winning = position.own_winning_cells() & playable;
        if !winning.is_empty() {
            return Ok(winning.lowest_bit());
        }
        let safe = position.non_losing_moves();
        if safe.is_empty() {
            // Every move loses. Blocking a threat looks natural.
            let threats = position.opponent_winning_cells() & playable;
            return Ok(if threats.is_empty() { playable.lowest_bit() } else { threats.lowest_bit() });
        }
        let from_layer = self.book.as_mut().and_then(|book| book.best_move(position));
        if let Some(column) = from_layer {
            // A best move from the book never loses immediately.
            return Ok(safe & geometry.column(column));
        }
        let mut rest = safe;
        let from_extension = self.book.as_ref().and_then(|probe| probe.book.extension_move(position));
        if let Some(column) = from_extension {
            let cell = rest & geometry.column(column);
            if -self.null_window(&position.after(cell), 1 - score)? >= score {
                return Ok(cell);
            }
            rest &= !cell;
        }
        // The recursion mostly leaves its best move in the table.
        self.null_window(position, score)?;
        for column in table_move(self.table, position).into_iter().chain(centre_first(geometry)) {
            let cell = rest & geometry.column(column);
            if cell.is_empty() {
                continue;
            }
            rest &= !cell;
            // Some move keeps the score, so the last move needs no proof.
            if rest.is_empty() || -self.null_window(&position.after(cell), 1 - score)? >= score {
                return Ok(cell);
            }
        }
        // Reached only if `score` is wrong.
        Ok(safe.lowest_bit())
    }
}
