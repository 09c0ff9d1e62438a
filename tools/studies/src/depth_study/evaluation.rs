//! The segment evaluation of the study, at the horizon of its searches.

use plumb::board::{Geometry, Position, Standard};

/// What a segment with one, two or three stones of one side only is worth to that side.
const WEIGHTS: [i32; 3] = [1, 10, 50];

/// The evaluation for the side to move.
///
/// A segment is a line of four cells; the board has 69. One that holds stones of both sides, or none, counts nothing.
/// Of the others, those of the side to move count for it and those of the opponent against it: 1 for one stone, 10 for
/// two, 50 for three. These are the weights by which this evaluation is commonly taught in courses; the move bonus that
/// some add is left out, as it changes no choice between moves at one depth. The greatest value, 69 times 50, is far
/// below that of a win.
pub(super) fn evaluate(position: &Position) -> i32 {
    points(position.own(), position.opponent()) - points(position.opponent(), position.own())
}

/// What the segments with stones of `side` and none of `other` are worth.
///
/// All segments of a direction at once, one bit for the first cell of each: two sums of two cells, as a low and a high
/// bit, are put together to the number of stones. No segment holds four, as the game would be over.
fn points(side: u64, other: u64) -> i32 {
    let free = Standard::default().board() & !other;
    let mut counts = [0; 3];
    for shift in Standard::default().directions() {
        let two_free = free & (free >> shift);
        let open = two_free & (two_free >> (2 * shift));
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|step| side >> (step * shift));
        let (left_low, left_high) = (first ^ second, first & second);
        let (right_low, right_high) = (third ^ fourth, third & fourth);
        let odd = left_low ^ right_low;
        let high = left_high ^ right_high ^ (left_low & right_low);
        for (count, found) in counts.iter_mut().zip([odd & !high, !odd & high, odd & high]) {
            *count += (open & found).count_ones() as i32;
        }
    }
    counts.iter().zip(WEIGHTS).map(|(count, weight)| count * weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_tools_common::playout::random_position;
    use plumb_tools_common::random::Random;

    /// The same by walking over coordinates.
    fn by_coordinates(side: u64, other: u64) -> i32 {
        let mut points = 0;
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let cells: Vec<(i32, i32)> =
                    (0..4).map(|step| (column + step * right, row + step * up)).collect();
                if cells.iter().any(|(column, row)| !(0..7).contains(column) || !(0..6).contains(row)) {
                    continue;
                }
                let stones = |set: u64| {
                    cells
                        .iter()
                        .filter(|&&(c, r)| set & Standard::default().cell(c as u32, r as u32) != 0)
                        .count()
                };
                points += match (stones(side), stones(other)) {
                    (1, 0) => 1,
                    (2, 0) => 10,
                    (3, 0) => 50,
                    _ => 0,
                };
            }
        }
        points
    }

    #[test]
    fn bit_sums_agree_with_coordinates() {
        let mut random = Random::new(1, 0);
        for stones in (0..40).cycle().take(2_000) {
            let position = random_position(&mut random, stones).position;
            let (own, opponent) = (position.own(), position.opponent());
            assert_eq!(evaluate(&position), by_coordinates(own, opponent) - by_coordinates(opponent, own));
            assert_eq!(evaluate(&position), evaluate(&position.mirrored()));
        }
    }

    #[test]
    fn a_stone_in_the_centre_has_most_segments() {
        let after = |digits| evaluate(&Position::from_digits(digits).expect("legal"));
        assert_eq!((after(""), after("4"), after("1")), (0, -7, -3));
    }
}
