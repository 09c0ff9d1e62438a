//! The choice among moves that are equally good in theory, after the exact search.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::state::Driver;
use crate::board::{Geometry, Position};
use crate::book::Book;
use crate::clock::Instant;
use crate::score::{Score, immediate_score};
use crate::search::control::Aborted;
use crate::search::event::SwindleInfo;
use crate::search::exact::{ExactSearch, WindowSchedule};
use crate::search::heuristic::{HeuristicSearch, WIN};
use crate::search::limits::Strength;
use crate::search::opponent::TypeShares;
use crate::search::swindle::{Candidate, ScoreSource, SwindleTree};

/// Most replies of the opponent that the tree looks ahead.
const MAX_DEPTH: u32 = 6;

/// Number of moves that are searched deeper after the first tree: those with the most expected points, and the preferred move
/// of the exact search besides.
const ROOT_WIDTH: usize = 4;

/// Least gain in expected points for which a move replaces that of the exact search if the game lasts equally long after both.
const NOTICEABLE: f64 = 1e-4;

/// Least gain in expected points for which a move that loses sooner is chosen. By games (`SWINDLE.md`), such moves brought
/// -0.041 ± 0.048 points below this gain, and +0.095 ± 0.128 above it.
const ESTIMATE_ERROR: f64 = 0.05;

/// Expected points of the best move below which no deeper tree is built: the opponent sees its win.
const HOPELESS: f64 = 0.005;

/// Part of the time left for the move that the tree may take on a playing clock: an exact score is known then, so that
/// later moves take little time, but not none.
const CLOCK_SHARE: f64 = 0.25;

/// The same where the time for the move is fixed: an answer of the tree may then be late by the rest, as happens on a busy
/// machine, and still be in time. The tree is at work at nearly every move, so it has to be safer than the exact search.
const MOVE_TIME_SHARE: f64 = 0.75;

/// The exact search and the depth-limited one as the tree needs them.
struct Searches<'s, 'a, G: Geometry> {
    exact: &'s mut ExactSearch<'a, G>,
    heuristic: &'s mut HeuristicSearch<G>,
    book: Option<&'s Book<G>>,
    /// The score found last: the first guess for the next position.
    last: Option<Score>,
    /// Scores found so far, by canonical key.
    scores: HashMap<G::Bits, Score>,
    /// Estimates found so far, by key and depth.
    estimates: HashMap<(G::Bits, u32), i32>,
}

impl<G: Geometry> ScoreSource<G> for Searches<'_, '_, G> {
    fn visit(&mut self, position: &Position<G>) -> Result<(), Aborted> {
        let control = &mut self.exact.control;
        control.set_budget(None);
        control.visit(position.plies())?;
        // A position of the tree takes as long as many nodes of a search.
        control.poll()
    }

    fn score(&mut self, position: &Position<G>) -> Result<Score, Aborted> {
        if let Some(score) = immediate_score(position) {
            return Ok(score);
        }
        if let Some(&score) = self.scores.get(&position.canonical_key()) {
            return Ok(score);
        }
        let in_book = self.exact.book.as_mut().and_then(|book| book.score(position));
        let score = match in_book {
            Some(score) => score,
            None => self.search(position)?,
        };
        self.scores.insert(position.canonical_key(), score);
        Ok(score)
    }

    fn estimate(&mut self, position: &Position<G>, depth: u32) -> Result<i32, Aborted> {
        let key = (position.key(), depth);
        if let Some(&estimate) = self.estimates.get(&key) {
            return Ok(estimate);
        }
        let control = &mut self.exact.control;
        control.set_budget(None);
        let estimate = self.heuristic.search(control, position, depth, -WIN, WIN, &mut Vec::new())?;
        self.estimates.insert(key, estimate);
        Ok(estimate)
    }
}

impl<G: Geometry> Searches<'_, '_, G> {
    /// The exact score of a position that the book does not have.
    ///
    /// # Errors
    /// If the search was aborted.
    fn search(&mut self, position: &Position<G>) -> Result<Score, Aborted> {
        let guess = match self.book.and_then(|book| book.bounds_past_last_layer(position)) {
            Some((lower, upper)) if lower == upper => return Ok(lower),
            Some((lower, _)) => Some(lower),
            None => self.last,
        };
        let report = |_, _| {};
        let score = match guess {
            Some(guess) => self.exact.score_by(position, [WindowSchedule::near(guess)], report)?,
            None => self.exact.score_by(position, WindowSchedule::all(), report)?,
        };
        self.last = Some(score);
        Ok(score)
    }
}

impl<G: Geometry> Driver<'_, G> {
    /// Chooses among the moves that keep a theoretical draw or loss, as long as there is time. Where their exact scores
    /// are not found in time, the first move stays.
    ///
    /// # Errors
    /// If the search was aborted; the choice by the deepest finished tree then stands.
    pub(super) fn swindle(&mut self) -> Result<(), Aborted> {
        // Only where the result is proven: a loss, by an upper bound below 0, or a draw.
        let result = match self.root.bounds(0) {
            (_, ..0) => -1,
            (0, 0) => 0,
            _ => return Ok(()),
        };
        if !self.may_swindle() {
            return Ok(());
        }
        self.limit_time_of_choice();
        let types = self.memory.opponent.shares();
        let position = self.task.position;
        let mut searches = Searches {
            exact: &mut self.exact,
            heuristic: &mut self.memory.heuristic,
            book: self.task.book,
            last: None,
            scores: HashMap::new(),
            estimates: HashMap::new(),
        };
        let mut columns = Vec::new();
        for m in &self.root.moves {
            // Every move of a lost position loses.
            let keeps = result < 0 || m.lower == 0 && m.is_exact() || searches.score(&m.next)? == 0;
            if keeps {
                columns.push(m.column);
            }
        }
        // A move that lets the opponent win with the next stone has no chance but that of an oversight.
        let holds = |column: &u32| position.play(*column).is_some_and(|next| !next.can_win_now());
        if columns.iter().any(holds) {
            columns.retain(holds);
        }
        let preferred = columns.first().copied();
        let mut outcome = Ok(());
        // The candidates of the deepest finished tree, in the order of the exact search, and its depth.
        let mut deepest: Option<(Vec<Candidate>, u32)> = None;
        let mut tree = SwindleTree::new(&mut searches);
        for depth in 1..=MAX_DEPTH {
            let candidates = match tree.candidates(&position, &columns, &types, depth) {
                Ok(candidates) => candidates,
                Err(aborted) => {
                    outcome = Err(aborted);
                    break;
                }
            };
            let mut points: Vec<f64> = candidates.iter().map(|one| one.points).collect();
            points.sort_by(|one, other| other.total_cmp(one));
            let least = points.get(ROOT_WIDTH - 1).copied().unwrap_or(0.0);
            let goes_on = |one: &&Candidate| one.points >= least || Some(one.column) == preferred;
            columns = candidates.iter().filter(goes_on).map(|one| one.column).collect();
            deepest = Some((candidates, depth));
            if !tree.is_open() || points.first().is_none_or(|best| *best < HOPELESS) {
                break;
            }
        }
        let Some((candidates, depth)) = deepest else { return outcome };
        let Some(&of_exact_search) = candidates.iter().find(|one| Some(one.column) == preferred) else {
            return outcome;
        };
        let better = |best: Candidate, one: &Candidate| {
            let needed = match one.score.cmp(&best.score) {
                Ordering::Less => ESTIMATE_ERROR,
                Ordering::Equal => NOTICEABLE,
                Ordering::Greater => -NOTICEABLE,
            };
            if one.points > best.points + needed { *one } else { best }
        };
        let choice = candidates.iter().fold(of_exact_search, better);
        let chosen = self.root.moves.iter().find(|m| m.column == choice.column).map(|m| m.next);
        let Some(next) = chosen.filter(|next| next.outcome().is_none()) else { return outcome };
        let Ok(replies) = tree.expected_replies(&next, choice.column) else { return outcome };
        let score = tree.source().scores.get(&next.canonical_key()).copied();
        let probability =
            |by_type: &TypeShares| types.iter().zip(by_type).map(|(one, other)| one * other).sum::<f64>();
        let likeliest =
            replies.iter().max_by(|one, other| probability(&one.1).total_cmp(&probability(&other.1)));
        let reply =
            likeliest.and_then(|(after, _)| next.legal_columns().find(|&c| next.play(c) == Some(*after)));
        self.memory.opponent.expect(replies);
        let permille = |points: f64| (1000.0 * points).round() as u16;
        self.swindle = Some(SwindleInfo {
            column: choice.column,
            expected: permille(choice.points),
            preferred: of_exact_search.column,
            expected_of_preferred: permille(of_exact_search.points),
            depth,
        });
        log::debug!("{:?}", self.swindle);
        self.root.choose(choice.column, score, reply);
        self.report_line(0);
        outcome
    }

    /// Whether settings and limits allow it.
    fn may_swindle(&self) -> bool {
        let (settings, limits) = (self.task.settings, self.task.limits);
        settings.swindle
            && settings.strength == Strength::Full
            && settings.multi_pv.get() == 1
            && !limits.infinite
            && limits.mate.is_none()
            && limits.depth.is_none()
    }

    /// Lets the tree have its share of the time left for the choice.
    fn limit_time_of_choice(&mut self) {
        let limits = self.task.limits;
        if let Some(time) = self.task.time_budget.choice.filter(|_| !limits.ponder && !limits.infinite) {
            let now = Instant::now();
            let left = (self.task.start + time).saturating_duration_since(now);
            let share = if self.is_on_clock() { CLOCK_SHARE } else { MOVE_TIME_SHARE };
            self.exact.control.set_deadline(Some(now + left.mul_f64(share)));
        }
    }
}
