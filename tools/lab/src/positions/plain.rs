//! The score of a position near its end by nothing but the rules: alpha-beta over an array of cells, without table,
//! bit sets, bounds or ordering, and without a line of the engine's code, so that no mistake can be common to both.

use plumb::board::BoardSize;

/// The most columns or rows of a board.
const MOST: usize = BoardSize::MAX_HEIGHT as usize;

/// A board; `cells` are columns from the left, each from the bottom up. What lies outside stays empty.
struct Board {
    width: usize,
    height: usize,
    cells: [[Option<bool>; MOST]; MOST],
    heights: [usize; MOST],
    stones: i32,
}

impl Board {
    fn cell_count(&self) -> i32 {
        (self.width * self.height) as i32
    }

    /// Whose turn it is: the first player's is `true`.
    fn turn(&self) -> bool {
        self.stones % 2 == 0
    }

    fn put(&mut self, column: usize) {
        self.cells[column][self.heights[column]] = Some(self.turn());
        self.heights[column] += 1;
        self.stones += 1;
    }

    fn take(&mut self, column: usize) {
        self.heights[column] -= 1;
        self.stones -= 1;
        self.cells[column][self.heights[column]] = None;
    }

    /// Whether the side to move completes four in `column`, which is not full.
    fn wins(&self, column: usize) -> bool {
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let run = |sign: isize| {
                (1..4)
                    .take_while(|step| {
                        let x = column.checked_add_signed(sign * right * step);
                        let y = self.heights[column].checked_add_signed(sign * up * step);
                        let cell = x.zip(y).and_then(|(x, y)| self.cells.get(x)?.get(y).copied().flatten());
                        cell == Some(self.turn())
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
        let open = (0..self.width).filter(|&column| self.heights[column] < self.height);
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
    let (width, height) = (width as usize, height as usize);
    let mut board = Board { width, height, cells: [[None; MOST]; MOST], heights: [0; MOST], stones: 0 };
    let column = |name: u8| usize::from(name - if name.is_ascii_digit() { b'1' } else { b'a' });
    moves.bytes().for_each(|name| board.put(column(name)));
    let limit = board.cell_count();
    board.score(-limit, limit)
}

#[cfg(test)]
mod tests {
    use super::{BoardSize, score};

    #[test]
    fn published_endings_have_their_scores() {
        for (moves, expected) in [
            ("2252576253462244111563365343671351441", -1),
            ("7422341735647741166133573473242566", 1),
            ("23163416124767223154467471272416755633", 0),
            ("67152117737262713366376314254", 6),
        ] {
            assert_eq!(score(BoardSize::STANDARD, moves), expected, "{moves}");
        }
    }
}
