//! The root: what is known of each move, and which is the best by that.

use std::cmp::Ordering;

use super::control::Halt;
use super::event::{Bound, Value};
use super::heuristic;
use super::negamax::{Prover, remember_lower_bound, table_bounds, table_move};
use crate::board::{Geometry, Position, centre_first};
use crate::book::{Book, Opening};
use crate::score::{self, Score, max_score, win_with_stone};
use crate::table::Table;

/// Estimates are told up to here, lest they look like decided games.
const ESTIMATE_LIMIT: i32 = 5_000;

/// A legal move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: Geometry> {
    /// The column, from 0.
    pub column: u32,
    /// The position after it.
    pub next: Position<G>,
    /// Proven bounds of its score, for the side to move at the root.
    pub lower: Score,
    pub upper: Score,
    /// The estimate of the deepest finished iteration.
    pub estimate: i32,
    /// The line of that iteration after this move.
    pub line: Vec<u32>,
    /// The line of perfect play after this move, once it has been worked out to the end of the game.
    pub proof: Option<Vec<u32>>,
}

impl<G: Geometry> RootMove<G> {
    fn new(position: &Position<G>, column: u32, next: Position<G>) -> Self {
        let limit = max_score::<G>();
        let (lower, upper) = match next.outcome() {
            Some(crate::board::Outcome::Win(_)) => {
                let score = win_with_stone::<G>(next.plies());
                (score, score)
            }
            Some(crate::board::Outcome::Draw) => (0, 0),
            // The opponent's next stone is the earliest loss, our next but one the earliest win.
            None => (
                -limit.min(win_with_stone::<G>(position.plies() + 2)),
                limit.min(win_with_stone::<G>(position.plies() + 3)),
            ),
        };
        // A move that ends the game is its own proof.
        let proof = next.outcome().map(|_| Vec::new());
        let estimate = if lower > 0 { heuristic::WIN - next.plies() as i32 } else { 0 };
        Self { column, next, lower, upper, estimate, line: Vec::new(), proof }
    }

    /// Whether the score is known.
    pub(crate) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }

    /// Takes note of a proven lower bound.
    pub(crate) fn at_least(&mut self, bound: Score) {
        self.lower = self.lower.max(bound);
    }

    /// Takes note of a proven upper bound.
    pub(crate) fn at_most(&mut self, bound: Score) {
        self.upper = self.upper.min(bound);
    }

    /// Finds out whether the score is at least `beta`, and takes note of what was proven.
    ///
    /// # Errors
    /// If the search was broken off.
    fn reaches(&mut self, prover: &mut Prover<'_, G>, beta: Score) -> Result<bool, Halt> {
        if self.lower < beta && self.upper >= beta {
            let value = -prover.probe(&self.next, 1 - beta)?;
            if value >= beta {
                self.at_least(value);
            } else {
                self.at_most(value);
            }
        }
        Ok(self.lower >= beta)
    }

    /// Takes note of the result of an iteration of the depth-limited search: the value itself if it is `exact`, else
    /// an upper bound of it. (An upper bound that looks like a win proves nothing, one that is a loss does.)
    pub(crate) fn set_estimate(&mut self, value: i32, exact: bool) {
        self.estimate = value;
        let (lower, upper) = heuristic::proven::<G>(value);
        if let Some(lower) = lower.filter(|_| exact) {
            self.at_least(lower);
        }
        if let Some(upper) = upper {
            self.at_most(upper);
        }
    }

    /// The estimate as far as the proven bounds leave room for it.
    fn bounded_estimate(&self) -> i32 {
        let low = if self.lower >= 0 { 0 } else { i32::MIN };
        let high = if self.upper <= 0 { 0 } else { i32::MAX };
        self.estimate.clamp(low, high)
    }

    /// The estimate as it is told.
    fn told_estimate(&self) -> i32 {
        self.bounded_estimate().clamp(-ESTIMATE_LIMIT, ESTIMATE_LIMIT)
    }

    /// What to tell of this move: value, what it says, and the line after the move.
    ///
    /// A win, loss or draw is exact only with a line that runs to the end; until that is there it is told as the bound
    /// that it also is.
    pub(crate) fn verdict(&self) -> (Value, Bound, &[u32]) {
        let plies = self.next.plies() - 1;
        let proven = |score| score::to_value::<G>(score, plies);
        if self.is_exact()
            && let Some(proof) = &self.proof
        {
            return (proven(self.lower), Bound::Exact, proof);
        }
        let (value, bound) = if self.lower > 0 {
            (proven(self.lower), Bound::Lower)
        } else if self.upper < 0 {
            (proven(self.upper), Bound::Upper)
        } else if self.lower == 0 && (self.upper == 0 || self.estimate <= 0) {
            (Value::Draw, Bound::Lower)
        } else if self.upper == 0 && self.estimate >= 0 {
            (Value::Draw, Bound::Upper)
        } else {
            (Value::Estimate(self.told_estimate()), Bound::Exact)
        };
        (value, bound, &self.line)
    }

    /// Whether the search for this move is over: its score is known, and the line that shows it.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_exact() && self.proof.is_some()
    }

    /// Less is better. A proven win comes first, the fastest first; then what is proven not to lose, then what is not
    /// known to lose, by estimate; then losses, the one that is sure to last longest first. What falls short of a
    /// `floor` that some move is known to reach comes just before the losses: any of the others is the likelier one.
    ///
    /// If a move is `trusted` to reach a score, first of all comes what is proven to reach it, and then that move, unless
    /// it was refuted.
    fn compare(&self, other: &Self, floor: Score, trusted: Option<Trusted>) -> Ordering {
        let place = |m: &Self| match trusted {
            Some(Trusted { score, .. }) if m.lower >= score => 0,
            Some(Trusted { column, score }) if m.column == column && m.upper >= score => 1,
            _ => 2,
        };
        let class = |m: &Self| match (m.lower, m.upper) {
            (1.., _) => 0,
            (0, upper) if upper < floor => 3,
            (_, upper @ 0..) if upper < floor => 4,
            (0, _) => 1,
            (_, 0..) => 2,
            _ => 5,
        };
        let order = place(self).cmp(&place(other)).then(class(self).cmp(&class(other)));
        let decided = |m: &Self| if m.lower > 0 || m.upper < 0 { (m.lower, m.upper) } else { (0, 0) };
        order
            .then(decided(other).cmp(&decided(self)))
            .then(other.bounded_estimate().cmp(&self.bounded_estimate()))
    }
}

/// A move, by its column, of which the opening book says that it reaches a score, without proof.
#[derive(Clone, Copy, Debug)]
struct Trusted {
    column: u32,
    score: Score,
}

/// The legal moves of the root position, the best first.
#[derive(Debug)]
pub(crate) struct Root<G: Geometry> {
    pub moves: Vec<RootMove<G>>,
    position: Position<G>,
    /// Whether all legal moves are among them.
    is_whole: bool,
    /// A lower bound of the score of `position`.
    floor: Score,
    trusted: Option<Trusted>,
}

impl<G: Geometry> Root<G> {
    /// The moves of `position`, only those in `columns` if any of these is legal.
    pub(crate) fn new(position: &Position<G>, columns: &[u32]) -> Self {
        let all: Vec<_> = centre_first::<G>()
            .filter_map(|column| position.play(column).map(|next| RootMove::new(position, column, next)))
            .collect();
        let chosen: Vec<_> = all.iter().filter(|m| columns.contains(&m.column)).cloned().collect();
        let is_whole = chosen.is_empty() || chosen.len() == all.len();
        let moves = if chosen.is_empty() { all } else { chosen };
        let mut root = Self { moves, position: *position, is_whole, floor: Score::MIN, trusted: None };
        // Some moves are known already: those that end the game.
        root.sort(0);
        root
    }

    /// Puts the best move first, leaving the `settled` first ones where they are. Equal moves keep their order.
    pub(crate) fn sort(&mut self, settled: usize) {
        // The floor is that of all legal moves, and tells nothing once it is known which of them reaches it.
        let is_open = settled == 0 && self.is_whole && self.moves.iter().all(|m| m.lower < self.floor);
        let floor = if is_open { self.floor } else { Score::MIN };
        let trusted = self.trusted.filter(|_| settled == 0);
        self.moves[settled..].sort_by(|a, b| a.compare(b, floor, trusted));
    }

    /// Takes note of a move that the book has for the position, where that is probably worth this score: it is asked about
    /// before any other, and played if there is no time to prove that some move reaches the score.
    pub(crate) fn trust(&mut self, column: u32, score: Score) {
        self.trusted = Some(Trusted { column, score });
        self.sort(0);
    }

    /// Takes note of the moves that lose to the next stone, for which no search is needed.
    pub(crate) fn see_threats(&mut self) {
        let is_open = |m: &&mut RootMove<G>| m.next.outcome().is_none() && m.next.can_win_now();
        for m in self.moves.iter_mut().filter(is_open) {
            m.at_most(-win_with_stone::<G>(m.next.plies() + 1));
        }
        self.sort(0);
    }

    /// Takes note of a proven lower bound of the position's score, whichever move it is that reaches it.
    pub(crate) fn is_worth(&mut self, score: Score) {
        self.floor = self.floor.max(score);
    }

    /// Takes note of what the opening book, which ends one stone before, tells of each move, and lets the table know.
    pub(crate) fn ask_past(&mut self, book: &Book<G>, table: &Table) {
        for m in self.moves.iter_mut().filter(|m| m.next.outcome().is_none()) {
            if let Some(upper) = Opening::bound_of_move_to(book, &m.next).filter(|&upper| upper < m.upper) {
                m.at_most(upper);
                remember_lower_bound(table, &m.next, -upper);
            }
        }
        self.sort(0);
    }

    /// Takes note of a proven upper bound of the position's score.
    pub(crate) fn is_worth_at_most(&mut self, score: Score) {
        self.moves.iter_mut().for_each(|m| m.at_most(score));
    }

    /// The bounds of the best score among the moves after the `settled` first ones.
    pub(crate) fn bounds(&self, settled: usize) -> (Score, Score) {
        let rest = &self.moves[settled..];
        let lower = rest.iter().map(|m| m.lower).max().unwrap_or(0);
        let upper = rest.iter().map(|m| m.upper).max().unwrap_or(0);
        (lower, upper)
    }

    /// What to tell of the position: what its best move says, but no more than is known of all moves.
    pub(crate) fn verdict(&self) -> (Value, Bound, &[u32]) {
        let best = &self.moves[0];
        let (value, bound, line) = best.verdict();
        let upper = self.bounds(0).1;
        if upper <= best.upper || matches!(value, Value::Estimate(_)) {
            return (value, bound, line);
        }
        // Another move may be better yet.
        let (value, bound) = match bound {
            Bound::Exact | Bound::Lower => (value, Bound::Lower),
            Bound::Upper if upper <= 0 => (score::to_value::<G>(upper, best.next.plies() - 1), Bound::Upper),
            Bound::Upper => (Value::Estimate(best.told_estimate()), Bound::Exact),
        };
        (value, bound, line)
    }

    /// Takes note of what the opening book knows: the score of each move, or where it ends, that of `position` itself,
    /// which is returned, and a move that keeps it, if the book has one. The best `lines` moves get the line of play that
    /// the book has; it ends where the book does, and proves something only if the game has ended by then.
    pub(crate) fn ask(
        &mut self,
        opening: &mut Opening<'_, G>,
        position: &Position<G>,
        lines: usize,
    ) -> Option<Score> {
        let mut all = true;
        for m in &mut self.moves {
            if let Some(score) = opening.score(&m.next) {
                m.at_least(-score);
                m.at_most(-score);
            } else {
                all = false;
            }
        }
        let score = if all { None } else { opening.score(position) };
        if let Some(score) = score {
            self.is_worth(score);
            self.is_worth_at_most(score);
            let best = opening.best_move(position);
            self.moves.iter_mut().filter(|m| Some(m.column) == best).for_each(|m| m.at_least(score));
        }
        self.sort(0);
        for m in self.moves.iter_mut().take(lines).filter(|m| m.is_exact()) {
            m.line = opening.line(m.next, -m.lower);
            let end = m.line.iter().try_fold(m.next, |position, &column| position.play(column));
            m.proof = end.filter(|end| end.outcome().is_some()).map(|_| m.line.clone());
        }
        (all || score.is_some()).then(|| self.bounds(0).1)
    }

    /// Finds out whether a move after the `settled` first ones has a score of at least `beta`, and sorts them anew.
    ///
    /// Where all moves are asked about, the position itself is searched first: the recursion has the better order, and
    /// cutoffs from the table that one move after the other would not have. Then the table knows which move it is.
    ///
    /// # Errors
    /// If the search was broken off; what was proved up to then is kept.
    pub(crate) fn prove(
        &mut self,
        prover: &mut Prover<'_, G>,
        beta: Score,
        settled: usize,
    ) -> Result<bool, Halt> {
        if settled == 0
            && self
                .trusted
                .is_some_and(|Trusted { column, score }| self.moves[0].column == column && beta <= score)
        {
            match self.moves[0].reaches(prover, beta) {
                Ok(false) => self.sort(0),
                Ok(true) => return Ok(true),
                Err(halt) => {
                    self.look_up(prover);
                    return Err(halt);
                }
            }
        }
        if settled == 0 && self.is_whole && self.bounds(0).0 < beta {
            match prover.probe_past_book(&self.position, beta) {
                Ok(value) if value < beta => {
                    self.is_worth_at_most(value);
                    self.sort(0);
                    return Ok(false);
                }
                Ok(value) => {
                    self.is_worth(value);
                    self.put_first(table_move(prover.table(), &self.position));
                }
                Err(halt) => {
                    self.look_up(prover);
                    return Err(halt);
                }
            }
        }
        let mut result = Ok(false);
        for m in &mut self.moves[settled..] {
            result = m.reaches(prover, beta);
            if result != Ok(false) {
                break;
            }
        }
        self.sort(settled);
        result
    }

    /// Puts the move in `column` first, leaving the order of the others.
    fn put_first(&mut self, column: Option<u32>) {
        let found = self.moves.iter().position(|m| Some(m.column) == column);
        if let Some(index) = found {
            self.moves[..=index].rotate_right(1);
        }
    }

    /// Takes note of what the table knows of each move.
    fn look_up(&mut self, prover: &Prover<'_, G>) {
        for m in self.moves.iter_mut().filter(|m| m.next.outcome().is_none()) {
            if let Some((lower, upper)) = table_bounds(prover.table(), &m.next) {
                m.at_least(-upper);
                m.at_most(-lower);
            }
        }
        self.sort(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Standard;

    fn with(lower: Score, upper: Score, estimate: i32) -> RootMove<Standard> {
        let start = Position::new();
        let next = start.play(3).expect("legal");
        RootMove { lower, upper, estimate, ..RootMove::new(&start, 3, next) }
    }

    #[test]
    fn the_best_known_move_comes_first() {
        let order = [
            with(5, 5, 0),      // the fastest proven win
            with(2, 18, -50),   // a slower one, for all we know
            with(0, 18, 40),    // not a loss
            with(0, 0, 90),     // a draw
            with(-18, 18, 30),  // unknown, good
            with(-18, 18, -30), // unknown, bad
            with(-2, -2, 0),    // lost late
            with(-9, -9, 0),    // lost, but not soon
            with(-18, -2, 99),  // lost, nobody knows when
        ];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, Score::MIN, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn what_falls_short_of_the_floor_comes_after_what_may_reach_it() {
        let order = [with(2, 2, 0), with(-18, 3, -30), with(0, 2, 40), with(-18, 1, 50), with(-2, -2, 0)];
        for (index, better) in order.iter().enumerate() {
            for worse in &order[index + 1..] {
                assert_eq!(better.compare(worse, 3, None), Ordering::Less, "{better:?} {worse:?}");
            }
        }
    }

    #[test]
    fn a_trusted_move_comes_after_what_is_proven_to_be_as_good() {
        let start = Position::<Standard>::new();
        let mut root = Root::new(&start, &[]);
        let mut first = |column: u32, bounds: Option<(Score, Score)>| {
            let m = root.moves.iter_mut().find(|m| m.column == column).expect("a legal move");
            if let Some((lower, upper)) = bounds {
                m.at_least(lower);
                m.at_most(upper);
            }
            root.trust(1, 2);
            root.moves[0].column
        };
        assert_eq!(first(1, None), 1);
        assert_eq!(first(2, Some((1, 18))), 1, "a win, but not soon enough");
        assert_eq!(first(4, Some((2, 18))), 4, "as good, and proven");
        assert_eq!(first(5, Some((3, 18))), 5, "better yet");
        assert_eq!(first(1, Some((2, 18))), 5);
        let mut root = Root::new(&start, &[]);
        root.trust(1, 2);
        root.moves[2].estimate = 1;
        root.sort(0);
        assert_eq!(root.moves[0].column, 1, "an estimate is no proof");
        root.moves[0].at_most(1);
        root.sort(0);
        assert_eq!(root.moves[0].estimate, 1, "it was refuted");
    }

    #[test]
    fn values_respect_what_is_proven() {
        let told = |m: RootMove<Standard>| {
            let (value, bound, _) = m.verdict();
            (value, bound)
        };
        assert_eq!(told(with(0, 18, -25)), (Value::Draw, Bound::Lower));
        assert_eq!(told(with(0, 18, 25)), (Value::Estimate(25), Bound::Exact));
        assert_eq!(told(with(-18, 0, 25)), (Value::Draw, Bound::Upper));
        assert_eq!(told(with(-18, -1, 0)), (Value::Loss { plies: 42 }, Bound::Upper));
        // Exact values without their line are told as bounds.
        assert_eq!(told(with(0, 0, 25)), (Value::Draw, Bound::Lower));
        assert_eq!(told(with(18, 18, 0)), (Value::Win { plies: 7 }, Bound::Lower));
        let proof = Some(vec![1, 2, 3]);
        assert_eq!(told(RootMove { proof, ..with(0, 0, 25) }), (Value::Draw, Bound::Exact));
    }

    #[test]
    fn a_winning_move_is_first_from_the_start() {
        // First holds c1 d1 f1: e1 wins, which is not the first column that comes to mind.
        let position: Position = Position::from_digits("31664646").expect("legal");
        let root = Root::new(&position, &[]);
        assert_eq!((root.moves[0].column, root.moves[0].is_settled()), (4, true));
    }

    #[test]
    fn a_move_that_loses_at_once_is_last_however_little_is_known() {
        // The first player has three stones on top of each other; only the next one there helps.
        let parried: Position = Position::from_digits("41424").expect("legal");
        let mut root = Root::new(&parried, &[]);
        root.see_threats();
        let open = |root: &Root<Standard>| {
            root.moves.iter().filter(|m| !m.is_exact()).map(|m| m.column).collect::<Vec<_>>()
        };
        assert_eq!((open(&root), root.moves[0].column), (vec![3], 3));
        // Even if it is known that the position is lost, so that no move is better than a loss.
        root.is_worth_at_most(-1);
        root.sort(0);
        assert_eq!(root.moves[0].column, 3);
    }

    #[test]
    fn search_moves_restrict_the_root_only_if_legal() {
        let full: Position = Position::from_digits("444444").expect("legal");
        let columns =
            |list: &[u32]| Root::new(&full, list).moves.iter().map(|m| m.column).collect::<Vec<_>>();
        assert_eq!(columns(&[0, 6]), [6, 0]);
        assert_eq!(columns(&[3]).len(), 6);
        assert_eq!(columns(&[]).len(), 6);
    }
}
