use std::num::NonZeroUsize;

use super::control::Control;
use super::exact::{CodePath, ExactSearch};
use super::stop::{StopFlag, Stopped};
use crate::board::{AnyBoard, Bits, Board, Geometry, Kind, Position, Standard, each_kind};
use crate::book::{Book, BookProbe};
use crate::clock::Instant;
use crate::score::{Score, max_score};
use crate::table::{InUse, Table};

/// An exact solver over a transposition table.
///
/// Columns count from 0, and scores are for the side to move (see [`crate::score`]). A call fails with
/// [`Stopped`] only if a [stop flag](Self::stop_flag), [deadline](Self::set_deadline) or node limit comes
/// first. The solver then stays usable, and the table keeps proved bounds.
///
/// ```
/// use plumb::board::Position;
/// use plumb::search::Solver;
/// use plumb::table::Table;
///
/// let table = Table::new(16)?;
/// let mut solver = Solver::new(&table);
/// let position: Position = "2252576253462244111563365343671351441".parse()?;
/// assert_eq!(solver.score(&position)?, -1);
/// assert_eq!(solver.move_scores(&position)?, [(5, -1), (6, -2)]);
/// assert_eq!(solver.best_line(&position)?.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Methods panic if a position is on another board than the table. A book for another board is ignored.
#[must_use = "a solver does nothing until it is asked"]
pub struct Solver<'a> {
    search: Searches<'a>,
    book: Option<&'a Book>,
    observer: Observer<'a>,
    last: Option<(u128, Score)>,
}

type Searches<'a> = Kind<ExactSearch<'a, Standard>, ExactSearch<'a, AnyBoard<u64>>, ExactSearch<'a, Board>>;

type Observer<'a> = Box<dyn FnMut(Score, Score) + Send + 'a>;

impl<'a> Solver<'a> {
    /// A solver on one thread for the board of the table.
    pub fn new(table: &'a Table) -> Self {
        Self::of_kind(Kind::of(table.board()), table)
    }

    pub(super) fn of_kind(kind: Kind<Standard, AnyBoard<u64>, Board>, table: &'a Table) -> Self {
        let control = Control::unlimited();
        let search = match kind {
            Kind::Standard(board) => Kind::Standard(ExactSearch::new(board, table, control)),
            Kind::Words64(board) => Kind::Words64(ExactSearch::new(board, table, control)),
            Kind::Words128(board) => Kind::Words128(ExactSearch::new(board, table, control)),
        };
        Self { search, book: None, observer: Box::new(|_, _| ()), last: None }
    }

    fn control(&mut self) -> &mut Control<'a> {
        each_kind!(&mut self.search, search => &mut search.control)
    }

    /// This solver with an opening book, whose scores it takes as proved.
    pub fn book(mut self, book: impl Into<Option<&'a Book>>) -> Self {
        self.book = book.into();
        self
    }

    /// This solver with a stop flag, which ends the current call and every later call.
    pub fn stop_flag(mut self, stop: &'a StopFlag) -> Self {
        self.control().stop = Some(stop);
        self
    }

    /// Sets the time at which calls end with [`Stopped`].
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.control().deadline = deadline;
    }

    /// Sets the number of nodes, counted since the solver was made, after which calls end with [`Stopped`].
    pub fn set_node_limit(&mut self, nodes: Option<u64>) {
        self.control().set_node_limit(nodes);
    }

    /// This solver on `threads` threads. Scores do not depend on them; node counts vary.
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.control().set_threads(threads);
        self
    }

    /// This solver as number `number`, from 0, of several on one table. Different numbers use different cache
    /// lines for late positions.
    pub fn thread_number(mut self, number: usize) -> Self {
        each_kind!(&mut self.search, search => search.set_thread(number));
        self
    }

    /// This solver without AVX2 instructions, for comparisons.
    pub fn portable(mut self) -> Self {
        each_kind!(&mut self.search, search => search.code_path = CodePath::Portable);
        self
    }

    /// Sets a callback for the lower and upper bound of the score, as they narrow down. Runs on the solver's
    /// thread, not in [`is_at_least`](Self::is_at_least).
    pub fn on_bounds(&mut self, observer: impl FnMut(Score, Score) + Send + 'a) {
        self.observer = Box::new(observer);
    }

    /// Nodes visited by all threads since the solver was made.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        each_kind!(&self.search, search => search.control.all_nodes())
    }

    /// The exact score of `position`. A game that is over has the score of its end.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn score<G: Geometry>(&mut self, position: &Position<G>) -> Result<Score, Stopped> {
        self.score_by(position, None, (Score::MIN, Score::MAX))
    }

    /// The exact score of `position`, given true bounds from [`on_bounds`](Self::on_bounds) of an earlier
    /// run. Wrong bounds give a wrong score.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn score_between<G: Geometry>(
        &mut self,
        position: &Position<G>,
        lower: Score,
        upper: Score,
    ) -> Result<Score, Stopped> {
        self.score_by(position, None, (lower, upper))
    }

    /// The exact score of `position`, found faster if it is near `guess`.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn score_near<G: Geometry>(
        &mut self,
        position: &Position<G>,
        guess: Score,
    ) -> Result<Score, Stopped> {
        self.score_by(position, Some(guess), (Score::MIN, Score::MAX))
    }

    fn score_by<G: Geometry>(
        &mut self,
        position: &Position<G>,
        guess: Option<Score>,
        known: (Score, Score),
    ) -> Result<Score, Stopped> {
        let score = each_kind!(&mut self.search, search => {
            let position = position.on(search.geometry);
            let _in_use = begin(search, self.book, &position);
            search.solve(&position, self.book, guess, known, &mut self.observer)
        });
        let score = score.map_err(|_| Stopped)?;
        self.last = Some((position.key().to_wide(), score));
        Ok(score)
    }

    /// The sign of the score: 1 for a win, 0 for a draw, -1 for a loss. Takes less time than the score.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn weak_score<G: Geometry>(&mut self, position: &Position<G>) -> Result<Score, Stopped> {
        let limit = max_score(position.geometry());
        let mut upper = limit;
        for beta in [1, 0] {
            let value = self.null_window(position, beta)?;
            let lower = if value < beta { -limit } else { value };
            upper = if value < beta { value } else { upper };
            (self.observer)(lower, upper);
            if lower > 0 || upper < 0 {
                return Ok(lower.signum());
            }
        }
        Ok(0)
    }

    /// Whether the [score](Self::score) of `position` is at least `beta`: one null-window search.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn is_at_least<G: Geometry>(&mut self, position: &Position<G>, beta: Score) -> Result<bool, Stopped> {
        let limit = max_score(position.geometry()) + 1;
        let beta = beta.clamp(-limit, limit);
        Ok(self.null_window(position, beta)? >= beta)
    }

    /// Every legal move with its exact score for the side to move, by ascending column. Empty if the game is
    /// over.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn move_scores<G: Geometry>(&mut self, position: &Position<G>) -> Result<Vec<(u32, Score)>, Stopped> {
        if position.outcome().is_some() {
            return Ok(Vec::new());
        }
        let score = self.score(position)?;
        let mut moves = Vec::new();
        for column in 0..position.geometry().width() {
            if let Some(next) = position.play(column) {
                // The position's score is an upper bound for every move, and a good guess.
                moves.push((column, -self.score_by(&next, Some(-score), (-score, Score::MAX))?));
            }
        }
        Ok(moves)
    }

    /// The columns of perfect play to the end of the game.
    ///
    /// # Errors
    /// [`Stopped`]; see [`Solver`].
    pub fn best_line<G: Geometry>(&mut self, position: &Position<G>) -> Result<Vec<u32>, Stopped> {
        let score = match self.last {
            Some((last, score)) if last == position.key().to_wide() => score,
            _ => self.score(position)?,
        };
        let mut line = Vec::new();
        let result = each_kind!(&mut self.search, search => {
            let position = position.on(search.geometry);
            let _in_use = begin(search, self.book, &position);
            search.extend_line(position, score, &mut line)
        });
        result.map_err(|_| Stopped)?;
        Ok(line)
    }

    fn null_window<G: Geometry>(&mut self, position: &Position<G>, beta: Score) -> Result<Score, Stopped> {
        let result = each_kind!(&mut self.search, search => {
            let position = position.on(search.geometry);
            let _in_use = begin(search, self.book, &position);
            search.null_window(&position, beta)
        });
        result.map_err(|_| Stopped)
    }
}

fn begin<'a, G: Geometry>(
    search: &mut ExactSearch<'a, G>,
    book: Option<&'a Book>,
    position: &Position<G>,
) -> InUse<'a> {
    let in_use = search.table.begin_search();
    search.update_placement();
    search.book = book.and_then(|book| BookProbe::new(book, position));
    search.control.is_stopped = false;
    search.control.set_budget(None);
    in_use
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const _: fn() = || {
        fn check<T: Send>() {}
        check::<Solver<'_>>();
    };

    #[test]
    #[should_panic(expected = "a position on 5x6")]
    fn a_position_of_another_board_is_refused() {
        let table = Table::new(1).expect("one megabyte");
        let other = Position::empty("5x6".parse::<Board>().expect("a board"));
        let _ = Solver::new(&table).score(&other);
    }

    #[test]
    fn all_true_bounds_lead_to_the_score() {
        let position = Position::<Standard>::from_digits("2252576253462244111563365343671").expect("legal");
        let table = Table::new(1).expect("one megabyte");
        let score = Solver::new(&table).score(&position).expect("not stopped");
        for (below, above) in (0..=6).flat_map(|below| (0..=6).map(move |above| (below, above))) {
            let table = Table::new(1).expect("one megabyte");
            let mut solver = Solver::new(&table);
            assert_eq!(solver.score_between(&position, score - below, score + above), Ok(score));
            assert!((below, above) != (0, 0) || solver.nodes() == 0, "nothing is left to be proved");
        }
    }

    #[test]
    fn an_observer_sees_the_bounds_narrow_down_to_the_score() {
        let table = Table::new(1).expect("one megabyte");
        let position = Position::<Standard>::from_digits("2252576253462244111563365343671").expect("legal");
        let (mut bounds, mut outcomes) = (Vec::new(), Vec::new());
        let mut solver = Solver::new(&table);
        solver.on_bounds(|lower, upper| bounds.push((lower, upper)));
        let score = solver.score(&position).expect("not stopped");
        drop(solver);
        assert_eq!(bounds.last(), Some(&(score, score)));
        assert!(bounds.is_sorted_by(|a, b| a.0 <= b.0 && b.1 <= a.1), "{bounds:?}");

        let mut solver = Solver::new(&table);
        solver.on_bounds(|lower, upper| outcomes.push((lower, upper)));
        assert_eq!(solver.weak_score(&position), Ok(score.signum()));
        drop(solver);
        assert!(outcomes.iter().all(|&(lower, upper)| lower <= score && score <= upper), "{outcomes:?}");
    }

    #[test]
    fn a_limit_of_nodes_stops_a_solver() {
        let table = Table::new(1).expect("one megabyte");
        let mut solver = Solver::new(&table);
        solver.set_node_limit(Some(500));
        assert_eq!(solver.score(&Position::<Standard>::new()), Err(Stopped));
        assert_eq!(solver.nodes(), 500);
        solver.set_node_limit(None);
        let late = Position::<Standard>::from_digits("2252576253462244111563365343671351441").expect("legal");
        assert_eq!(solver.score(&late), Ok(-1));
    }

    #[test]
    fn a_solver_is_of_use_after_a_deadline() {
        let table = Table::new(1).expect("one megabyte");
        let mut solver = Solver::new(&table);
        solver.set_deadline(Some(Instant::now()));
        assert_eq!(solver.score(&Position::<Standard>::new()), Err(Stopped));
        assert_eq!(solver.best_line(&Position::<Standard>::new()), Err(Stopped));
        let late = Position::<Standard>::from_digits("2252576253462244111563365343671351441").expect("legal");
        solver.set_deadline(Some(Instant::now() + Duration::from_secs(3600)));
        assert_eq!(solver.score(&late), Ok(-1));
        solver.set_deadline(None);
        assert_eq!(solver.best_line(&late).map(|line| line.len()), Ok(4));
    }
}
