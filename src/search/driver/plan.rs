//! The steps of a search: depth-limited iterations, null windows and principal variations.

use super::Driver;
use crate::board::{Bits, Geometry};
use crate::book::BookProbe;
use crate::score::{self, Score};
use crate::search::control::Aborted;
use crate::search::evaluation::SOLVABLE_CELLS;
use crate::search::exact::{HORIZON_BUDGETS, WindowSchedule};
use crate::search::heuristic::WIN;
use crate::search::limits::Strength;
use crate::search::strength::WeakPlayer;

/// Nodes of the depth-limited search for a first move to play.
const FIRST_ESTIMATE: u64 = 500;

/// Node budget of each null-window search in the first round of `solve_in_rounds`. Each round multiplies it
/// by four.
const FIRST_ROUND: u64 = 8_000;
const ROUND_GROWTH: u64 = 4;

/// Largest node budget of a round. On boards of at most [`SOLVABLE_CELLS`] cells the next round is unlimited.
const LAST_BUDGET: u64 = 512_000;

/// Nodes of the depth-limited search before a round of null windows, as a share of the round's budget. Most
/// 7x6 positions of a dozen stones are solved by the third round, so estimates must be cheap. On larger
/// boards a deep estimate is worth more after a round without progress.
const ESTIMATE_SHARE: f64 = 0.125;
const ESTIMATE_SHARE_WITHOUT_PROGRESS: f64 = 4.0;

const MAX_DEPTH: u32 = 24;

impl<G: Geometry> Driver<'_, G> {
    pub(in crate::search) fn search(&mut self) -> Result<(), Aborted> {
        let limits = &self.task.limits;
        match self.task.settings.strength {
            Strength::Level(level) => self.play_at_level(level),
            Strength::Full if limits.mate.is_some() => self.search_for_mate(),
            Strength::Full => match limits.depth {
                // A depth up to the end of the game solves the position.
                Some(depth) if depth < self.position.empty_cells() => self.search_to_depth(depth.max(1)),
                _ => self.solve(),
            },
        }
    }

    /// The search without a depth limit. Later steps find nothing to do for a line that an earlier step solved.
    ///
    /// 1. Take bounds from the book and the previous search. On a playing clock, an exact score is enough.
    /// 2. If they suggest a first `beta`, search null windows outwards from it until the first line is solved.
    /// 3. Make a first estimate and look for a near win or loss.
    /// 4. Alternate the depth-limited search and null windows by bisection, with growing budgets.
    fn solve(&mut self) -> Result<(), Aborted> {
        self.root.bound_immediate_losses();
        let first_beta = self.add_prior_knowledge();
        // On a playing clock an exact score ends the search. Otherwise the search also finds the principal
        // variation, which helps later searches past the book.
        if self.is_exact() {
            if self.is_on_clock() {
                return Ok(());
            }
            self.report_all();
        }
        if let Some(beta) = first_beta {
            // An aborted search needs a move to play.
            if !self.is_exact() {
                self.estimate(FIRST_ESTIMATE)?;
            }
            // With an exact score this only completes the principal variation.
            self.search_by(WindowSchedule::near(beta), 0)?;
        }
        self.estimate(FIRST_ESTIMATE)?;
        for budget in HORIZON_BUDGETS {
            self.search_all_lines(&WindowSchedule::horizon(budget))?;
            if self.is_move_decided() {
                return Ok(());
            }
        }
        self.solve_in_rounds()
    }

    fn solve_in_rounds(&mut self) -> Result<(), Aborted> {
        let is_solvable = self.position.geometry().cells() <= SOLVABLE_CELLS;
        let mut budget = FIRST_ROUND;
        let mut estimate_nodes = 0;
        loop {
            self.estimate(estimate_nodes)?;
            let is_last = is_solvable && budget > LAST_BUDGET;
            let bounds_before = self.root.bounds(0);
            self.search_all_lines(&WindowSchedule::from_middle(if is_last { None } else { Some(budget) }))?;
            if is_last || self.is_solved() || self.is_move_decided() {
                return Ok(());
            }
            budget = budget.saturating_mul(ROUND_GROWTH);
            let is_stuck = !is_solvable && self.root.bounds(0) == bounds_before;
            let share = if is_stuck { ESTIMATE_SHARE_WITHOUT_PROGRESS } else { ESTIMATE_SHARE };
            estimate_nodes = (budget as f64 * share) as u64;
        }
    }

    fn search_all_lines(&mut self, schedule: &WindowSchedule) -> Result<(), Aborted> {
        for line_index in 0..self.lines_wanted() {
            self.search_by(schedule.clone(), line_index)?;
        }
        Ok(())
    }

    fn is_move_decided(&self) -> bool {
        self.is_on_clock() && self.has_only_move()
    }

    fn search_to_depth(&mut self, depth: u32) -> Result<(), Aborted> {
        let (geometry, plies) = (self.position.geometry(), self.position.plies());
        for depth in 1..=depth {
            let win = score::score_of_win_within(geometry, depth, plies);
            let mut loss = Score::MIN;
            if depth >= 2 {
                loss = -score::score_of_win_within(geometry, depth - 1, plies + 1);
            }
            for line_index in 0..self.lines_wanted() {
                self.search_by(WindowSchedule::at_ends(win, loss), line_index)?;
            }
            if self.is_solved() {
                break;
            }
            self.exact.control.set_budget(None);
            self.iterate(depth)?;
        }
        Ok(())
    }

    fn search_for_mate(&mut self) -> Result<(), Aborted> {
        self.estimate(FIRST_ESTIMATE)?;
        self.exact.control.set_budget(None);
        let (geometry, plies) = (self.position.geometry(), self.position.plies());
        let win = score::score_of_win_within(geometry, self.task.limits.mate.unwrap_or(1), plies);
        self.search_by(WindowSchedule::at_ends(win, Score::MIN), 0)
    }

    fn play_at_level(&mut self, level: f64) -> Result<(), Aborted> {
        let position = &self.position;
        // The move must not depend on earlier searches.
        self.memory.heuristic.clear();
        let mut player = WeakPlayer::new(level, self.task.settings.seed, position.key().to_wide());
        let limit = self.task.limits.depth.unwrap_or(u32::MAX).clamp(1, position.empty_cells());
        let result = (1..=player.depth.min(limit)).try_for_each(|depth| self.iterate(depth));
        let estimates: Vec<_> = self.root.moves.iter().map(|m| m.estimate).collect();
        self.root.moves.swap(0, player.choose(&estimates));
        result
    }

    /// Adds bounds from the book and the previous search to the root. Returns the first `beta`, from the
    /// first of these sources that has a value:
    ///
    /// 1. the book's score,
    /// 2. one stone past the book's largest number of stones, the book's bounds if they are equal,
    /// 3. the score expected from the previous search, if it is within these bounds,
    /// 4. the book's lower bound plus one.
    fn add_prior_knowledge(&mut self) -> Option<Score> {
        let position = &self.position;
        let prior = self.memory.expected_next.and_then(|expected| expected.in_position(position));
        if let Some((score, is_proven)) = prior
            && is_proven
        {
            self.root.raise_floor(score);
        }
        let mut bounds = None;
        if let Some(book) = self.book {
            if let Some(probe) = BookProbe::new(book, position) {
                let lines = self.lines_wanted();
                let probe = self.exact.book.insert(probe);
                self.expected_score = self.root.add_book_scores(probe, lines);
                if self.expected_score.is_some() {
                    return self.expected_score;
                }
            }
            bounds = book.bounds_past_last_layer(position);
            if bounds.is_some() {
                self.root.add_bounds_past_book(book, self.exact.table);
            }
        }
        let (lower, upper) = bounds.unwrap_or((Score::MIN, Score::MAX));
        self.root.raise_floor(lower);
        self.root.add_upper_bound(upper);
        let expected = prior.map(|(score, _)| score).filter(|score| (lower..=upper).contains(score));
        self.expected_score = if lower == upper { Some(lower) } else { expected };
        let suggested = self.book.and_then(|book| book.extension_move(position));
        if let (Some(column), Some(score)) = (suggested, self.expected_score) {
            self.book_extension_hits += 1;
            self.root.suggest(column, score);
        }
        self.expected_score.or(bounds.map(|_| lower + 1))
    }

    fn estimate(&mut self, nodes: u64) -> Result<(), Aborted> {
        let end = self.exact.control.nodes() + nodes;
        let max_depth = self.position.empty_cells().min(MAX_DEPTH);
        while self.depth < max_depth && self.exact.control.nodes() < end && !self.is_decided() {
            // The iterations of depth 1 and 2 have no node budget, so there is always a move to play.
            let rest = end - self.exact.control.nodes();
            self.exact.control.set_budget(if self.depth < 2 { None } else { Some(rest) });
            match self.iterate(self.depth + 1) {
                Err(Aborted::Step) => break,
                other => other?,
            }
        }
        Ok(())
    }

    /// An iteration of the depth-limited search over the root moves. If aborted, the previous result stays.
    fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        // At full strength without `MultiPV`, only the best move needs a value.
        let all_need_values = self.lines_wanted() > 1 || self.task.settings.strength != Strength::Full;
        let proven = self.root.bounds(0).0;
        let mut best = None;
        let mut results = Vec::with_capacity(self.root.moves.len());
        for (index, m) in self.root.moves.iter().enumerate() {
            if m.is_exact() || (!all_need_values && m.upper < proven) {
                continue;
            }
            let mut line = Vec::new();
            let mut search = |alpha: i32, beta: i32| {
                let (control, heuristic) = (&mut self.exact.control, &mut self.memory.heuristic);
                heuristic.search(control, &m.next, depth - 1, -beta, -alpha, &mut line).map(|value| -value)
            };
            let upper_bound = match best {
                Some(best) if !all_need_values => {
                    Some(search(best, best + 1)?).filter(|&value| value <= best)
                }
                _ => None,
            };
            let value = match upper_bound {
                Some(value) => value,
                None => search(-WIN, WIN)?,
            };
            best = best.max(Some(value));
            results.push((index, value, upper_bound.is_some(), line));
        }
        for (index, value, is_upper_bound, line) in results {
            let m = &mut self.root.moves[index];
            m.set_estimate(value, is_upper_bound);
            m.line = line;
        }
        self.depth = depth;
        self.root.sort(0);
        self.report_all();
        Ok(())
    }

    /// Searches null windows until the best score of the root moves from `line_index` on is exact, or
    /// `schedule` ends.
    fn search_by(&mut self, mut schedule: WindowSchedule, line_index: usize) -> Result<(), Aborted> {
        // Bounds from other `MultiPV` lines may have changed the order of the moves.
        self.root.sort(line_index);
        loop {
            let (lower, upper) = self.root.bounds(line_index);
            if lower >= upper {
                return self.solve_line(line_index);
            }
            let Some(beta) = schedule.next(lower, upper) else { return Ok(()) };
            self.exact.control.set_budget(schedule.budget);
            let nodes_before = self.exact.control.nodes();
            match self.root.null_window(&mut self.exact, beta, line_index) {
                Ok(reached) => {
                    schedule.answered(self.exact.control.nodes() - nodes_before, reached);
                    self.report_bound(beta, line_index);
                }
                Err(Aborted::Step) => schedule.exceeded_budget(),
                Err(Aborted::Stop) => return Err(Aborted::Stop),
            }
        }
    }

    pub(super) fn solve_line(&mut self, line_index: usize) -> Result<(), Aborted> {
        let m = &mut self.root.moves[line_index];
        if m.is_solved {
            return Ok(());
        }
        debug_assert!(m.is_exact(), "bounds that meet are those of the best move");
        m.line.clear();
        self.exact.control.set_budget(None);
        self.exact.extend_line(m.next, -m.lower, &mut m.line)?;
        m.is_solved = true;
        self.report_line(line_index);
        Ok(())
    }
}
