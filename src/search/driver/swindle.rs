//! Chooses the move of a lost or drawn position by expected points, within the time of the search.

use std::cmp::Ordering;

use super::Driver;
use crate::board::{Geometry, Position};
use crate::clock::Instant;
use crate::search::control::Aborted;
use crate::search::event::SwindleInfo;
use crate::search::limits::Strength;
use crate::search::opponent::{TypeShares, probability};
use crate::search::stop::StopFlag;
use crate::search::swindle::{Candidate, SwindleTree};

const MAX_DEPTH: u32 = 6;

/// Number of root moves in deeper reply trees, in addition to the preferred move of the exact search.
const ROOT_WIDTH: usize = 4;

const NOTICEABLE: f64 = 1e-4;

/// Least gain in expected points for a move that loses sooner. In games such moves brought -0.041 ± 0.048
/// points below this gain, and +0.095 ± 0.128 above it (`tools/research/notes/swindle.md`).
const ESTIMATE_ERROR: f64 = 0.05;

/// If the best move has fewer expected points, no deeper reply tree is built.
const HOPELESS: f64 = 0.005;

/// Share of the move's remaining time for the reply tree, on a playing clock. The score is known, so later
/// moves need little time.
const CLOCK_SHARE: f64 = 0.25;

/// Share of a fixed `movetime` for the reply tree. The remainder is a margin for late answers on a busy
/// machine.
const MOVE_TIME_SHARE: f64 = 0.75;

type Deepest = (Vec<Candidate>, u32);

impl<G: Geometry> Driver<'_, G> {
    /// Chooses a root move by expected points. Keeps the first move if exact scores are not found in time.
    pub(in crate::search) fn swindle(&mut self) -> Result<(), Aborted> {
        // Only with a proven loss (upper bound below 0) or draw.
        let is_lost = match self.root.bounds(0) {
            _ if !self.may_swindle() => return Ok(()),
            (_, ..0) => true,
            (0, 0) => false,
            _ => return Ok(()),
        };
        self.limit_time();
        let types = self.memory.opponent.shares;
        let position = self.position;
        let mut tree = SwindleTree::new(&mut self.exact, &mut self.memory.heuristic, self.book);
        let mut columns = Vec::new();
        for m in &self.root.moves {
            // In a lost position every move keeps the result.
            let keeps = is_lost || m.lower == 0 && m.is_exact() || tree.score(&m.next)? == 0;
            if keeps {
                columns.push(m.column);
            }
        }
        let mut deepest = None;
        let mut outcome = deepen(&mut tree, &position, columns, &types, &mut deepest);
        let Some((depth, preferred, choice)) = deepest.and_then(choice) else { return outcome };
        let chosen = position.play(choice.column);
        let Some(next) = chosen.filter(|next| next.outcome().is_none()) else { return outcome };
        let Ok(replies) = tree.weighed_replies(&next, choice.column) else { return outcome };
        let score = tree.known_score(&next);
        let (mut reply, mut greatest) = (None, 0.0);
        for weighed in replies.iter() {
            let likelihood = probability(&types, &weighed.by_type);
            if likelihood >= greatest {
                (reply, greatest) = (Some(weighed.column), likelihood);
            }
        }
        let expected: Vec<_> = replies.iter().map(|reply| (reply.next, reply.by_type)).collect();
        self.memory.opponent.expect(&expected);
        self.swindle = Some(SwindleInfo {
            column: choice.column,
            expected: permille(choice.points),
            preferred: preferred.column,
            expected_of_preferred: permille(preferred.points),
            depth,
        });
        log::debug!("{:?}", self.swindle);
        self.root.choose(choice.column, score);
        if self.root.moves[0].is_exact() {
            outcome = self.solve_line(0).and(outcome);
        }
        let first = &mut self.root.moves[0];
        if !first.is_solved {
            first.line = reply.into_iter().collect();
        }
        self.report_line(0);
        outcome
    }

    fn may_swindle(&self) -> bool {
        let (settings, limits) = (&self.task.settings, &self.task.limits);
        settings.swindle
            && settings.strength == Strength::Full
            && settings.multi_pv.get() == 1
            && !limits.infinite
            && limits.mate.is_none()
            && limits.depth.is_none()
    }

    fn limit_time(&mut self) {
        let Some(time) = self.time_budget.swindle else { return };
        let share = if self.task.limits.clock.is_some() { CLOCK_SHARE } else { MOVE_TIME_SHARE };
        let control = &mut self.exact.control;
        if let Some(after_hit) = &mut control.time_after_ponder_hit {
            *after_hit = time.mul_f64(share);
            return;
        }
        let start = control.stop.and_then(StopFlag::ponder_hit_time).unwrap_or(self.start);
        let now = Instant::now();
        let left = start.checked_add(time).map(|end| end.saturating_duration_since(now));
        control.deadline = left.and_then(|left| now.checked_add(left.mul_f64(share)));
    }
}

/// Iterative deepening of the reply tree. `deepest` becomes the last finished tree.
fn deepen<G: Geometry>(
    tree: &mut SwindleTree<'_, '_, G>,
    position: &Position<G>,
    mut columns: Vec<u32>,
    types: &TypeShares,
    deepest: &mut Option<Deepest>,
) -> Result<(), Aborted> {
    for depth in 1..=MAX_DEPTH {
        let candidates = tree.candidates(position, &columns, types, depth)?;
        let mut points: Vec<f64> = candidates.iter().map(|one| one.points).collect();
        points.sort_by(|one, other| other.total_cmp(one));
        let least = points.get(ROOT_WIDTH - 1).copied().unwrap_or(0.0);
        let preferred = columns.first().copied();
        let kept = candidates.iter().filter(|one| one.points >= least || Some(one.column) == preferred);
        columns = kept.map(|one| one.column).collect();
        *deepest = Some((candidates, depth));
        if columns.len() < 2 || !tree.is_open || points.first().is_none_or(|best| *best < HOPELESS) {
            break;
        }
    }
    Ok(())
}

/// Returns the depth, the first move by exact score, and the move to play: another one only if it promises
/// clearly more points.
fn choice((candidates, depth): Deepest) -> Option<(u32, Candidate, Candidate)> {
    let preferred = *candidates.first()?;
    let mut best = preferred;
    for one in candidates {
        let needed = match one.score.cmp(&best.score) {
            Ordering::Less => ESTIMATE_ERROR,
            Ordering::Equal => NOTICEABLE,
            Ordering::Greater => -NOTICEABLE,
        };
        if one.points > best.points + needed {
            best = one;
        }
    }
    Some((depth, preferred, best))
}

fn permille(points: f64) -> u16 {
    (1000.0 * points).round() as u16
}
