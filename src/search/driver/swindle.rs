//! The choice among moves that are equally good in theory, after the exact search.

use std::collections::HashMap;

use super::state::Driver;
use crate::board::{Geometry, Position};
use crate::score::{Score, immediate_score};
use crate::search::control::Aborted;
use crate::search::exact::{ExactSearch, WindowSchedule};
use crate::search::heuristic::{HeuristicSearch, WIN};
use crate::search::limits::Strength;
use crate::search::swindle::{Candidate, Knowledge, SwindleTree};

/// Most replies of the opponent that the tree looks ahead.
const MAX_DEPTH: u32 = 6;

/// The exact search and the depth-limited one as the tree needs them.
struct Searches<'s, 'a, G: Geometry> {
    exact: &'s mut ExactSearch<'a, G>,
    heuristic: &'s mut HeuristicSearch<G>,
    scores: HashMap<G::Bits, Score>,
    estimates: HashMap<(G::Bits, u32), i32>,
}

impl<G: Geometry> Knowledge<G> for Searches<'_, '_, G> {
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
            None => self.exact.score_by(position, WindowSchedule::all(), |_, _| {})?,
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

impl<G: Geometry> Driver<'_, G> {
    /// Chooses among the moves that keep a theoretical draw or loss, as long as there is time. Without the exact scores
    /// that this takes, the first move stays.
    ///
    /// # Errors
    /// If the search was aborted; the choice by the deepest finished tree then stands.
    pub(super) fn swindle(&mut self) -> Result<(), Aborted> {
        self.memory.opponent.observe(&self.task.position);
        let (lower, upper) = self.root.bounds(0);
        let result = if upper < 0 {
            -1
        } else if (lower, upper) == (0, 0) {
            0
        } else {
            return Ok(());
        };
        if !self.may_swindle() {
            return Ok(());
        }
        let types = self.memory.opponent.shares();
        let position = self.task.position;
        let mut searches = Searches {
            exact: &mut self.exact,
            heuristic: &mut self.memory.heuristic,
            scores: HashMap::new(),
            estimates: HashMap::new(),
        };
        let mut columns = Vec::new();
        for m in &self.root.moves {
            let is_over = m.next.outcome().is_some();
            if result < 0 || if is_over { m.lower == 0 } else { searches.score(&m.next)? == 0 } {
                columns.push(m.column);
            }
        }
        let mut outcome = Ok(());
        let mut choice: Option<Candidate> = None;
        let mut tree = SwindleTree::new(&mut searches);
        let mut columns = columns;
        for depth in 1..=MAX_DEPTH {
            match tree.candidates(&position, &columns, &types, depth) {
                Ok(candidates) => {
                    log::debug!("swindle: depth {depth}, {candidates:?}");
                    let better = |best: Option<Candidate>, one: Candidate| match best {
                        Some(best) if best.points + NOTICEABLE >= one.points => Some(best),
                        _ => Some(one),
                    };
                    let mut ranked = candidates.clone();
                    ranked.sort_by(|one, other| other.points.total_cmp(&one.points));
                    let chosen = candidates.into_iter().fold(None, better);
                    let is_hopeless = chosen.as_ref().is_some_and(|best| best.points < HOPELESS);
                    choice = chosen;
                    if is_hopeless {
                        break;
                    }
                    // The others keep their place in the order of the exact search.
                    ranked.truncate(ROOT_WIDTH);
                    columns.retain(|&column| ranked.iter().any(|one| one.column == column));
                }
                Err(aborted) => {
                    outcome = Err(aborted);
                    break;
                }
            }
            if !tree.is_open() {
                break;
            }
        }
        let Some(Candidate { column, .. }) = choice else { return outcome };
        let next = self.root.moves.iter().find(|m| m.column == column).map(|m| m.next);
        if let Some(next) = next.filter(|next| next.outcome().is_none())
            && let Ok(replies) = tree.expected_replies(&next, column)
        {
            let score = tree.knowledge().scores.get(&next.canonical_key()).copied();
            self.memory.opponent.expect(&replies);
            self.root.choose(column, score);
            self.report_line(0);
        }
        outcome
    }

    fn may_swindle(&self) -> bool {
        let (settings, limits) = (self.task.settings, self.task.limits);
        settings.swindle
            && settings.strength == Strength::Full
            && settings.multi_pv.get() == 1
            && !limits.infinite
            && limits.mate.is_none()
            && limits.depth.is_none()
    }
}

/// Difference of expected points below which the move that the exact search prefers is kept.
const NOTICEABLE: f64 = 1e-4;

/// Number of moves that are looked into further after the first tree: the best of it.
const ROOT_WIDTH: usize = 4;

/// Expected points below which no deeper tree is built.
const HOPELESS: f64 = 0.005;
