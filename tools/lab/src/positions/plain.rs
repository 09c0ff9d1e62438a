//! The score of a position near its end by nothing but the rules: alpha-beta over an array of cells, without table,
//! bit sets, bounds or ordering, and without a line of the engine's code, so that no mistake can be common to both.

use plumb::board::BoardSize;

/// A board: the stones of each column, from the left, each from the bottom up. Those of the first player are `true`.
struct Board {
    columns: Vec<Vec<bool>>,
    height: usize,
    stones: i32,
}

impl Board {
    fn cell_count(&self) -> i32 {
        (self.columns.len() * self.height) as i32
    }

    /// Whose turn it is: the first player's is `true`.
    fn turn(&self) -> bool {
        self.stones % 2 == 0
    }

    fn put(&mut self, column: usize) {
        let turn = self.turn();
        self.columns[column].push(turn);
        self.stones += 1;
    }

    fn take(&mut self, column: usize) {
        self.columns[column].pop();
        self.stones -= 1;
    }

    /// Whether the side to move completes four in `column`, which is not full.
    fn wins(&self, column: usize) -> bool {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let run = |sign: isize| {
                (1..4)
                    .take_while(|step| {
                        let x = column.checked_add_signed(sign * right * step);
                        let y = self.columns[column].len().checked_add_signed(sign * up * step);
                        let stone = x.zip(y).and_then(|(x, y)| self.columns.get(x)?.get(y));
                        stone == Some(&self.turn())
                    })
                    .count()
            };
            run(1) + run(-1) >= 3
        })
    }

    /// The score for the side to move if it lies between `alpha` and `beta`, else the nearer of the two.
    fn score(&mut self, mut alpha: i32, beta: i32) -> i32 {
        if self.stones == self.cell_count() {
            return 0.clamp(alpha, beta);
        }
        let open = (0..self.columns.len()).filter(|&column| self.columns[column].len() < self.height);
        let open: Vec<_> = open.collect();
        if open.iter().any(|&column| self.wins(column)) {
            // 1 for a win with the winner's last stone, and one more for each stone it has left then.
            return ((self.cell_count() + 1 - self.stones) / 2).clamp(alpha, beta);
        }
        for column in open {
            self.put(column);
            alpha = alpha.max(-self.score(-beta, -alpha));
            self.take(column);
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
    let BoardSize { width, height } = size;
    let mut board = Board { columns: vec![Vec::new(); width as usize], height: height as usize, stones: 0 };
    let column = |name: u8| usize::from(name - if name.is_ascii_digit() { b'1' } else { b'a' });
    moves.bytes().for_each(|name| board.put(column(name)));
    let limit = board.cell_count();
    board.score(-limit, limit)
}
