//! Plain alpha-beta search over an array of cells. It shares no code with the engine, so both cannot have the same bug.

use plumb::board::BoardSize;

/// Columns from the left, each with the numbers of its stones from the bottom. The first player's stones are even.
struct Board {
    columns: Vec<Vec<usize>>,
    height: usize,
}

impl Board {
    /// Whether the stone with this number completes four in `column`, which is not full.
    fn wins(&self, column: usize, stone: usize) -> bool {
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        directions
            .into_iter()
            .any(|(right, up)| self.run(column, stone, right, up) + self.run(column, stone, -right, -up) >= 3)
    }

    /// Number of own stones next to the top of `column` in a direction, up to 3.
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
            // 1 for a win with the last stone, and 1 more for each stone that the winner has left.
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
pub(super) fn score(size: BoardSize, moves: &str) -> i32 {
    let mut board = Board { columns: vec![Vec::new(); size.width as usize], height: size.height as usize };
    for (stone, name) in moves.bytes().enumerate() {
        let column = name - if name.is_ascii_digit() { b'1' } else { b'a' };
        board.columns[usize::from(column)].push(stone);
    }
    let limit = (size.width * size.height) as i32;
    board.score(moves.len(), -limit, limit)
}
