//! Scores of generated positions, confirmed in other ways.

use anyhow::{Result, ensure};
use plumb::board::{Board, BoardSize, Geometry, Position};
use plumb::score::Score;
use plumb::search::{Solver, StopFlag};
use plumb::table::Table;
use plumb_arena::openings::RandomPosition;

use super::class::Class;
use crate::exit::Failure;

/// Maximum number of empty cells for the plain alpha-beta search.
const PLAIN_LIMIT: u32 = 16;
/// Maximum number of move sequences for the plain alpha-beta search. Wider boards would take hours.
const MOST_SEQUENCES: u64 = 7_u64.pow(PLAIN_LIMIT);

/// The score of `position` if it belongs to `class`. Most other positions are rejected before their score is known.
pub(super) fn score_within(class: Class, position: &Position<Board>, table: &Table) -> Option<Score> {
    let (board, plies) = (position.geometry(), position.plies());
    let signals = StopFlag::new();
    let mut solver = Solver::new(table).stop_flag(&signals);
    solver.on_bounds(Box::new(|lower, upper| {
        if !(lower..=upper).any(|score| class.holds(board, plies, score)) {
            signals.stop();
        }
    }));
    solver.score(position).ok().filter(|&score| class.holds(board, plies, score))
}

/// Confirms a score: the best of the separately solved moves must have the same score. Near the end of the game, a
/// plain alpha-beta search must find the score, too.
pub(super) fn confirm(candidate: &RandomPosition<Board>, score: Score, table: &mut Table) -> Result<()> {
    let RandomPosition { moves, position } = candidate;
    table.clear();
    let after = position.legal_columns().filter_map(|column| position.play(column));
    let scores = after.map(|next| Ok(-Solver::new(table).score(&next)?));
    let best = scores.collect::<Result<Vec<_>>>()?.into_iter().max().unwrap_or(0);
    let said = format!("{moves} has score {score}, but the best of its moves {best}");
    ensure!(best == score, Failure(said));
    if is_near_end(position) {
        let plain = plain_score(position.geometry().size(), moves);
        let said = format!("{moves} has score {score}, but {plain} in a plain search");
        ensure!(plain == score, Failure(said));
    }
    Ok(())
}

fn is_near_end(position: &Position<Board>) -> bool {
    let (columns, empty) = (position.legal_columns().count() as u64, position.empty_cells());
    empty <= PLAIN_LIMIT && columns.checked_pow(empty).is_some_and(|sequences| sequences <= MOST_SEQUENCES)
}

/// Board of a plain alpha-beta search that confirms scores. It shares no code, and so no bug, with the engine.
///
/// `columns` has the stones of each column from the bottom, as their numbers from 0 in the game.
struct Cells {
    columns: Vec<Vec<usize>>,
    height: usize,
}

impl Cells {
    /// Whether the stone with this number completes four in `column`, which is not full.
    fn wins(&self, column: usize, stone: usize) -> bool {
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        directions
            .into_iter()
            .any(|(right, up)| self.run(column, stone, right, up) + self.run(column, stone, -right, -up) >= 3)
    }

    /// Number of stones of the player of `stone` next to the top of `column` in a direction, up to 3.
    fn run(&self, column: usize, stone: usize, right: isize, up: isize) -> isize {
        for step in 1..4 {
            let x = column.checked_add_signed(right * step);
            let y = self.columns[column].len().checked_add_signed(up * step);
            match x.zip(y).and_then(|(x, y)| self.columns.get(x)?.get(y)) {
                Some(found) if found % 2 == stone % 2 => {}
                _ => return step - 1,
            }
        }
        3
    }

    /// The score for the side to move, clamped to `alpha` and `beta`.
    fn score(&mut self, stone: usize, mut alpha: i32, beta: i32) -> i32 {
        let open = (0..self.columns.len()).filter(|&column| self.columns[column].len() < self.height);
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return 0.clamp(alpha, beta);
        }
        if open.iter().any(|&column| self.wins(column, stone)) {
            // The score is 1 for a win with the winner's last stone, and 1 more for each stone that the winner has
            // left.
            let empty = self.columns.len() * self.height - stone;
            return (empty.div_ceil(2) as i32).clamp(alpha, beta);
        }
        for column in open {
            self.columns[column].push(stone);
            alpha = alpha.max(-self.score(stone + 1, -beta, -alpha));
            self.columns[column].pop();
            if alpha >= beta {
                return beta;
            }
        }
        alpha
    }
}

/// The score after legal moves that do not end the game, as column digits or letters.
fn plain_score(size: BoardSize, moves: &str) -> i32 {
    let mut cells = Cells { columns: vec![Vec::new(); size.width as usize], height: size.height as usize };
    for (stone, name) in moves.bytes().enumerate() {
        let column = name - if name.is_ascii_digit() { b'1' } else { b'a' };
        cells.columns[usize::from(column)].push(stone);
    }
    let limit = (size.width * size.height) as i32;
    cells.score(moves.len(), -limit, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::class::candidates;

    fn table(board: Board) -> Table {
        Table::new_on(board, 1).expect("one megabyte")
    }

    fn candidate(moves: &str) -> RandomPosition<Board> {
        let position = Position::from_digits_on(Board::default(), moves).expect("legal");
        RandomPosition { moves: moves.to_owned(), position }
    }

    #[test]
    fn only_the_right_score_is_confirmed() {
        let mut table = table(Board::default());
        for (moves, score) in
            [("2252576253462244111563365343671351441", -1), ("5554224333234511764415115", 4)]
        {
            let candidate = candidate(moves);
            for claimed in -18..=18 {
                let confirmed = confirm(&candidate, claimed, &mut table);
                assert_eq!(confirmed.is_ok(), claimed == score, "{moves} {claimed}");
            }
        }
    }

    #[test]
    fn the_plain_search_finds_what_the_solver_finds() {
        for (size, count) in
            [("7x6", 300), ("4x4", 100), ("5x5", 100), ("10x4", 100), ("4x11", 100), ("12x4", 100)]
        {
            let board: Board = size.parse().expect("a size");
            let table = table(board);
            for class in [Class::EndEasy, Class::MiddleEasy] {
                let near = |candidate: &RandomPosition<_>| is_near_end(&candidate.position);
                let drawn = candidates(class, board, 3).filter(near);
                for RandomPosition { moves, position } in drawn.take(count) {
                    let plain = plain_score(board.size(), &moves);
                    assert_eq!(Ok(plain), Solver::new(&table).score(&position), "{size} {moves}");
                }
            }
        }
    }

    #[test]
    fn a_position_of_another_class_has_no_score() {
        let table = table(Board::default());
        let score_within = |class, position: &_| super::score_within(class, position, &table);
        let position = candidate("274552224131661").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), Some(0));
        assert_eq!(score_within(Class::MiddleEasy, &position), None);
        let position = candidate("5554224333234511764415115").position;
        assert_eq!(score_within(Class::MiddleMedium, &position), None);
        assert_eq!(score_within(Class::MiddleEasy, &position), Some(4));
    }
}
