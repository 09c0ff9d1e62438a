//! Swindling: chooses a move that keeps the theoretical result, and after which this opponent is likely to
//! err.
//!
//! The expected points of each move follow from a model of the opponent's [replies](super::opponent), by
//! expectimax.
//!
//! The idea: Jansen, "KQKR: Awareness of a Fallible Opponent" (ICCA Journal, 1992); Carmel and Markovitch,
//! "Incorporating Opponent Models into Adversary Search" (1996).

use std::collections::HashMap;
use std::rc::Rc;

use super::control::Aborted;
use super::exact::ExactSearch;
use super::heuristic::{HeuristicSearch, WIN};
use super::opponent::{self, LEAF_DRAWN, LEAF_LOST, Reply, TypeShares, reply_probabilities};
use crate::board::{Geometry, Outcome, Position};
use crate::book::Book;
use crate::score::{Score, immediate_score, plies_to_end};

const LEAST_LIKELY: f64 = 0.03;

const WIDTH: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) struct Candidate {
    pub column: u32,
    /// Expected points: 1 for a win, 0.5 for a draw.
    pub points: f64,
    pub score: Score,
}

pub(in crate::search) struct WeighedReply<G: Geometry> {
    pub column: u32,
    pub next: Position<G>,
    score: Score,
    pub by_type: TypeShares,
}

type WeighedReplies<G> = Rc<[WeighedReply<G>]>;

pub(in crate::search) struct SwindleTree<'s, 'a, G: Geometry> {
    exact: &'s mut ExactSearch<'a, G>,
    heuristic: &'s mut HeuristicSearch,
    book: Option<&'s Book>,
    last: Option<Score>,
    scores: HashMap<G::Bits, Score>,
    estimates: HashMap<(G::Bits, u32), i32>,
    replies: HashMap<(G::Bits, u32), WeighedReplies<G>>,
    /// Whether the last reply tree has a leaf with an estimated value, so a deeper tree may differ.
    pub(in crate::search) is_open: bool,
}

impl<'s, 'a, G: Geometry> SwindleTree<'s, 'a, G> {
    pub(in crate::search) fn new(
        exact: &'s mut ExactSearch<'a, G>,
        heuristic: &'s mut HeuristicSearch,
        book: Option<&'s Book>,
    ) -> Self {
        let (scores, estimates, replies) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { exact, heuristic, book, last: None, scores, estimates, replies, is_open: false }
    }

    fn visit(&mut self, position: &Position<G>) -> Result<(), Aborted> {
        let control = &mut self.exact.control;
        control.set_budget(None);
        control.visit(position.plies())?;
        // A position of the reply tree takes as long as many nodes, so each position polls the limits.
        control.poll()
    }

    pub(in crate::search) fn score(&mut self, position: &Position<G>) -> Result<Score, Aborted> {
        if let Some(score) = immediate_score(position).or_else(|| self.known_score(position)) {
            return Ok(score);
        }
        let nodes_before = self.exact.control.all_nodes();
        let score = self.exact.solve(position, self.book, self.last, (Score::MIN, Score::MAX), |_, _| ())?;
        // A score from the book is a bad guess for positions past the book.
        if self.exact.control.all_nodes() > nodes_before {
            self.last = Some(score);
        }
        self.scores.insert(position.canonical_key(), score);
        Ok(score)
    }

    pub(in crate::search) fn known_score(&self, position: &Position<G>) -> Option<Score> {
        self.scores.get(&position.canonical_key()).copied()
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

    /// Expected points of the moves in `columns`. Each line has at most `depth` replies of the opponent, at least 1.
    pub(in crate::search) fn candidates(
        &mut self,
        position: &Position<G>,
        columns: &[u32],
        types: &TypeShares,
        depth: u32,
    ) -> Result<Vec<Candidate>, Aborted> {
        self.is_open = false;
        let moves = columns.iter().filter_map(|&column| Some((column, position.play(column)?)));
        moves
            .map(|(column, next)| {
                let points = self.after_move(&next, column, types, depth)?;
                // If there is no reply, the move fills the board: a draw.
                let best = self.weighed_replies(&next, column)?.iter().map(|reply| reply.score).max();
                Ok(Candidate { column, points, score: -best.unwrap_or(0) })
            })
            .collect()
    }

    fn after_move(
        &mut self,
        position: &Position<G>,
        last: u32,
        types: &TypeShares,
        depth: u32,
    ) -> Result<f64, Aborted> {
        if position.outcome().is_some() {
            return Ok(points_of_end(position));
        }
        self.visit(position)?;
        let mut points = 0.0;
        for reply in self.weighed_replies(position, last)?.iter() {
            let probability = opponent::probability(types, &reply.by_type);
            let value = if reply.next.outcome().is_some() {
                1.0 - points_of_end(&reply.next)
            } else if reply.score < 0 {
                1.0
            } else {
                let types = opponent::updated(types, &reply.by_type);
                let depth = if probability < LEAST_LIKELY { 1 } else { depth };
                self.before_move(&reply.next, -reply.score, &types, depth - 1)?
            };
            points += probability * value;
        }
        Ok(points)
    }

    fn before_move(
        &mut self,
        position: &Position<G>,
        score: Score,
        types: &TypeShares,
        depth: u32,
    ) -> Result<f64, Aborted> {
        if depth == 0 {
            self.is_open = true;
            return Ok(leaf_value(position, score, types));
        }
        let mut moves = Vec::with_capacity(position.geometry().width() as usize);
        for column in position.legal_columns() {
            let Some(next) = position.play(column) else { continue };
            let keeps = score < 0 || next.outcome().is_some() || self.score(&next)? == 0;
            if keeps {
                moves.push((self.after_move(&next, column, types, 1)?, column, next));
            }
        }
        moves.sort_by(|one, other| other.0.total_cmp(&one.0));
        if depth == 1 {
            return Ok(moves.first().map_or(0.0, |best| best.0));
        }
        moves.truncate(WIDTH);
        let mut best: f64 = 0.0;
        for (_, column, next) in moves {
            best = best.max(self.after_move(&next, column, types, depth)?);
        }
        Ok(best)
    }

    pub(in crate::search) fn weighed_replies(
        &mut self,
        position: &Position<G>,
        last: u32,
    ) -> Result<WeighedReplies<G>, Aborted> {
        if let Some(known) = self.replies.get(&(position.key(), last)) {
            return Ok(Rc::clone(known));
        }
        let mut replies = Vec::with_capacity(position.geometry().width() as usize);
        for column in position.legal_columns() {
            let Some(next) = position.play(column) else { continue };
            replies.push(match immediate_score(&next) {
                Some(score) => {
                    let estimate = -score.signum() * opponent::CERTAIN;
                    Reply { column, score: -score, shallow: estimate, deep: estimate }
                }
                None => Reply {
                    column,
                    score: -self.score(&next)?,
                    shallow: -self.estimate(&next, opponent::SHALLOW - 1)?,
                    deep: -self.estimate(&next, opponent::DEEP - 1)?,
                },
            });
        }
        let features = opponent::features(position, Some(last), &replies);
        let weighed = replies.iter().zip(reply_probabilities(&features)).filter_map(|(reply, by_type)| {
            let &Reply { column, score, .. } = reply;
            Some(WeighedReply { column, next: position.play(column)?, score, by_type })
        });
        let weighed: WeighedReplies<G> = weighed.collect();
        self.replies.insert((position.key(), last), Rc::clone(&weighed));
        Ok(weighed)
    }
}

fn points_of_end<G: Geometry>(position: &Position<G>) -> f64 {
    if position.outcome() == Some(Outcome::Draw) { 0.5 } else { 1.0 }
}

fn leaf_value<G: Geometry>(position: &Position<G>, score: Score, types: &TypeShares) -> f64 {
    let plies = position.plies();
    let stones = f64::from(plies) / 10.0;
    let parity = f64::from(plies % 2);
    let mut value = 0.0;
    for (number, share) in types.iter().enumerate() {
        value += share
            * if score == 0 {
                let [constant, second, growth] = LEAF_DRAWN[number];
                0.5 + 0.5 * logistic(constant + second * parity + growth * stones)
            } else {
                let distance = f64::from(plies_to_end(position.geometry(), score, plies)) / 10.0;
                let [constant, longer, second, growth] = LEAF_LOST[number];
                logistic(constant + longer * distance + second * parity + growth * stones)
            };
    }
    value
}

fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;
    use crate::search::control::Control;
    use crate::search::tests::samples;
    use crate::table::Table;

    fn expected(
        tree: &mut SwindleTree<'_, '_, Standard>,
        position: &Position,
        last: u32,
        types: &TypeShares,
    ) -> f64 {
        if position.outcome().is_some() {
            return points_of_end(position);
        }
        let mut points = 0.0;
        for reply in tree.weighed_replies(position, last).expect("nothing aborts it").iter() {
            let &WeighedReply { next, by_type, .. } = reply;
            let probability = opponent::probability(types, &by_type);
            let types = opponent::updated(types, &by_type);
            let value = if next.outcome().is_some() {
                1.0 - points_of_end(&next)
            } else {
                let score = tree.score(&next).expect("nothing aborts it");
                let after = next.legal_columns().filter_map(|column| Some((column, next.play(column)?)));
                let mut keeps = |after: &Position| {
                    -tree.score(after).expect("nothing aborts it").signum() == score.signum()
                };
                let kept: Vec<_> = after.filter(|(_, after)| keeps(after)).collect();
                let values = kept.into_iter().map(|(column, after)| expected(tree, &after, column, &types));
                if score > 0 { 1.0 } else { values.fold(0.0, f64::max) }
            };
            points += probability * value;
        }
        points
    }

    #[test]
    fn expected_points_are_those_of_the_whole_game() {
        let table = Table::new(1).expect("one megabyte");
        let mut exact = ExactSearch::new(Standard::default(), &table, Control::unlimited());
        let mut heuristic = HeuristicSearch::new();
        let mut tree = SwindleTree::new(&mut exact, &mut heuristic, None);
        let types = opponent::OpponentEstimate::new().shares;
        let mut score_of = |position: &Position| tree.score(position).expect("nothing aborts it");
        let positions = samples::positions(8, 7..=7).map(|position| (position, score_of(&position)));
        let positions: Vec<_> = positions.filter(|&(_, score)| score <= 0).take(25).collect();
        let mut above_theory = 0;
        for (position, score) in positions {
            let theory = if score == 0 { 0.5 } else { 0.0 };
            for column in position.legal_columns() {
                let next = position.play(column).expect("legal");
                if tree.score(&next).expect("nothing aborts it").signum() != -score.signum() {
                    continue;
                }
                let whole = expected(&mut tree, &next, column, &types);
                let candidates = tree.candidates(&position, &[column], &types, 8).expect("nothing aborts it");
                assert!((candidates[0].points - whole).abs() < 0.05, "{position:?} {candidates:?} {whole}");
                assert!(whole >= theory - 1e-9, "{position:?}: {whole}, theory gives {theory}");
                above_theory += usize::from(whole > theory + 0.001);
            }
        }
        assert!(above_theory > 5, "too few opponents that may err: {above_theory}");
    }
}
