//! The root: what is known of each move, and which is the best by that.

use super::control::Halt;
use super::event::{Bound, Value};
use super::negamax::{Prover, remember_lower_bound, table_bounds, table_move};
use super::root_move::{RootMove, Trusted};
use crate::board::{Geometry, Position, centre_first};
use crate::book::{Book, Opening};
use crate::score::{self, Score, win_with_stone};
use crate::table::Table;

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
            let bound = Opening::bound_of_move(book, &self.position, &m.next);
            if let Some(upper) = bound.filter(|&upper| upper < m.upper) {
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
        let is_first = |trusted: Trusted| self.moves[0].column == trusted.column && beta <= trusted.score;
        if settled == 0 && self.trusted.is_some_and(is_first) {
            match self.moves[0].reaches(prover, beta) {
                Ok(reached) => {
                    self.sort(0);
                    if reached {
                        return Ok(true);
                    }
                }
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
