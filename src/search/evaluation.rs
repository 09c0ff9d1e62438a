//! The static evaluation of positions.
//!
//! Boards of at most 42 cells are soon solved, so their evaluation is fast: it counts lines of four cells. On
//! larger boards it is a logistic model of the result, fitted to self-play games (`weights`).

mod weights;

use crate::board::{Bits, Geometry, Player, Position, winning_cells};
use weights::{WeightSet, Weights};

/// Greatest number of cells of a board that the search solves within seconds.
pub(super) const SOLVABLE_CELLS: u32 = 42;

/// The static evaluation of a position that is not over, for the side to move, in centipawn-like units.
///
/// Up to 42 cells, 10 for each line of four cells with two stones of one side and none of the other, and 40
/// for each with three. On larger boards, 100 times the logarithm of the odds of a win against a loss.
///
/// ```
/// use plumb::board::{Position, Standard};
/// use plumb::search::evaluate;
///
/// let position = Position::<Standard>::from_digits("4455").unwrap();
/// assert_eq!(evaluate(&position), 0);
/// ```
#[inline]
#[must_use]
pub fn evaluate<G: Geometry>(position: &Position<G>) -> i32 {
    if position.geometry().cells() <= SOLVABLE_CELLS { count_lines(position) } else { log_odds(position) }
}

const CENTIPAWNS_PER_POINT: i32 = 10;

/// Limit of the static evaluation, far below the value of a proven win.
const LARGEST_ESTIMATE: i32 = 10_000;

fn count_lines<G: Geometry>(position: &Position<G>) -> i32 {
    let geometry = position.geometry();
    let (own, opponent) = (position.own(), position.opponent());
    CENTIPAWNS_PER_POINT * (line_points(geometry, own, opponent) - line_points(geometry, opponent, own))
}

/// Points of `side`: 1 for each line of four cells with two of its stones and none of `other`, 4 with three
/// stones.
#[inline]
fn line_points<G: Geometry>(geometry: G, side: G::Bits, other: G::Bits) -> i32 {
    let free = geometry.board() & !other;
    let mut points = 0;
    for shift in geometry.directions() {
        let lines = Lines::new(side, free, shift);
        points += lines.two.count() + 4 * lines.three.count();
    }
    points as i32
}

/// Bitboards of the lines of four cells in one direction without a stone of the opponent, by number of
/// stones. The bit of its first cell stands for a line.
struct Lines<B> {
    one: B,
    two: B,
    three: B,
}

impl<B: Bits> Lines<B> {
    /// Carry-save addition counts the stones of each line. Four stones do not occur: the game would be over.
    #[inline]
    fn new(stones: B, free: B, shift: u32) -> Self {
        let two_free = free & (free >> shift);
        let open = two_free & (two_free >> (2 * shift));
        let [s0, s1, s2, s3] = cells_of_lines(stones, shift);
        let (first_sum, first_carry) = (s0 ^ s1, s0 & s1);
        let (second_sum, second_carry) = (s2 ^ s3, s2 & s3);
        let odd = first_sum ^ second_sum;
        let two_or_three = first_carry ^ second_carry ^ (first_sum & second_sum);
        Self {
            one: open & odd & !two_or_three,
            two: open & two_or_three & !odd,
            three: open & two_or_three & odd,
        }
    }
}

/// Four bitboards. Bit `i` tells whether `set` has the first, second, third or fourth cell of the line from
/// cell `i`.
#[inline]
fn cells_of_lines<B: Bits>(set: B, shift: u32) -> [B; 4] {
    [set, set >> shift, set >> (2 * shift), set >> (3 * shift)]
}

/// Number of pattern counts of a player in [`Features::patterns`].
pub const PATTERNS: usize = 22;

/// Number of values of [`Features::zugzwang`].
pub const ZUGZWANGS: usize = 27;

/// Features of a position for the evaluation on large boards.
///
/// A *threat* is an empty cell that completes four in a row and is not playable yet. A line of four cells is
/// *open* without a stone of the opponent. The top row and every second row below are *good* for the second
/// player, the other rows for the first. In a column with an even number of empty cells the first player gets
/// its good rows by moving there first, the second player by answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Counts for the first and for the second player:
    ///
    /// | index | what is counted |
    /// |---|---|
    /// | 0, 1 | threats just above a playable cell, in good and other rows |
    /// | 2, 3 | higher threats without a winning cell of either player below them, in good and other rows |
    /// | 4 | the lowest winning cell of a column and the cell above, both of this player only |
    /// | 5 to 7 | open lines with two stones along a good row, with 0, 1 and 2 playable cells |
    /// | 8 to 10 | open lines with two stones along another row |
    /// | 11 to 13 | open diagonals with two stones, both empty cells in good rows |
    /// | 14 to 16 | open diagonals with two stones, one of the two cells in a good row |
    /// | 17 to 19 | open diagonals with two stones, none in a good row |
    /// | 20, 21 | open lines with one stone along a good row, and along another row |
    pub patterns: [[i32; PATTERNS]; 2],
    /// Who runs out of harmless moves (zugzwang), as an index `9 a + 3 b + c`. Each letter counts columns
    /// with a threat that has no winning cell of the opponent below it; 2 means two or more. `a`: threats of
    /// the first player in good rows. `b`: of the second player in good rows. `c`: of the second player in
    /// other rows.
    pub zugzwang: usize,
}

struct Side<B> {
    stones: B,
    winning: B,
    above_winning: B,
    good_rows: B,
}

impl<B: Bits> Side<B> {
    #[inline]
    fn new<G: Geometry<Bits = B>>(position: &Position<G>, player: Player) -> Self {
        let geometry = position.geometry();
        let stones = position.stones(player);
        let winning = winning_cells(geometry, stones, position.mask());
        let good_rows = match player {
            Player::First => geometry.lead_rows(),
            Player::Second => geometry.follow_up_rows(),
        };
        Self {
            stones,
            winning,
            above_winning: (up_from(geometry, winning) << 1) & geometry.board(),
            good_rows,
        }
    }
}

/// For each column, the lowest cell of `set` and all cells above it.
///
/// In a column, the spare bit on top minus the set keeps the lowest bit and inverts the bits above.
#[inline]
fn up_from<G: Geometry>(geometry: G, set: G::Bits) -> G::Bits {
    (geometry.spare_row().minus(set) | set) & geometry.board()
}

#[inline]
fn columns_at_most_2<G: Geometry>(geometry: G, set: G::Bits) -> usize {
    let top_row = geometry.spare_row() >> 1;
    (up_from(geometry, set) & top_row).count().min(2) as usize
}

impl Features {
    /// The features of a position that is not over.
    #[inline]
    #[must_use]
    pub fn of<G: Geometry>(position: &Position<G>) -> Self {
        let (geometry, playable) = (position.geometry(), position.playable());
        let first = Side::new(position, Player::First);
        let second = Side::new(position, Player::Second);
        let first_threats = first.winning & !playable & !second.above_winning;
        let second_threats = second.winning & !playable & !first.above_winning;
        let a = columns_at_most_2(geometry, first_threats & first.good_rows);
        let b = columns_at_most_2(geometry, second_threats & second.good_rows);
        let c = columns_at_most_2(geometry, second_threats & !second.good_rows);
        Self {
            patterns: [
                patterns(geometry, playable, &first, &second),
                patterns(geometry, playable, &second, &first),
            ],
            zugzwang: 9 * a + 3 * b + c,
        }
    }
}

#[inline]
fn patterns<G: Geometry>(
    geometry: G,
    playable: G::Bits,
    side: &Side<G::Bits>,
    other: &Side<G::Bits>,
) -> [i32; PATTERNS] {
    let mut counts = [0; PATTERNS];
    let good = side.good_rows;
    let bad = geometry.board() & !good;

    let next = (playable << 1) & geometry.board();
    let lowest = side.winning & !playable & !side.above_winning & !other.above_winning;
    let pair = ((lowest & !other.winning) << 1) & side.winning & !other.winning;
    let sets = [
        side.winning & next & good,
        side.winning & next & bad,
        lowest & !next & good,
        lowest & !next & bad,
        pair,
    ];
    for (count, set) in counts.iter_mut().zip(sets) {
        *count = set.count() as i32;
    }

    let free = geometry.board() & !other.stones;
    let [_, along_row, diagonals @ ..] = geometry.directions();
    let lines = Lines::new(side.stones, free, along_row);
    count_by_playable(&mut counts[5..8], lines.two & good, playable, along_row);
    count_by_playable(&mut counts[8..11], lines.two & bad, playable, along_row);
    counts[20] = (lines.one & good).count() as i32;
    counts[21] = (lines.one & bad).count() as i32;
    for shift in diagonals {
        let lines = Lines::new(side.stones, free, shift);
        let [s0, s1, s2, s3] = cells_of_lines(side.stones, shift);
        // Good and other rows alternate along a diagonal, so the first and third cell are alike.
        let first_and_third_empty = lines.two & s1 & s3;
        let second_and_fourth_empty = lines.two & s0 & s2;
        let both_good = (first_and_third_empty & good) | (second_and_fourth_empty & bad);
        let none_good = (first_and_third_empty & bad) | (second_and_fourth_empty & good);
        let one_good = lines.two & !first_and_third_empty & !second_and_fourth_empty;
        count_by_playable(&mut counts[11..14], both_good, playable, shift);
        count_by_playable(&mut counts[14..17], one_good, playable, shift);
        count_by_playable(&mut counts[17..20], none_good, playable, shift);
    }
    counts
}

/// Adds the numbers of lines with 0, 1 and 2 playable cells. Each line has two stones and two empty cells.
#[inline]
fn count_by_playable<B: Bits>(counts: &mut [i32], lines: B, playable: B, shift: u32) {
    let [p0, p1, p2, p3] = cells_of_lines(playable, shift);
    let some = lines & (p0 | p1 | p2 | p3);
    let one = some & (p0 ^ p1 ^ p2 ^ p3);
    counts[0] += (lines & !some).count() as i32;
    counts[1] += one.count() as i32;
    counts[2] += (some & !one).count() as i32;
}

/// Each weight changes linearly with the number of stones.
fn log_odds<G: Geometry>(position: &Position<G>) -> i32 {
    let geometry = position.geometry();
    let Weights { start, growth } = Weights::of(geometry.size());
    let features = Features::of(position);
    let sign = if position.side_to_move() == Player::First { 1 } else { -1 };
    let growth = growth.sum(&features, sign) * position.plies() as i32 / geometry.cells() as i32;
    let thousandths = sign * (start.sum(&features, sign) + growth);
    (thousandths / 10).clamp(-LARGEST_ESTIMATE, LARGEST_ESTIMATE)
}

impl WeightSet {
    #[inline]
    fn sum(&self, features: &Features, turn: i32) -> i32 {
        let mut sum = self.zugzwang[features.zugzwang] + turn * self.turn;
        for (counts, weights) in features.patterns.iter().zip(&self.patterns) {
            for (count, weight) in counts.iter().zip(weights) {
                sum += count * weight;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests;
