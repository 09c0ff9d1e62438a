//! The plan of a search: which steps it takes, in which order. Its steps are iterations of the depth-limited search,
//! schedules of null-window probes, and principal variations; it begins with what the book and the previous search know.

use super::state::Driver;
use crate::board::{Bits, Geometry};
use crate::book::BookProbe;
use crate::score::{self, Score};
use crate::search::control::Aborted;
use crate::search::exact::{HORIZON_BUDGETS, WindowSchedule};
use crate::search::heuristic::WIN;
use crate::search::limits::Strength;
use crate::search::strength::WeakPlayer;

/// Nodes of the depth-limited search before the first probe, so that there is a move to play.
const FIRST_ESTIMATE: u64 = 500;

/// Budget of a probe in the first round of probes from the middle, in nodes. Each round has four times the budget of the
/// round before.
const FIRST_ROUND: u64 = 8_000;
const ROUND_GROWTH: u64 = 4;

/// Most cells of a board whose positions are all solved in seconds. Such a board has a last round without a budget.
const SOLVABLE_CELLS: u32 = 42;
/// Budget of the last round but one on such a board.
const LAST_BUDGET: u64 = 512_000;

/// Nodes of the depth-limited search before a round, as a share of the budget of a probe. Most positions of a dozen stones of
/// 7x6 are solved by the third round, so estimates may not cost much. On a larger board, probes that tell nothing new are a
/// sign that the position will not be solved. Then a move that looks far ahead is worth more.
const ESTIMATE_SHARE: f64 = 0.125;
const ESTIMATE_SHARE_WITHOUT_PROGRESS: f64 = 4.0;

/// Greatest depth of the depth-limited search where the limits give none.
const MAX_DEPTH: u32 = 24;

impl<G: Geometry> Driver<'_, G> {
    /// Searches until the position is solved as far as the limits ask for.
    ///
    /// # Errors
    /// If the search was aborted; what was found until then is in [`root`](Self::root).
    pub(in crate::search) fn search(&mut self) -> Result<(), Aborted> {
        let limits = &self.task.limits;
        match self.task.settings.strength {
            Strength::Level(level) => self.play_at_level(level),
            Strength::Full if limits.mate.is_some() => self.search_for_mate(),
            Strength::Full => match limits.depth {
                // A depth that reaches the end of the game solves the position.
                Some(depth) if depth < self.position.empty_cells() => self.search_to_depth(depth.max(1)),
                _ => self.solve(),
            },
        }
    }

    /// The search without a depth. Once the position is solved, every step returns immediately.
    ///
    /// 1. Take bounds from the book and the previous search.
    /// 2. If they suggest a first `beta`, probe outwards from it, without a budget, until solved.
    /// 3. Otherwise make a first estimate, and probe for an end of the game that is near.
    /// 4. Alternate estimates and probes from the middle, with growing budgets.
    fn solve(&mut self) -> Result<(), Aborted> {
        self.root.bound_immediate_losses();
        let first_beta = self.add_prior_knowledge();
        // On a playing clock a score that is exact without a probe, mostly from the book, ends this search. With another limit,
        // such as `movetime`, there is time for the line to the end of the game, whose positions the next searches find in the
        // table when the book ends.
        if self.is_exact() {
            if self.is_on_clock() {
                return Ok(());
            }
            self.report_all();
        }
        if let Some(beta) = first_beta {
            // There must be a move to play if the probes are aborted.
            if !self.is_exact() {
                self.estimate(FIRST_ESTIMATE)?;
            }
            // Where the score is exact, `probe_by` probes nothing and only completes the line to the end of the game.
            self.probe_by(WindowSchedule::near(beta), 0)?;
        }
        self.estimate(FIRST_ESTIMATE)?;
        for budget in HORIZON_BUDGETS {
            self.probe_all_lines(&WindowSchedule::horizon(budget))?;
            if self.is_move_decided() {
                return Ok(());
            }
        }
        self.solve_in_rounds()
    }

    /// Estimates and probes from the middle in turn, with growing budgets, until the position is solved.
    fn solve_in_rounds(&mut self) -> Result<(), Aborted> {
        let is_solvable = self.position.geometry().cells() <= SOLVABLE_CELLS;
        let mut budget = FIRST_ROUND;
        let mut estimate_nodes = 0;
        loop {
            self.estimate(estimate_nodes)?;
            let is_last = is_solvable && budget > LAST_BUDGET;
            let bounds_before = self.root.bounds(0);
            self.probe_all_lines(&WindowSchedule::from_middle(if is_last { None } else { Some(budget) }))?;
            if is_last || self.is_solved() || self.is_move_decided() {
                return Ok(());
            }
            budget = budget.saturating_mul(ROUND_GROWTH);
            let is_stuck = !is_solvable && self.root.bounds(0) == bounds_before;
            let share = if is_stuck { ESTIMATE_SHARE_WITHOUT_PROGRESS } else { ESTIMATE_SHARE };
            estimate_nodes = (budget as f64 * share) as u64;
        }
    }

    fn probe_all_lines(&mut self, schedule: &WindowSchedule) -> Result<(), Aborted> {
        for line_index in 0..self.lines_wanted() {
            self.probe_by(schedule.clone(), line_index)?;
        }
        Ok(())
    }

    /// Whether time on a playing clock is better kept for the next moves.
    fn is_move_decided(&self) -> bool {
        self.is_on_clock() && self.has_only_move()
    }

    /// The search to a fixed depth: at each depth every win or loss within it is proved, and the rest estimated.
    fn search_to_depth(&mut self, depth: u32) -> Result<(), Aborted> {
        let (geometry, plies) = (self.position.geometry(), self.position.plies());
        let within = |depth: u32, stones: u32| score::score_of_win_within(geometry, depth, stones);
        for depth in 1..=depth {
            let win = within(depth, plies);
            let loss = if depth < 2 { Score::MIN } else { -within(depth - 1, plies + 1) };
            for line_index in 0..self.lines_wanted() {
                self.probe_by(WindowSchedule::at_ends(win, loss), line_index)?;
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
        let (geometry, plies) = (self.position.geometry(), self.position.plies());
        let win = score::score_of_win_within(geometry, self.task.limits.mate.unwrap_or(1), plies);
        self.probe_by(WindowSchedule::at_ends(win, Score::MIN), 0)
    }

    /// The search below full strength: the move of a [`WeakPlayer`] becomes the first at the root.
    ///
    /// # Errors
    /// If the search was aborted; the move is then chosen by the estimates found until then.
    fn play_at_level(&mut self, level: f64) -> Result<(), Aborted> {
        let position = &self.position;
        // The move depends on position, level and seed, and on no search before.
        self.memory.heuristic.clear();
        let mut player = WeakPlayer::new(level, self.task.settings.seed, position.key().to_wide());
        let limit = self.task.limits.depth.unwrap_or(u32::MAX).clamp(1, position.empty_cells());
        let result = (1..=player.depth.min(limit)).try_for_each(|depth| self.iterate(depth));
        let estimates: Vec<_> = self.root.moves.iter().map(|m| m.estimate).collect();
        self.root.moves.swap(0, player.choose(&estimates));
        result
    }

    /// Adds bounds from the opening book and the previous search to the root, and returns the first `beta`: the book's
    /// score, if it has one; else, one stone past its last layer, the score if the two bounds of
    /// [`Book::bounds_past_last_layer`] are equal; else the score expected from the previous search, if it is within these
    /// bounds; else one above the lower bound, if there is one.
    ///
    /// The exact search gets the book too, unless the position is past its last layer. A move from the book's extension, which
    /// has best moves of some positions past the layers, is suggested to the root: that move should reach the score.
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

    /// Deepens the depth-limited search for about `nodes` nodes.
    ///
    /// # Errors
    /// If the search was aborted.
    fn estimate(&mut self, nodes: u64) -> Result<(), Aborted> {
        let end = self.exact.control.nodes() + nodes;
        let max_depth = self.position.empty_cells().min(MAX_DEPTH);
        while self.depth < max_depth && self.exact.control.nodes() < end && !self.is_decided() {
            // No budget of nodes cuts the first two plies short, so that there is an estimate unless the search itself ends.
            let rest = end - self.exact.control.nodes();
            self.exact.control.set_budget((self.depth >= 2).then_some(rest));
            match self.iterate(self.depth + 1) {
                Err(Aborted::Step) => break,
                other => other?,
            }
        }
        Ok(())
    }

    /// One iteration of the depth-limited search, over the moves whose scores are open.
    ///
    /// # Errors
    /// If it was aborted; the result of the last iteration then stands.
    fn iterate(&mut self, depth: u32) -> Result<(), Aborted> {
        // With one line at full strength only the best move needs an estimate that is more than an upper bound.
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

    /// Probes by `schedule` until the best score among the root moves of index `line_index` and above is exact, and
    /// finds its line; or until the schedule ends.
    ///
    /// # Errors
    /// If the search was aborted.
    fn probe_by(&mut self, mut schedule: WindowSchedule, line_index: usize) -> Result<(), Aborted> {
        // Bounds proved for later lines may have changed the order.
        self.root.sort(line_index);
        loop {
            let (lower, upper) = self.root.bounds(line_index);
            if lower >= upper {
                return self.solve_line(line_index);
            }
            let Some(beta) = schedule.next(lower, upper) else { return Ok(()) };
            self.exact.control.set_budget(schedule.budget);
            let nodes_before = self.exact.control.nodes();
            match self.root.probe(&mut self.exact, beta, line_index) {
                Ok(reached) => {
                    schedule.answered(self.exact.control.nodes() - nodes_before, reached);
                    self.report_probe(beta, line_index);
                }
                Err(Aborted::Step) => schedule.exceeded_budget(),
                Err(Aborted::Stop) => return Err(Aborted::Stop),
            }
        }
    }

    /// Finds the line to the end of the game for the move of the line of this index, whose score is exact.
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
