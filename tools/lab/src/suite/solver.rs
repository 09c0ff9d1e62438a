//! Solvers of a suite: the built-in solver and engines, and the meaning of reported scores.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use plumb::board::{Board, Geometry, Outcome, Position};
use plumb::book::Book;
use plumb::score::{Score, immediate_score, win_with_stone};
use plumb::search::Solver;
use plumb::table::Table;
use plumb_arena::engine::session::EngineSession;
use plumb_arena::openings::moves_to;
use plumb_arena::position_command::{mate_plies, position_after};
use plumb_arena::time_control::TimeControl;
use plumb_protocol::{Bound, Command, Dialect, Go, Info, Move, Reply, Score as Reported, ScoreReport};

use crate::engine::error;
use crate::exit::Failure;
use crate::measurement::{ProcessGroup, Taken, measured};
use crate::scored_positions::ScoredPosition;

pub(crate) trait PositionSolver {
    fn forget(&mut self) -> Result<()>;

    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Exact(Score),
    Sign(Score),
    /// A bound that leaves the winner open.
    Open,
}

pub(crate) struct Solved {
    pub answer: Answer,
    pub nodes: Option<u64>,
    /// Processor time of the built-in solver on one thread, else wall time.
    pub time: Duration,
    /// Processor time of all threads, on systems that report it.
    pub cpu: Option<Duration>,
    pub wall: Duration,
    /// Exact scores of the best move and the engine's move, if moves are judged.
    pub judged: Option<JudgedMove>,
}

impl Solved {
    fn of_end(position: &Position<Board>) -> Self {
        let score = immediate_score(position).unwrap_or_default();
        let (time, wall) = (Duration::ZERO, Duration::ZERO);
        Self { answer: Answer::Exact(score), nodes: None, time, cpu: None, wall, judged: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JudgedMove {
    pub best: Score,
    pub played: Score,
}

pub(crate) struct MoveJudge {
    table: Table,
    book: Option<Book>,
}

impl MoveJudge {
    pub(crate) fn new(board: Board, hash: usize) -> Result<Self> {
        Ok(Self { table: Table::new_on(board, hash)?, book: Book::embedded() })
    }

    fn judge(&self, position: &Position<Board>, column: u32) -> Result<JudgedMove> {
        let scores = Solver::new(&self.table).book(self.book.as_ref()).move_scores(position)?;
        let best = scores.iter().map(|&(_, score)| score).max();
        let played = scores.iter().find(|&&(legal, _)| legal == column).map(|&(_, score)| score);
        let Some((best, played)) = best.zip(played) else { bail!("column {column} is not a legal move") };
        Ok(JudgedMove { best, played })
    }
}

pub(crate) struct BuiltIn {
    table: Table,
    weak: bool,
    threads: NonZeroUsize,
}

impl BuiltIn {
    pub(crate) fn new(board: Board, hash: usize, weak: bool, threads: NonZeroUsize) -> Result<Self> {
        let table = Table::new_on(board, hash)?;
        Ok(Self { table, weak, threads })
    }
}

impl PositionSolver for BuiltIn {
    fn forget(&mut self) -> Result<()> {
        self.table.clear();
        Ok(())
    }

    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved> {
        let Self { table, weak, threads } = self;
        let (position, mut solver) = (&entry.position, Solver::new(table).threads(*threads));
        let (score, Taken { cpu, wall }) =
            measured(*threads, || if *weak { solver.weak_score(position) } else { solver.score(position) });
        let answer = if *weak { Answer::Sign(score?) } else { Answer::Exact(score?) };
        // With one thread CPU time is more precise. With several threads the user waits for the wall time.
        let time = if threads.get() == 1 { cpu } else { wall };
        Ok(Solved { answer, nodes: Some(solver.nodes()), time, cpu: Some(cpu), wall, judged: None })
    }
}

pub(crate) struct Engine {
    session: EngineSession,
    processes: ProcessGroup,
    timeout: Duration,
    /// The name that the engine gave itself, or else its command.
    pub name: String,
    /// With a judge, the engine need not report a score.
    judge: Option<MoveJudge>,
}

impl Engine {
    /// `timeout` is for each search, `name` for an engine that gives itself no name.
    pub(crate) fn new(
        session: EngineSession,
        name: &str,
        timeout: Duration,
        judge: Option<MoveJudge>,
    ) -> Self {
        let name = session.name.clone().unwrap_or_else(|| name.to_owned());
        Self { processes: ProcessGroup::of(session.id()), session, timeout, name, judge }
    }
}

impl PositionSolver for Engine {
    fn forget(&mut self) -> Result<()> {
        let new_game = Command::NewGame(self.session.config.dialect);
        self.session.send(&[new_game]).map_err(|fault| error(&self.name, &fault))
    }

    fn solve(&mut self, entry: &ScoredPosition<Board>) -> Result<Solved> {
        let position = &entry.position;
        if self.judge.is_some() && position.outcome().is_some() {
            return Ok(Solved::of_end(position));
        }
        let board = position.geometry();
        // An engine need not support FEN, so it gets moves that lead to the position.
        let columns = entry.columns.clone().or_else(|| moves_to(position));
        let columns = columns.ok_or_else(|| anyhow!("no moves lead to `{}`", entry.moves))?;
        let command = position_after(self.session.config.dialect, board, columns);
        let go = Command::Go(search(&self.session.config.control, position));
        let name = &self.name;
        self.session.send(&[Command::Position(command)]).map_err(|fault| error(name, &fault))?;
        self.session.wait_until_ready().map_err(|fault| error(name, &fault))?;
        let before = self.processes.cpu();
        let mut report = SearchReport::default();
        let time = self.session.ask(&[go], self.timeout, |reply| report.take(reply));
        let time = time.map_err(|fault| error(name, &fault))?;
        let after = self.processes.cpu();
        let cpu = before.zip(after).map(|(before, after)| after.saturating_sub(before));
        let SearchReport { score, nodes, best, .. } = report;
        let best = best.unwrap_or_default();
        let column = match best.parse::<Move>() {
            Ok(found) if position.play(found.column.index().into()).is_some() => Some(found.column),
            Err(_) if position.outcome().is_some() => None,
            _ => bail!(Failure(format!("`{name}`: `bestmove {best}` is not a legal move there"))),
        };
        let judged = match (&self.judge, column) {
            (Some(judge), Some(column)) => Some(judge.judge(position, column.index().into())?),
            _ => None,
        };
        let Some(score) = score else {
            ensure!(self.judge.is_some(), Failure(format!("`{name}`: it reported no score")));
            return Ok(Solved { answer: Answer::Open, nodes, time, cpu, wall: time, judged });
        };
        let Some(answer) = meaning(score, position, self.session.config.dialect) else {
            bail!(Failure(format!("`{name}`: `score {score}` is impossible in that position")))
        };
        Ok(Solved { answer, nodes, time, cpu, wall: time, judged })
    }
}

/// `go` with the engine's limits, or else with a depth that solves the position.
fn search(control: &TimeControl, position: &Position<Board>) -> Go<'static> {
    let (move_time, nodes) = (control.move_time, control.nodes);
    // At this depth the search reaches the end of the game, so its score is exact.
    let whole = position.empty_cells().max(1);
    let depth = match control.depth {
        Some(depth) => Some(depth.min(whole)),
        None if move_time.is_none() && nodes.is_none() => Some(whole),
        None => None,
    };
    Go { move_time, nodes, depth, ..Go::default() }
}

/// Report of a search: the last value of each field before `bestmove`.
#[derive(Default)]
pub(crate) struct SearchReport {
    score: Option<ScoreReport>,
    pub nodes: Option<u64>,
    pub hash_full: Option<u32>,
    /// Best move in the engine's spelling.
    best: Option<String>,
}

impl SearchReport {
    /// Adds a reply; returns whether it ends the search.
    pub(crate) fn take(&mut self, reply: &Reply) -> bool {
        match reply {
            Reply::Info(Info { score, nodes, multi_pv, hash_full, .. })
                if multi_pv.is_none_or(|rank| rank == 1) =>
            {
                self.score = score.or(self.score);
                self.nodes = nodes.or(self.nodes);
                self.hash_full = hash_full.or(self.hash_full);
                false
            }
            Reply::BestMove { best, .. } => {
                self.best = Some(best.map_or("(none)".to_owned(), |best| best.to_string()));
                true
            }
            // A best move in the notation of another game also ends the search.
            Reply::Text(line) => {
                let mut words = line.split_whitespace();
                if words.next() != Some("bestmove") {
                    return false;
                }
                self.best = Some(words.next().unwrap_or_default().to_owned());
                true
            }
            _ => false,
        }
    }
}

/// Meaning of a reported score, or `None` if the score is impossible.
///
/// A mate distance is exact: it names the stone on which the game ends. A bound or an estimate shows at most who wins.
fn meaning(report: ScoreReport, position: &Position<Board>, dialect: Dialect) -> Option<Answer> {
    let (board, over) = (position.geometry(), position.outcome());
    match (report.score, report.bound) {
        (Reported::Mate(0), None) => {
            let is_lost = matches!(over, Some(Outcome::Win(_)));
            if is_lost { Some(Answer::Exact(-win_with_stone(board, position.plies()))) } else { None }
        }
        (Reported::Mate(distance), None) => {
            let plies = mate_plies(distance, dialect).unsigned_abs();
            let winner_moves_last = (plies % 2 == 1) == (distance > 0);
            let stone = position.plies().checked_add(plies)?;
            if over.is_some() || !winner_moves_last || !(7..=board.cells()).contains(&stone) {
                return None;
            }
            Some(Answer::Exact(win_with_stone(board, stone) * distance.signum()))
        }
        (Reported::Cp(0), None) => Some(Answer::Exact(0)),
        (Reported::Cp(value), None) => Some(Answer::Sign(value.signum())),
        (Reported::Mate(value) | Reported::Cp(value), Some(bound)) => {
            let decided = if bound == Bound::Lower { value > 0 } else { value < 0 };
            Some(if decided { Answer::Sign(value.signum()) } else { Answer::Open })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(digits: &str) -> Position<Board> {
        Position::from_digits_on(Board::default(), digits).expect("legal")
    }

    #[test]
    fn a_distance_is_a_score() {
        let of =
            |digits, distance, dialect| meaning(Reported::Mate(distance).into(), &position(digits), dialect);
        // Mate scores of UCI and UGI name the same last stone, whichever side wins.
        for (digits, plies) in [("4455", 3), ("", 41), ("4", 40), ("112233", 1), ("1", 12)] {
            let score = win_with_stone(Board::default(), digits.len() as u32 + plies);
            let (sign, moves) = (if plies % 2 == 1 { 1 } else { -1 }, plies.div_ceil(2) as i32);
            let expected = Some(Answer::Exact(sign * score));
            assert_eq!(of(digits, sign * moves, Dialect::Uci), expected, "{digits}");
            assert_eq!(of(digits, sign * plies as i32, Dialect::Ugi), expected, "{digits}");
        }
        assert_eq!(of("1122334", 0, Dialect::Uci), Some(Answer::Exact(-18)), "the game is over");
        // On 5x4 the 20th stone is the last.
        for (board, digits, distance, expected) in
            [("5x5", "112233", 1, Some(10)), ("5x4", "", -20, Some(-1)), ("5x4", "", 21, None)]
        {
            let board: Board = board.parse().expect("a board");
            let position = Position::from_digits_on(board, digits).expect("legal");
            let found = meaning(Reported::Mate(distance).into(), &position, Dialect::Ugi);
            assert_eq!(found, expected.map(Answer::Exact), "{distance}");
        }
        // Impossible mate scores: after the end of the board, before anybody has four stones, for a stone of the wrong
        // side, and 0 or 1 at the wrong time.
        for (digits, distance, dialect) in [
            ("", 22, Dialect::Uci),
            ("", i32::MAX, Dialect::Uci),
            ("", i32::MIN, Dialect::Uci),
            ("4", 1, Dialect::Uci),
            ("4455", 2, Dialect::Ugi),
            ("4455", 0, Dialect::Uci),
            ("1122334", 1, Dialect::Uci),
        ] {
            assert_eq!(of(digits, distance, dialect), None, "{digits} {distance}");
        }
    }

    #[test]
    fn an_estimate_or_a_bound_tells_at_most_the_winner() {
        let read = |score, bound| meaning(ScoreReport { score, bound }, &position("44"), Dialect::Uci);
        assert_eq!(read(Reported::Cp(0), None), Some(Answer::Exact(0)));
        assert_eq!(read(Reported::Cp(-250), None), Some(Answer::Sign(-1)));
        assert_eq!(read(Reported::Mate(9), Some(Bound::Lower)), Some(Answer::Sign(1)));
        assert_eq!(read(Reported::Mate(-9), Some(Bound::Upper)), Some(Answer::Sign(-1)));
        for (value, bound) in [(9, Bound::Upper), (-9, Bound::Lower), (0, Bound::Upper), (0, Bound::Lower)] {
            assert_eq!(read(Reported::Mate(value), Some(bound)), Some(Answer::Open));
            assert_eq!(read(Reported::Cp(value), Some(bound)), Some(Answer::Open));
        }
    }

    #[test]
    fn the_last_line_of_the_best_move_counts() {
        let mut report = SearchReport::default();
        for (line, is_last) in [
            ("info depth 1 score cp 12 nodes 10", false),
            ("info depth 2 multipv 1 score mate 3 nodes 20", false),
            ("info depth 2 multipv 2 score cp -5 nodes 30", false),
            ("info depth 3 currmove P@d1", false),
            ("hello", false),
            ("bestmove P@d1 ponder P@d2", true),
        ] {
            let reply = plumb_protocol::parse_reply(line).unwrap_or(Reply::Text(line.to_owned()));
            assert_eq!(report.take(&reply), is_last, "{line}");
        }
        assert_eq!(report.score, Some(Reported::Mate(3).into()));
        assert_eq!((report.nodes, report.best.as_deref()), (Some(20), Some("P@d1")));
        let mut report = SearchReport::default();
        assert!(report.take(&Reply::Text("bestmove e2e4".to_owned())));
        assert_eq!(report.best.as_deref(), Some("e2e4"));
    }
}
