//! The score of a position near its end by nothing but the rules: alpha-beta over an array of cells, without table,
//! bit sets, bounds or ordering, and without a line of the engine's code, so that no mistake can be common to both.

use plumb::board::BoardSize;

/// A board: of each column, from the left, the numbers of its stones, each from the bottom up. Those of the first player are
/// even, as the first stone is number 0.
struct Board {
    columns: Vec<Vec<usize>>,
    height: usize,
}

impl Board {
    /// Whether the next stone, with this number, completes four in `column`, which is not full.
    fn wins(&self, column: usize, stone: usize) -> bool {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let run = |sign: isize| {
                let is_own = |step: &isize| {
                    let x = column.checked_add_signed(sign * right * step);
                    let y = self.columns[column].len().checked_add_signed(sign * up * step);
                    let found = x.zip(y).and_then(|(x, y)| self.columns.get(x)?.get(y));
                    found.is_some_and(|found| found % 2 == stone % 2)
                };
                (1..4).take_while(is_own).count()
            };
            run(1) + run(-1) >= 3
        })
    }

    /// The score for the side whose stone has the next number, if it lies between `alpha` and `beta`, else the nearer of the
    /// two.
    fn score(&mut self, stone: usize, mut alpha: i32, beta: i32) -> i32 {
        let open = (0..self.columns.len()).filter(|&column| self.columns[column].len() < self.height);
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return 0.clamp(alpha, beta);
        }
        if open.iter().any(|&column| self.wins(column, stone)) {
            // 1 for a win with the winner's last stone, and one more for each stone it has left then.
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

/// The score of the position after these column digits or letters, which must be legal moves on a board of this size that
/// do not end the game.
pub(super) fn score(size: BoardSize, moves: &str) -> i32 {
    let mut board = Board { columns: vec![Vec::new(); size.width as usize], height: size.height as usize };
    for (stone, name) in moves.bytes().enumerate() {
        let column = name - if name.is_ascii_digit() { b'1' } else { b'a' };
        board.columns[usize::from(column)].push(stone);
    }
    let limit = (size.width * size.height) as i32;
    board.score(moves.len(), -limit, limit)
}
